/** The tokens of a turn, also of agents that report a sum. How an agent counts is in a table, or is found out from its reports. */
import type { Usage } from '../../../agent/event.ts'

/**
 * The scope of a report at the end of a turn: the turn, all of its session, all of it since this process has opened it, or all since the
 * process has started.
 */
export type UsageCounting = 'turn' | 'session' | 'opening' | 'process'

export type UsageCounter = {
  /** The tokens of a turn, from the report at its end; null if there are none, or if they cannot be known. */
  count(report: Usage): Usage | null
  /** Another session was opened. */
  opened(session: { isOld: boolean }): void
}

/** The reports in a row that may be sums before the agent is taken for one that sums. */
const ENOUGH = 4

const NOTHING: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: null, reasoning: null }

/** `counting` is null if the table does not say it. */
export function createUsageCounter(counting: UsageCounting | null): UsageCounter {
  let found = counting
  /** The last report; null before the first one that can be compared. */
  let last: Usage | null = null
  /** The part of the agent's sum that was counted already. */
  let counted = NOTHING
  /** The next report has an unknown part of earlier turns. */
  let isUnknown = false
  /** An agent that was found to sum has opened a session: its next report shows whether the sum continues. */
  let isOpened = false
  /** The tokens that the first turn sent. Every later one sends at least as many. */
  let least: number | null = null
  let inRow = 0

  return {
    count(report) {
      if (found === null) learn(report)
      const isNew = last !== null && isLess(report, last)
      last = report
      if (found === 'turn') return report
      if (isOpened && !isNew) found = 'process'
      isOpened = false
      if (isUnknown) {
        isUnknown = false
        counted = report
        return null
      }
      if (isNew) counted = NOTHING
      const more = found === null ? report : since(counted, report)
      counted = plus(counted, more)
      return sent(more) + more.output === 0 ? null : more
    },
    opened({ isOld }) {
      if (found === 'process' || found === 'turn') return
      if (found === 'session' && counting === null) return void (isOpened = true)
      last = null
      counted = NOTHING
      inRow = 0
      isUnknown = found === 'session' && isOld
    },
  }

  /** A sum never falls, and grows by at least as much as the first turn sent. */
  function learn(report: Usage): void {
    least ??= sent(report)
    if (last === null) return
    if (isLess(report, last) || sent(report) - sent(last) < least) found = 'turn'
    else if ((inRow += 1) >= ENOUGH) found = 'session'
  }
}

const sent = ({ input, cacheRead, cacheWrite }: Usage): number => input + cacheRead + cacheWrite

function isLess(one: Usage, other: Usage): boolean {
  return sent(one) < sent(other) || one.output < other.output
}

const more = (one: number, other: number): number => Math.max(0, other - one)

function since(before: Usage, now: Usage): Usage {
  return {
    ...now,
    input: more(before.input, now.input),
    output: more(before.output, now.output),
    cacheRead: more(before.cacheRead, now.cacheRead),
    cacheWrite: more(before.cacheWrite, now.cacheWrite),
    reasoning: now.reasoning === null ? null : more(before.reasoning ?? 0, now.reasoning),
  }
}

function plus(one: Usage, other: Usage): Usage {
  return {
    ...one,
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
    reasoning: other.reasoning === null ? one.reasoning : (one.reasoning ?? 0) + other.reasoning,
  }
}
