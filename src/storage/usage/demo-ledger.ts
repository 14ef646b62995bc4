/** The ledger of the demo: in memory, and with made-up days before today, so that /usage has something to show. */
import type { AgentEvent } from '../../agent/event.ts'
import { dayOf, lastDays } from '../../usage/days.ts'
import { createMeter, type UsageRecord } from '../../usage/record.ts'
import type { Ledger } from './ledger.ts'

/** The number of made-up days. */
const DAYS = 75

const MODELS = [
  { agent: 'claude', provider: 'anthropic', model: 'claude-sonnet-4-5', price: 3 },
  { agent: 'claude', provider: 'anthropic', model: 'claude-opus-4-5', price: 5 },
  { agent: 'codex', provider: 'openai', model: 'gpt-5-codex', price: 1.25 },
  { agent: 'zot', provider: 'openrouter', model: 'qwen3-coder', price: 0.3 },
] as const

export function openDemoLedger(projectFolder: string, now: () => number): Ledger {
  const meter = createMeter(projectFolder)
  const recorded: UsageRecord[] = []
  const today = dayOf(now())
  const madeUp = lastDays(now(), DAYS).filter(day => day < today)
  const folders = [projectFolder, '/home/me/src/shop', '/home/me/src/parser', '/home/me/notes']

  function recordsOf(day: string): UsageRecord[] {
    const own = recorded.filter(({ at }) => dayOf(at) === day)
    const index = madeUp.indexOf(day)
    return index < 0 ? own : [...madeUpDay(day, index, folders), ...own]
  }

  return {
    note: 'The demo made up the days before today.',
    add(events: readonly AgentEvent[], session: string) {
      for (const event of events) recorded.push(...meter.read(event, session))
    },
    read: count => lastDays(now(), count).flatMap(recordsOf),
    days: () => [...new Set([...madeUp, ...recorded.map(({ at }) => dayOf(at))])].toSorted().toReversed(),
    readDay: day => [recordsOf(day)],
  }
}

/** The same for each start: a few turns, more of them in the middle of the week. */
function madeUpDay(day: string, index: number, folders: readonly string[]): UsageRecord[] {
  const noon = new Date(`${day}T12:00:00`)
  const isWeekend = noon.getDay() === 0 || noon.getDay() === 6
  const next = numbers(index + 1)
  const turns = isWeekend ? Math.floor(next() * 3) : 4 + Math.floor(next() * 14)
  return Array.from({ length: turns }, (_, turn) => {
    const { price, ...from } = MODELS[Math.floor(next() ** 2 * MODELS.length)] ?? MODELS[0]
    const at = noon.getTime() + turn * 600_000
    const folder = folders[Math.floor(next() ** 1.5 * folders.length)] ?? folders[0] ?? ''
    const common = { at, session: `made-up-${index}`, folder, ...from }
    const [input, cacheRead, output] = [4000 + next() * 20_000, 20_000 + next() * 300_000, 400 + next() * 6000]
    const costUsd = ((input + cacheRead / 10 + output * 5) * price) / 1_000_000
    const usage = { ...rounded({ input, cacheRead, output }), cacheWrite: 0, costUsd, reasoning: null }
    const call: UsageRecord = { kind: 'call', ...common, usage }
    const ended: UsageRecord = { kind: 'turn', ...common, duration: Math.round(15_000 + next() * 400_000) }
    const waited: UsageRecord = { kind: 'wait', ...common, duration: Math.round(2000 + next() * 90_000) }
    return next() < 0.3 ? [call, waited, ended] : [call, ended]
  }).flat()
}

function rounded({ input, cacheRead, output }: { input: number; cacheRead: number; output: number }) {
  return { input: Math.round(input), cacheRead: Math.round(cacheRead), output: Math.round(output) }
}

/** Numbers from 0 to 1 that look random, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed * 0x9e3779b9
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
