/** The outcome of a run without a UI. Pure. */
import type { ChatState, Turn } from '../conversation/state.ts'
import { formatCost } from '../text/format.ts'
import { sentence } from '../text/sentence.ts'
import { lastTurn } from '../conversation/queries/last-turn.ts'
import { providerErrorOf, providerMessage } from '../conversation/queries/provider-error.ts'

/** The reason for stopping early. */
export type PrintStop = 'interrupted' | 'max_cost' | 'timeout' | 'reader_gone' | 'unasked'

export type PrintEnd =
  | { outcome: 'done'; remark: string | null }
  /** The turn ended, but some of its calls were refused because nobody allowed them. */
  | { outcome: 'refused'; remark: string | null }
  | { outcome: 'interrupted' }
  /** The agent might run things unasked: nothing was sent, or it was ended in the turn. `words` begin a sentence. */
  | { outcome: 'held_back'; words: string; isSent: boolean }
  /** `isAborted` if the turn was aborted, but not by one of the limits. */
  | { outcome: 'failed'; message: string; hint: string; isAborted?: true }

export function howItEnded(chat: ChatState, stopped: PrintStop | null): PrintEnd {
  const turn = lastTurn(chat.entries)
  // The turn may have finished while it was being stopped.
  if (turn?.outcome === 'done') return { outcome: 'done', remark: remarkOf(turn) }
  switch (stopped) {
    case 'interrupted':
    case 'unasked':
      return { outcome: 'interrupted' }
    case 'reader_gone':
      return { outcome: 'done', remark: null }
    case 'timeout':
      return failed('Stopped: --timeout was reached.')
    case 'max_cost': {
      const cost = formatCost(chat.usage.costUsd)
      return failed(`${turn ? 'Stopped' : 'Not started'}: the session has cost ${cost}, the limit of --max-cost.`)
    }
    case null:
      return turn ? failureOf(turn, chat) : notStarted(chat)
  }
}

/** The end of a run whose answer does not satisfy the schema of `--output-schema`. Failures stay failures. */
export function withUnfit(end: PrintEnd, problems: readonly string[]): PrintEnd {
  if (end.outcome !== 'done' && end.outcome !== 'refused') return end
  return failed('The answer does not satisfy the schema of --output-schema.', problems.join(' '))
}

/** The end of a run in which calls were refused because nobody allowed them. Failures stay failures. */
export function withRefusals(end: PrintEnd): PrintEnd {
  if (end.outcome === 'done') return { outcome: 'refused', remark: end.remark }
  return end.outcome === 'failed' && end.isAborted === true ? { outcome: 'refused', remark: null } : end
}

function remarkOf({ stop }: Turn): string | null {
  return stop === 'length' ? "The answer was cut off at the model's output limit." : null
}

const STOPPED = 'The agent stopped before it finished.'

function failureOf(turn: Turn, chat: ChatState): PrintEnd {
  if (turn.outcome === 'refused') return failed(`The prompt was rejected: ${sentence(turn.error ?? '')}`)
  if (turn.outcome === 'agent_ended') return failed(`The agent exited during the turn: ${sentence(endOf(chat).reason)}`)
  if (turn.outcome === 'aborted') return { ...failed(STOPPED), isAborted: true }
  if (turn.error === null) return failed(STOPPED)
  return failed(providerErrorOf(turn.error).what, providerMessage(turn.error).trim())
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
