/**
 * Records usage as it happens, in one file for each day in `usage`. Many programs may add to a file at once. Reports need no
 * session to be read.
 */
import { join, resolve } from 'node:path'
import type { AgentEvent } from '../../agent/event.ts'
import { attempt, createReporter } from '../failures.ts'
import { isMissing } from '../../platform/errors.ts'
import { namesIn } from '../../platform/folders.ts'
import { parseJson } from '../../text/json.ts'
import { readLines } from '../jsonl-read.ts'
import { appendRecord } from '../jsonl-write.ts'
import { lastDays, dayOf } from '../../usage/days.ts'
import { createMeter, recordSchema, type UsageRecord } from '../../usage/record.ts'

export type Ledger = {
  /** Records the usage in events of a session. */
  add: (events: readonly AgentEvent[], session: string) => void
  /** The records of the last `days` days, including today, oldest first. */
  read: (days: number) => UsageRecord[]
  /** All days with records, newest first. */
  days: () => string[]
  /** What the user should know of its records; absent for nothing. */
  note?: string
  /** The records of such a day, in pieces that take a few milliseconds each. */
  readDay: (day: string) => Iterable<UsageRecord[]>
}

export type LedgerOptions = {
  stateFolder: string
  projectFolder: string
  now: () => number
  /** Called with one line, at most once for what is recorded and once for what is read. */
  onProblem: (words: string) => void
}

/** Bytes that are read at once: about 250 records. */
const STEP = 64 * 1024
const DAY_FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/

/** Opening reads and creates nothing. Nothing here throws. */
export function openLedger({ stateFolder, projectFolder, now, onProblem }: LedgerOptions): Ledger {
  const folder = join(stateFolder, 'usage')
  const meter = createMeter(resolve(projectFolder))
  const report = createReporter('Usage cannot be recorded', onProblem)
  const reportUnread = createReporter('Usage cannot be read', onProblem)
  const fileOf = (day: string): string => join(folder, `${day}.jsonl`)

  return {
    add(events, session) {
      for (const record of events.flatMap(event => meter.read(event, session))) {
        const day = dayOf(record.at)
        if (attempt(report, 0, () => appendRecord(fileOf(day), record)) === 0)
          noteUnrecorded(fileOf(day), costOf(record))
      }
    },
    read: days => lastDays(now(), days).flatMap(day => [...readDay(day)].flat()),
    days: () =>
      attempt(reportUnread, [], () =>
        namesIn(folder)
          .flatMap(name => DAY_FILE.exec(name)?.[1] ?? [])
          .toSorted()
          .toReversed(),
      ),
    readDay,
  }

  function* readDay(day: string): Generator<UsageRecord[]> {
    const pieces = recordsIn(fileOf(day))
    for (;;) {
      const piece = attempt(reportUnread, null, () => pieces.next())
      if (piece === null || piece.done === true) return
      yield piece.value
    }
  }
}

/** What could not be recorded in the file of a day, as on a full disk: this program at least counts it. */
const unrecorded = new Map<string, number>()

export const unrecordedCost = (file: string): number => unrecorded.get(file) ?? 0

function noteUnrecorded(file: string, costUsd: number): void {
  unrecorded.set(file, unrecordedCost(file) + costUsd)
}

function costOf(record: UsageRecord): number {
  return Math.max(
    0,
    (record.kind === 'call' ? record.usage.costUsd : record.kind === 'cost' ? record.costUsd : null) ?? 0,
  )
}

/** Damaged lines are omitted; a missing file has none. */
function* recordsIn(path: string): Generator<UsageRecord[]> {
  try {
    for (const { lines } of readLines(path, { step: STEP }))
      yield lines.flatMap(line => recordSchema.safeParse(parseJson(line)).data ?? [])
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
