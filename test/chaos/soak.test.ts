/** The real program over many turns: it does not grow, does not slow down, and does nothing when there is nothing to do. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { usageOf } from '../../bench/process-usage.ts'
import { isLong } from '../helpers/length.ts'
import type { Screen } from '../helpers/screen.ts'
import { openZot, send } from '../stories/stage.ts'

const TURNS = isLong ? 2000 : 60
const WARM = isLong ? 300 : 20
const QUIET = isLong ? 30_000 : 3000
/** Seconds of CPU in a second of idling. */
const IDLE = isLong ? 0.002 : 0.02

type Point = { turn: number; memory: number; cpu: number; bytes: number; held: Record<string, number> }

const counting = fileURLToPath(new URL('../helpers/what-it-holds.ts', import.meta.url))

test('after warming up zotui does not grow, each turn costs the same, and idle time costs nothing', async () => {
  const zotui = await openZot('worker', { under: `NODE_OPTIONS='--import ${counting}' exec "$@"` })
  await zotui.see(/^ {2}anthropic\/sonnet/m)
  const points: Point[] = []
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await send(zotui, `work ${turn}`)
    await zotui.see(`Turn ${turn} is done.`)
    await zotui.gone(/Esc stops {3}Enter queues/)
    if (turn === WARM || turn === (WARM + TURNS) / 2 || turn === TURNS) points.push(await measured(zotui, turn))
  }
  const [warm, middle, last] = points
  if (!warm || !middle || !last) throw new Error('not measured')
  const early = { cpu: middle.cpu - warm.cpu, bytes: middle.bytes - warm.bytes }
  const late = { cpu: last.cpu - middle.cpu, bytes: last.bytes - middle.bytes }

  const written = zotui.bytes().length
  const idle = await idling(zotui.pid)
  const figures = {
    memory: points.map(({ memory }) => Math.round(memory / 2 ** 20)),
    growth: last.memory / middle.memory - 1,
    cpu: late.cpu / early.cpu - 1,
    bytes: late.bytes / early.bytes - 1,
    idle,
  }
  process.stdout.write(`soak of ${TURNS} turns: ${JSON.stringify(figures)}\n`)
  expect(zotui.bytes().length).toBe(written)
  // Nothing listens, waits or is open that did not at the beginning.
  expect(last.held).toEqual(warm.held)
  expect(idle).toBeLessThan(IDLE)
  expect(figures.bytes).toBeLessThan(0.1)
  // The heap still settles after warming up, in a short run longer; clocks tell hundredths of a second.
  expect(last.memory / warm.memory - 1).toBeLessThan(0.5)
  expect(figures.growth).toBeLessThan(isLong ? 0.1 : 0.5)
  expect(figures.cpu).toBeLessThan(isLong ? 0.25 : 1)
  expect(openFiles(zotui.pid)).toBeLessThan(40)
})

/** V8 collects once, some seconds after the work: what costs something in each of three pauses is not that. */
async function idling(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let pauses = 0; pauses < 3 && least >= IDLE; pauses += 1) {
    const began = usageOf(pid).cpu
    await pause(QUIET)
    least = Math.min(least, (usageOf(pid).cpu - began) / (QUIET / 1000))
  }
  return least
}

/** When it has been left in peace for a moment. */
async function measured(zotui: Screen, turn: number): Promise<Point> {
  await pause(isLong ? 3000 : 200)
  const { memory, cpu } = usageOf(zotui.pid)
  return { turn, memory, cpu, bytes: zotui.bytes().length, held: await held(zotui) }
}

/** The memory that the program says it holds. */
async function held(zotui: Screen): Promise<Record<string, number>> {
  const path = join(zotui.home.path, 'held.json')
  rmSync(path, { force: true })
  zotui.kill('SIGUSR2')
  await zotui.until('what it holds', { check: () => existsSync(path) })
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length
}
