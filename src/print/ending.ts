/** The outcome of a run without a UI. Pure. */
import type { ChatState, Turn } from '../conversation/state.ts'
import { RAISE_DAY } from '../storage/usage/raise-day.ts'
import { formatCost } from '../text/format.ts'
import { sentence } from '../text/sentence.ts'
import { lastPromptedTurn } from '../conversation/queries/last-turn.ts'
import type { PrintOutcome } from './outcomes.ts'
import { errorOfTurn, providerMessage } from '../conversation/queries/provider-error.ts'

/** The reason for stopping early. */
export type PrintStop = 'interrupted' | 'max_cost' | 'max_cost_per_day' | 'timeout' | 'reader_gone' | 'unasked'

export type PrintEnd =
  | { outcome: 'done'; notice: string | null }
  /** The turn ended, but some of its calls were refused because nobody allowed them. */
  | { outcome: 'refused'; notice: string | null }
  | { outcome: 'interrupted' }
  /** The agent might run things unasked: nothing was sent, or it was ended in the turn. `words` begin a sentence. */
  | { outcome: 'held_back'; words: string; isSent: boolean }
  /** `isAborted` if the turn was aborted, but not by one of the limits; `limit` is the one that was reached. */
  | { outcome: 'failed'; message: string; hint: string; isAborted?: true; limit?: 'timeout' | 'max_cost' }

/** `dayWords` say that the cost limit of the day is reached. */
export function howItEnded(chat: ChatState, stopped: PrintStop | null, dayWords: () => string): PrintEnd {
  const turn = lastPromptedTurn(chat.entries)
  // The turn may have finished while it was being stopped.
  if (turn?.outcome === 'done') return { outcome: 'done', notice: noticeOf(turn) }
  switch (stopped) {
    case 'interrupted':
    case 'unasked':
      return { outcome: 'interrupted' }
    case 'reader_gone':
      return { outcome: 'done', notice: null }
    case 'timeout':
      return { ...failed('Stopped: --timeout was reached.'), limit: 'timeout' }
    case 'max_cost': {
      const cost = formatCost(chat.usage.costUsd)
      const words = `${turn ? 'Stopped' : 'Not started'}: the session has cost ${cost}, the limit of --max-cost.`
      return { ...failed(words), limit: 'max_cost' }
    }
    case 'max_cost_per_day':
      return { ...failed(`${turn ? 'Stopped' : 'Not started'}: ${dayWords()}.`, RAISE_DAY), limit: 'max_cost' }
    case null:
      return turn ? failureOf(turn, chat) : notStarted(chat)
  }
}

/** The end of a run that has cost more than --max-cost. A turn of one step may end beyond the limit. */
export function withOverrun(end: PrintEnd, { usage }: ChatState, maxCost: number | null): PrintEnd {
  const cost = usage.costUsd ?? 0
  // Sums of costs are rounded.
  const isOver = maxCost !== null && cost > maxCost * (1 + 1e-9)
  if (!isOver || (end.outcome !== 'done' && end.outcome !== 'refused')) return end
  const words = `The answer is complete, but the session has cost ${formatCost(cost)}, more than --max-cost allows.`
  return { ...failed(words), limit: 'max_cost' }
}

/** The outcome in the last line of --json. */
export function printOutcome(end: PrintEnd): PrintOutcome {
  return end.outcome === 'failed' ? (end.limit ?? 'failed') : end.outcome
}

/** The end of a run whose answer does not satisfy its schema; `unfit` says so. Failures stay failures. */
export function withUnfit(end: PrintEnd, unfit: string, problems: readonly string[]): PrintEnd {
  if (end.outcome !== 'done' && end.outcome !== 'refused') return end
  return failed(unfit, problems.join(' '))
}

/** The end of a run in which calls were refused because nobody allowed them. Failures stay failures. */
export function withRefusals(end: PrintEnd): PrintEnd {
  if (end.outcome === 'done') return { outcome: 'refused', notice: end.notice }
  return end.outcome === 'failed' && end.isAborted === true ? { outcome: 'refused', notice: null } : end
}

function noticeOf({ stop }: Turn): string | null {
  return stop === 'length' ? "The answer was cut off at the model's output limit." : null
}

const STOPPED = 'The agent stopped before it finished.'

function failureOf(turn: Turn, chat: ChatState): PrintEnd {
  if (turn.outcome === 'refused') return failed(`The prompt was rejected: ${sentence(turn.error ?? '')}`)
  if (turn.outcome === 'agent_ended') return failed(`The agent exited during the turn: ${sentence(endOf(chat).reason)}`)
  if (turn.outcome === 'aborted') return { ...failed(STOPPED), isAborted: true }
  if (turn.error === null) return failed(STOPPED)
  return failed(errorOfTurn(turn).what, providerMessage(turn.error).trim())
}

function notStarted(chat: ChatState): PrintEnd {
  const { reason, hint } = endOf(chat)
  return failed(sentence(reason), hint)
}

function endOf({ entries }: ChatState): { reason: string; hint: string } {
  return entries.findLast(entry => entry.kind === 'agent_ended') ?? { reason: 'the agent exited', hint: '' }
}

function failed(message: string, hint = ''): Extract<PrintEnd, { outcome: 'failed' }> {
  return { outcome: 'failed', message, hint }
}
