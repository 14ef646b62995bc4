/**
 * Records usage as it happens, in one file for each day in `usage`. Many programs may add to a file at once. Reports need no
 * session to be read.
 */
import { join, resolve } from 'node:path'
import type { AgentEvent } from '../../agent/event.ts'
import { attempt, createReporter } from '../failures.ts'
import { readRecords } from '../jsonl-read.ts'
import { appendRecord } from '../jsonl-write.ts'
import { createMeter, recordSchema, type UsageRecord } from './record.ts'

export type Ledger = {
  /** Records the usage in events of a session. */
  add: (events: readonly AgentEvent[], session: string) => void
  /** The records of the last `days` days, including today, oldest first. */
  read: (days: number) => UsageRecord[]
}

export type LedgerOptions = {
  stateFolder: string
  projectFolder: string
  now: () => number
  /** Called at most once, with one line. */
  onProblem: (words: string) => void
}

/** In milliseconds. */
const DAY = 24 * 3600 * 1000

/** Opening reads and creates nothing. Nothing here throws. */
export function openLedger({ stateFolder, projectFolder, now, onProblem }: LedgerOptions): Ledger {
  const folder = join(stateFolder, 'usage')
  const meter = createMeter(resolve(projectFolder))
  const report = createReporter('Usage cannot be recorded', onProblem)
  const fileOf = (day: string): string => join(folder, `${day}.jsonl`)

  return {
    add(events, session) {
      for (const record of events.flatMap(event => meter.read(event, session)))
        attempt(report, 0, () => appendRecord(fileOf(dayOf(record.at)), record))
    },
    read: days => attempt(report, [], () => lastDays(now(), days).flatMap(day => recordsIn(fileOf(day)))),
  }
}

/** The day in the local time zone, such as `2026-11-22`. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map(part => String(part).padStart(2, '0')).join('-')
}

/** The last days, oldest first. Counted from noon to noon, since a day may have 23 hours. */
export function lastDays(now: number, count: number): string[] {
  const noon = new Date(now).setHours(12, 0, 0, 0)
  return Array.from({ length: count }, (_, index) => dayOf(noon - (count - 1 - index) * DAY))
}

function recordsIn(path: string): UsageRecord[] {
  return readRecords(path).flatMap(record => recordSchema.safeParse(record).data ?? [])
}
