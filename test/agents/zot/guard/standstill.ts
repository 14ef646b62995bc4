/** The rule that nothing runs because programs stood still for a while and went on: as in a paused container, or when a machine sleeps. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { removeStaleFolders } from '../../../../src/agents/zot/guard/folder.ts'
import { alive, descendants } from '../../../helpers/processes.ts'
import { bash, cache, mortal, read, write, type Call, type MakeZot, type OpenedZot } from './suite.ts'

export type Standstill = {
  /** Milliseconds that everything stands still: longer than zot waits for an answer. */
  still: number
  /** Milliseconds in which whatever goes on does what it will do. */
  after: number
}

type Stopped = 'zotui' | 'the guard' | 'zot'

const everything: readonly Stopped[] = ['zotui', 'the guard', 'zot']
const some: readonly (readonly Stopped[])[] = [
  everything,
  ['zotui', 'the guard'],
  ['zotui', 'zot'],
  ['the guard', 'zot'],
  ['zotui'],
  ['the guard'],
  ['zot'],
]
const SECRET = 'forty-two'

/** A standstill is itself an amount of time: it has to outlast the limit after which zot gives up. */
const pause = async (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))

/** `make` makes the zot. One call of each kind waits, each in a zot of its own. */
export function holdsAtStandstill(make: MakeZot, { still, after }: Standstill): void {
  test.each([
    ...some.map(stopped => ({ stopped, moment: 'before the guard hears of a call' })),
    { stopped: everything, moment: 'while the user is asked' },
  ])('nothing runs after $stopped stood still $moment', async ({ stopped, moment }) => {
    const outside = mkdtempSync(path.join(tmpdir(), 'outside-'))
    writeFileSync(path.join(outside, SECRET), `${SECRET} is the secret`)
    const waiting: readonly Call[] = [
      read(path.join(outside, SECRET)),
      write('ran', 'x'),
      bash(`touch ran; cat ${path.join(outside, SECRET)}`),
      { id: 'call', name: 'glob', args: { pattern: '*', path: outside } },
    ]
    const zots = await Promise.all(
      waiting.map(call => make([{ calls: [call, { ...call, id: 'next' }] }, { text: 'Done.' }], { holdsBack: true })),
    )
    const { zotui, until } = startZotui(zots)
    try {
      await stopAndGoOn(
        { zotui, until, zots, stopped, isAsked: moment === 'while the user is asked' },
        { still, after },
      )
    } finally {
      await ended(zotui, zots)
    }
    for (const zot of zots) {
      expect(existsSync(path.join(zot.project, 'ran'))).toBe(false)
      // The model wrote the name of the file itself, in its own calls.
      expect(zot.told()).not.toContain(`${SECRET} is`)
      expect(zot.told()).not.toMatch(/"(?:text|content)":"[^"]*\/?forty-two/)
    }
  })
}

type Stage = ReturnType<typeof startZotui> & {
  zots: readonly OpenedZot[]
  stopped: readonly Stopped[]
  isAsked: boolean
}

const isGuard = ({ command }: { command: string }): boolean => command.includes('zotui-guard')

async function stopAndGoOn(
  { zotui, until, zots, stopped, isAsked }: Stage,
  { still, after }: Standstill,
): Promise<void> {
  await until('"prompt_accepted"', zots.length)
  if (isAsked) {
    for (const zot of zots) zot.letGo()
    await until('"permission_requested"', zots.length)
  }
  const all = descendants(zotui.pid ?? 0)
  const stops = (kind: Stopped): number[] => {
    if (kind === 'zotui') return [zotui.pid ?? 0]
    return all.filter(each => (kind === 'zot' ? !isGuard(each) : isGuard(each))).map(({ pid }) => pid)
  }
  // zot is stopped last, so that it has asked its question by then.
  const others = stopped.filter(kind => kind !== 'zot').flatMap(stops)
  for (const pid of others) process.kill(pid, 'SIGSTOP')
  if (!isAsked) for (const zot of zots) zot.letGo()
  if (!isAsked) await pause(after)
  const leaders = stopped.includes('zot') ? stops('zot') : []
  for (const pid of leaders) process.kill(pid, 'SIGSTOP')
  await pause(still)
  const isThere = (pid: number): boolean => all.some(each => each.pid === pid && alive(each)) || pid === zotui.pid
  for (const pid of [...leaders, ...others].filter(isThere)) process.kill(pid, 'SIGCONT')
  await pause(after)
}

/** Kills it, waits until its zots and guards have ended, too, and tidies up. */
async function ended(zotui: ChildProcess, zots: readonly OpenedZot[]): Promise<void> {
  const started = descendants(zotui.pid ?? 0)
  // Its folders are removed only once it is gone, and not merely killed.
  const gone = once(zotui, 'exit')
  if (zotui.kill('SIGKILL')) await gone
  for (const end = performance.now() + 8000; started.some(alive) && performance.now() < end;) await pause(20)
  for (const { places } of zots) await removeStaleFolders([places])
}

/** Starts a zotui that may be stopped, with these zots. */
function startZotui(zots: readonly OpenedZot[]): {
  zotui: ChildProcess
  until: (words: string, times: number) => Promise<void>
} {
  const launches = JSON.stringify(zots.map(({ launch }) => launch))
  const zotui = spawn(process.execPath, [mortal, launches, 'alone'], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: string[] = []
  let look: (() => void) | undefined
  createInterface({ input: zotui.stdout }).on('line', line => {
    lines.push(line)
    look?.()
  })
  const until = async (words: string, times: number): Promise<void> =>
    new Promise(resolve => {
      look = () => {
        if (lines.filter(line => line.includes(words)).length >= times) resolve()
      }
      look()
    })
  return { zotui, until }
}
