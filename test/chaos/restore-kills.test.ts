/**
 * zotui is killed (SIGKILL) at every step of a restore: of files by the command, and of /rewind. Whatever it has done by then, the undo brings
 * back exactly what was there, and the restore can be done again. Nothing counts as the user's that the restore wrote, nothing of the user's is
 * overwritten, and no temporary file stays.
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { isLong } from '../helpers/length.ts'
import type { Screen } from '../helpers/screen.ts'
import { lastingHome, openIn, send, withCheckpoints } from '../stories/stage.ts'
import { agentWorks, everything, expectFiles, finish, killing, userWorks, worked, writer, zotui } from './worked.ts'

/** The kills of each kind: 60 of about 150 steps in folders of their own for 15, or a few, others in each run. */
const [KILLS, REWINDS] = isLong ? [15, 15] : [3, 2]
const rounds = isLong ? [0, 1, 2, 3] : [0]

/** A part of the steps, at random: from shortly before the first change of a file on. Each round has others. */
function some(steps: readonly string[], round: number, count: number): number[] {
  const first = steps.findIndex(step => !step.includes(' git ')) - 3
  // A later run may have a few steps less: a checkpoint that is there is not made again.
  const all = steps.slice(first, -5).map(step => Number.parseInt(step, 10))
  return all
    .filter((_, index) => index % rounds.length === round)
    .map(number => [Math.random(), number] as const)
    .toSorted(([one], [other]) => one - other)
    .slice(0, count)
    .map(([, number]) => number)
}

const kinds = [
  ['a repository', true],
  ['a plain folder', false],
] as const

describe.each(kinds)('a restore by the command in %s', (_name, isGit) => {
  test.each(rounds)(
    'that is killed is undone exactly, and can be done again (%i)',
    { timeout: 3_600_000 },
    async round => {
      const here = await worked(isGit)
      const kill = killing(here)
      kill.arm()
      const before = here.all()
      await zotui(here, ['restore', here.first], kill.at(0))
      const restored = here.all()
      expect(restored).not.toEqual(before)
      const steps = kill.steps()
      expect(steps.length).toBeGreaterThan(100)
      await finish(here, ['undo'])
      expectFiles(here, before)
      for (const number of some(steps, round, KILLS)) {
        const { signal } = await zotui(here, ['restore', here.first], kill.at(number))
        const where = kill.steps().at(-1) ?? ''
        expect({ where, signal }).toEqual({ where, signal: 'SIGKILL' })
        // Before the intent is written there is nothing to undo but what was undone before.
        const isBegun = !isDeepStrictEqual(here.all(), before)
        await finish(here, isBegun ? ['undo'] : ['restore', here.last, '--force'], where)
        expectFiles(here, before, where)
        await finish(here, ['restore', here.first], where)
        expectFiles(here, restored, where)
        // The same of an undo.
        await zotui(here, ['undo'], kill.at(number))
        kill.steps()
        if (!isDeepStrictEqual(here.all(), restored)) await finish(here, ['restore', here.first], where)
        expectFiles(here, restored, where)
        await finish(here, ['restore', here.last], where)
        expectFiles(here, before, where)
      }
    },
  )

  test('that is killed makes nothing its own that the user changes afterwards', async () => {
    const here = await worked(isGit)
    const kill = killing(here)
    kill.arm()
    const before = here.all()
    await zotui(here, ['restore', here.first], kill.at(0))
    const steps = kill.steps()
    await zotui(here, ['undo'])
    const last = steps.findLastIndex(step => step.includes('after rename'))
    await zotui(here, ['restore', here.first], kill.at(last))
    // One file that it has written, one that it has not, and one of which it knows nothing.
    for (const name of ['a', 'made', 'new']) here.write(name, 'mine\n')
    const refused = await zotui(here, ['undo'])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/You have changed 3 of these files since/) })
    await finish(here, ['undo', '--keep-mine'])
    const mine = Object.fromEntries(['a', 'made', 'new'].map(name => [name, '644 mine\n']))
    expectFiles(here, { ...before, ...mine })
  })
})

function checkpointsIn({ path }: Home): number {
  const folder = join(path, '.local', 'state', 'zotui', 'checkpoints')
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : []
  return names.filter(name => /refs\/checkpoints\/[\da-f-]+$/.test(name)).length
}

/** Has an agent work in a home, and closes zotui. */
async function conversed() {
  const home = lastingHome()
  const here = { folder: home.project, top: home.path, ...writer(home.project) }
  userWorks(here)
  writeFileSync(
    join(home.path, 'first'),
    JSON.stringify([{ run: ': >"$HOME/go"; until [ -e "$HOME/done" ]; do sleep 0.05; done' }]),
  )
  const zotui = await openIn(home, { agent: 'changing', env: withCheckpoints, rows: 45 })
  await send(zotui, 'first')
  await zotui.until('the agent to begin', { check: () => existsSync(join(home.path, 'go')) })
  agentWorks(here)
  writeFileSync(join(home.path, 'done'), '')
  // The second one tells what the agent did from what the user does next.
  await zotui.until('both checkpoints', { check: () => checkpointsIn(home) === 2 })
  await zotui.close()
  return { home, ...here, kill: killing(here), all: () => everything(home.project) }
}

type Conversed = Awaited<ReturnType<typeof conversed>>

/** Opens the conversation, and answers the question of this command so that files are restored. */
async function rewind({ home, kill }: Conversed, command: string, number: number): Promise<Screen> {
  const zotui = await openIn(home, {
    agent: 'changing',
    env: { ...withCheckpoints, ...kill.at(number) },
    args: ['--continue'],
    rows: 60,
  })
  await send(zotui, command)
  if (command === '/rewind first') {
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await zotui.see(/Files only/)
    await zotui.press('down', 'down')
    await zotui.see(/› Files only/)
  } else await zotui.see(/› Restore the files/)
  expect(zotui.screen().join('\n')).not.toMatch(/that you changed|you have changed/)
  kill.arm()
  await zotui.press('enter')
  if (number === 0) await zotui.see(/Restored \d+ files?\./)
  else await zotui.exit()
  kill.disarm()
  return zotui
}

describe('/rewind', () => {
  test.each(rounds)(
    'that is killed is undone exactly, without a question about changes of the user, and can be done again (%i)',
    { timeout: 3_600_000 },
    async round => {
      const here = await conversed()
      const before = here.all()
      const first = await rewind(here, '/rewind first', 0)
      await first.close()
      const steps = here.kill.steps()
      const restored = here.all()
      expect(restored).not.toEqual(before)
      expect(steps.length).toBeGreaterThan(100)
      await (await rewind(here, '/rewind undo', 0)).close()
      here.kill.steps()
      expectFiles(here, before)
      for (const number of some(steps, round, REWINDS)) {
        await rewind(here, '/rewind first', number)
        const where = here.kill.steps().at(-1) ?? ''
        if (isDeepStrictEqual(here.all(), before)) continue
        await (await rewind(here, '/rewind undo', 0)).close()
        expectFiles(here, before, where)
        await (await rewind(here, '/rewind first', 0)).close()
        expectFiles(here, restored, where)
        await (await rewind(here, '/rewind undo', 0)).close()
        here.kill.steps()
        expectFiles(here, before, where)
      }
    },
  )
})
