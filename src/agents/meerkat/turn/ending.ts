/** How a turn ends for the user. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { RpcError } from '../../transport/json-rpc.ts'
import { errorWords, isCancelled } from '../error-words.ts'
import type { MeerkatEvent, WireTurnResult } from '../frame.ts'

/** The end of a turn: the answer to its request. `cut`: the agent ended first. `unanswered`: only the last event came. */
export type MeerkatTurnEnd = { result: WireTurnResult } | { error: RpcError } | 'cut' | 'unanswered'

/** The last event of a run. */
export type LastEvent = Extract<MeerkatEvent, { type: 'run_completed' | 'run_failed' }>

/** What is known of a turn at its end. */
export type TurnAtEnd = {
  how: MeerkatTurnEnd
  /** Null if it was lost. */
  last: LastEvent | null
  hasBegun: boolean
  /** Whether the user has stopped it. */
  isAborted: boolean
  /** Why its last step stopped, in the agent's word. */
  lastStop: string
}

export function resultOf(how: MeerkatTurnEnd): WireTurnResult | null {
  return how !== 'cut' && how !== 'unanswered' && 'result' in how ? how.result : null
}

export function hasSucceeded({ how, last }: Pick<TurnAtEnd, 'how' | 'last'>): boolean {
  return how === 'unanswered' ? last?.type === 'run_completed' : resultOf(how) !== null
}

/** The last events of the turn. None if the agent ended first: its end says why. */
export function lastEvents(turn: TurnAtEnd, at: number): AgentEvent[] {
  const { how, last, isAborted, lastStop } = turn
  if (how === 'cut') return []
  if (isAborted) return [{ type: 'turn_ended', at }]
  if (!hasSucceeded(turn)) return failed(turn, at)
  const cause = (last?.type === 'run_completed' && last.terminal_cause_kind) || resultOf(how)?.terminal_cause_kind
  const stop = cause === 'budget_exhausted' ? 'budget' : lastStop === 'max_tokens' ? 'max_tokens' : null
  return [{ type: 'turn_ended', at, ...(stop !== null && { stop }) }]
}

function failed({ how, last, hasBegun }: TurnAtEnd, at: number): AgentEvent[] {
  const report = last?.type === 'run_failed' ? last.error_report : null
  const error = how !== 'cut' && how !== 'unanswered' && 'error' in how ? how.error : null
  if (report?.class === 'cancelled' || (error && isCancelled(error)))
    return hasBegun || !error
      ? [{ type: 'turn_ended', at, stop: 'cancelled' }]
      : [{ type: 'prompt_refused', at, message: 'Meerkat cancelled it' }]
  const message = errorWords(error, report)
  if (!hasBegun) return [{ type: 'prompt_refused', at, message }]
  return [
    { type: 'error_reported', at, message },
    { type: 'turn_ended', at, stop: 'error' },
  ]
}
