/**
 * Loaded into zotui before its own code (`node --import`), so that its screen is the same in every run: the clock stands
 * still and advances only on request. Timers run at their times, in order, as on any clock.
 *
 * Requests are lines of milliseconds on the socket that HELD_CLOCK names. When the clock has advanced that far, it
 * writes a sequence that no terminal shows, after everything that was drawn until then.
 */
import { connect } from 'node:net'
import process from 'node:process'
import { createInterface } from 'node:readline'

type Timer = { at: number; every: number | null; run: () => void }

/** OSC 7777: a number that nobody uses. */
const ARRIVED = '\u001B]7777;\u0007'

const RealDate = Date
const start = RealDate.parse('2026-01-05T14:02:00Z')
const timers = new Map<number, Timer>()
let elapsed = 0
let lastId = 0

class HeldDate extends RealDate {
  constructor(given: number | string | Date = start + elapsed) {
    super(given)
  }
  static override now(): number {
    return start + elapsed
  }
}

/** Replaces Node's timer object: it has its methods, and works as a number where one is expected. */
class Handle {
  readonly #id: number
  constructor(id: number) {
    this.#id = id
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
  hasRef(): boolean {
    return true
  }
  [Symbol.toPrimitive](): number {
    return this.#id
  }
}

function add(run: (...given: unknown[]) => void, ms: number, repeat: boolean, given: unknown[]): Handle {
  const wait = Math.max(1, Math.trunc(ms) || 0)
  lastId += 1
  timers.set(lastId, { at: elapsed + wait, every: repeat ? wait : null, run: () => run(...given) })
  return new Handle(lastId)
}

function remove(handle: unknown): void {
  if (handle instanceof Handle || typeof handle === 'number') timers.delete(Number(handle))
}

Object.assign(globalThis, {
  Date: HeldDate,
  setTimeout: (run: () => void, ms = 0, ...given: unknown[]) => add(run, ms, false, given),
  setInterval: (run: () => void, ms = 0, ...given: unknown[]) => add(run, ms, true, given),
  clearTimeout: remove,
  clearInterval: remove,
})

// What is counted follows this clock, too: against one that goes on, the held time would look as if somebody had set it.
Object.defineProperty(performance, 'now', { value: () => elapsed })

/** Lets pending callbacks and promises run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

function next(until: number): [number, Timer] | null {
  let first: [number, Timer] | null = null
  for (const entry of timers) {
    // Timers of the same time run in the order in which they were set, which is the map's.
    if (entry[1].at <= until && (!first || entry[1].at < first[1].at)) first = entry
  }
  return first
}

async function advance(ms: number): Promise<void> {
  const until = elapsed + ms
  await settle()
  for (let due = next(until); due; due = next(until)) {
    const [id, timer] = due
    elapsed = timer.at
    timers.delete(id)
    if (timer.every !== null) timers.set(id, { ...timer, at: elapsed + timer.every })
    timer.run()
    await settle()
  }
  elapsed = until
}

const socket = connect(process.env['HELD_CLOCK'] ?? '')
delete process.env['HELD_CLOCK']
socket.unref()
// Without the process that holds the clock, nobody reads the screen either.
socket.on('error', () => process.exit(1))
createInterface(socket).on('line', line => void advance(Number(line)).then(() => process.stdout.write(ARRIVED)))
