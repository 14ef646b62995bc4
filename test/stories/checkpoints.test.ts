/** Files as they were before each prompt: kept while one works, compared, and restored. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, type Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { expectDraft, lastingHome, logged, openIn, program, send, withCheckpoints } from './stage.ts'

type Step = { run: string } | { write: string; content: string }

const at = (home: Home, name: string): string => join(home.project, name)
const read = (home: Home, name: string): string => readFileSync(at(home, name), 'utf8')

function project(isGit: boolean): Home {
  const home = lastingHome()
  writeFileSync(at(home, 'a.txt'), 'one\n')
  writeFileSync(at(home, 'b.txt'), 'two\n')
  if (isGit) execFileSync('git', ['init', '-q', '--template='], { cwd: home.project })
  return home
}

/** Has the agent do this in one turn, and waits until the files are kept. */
async function turn(zotui: Screen, name: string, steps: readonly Step[]): Promise<void> {
  writeFileSync(join(zotui.home.path, name), JSON.stringify(steps))
  const ended = endsOf(zotui.home)
  await send(zotui, name)
  await zotui.until('the turn to end', { check: () => endsOf(zotui.home) > ended })
}

const endsOf = (home: Home): number => logged(home).split('"turn_ended"').length - 1

/** Waits until what the agent did in the first turn is told from what the user does next: each is a checkpoint. */
async function marked(zotui: Screen): Promise<void> {
  const folder = join(zotui.home.path, '.local', 'state', 'zotui', 'checkpoints')
  const names = () => readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const check = () => names().filter(name => /refs\/checkpoints\/[\da-f-]+$/.test(name)).length === 2
  await zotui.until('both checkpoints', { check })
}

async function run(home: Home, ...args: string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, 'checkpoints', ...args], {
    cwd: home.project,
    env: environment(home.path, withCheckpoints),
    extendEnv: false,
    reject: false,
  })
  return { code: exitCode, stdout, stderr }
}

describe.each([
  ['a repository', true],
  ['a plain folder', false],
])('in %s', (_name, isGit) => {
  test('/diff since shows what changed from a prompt on, and /rewind undoes it and can be undone', async () => {
    const home = project(isGit)
    const zotui = await openIn(home, { agent: 'changing', env: withCheckpoints, rows: 45 })
    await turn(zotui, 'first', [{ write: 'a.txt', content: 'agent\n' }])
    await turn(zotui, 'second', [{ run: 'rm b.txt; echo made > made.txt' }])
    await send(zotui, '/diff since second')
    await zotui.see(/changes since/)
    await zotui.press('enter')
    await zotui.see(/made\.txt +new +\+1 -0/)
    expect(zotui.screen().join('\n')).not.toContain('a.txt')
    await zotui.press('down', 'enter')
    await zotui.see(/\+ ?made/)
    await zotui.press('q', 'q')
    await zotui.until('the screen of the shell', { check: () => !zotui.alternate })
    await send(zotui, '/rewind second')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await zotui.see('deletes +0 -1  made.txt')
    await zotui.see(/Conversation and files +2 files, \+1 -1 lines/)
    await zotui.press('enter')
    await zotui.see('Restored 2 files.')
    await expectDraft(zotui, 'second')
    expect([read(home, 'a.txt'), read(home, 'b.txt'), existsSync(at(home, 'made.txt'))]).toEqual([
      'agent\n',
      'two\n',
      false,
    ])
    await zotui.press('ctrl+c')
    await send(zotui, '/rewind undo')
    await zotui.see(/Restore the files +2 files/)
    await zotui.press('enter')
    const isUndone = (): boolean => existsSync(at(home, 'made.txt')) && !existsSync(at(home, 'b.txt'))
    await zotui.until('the files to be as the command left them', { check: isUndone })
  })
})

describe('/rewind', () => {
  test('asks about what the user has changed since then, and keeps it, at 80 and at 40 columns', async () => {
    const home = project(true)
    const zotui = await openIn(home, { agent: 'changing', env: withCheckpoints, rows: 45 })
    await turn(zotui, 'first', [{ write: 'a.txt', content: 'agent\n' }])
    await marked(zotui)
    const asks = async (lines: number) => {
      writeFileSync(at(home, 'b.txt'), 'mine\n'.repeat(lines))
      await send(zotui, '/rewind first')
      await zotui.see(/go back to before/)
      await zotui.press('enter')
      // An earlier question may still stand above.
      const question = String.raw`It would overwrite what you have\s+changed\s+since\s+then:\n\n {2}restores \+1 -${lines} {2}b\.txt$`
      await zotui.see(
        new RegExp(String.raw`Restoring would change:\n\n {2}restores \+1 -1 {2}a\.txt\n\n {2}${question}`, 'm'),
      )
      await zotui.see(/Both, but keep my changes +1 file/)
      await zotui.see(/Files, but keep my changes +1 file/)
    }
    await asks(2)
    await zotui.see(/overwrites 1 file that you changed/)
    await zotui.press('esc')
    await zotui.gone('keep my changes')
    await zotui.see('Cancelled: restoring 2 files, +2 -3 lines.')
    await zotui.gone('Restoring would change:')
    // The viewer has what it would have done.
    await zotui.press('ctrl+o')
    await zotui.see('q closes')
    await zotui.see(/Cancelled: restoring 2 files/)
    await zotui.press('enter')
    await zotui.see('Restoring would change:')
    await zotui.type('q')
    await zotui.until('the screen of the shell', { check: () => !zotui.alternate })
    zotui.resize(40, 45)
    await asks(1)
    await zotui.press('enter')
    await zotui.see('Restored 1 file.')
    expect([read(home, 'a.txt'), read(home, 'b.txt')]).toEqual(['one\n', 'mine\n'])
  })
})

test('keeps nothing without the setting', async () => {
  const home = project(true)
  mkdirSync(join(home.path, '.config', 'zotui'), { recursive: true })
  writeFileSync(join(home.path, '.config', 'zotui', 'config.json'), '{ "checkpoints": false }')
  const zotui = await openIn(home, { agent: 'changing', env: withCheckpoints })
  await turn(zotui, 'first', [{ run: 'true' }])
  expect(logged(home)).not.toContain('checkpoint_made')
  expect((await run(home)).stderr).toContain('This folder has no checkpoints yet.')
})

describe('zotui checkpoints', () => {
  test('lists, shows, restores and undoes without the UI, and /rewind restores the files of the resumed session', async () => {
    const home = project(true)
    const zotui = await openIn(home, { agent: 'changing', env: withCheckpoints })
    await turn(zotui, 'first', [{ write: 'a.txt', content: 'agent\n' }])
    await marked(zotui)
    await zotui.press('ctrl+d')
    await zotui.exit()
    const listed = JSON.parse((await run(home, 'list', '--json')).stdout) as { id: string; label: string; by: string }[]
    const [id = ''] = listed.filter(({ by }) => by === 'user').map(each => each.id)
    expect((await run(home)).stdout).toMatch(new RegExp(`^\\S+ .* After: first\\n${id} .* Before: first$`))
    expect((await run(home, 'show', id)).stdout).toBe('restored  a.txt  +1 -1')
    expect(await run(home, 'show')).toEqual({
      code: 0,
      stdout: 'restored  a.txt  +1 -1',
      stderr: expect.stringMatching(new RegExp(`^zotui: ${id} .* Before: first$`)),
    })
    writeFileSync(at(home, 'b.txt'), 'mine\n')
    const refused = await run(home, 'restore', id)
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('You have changed 1 of these files since then: b.txt.'),
    })
    expect((await run(home, 'restore', id, '--keep-mine')).stderr).toContain('Restored 1 files.')
    expect([read(home, 'a.txt'), read(home, 'b.txt')]).toEqual(['one\n', 'mine\n'])
    expect((await run(home, 'undo')).code).toBe(0)
    expect(read(home, 'a.txt')).toBe('agent\n')
    expect((await run(home, 'prune')).stderr).toContain('Removed 0 checkpoints.')
    writeFileSync(at(home, 'b.txt'), 'two\n')
    const resumed = await openIn(home, { agent: 'changing', env: withCheckpoints, args: ['--continue'], rows: 45 })
    await send(resumed, '/rewind')
    await resumed.see(/go back to before/)
    await resumed.press('enter')
    await resumed.see(/Conversation and files +1 file/)
    await resumed.press('enter')
    await resumed.until('the file to be back', { check: () => read(home, 'a.txt') === 'one\n' })
  })

  test.each([
    [['nope'], 'There is no `zotui checkpoints nope`. Use list, show, restore, undo, prune.'],
    [['lst'], 'There is no `zotui checkpoints lst`. Did you mean list?'],
    [['restore'], '`zotui checkpoints` lists them'],
    [['undo', 'x'], 'takes no ID'],
    [['restore', 'x', '--force', '--keep-mine'], 'not both'],
    [['--nope'], 'There is no flag --nope'],
  ])('%s ends with 2', async (args, words) => {
    expect(await run(lastingHome(), ...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(words) })
  })

  test('says that there is no such checkpoint', async () => {
    const { code, stderr } = await run(project(true), 'show', '20260101-000000-abcdef')
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no checkpoint 20260101'),
    })
  })
})
