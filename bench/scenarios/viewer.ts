/** Reading a very long conversation in the viewer while the agent works: each kind of key, compared with a short one. */
import { setTimeout as pause } from 'node:timers/promises'
import { now } from '../clock.ts'
import { MEGABYTE, timeFigures, type Figure } from '../figures.ts'
import { PageReader } from '../page-reader.ts'
import { sessionsOf, writeSession } from '../sessions.ts'
import type { Stage } from '../stage.ts'

/** Each is about a hundred lines. */
const LONG = 1100
const SHORT = 30
const DELTAS = 200
/** Longer than anybody reads: it ends when zotui does. */
const STREAM = { kind: 'answer', count: 60_000, rate: 200, turn: 0 } as const

export async function viewer(stage: Stage): Promise<Figure[]> {
  const short = await readThrough(stage, SHORT)
  const long = await readThrough(stage, LONG)
  return [
    { name: 'lines', unit: 'count', value: long.lines, floor: short.lines },
    ...[...long.times].flatMap(([kind, times]) => timeFigures(kind, times, short.times.get(kind)).slice(1)),
    ...timeFigures('any key', [...long.times.values()].flat(), [...short.times.values()].flat()),
    { name: 'slowest key', unit: 'ms', value: Math.max(...[...long.times.values()].flat()) },
    { name: 'bytes a key', unit: 'bytes', value: long.bytes, floor: short.bytes },
    { name: 'opened', unit: 'ms', value: long.opened, floor: short.opened },
    { name: 'counted', unit: 'ms', value: long.counted },
    { name: 'searched', unit: 'ms', value: long.searched },
    { name: 'memory', unit: 'MB', value: long.memory, floor: short.memory },
  ]
}

type Reading = {
  lines: number
  /** Milliseconds from each key to the frame that shows its effect, by kind. */
  times: Map<string, number[]>
  bytes: number
  opened: number
  counted: number
  searched: number
  /** The memory that the viewer took. */
  memory: number
}

async function readThrough(stage: Stage, turns: number): Promise<Reading> {
  const prepare = (folder: string): void => {
    const sessions = sessionsOf(folder)
    writeSession(sessions, turns, DELTAS)
    sessions.close()
  }
  const ui = stage.open({ prepare, args: ['--continue'] })
  await ui.shown('the end of the session', () =>
    ui.terminal.screen().some(line => line.includes('Resumed the session')),
  )
  await ui.send(STREAM)
  await pause(1000)
  const before = ui.usage().memory
  const reader = new Reader(ui)
  const opened = await reader.press('open', '\u000F', () => reader.bottom().endsWith('q closes'))
  const begun = now()
  const counted = (await ui.shown('all lines counted', () => reader.lines() !== null)) - begun
  const lines = reader.lines() ?? 0
  const { bytes } = ui.terminal
  await read(reader)
  for (const kind of UNMEASURED) reader.times.delete(kind)
  const pressed = [...reader.times.values()].flat().length
  const reading = {
    lines,
    times: reader.times,
    bytes: (ui.terminal.bytes - bytes) / pressed,
    opened,
    counted,
    searched: reader.searched,
    memory: (ui.usage().peakMemory - before) / MEGABYTE,
  }
  await ui.end()
  return reading
}

const KEYS = {
  pageUp: '\u001B[5~',
  pageDown: '\u001B[6~',
  previousBlock: '\u001B[Z',
  down: '\u001B[B',
  enter: '\r',
  escape: '\u001B',
}

/** Opening has a figure of its own, and Esc waits in case it begins another key. */
const UNMEASURED = ['open', 'leave search']

/** Presses every kind of key. */
async function read(reader: Reader): Promise<void> {
  const { press, moves } = reader
  await moves('page', KEYS.pageUp, 20)
  await moves('page', KEYS.pageDown, 10)
  await moves('line', 'k', 20)
  await moves('line', 'j', 10)
  await moves('prompt', '{', 5)
  await moves('block', KEYS.previousBlock, 12)
  for (let time = 0; time < 10; time += 1) {
    await press('top, bottom', 'g', () => reader.body().includes('Prompt 0'))
    await moves('top, bottom', 'G', 1)
  }
  await press('top, bottom', 'g', () => reader.body().includes('Prompt 0'))
  await moves('prompt', '}', 5)
  await searchFor(reader, 'make part-2', 'search, rare')
  await moves('open one', KEYS.enter, 11)
  await moves('open all', 'o', 10)
  await press('leave search', KEYS.escape, () => reader.bottom().includes('/ search'))
  await searchFor(reader, 'the', 'search, common')
  await press('leave search', KEYS.escape, () => reader.bottom().includes('/ search'))
  await press('outline', 't', () => reader.body().startsWith('turns'))
  await moves('outline', KEYS.down, 20)
  for (const letter of 'part') await moves('outline filter', letter, 1)
  await moves('outline', KEYS.enter, 1)
}

async function searchFor(reader: Reader, query: string, kind: string): Promise<void> {
  const { press } = reader
  await press('search', '/', () => reader.bottom().startsWith('/'))
  for (let length = 1; length <= query.length; length += 1) {
    await press('search', query.charAt(length - 1), () => reader.bottom().startsWith(`/${query.slice(0, length)}`))
  }
  const matches = (): string | undefined => /match (\d+) of \d+/.exec(reader.bottom())?.[1]
  const begun = now()
  await press('first match', KEYS.enter, () => matches() !== undefined)
  for (const key of 'nnnnnnnnnnNNNNNNNNNNnn') {
    // The number may stay the same if more matches were found before it meanwhile.
    const before = [matches(), reader.body()].join()
    await press(kind, key, () => [matches(), reader.body()].join() !== before)
  }
  await reader.settledSearch()
  reader.searched = Math.max(reader.searched, now() - begun)
}

class Reader extends PageReader {
  /** The longest time of a complete search, in milliseconds. */
  searched = 0

  lines(): number | null {
    const found = /line \d+ of (\d+)/.exec(this.bottom())
    return found ? Number(found[1]) : null
  }

  async settledSearch(): Promise<void> {
    const found = (): string | undefined => /match \d+ of (\d+)/.exec(this.bottom())?.[1]
    for (let before: string | undefined = ''; before !== found();) {
      before = found()
      await pause(300)
    }
  }
}
