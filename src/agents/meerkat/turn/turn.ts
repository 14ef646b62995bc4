/**
 * One turn: the events of a run, and its end, which both the last event and the answer to `turn/start` report. Events may be lost; what
 * was lost is taken from the answer. Pure.
 */
import type { AgentEvent } from '../../../agent/event.ts'
import { failureWords } from '../error-words.ts'
import type { MeerkatEvent } from '../frame.ts'
import type { MeerkatCalls } from './calls.ts'
import { hasSucceeded, lastEvents, resultOf, type LastEvent, type MeerkatTurnEnd } from './ending.ts'
import { MeerkatSteps } from './steps.ts'
import type { Tasks } from './tasks.ts'
import type { PriceOf } from './usage.ts'

export type TurnParts = {
  calls: MeerkatCalls
  tasks: Tasks
  price: PriceOf
}

type CallResult = Omit<Extract<MeerkatEvent, { type: 'tool_result_received' }>, 'type'>

export class MeerkatTurn {
  readonly #calls: MeerkatCalls
  readonly #tasks: Tasks
  readonly #steps: MeerkatSteps
  #hasBegun = false
  #runId = ''
  #isCompacting = false
  #last: LastEvent | null = null

  constructor({ calls, tasks, price }: TurnParts) {
    this.#calls = calls
    this.#tasks = tasks
    this.#steps = new MeerkatSteps({ calls, price })
  }

  /** Whether the agent has begun with it. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** The agent's id of the run; '' if it sent none. */
  get runId(): string {
    return this.#runId
  }

  /** Whether the last event has come. */
  get isComplete(): boolean {
    return this.#last !== null
  }

  /** Whether the agent keeps the turn even if it is stopped: one of its steps is stored. */
  get isCommitted(): boolean {
    return this.#steps.isAnyComplete || this.#calls.hasBegun
  }

  /** The text of the last answer. */
  get text(): string {
    return this.#steps.text
  }

  event(event: MeerkatEvent, at: number): AgentEvent[] {
    this.#hasBegun = true
    const steps = this.#steps
    switch (event.type) {
      case 'run_started':
        this.#runId = event.identity.run_id
        return []
      case 'turn_started':
        return steps.begin(event.assistant_message_id, at)
      case 'text_delta':
        return steps.piece(event.assistant_message_id, at, open => open.said(event.delta, at))
      case 'reasoning_delta':
        return steps.piece(event.assistant_message_id, at, open => open.thought(event.delta, at))
      case 'text_complete':
        return steps.wholeText(event.assistant_message_id, event.content, at)
      case 'reasoning_complete':
        return steps.within(event.assistant_message_id, at, open => open.thoughtIs(event.content, at))
      case 'turn_completed':
        return steps.complete(event.assistant_message_id, event.stop_reason, event.usage, at)
      case 'retrying':
        return [...steps.retry(at), retryAnnounced(event.retry, at)]
      case 'tool_call_requested':
        return [...steps.need(at), ...this.#calls.requested({ ...event, args: event.args }, at)]
      case 'tool_execution_started':
        return [...steps.need(at), ...steps.answered(this.#calls.started(event, at), at)]
      case 'tool_execution_completed':
        this.#calls.completed(event.id, event.is_error)
        return []
      case 'tool_execution_timed_out':
        return this.#finished(timedOut(event), at)
      case 'tool_result_received':
        return this.#finished(event, at)
      case 'run_completed':
      case 'run_failed':
        this.#last = event
        return []
      case 'compaction_started':
        this.#isCompacting = true
        return [{ type: 'compaction_started', at, inTurn: true }]
      case 'compaction_completed':
        return this.#compacted({ type: 'compaction_finished', at, summary: '', inTurn: true })
      case 'compaction_failed':
        return this.#compacted({ type: 'compaction_failed', at, message: wordsOf(event.reason), inTurn: true })
      case 'model_fallback_committed':
      case 'budget_warning':
      case 'hook_denied':
      case 'skill_resolution_failed':
      case 'stream_truncated':
        return [{ type: 'warning_raised', at, message: warningWords(event) }]
    }
  }

  /** The last events of the turn, with what was lost of it. */
  end(how: MeerkatTurnEnd, isAborted: boolean, at: number): AgentEvent[] {
    const last = this.#last
    const succeeded = hasSucceeded({ how, last })
    const result = resultOf(how)
    const text = result === null ? '' : result.text || (last?.type === 'run_completed' ? last.result : '')
    const cut = { type: 'compaction_failed', at, message: 'the turn ended first', inTurn: true } as const
    return [
      ...this.#steps.repair(text, at),
      ...this.#steps.close(isAborted ? 'aborted' : succeeded ? 'end' : 'error', at),
      ...this.#calls.end(succeeded, at),
      ...(this.#isCompacting ? this.#compacted(cut) : []),
      ...(result ? this.#steps.missingUsage(result.request_usage, at) : []),
      ...lastEvents({ how, last, isAborted, hasBegun: this.#hasBegun, lastStop: this.#steps.lastStop }, at),
    ]
  }

  #finished({ content: blocks, is_error: isError, name, id }: CallResult, at: number): AgentEvent[] {
    const finished = this.#steps.answered(this.#calls.finished({ id, name, blocks, isError }, at), at)
    return [...finished, ...this.#tasks.reported(name, blocks, at)]
  }

  /** A compaction has ended, whose beginning may have been lost. */
  #compacted(event: AgentEvent): AgentEvent[] {
    const begun: AgentEvent[] = this.#isCompacting ? [] : [{ type: 'compaction_started', at: event.at, inTurn: true }]
    this.#isCompacting = false
    return [...begun, event]
  }
}

function retryAnnounced(
  { failure, plan }: Extract<MeerkatEvent, { type: 'retrying' }>['retry'],
  at: number,
): AgentEvent {
  const { attempt, max_retries: of, selected_delay_ms: delayMs } = plan
  const message = failureWords(failure.message) || failure.kind || 'the model call failed'
  return { type: 'retry_announced', at, attempt, of, delayMs, message }
}

function timedOut({
  timeout_ms: timeout,
  ...call
}: Extract<MeerkatEvent, { type: 'tool_execution_timed_out' }>): CallResult {
  const text = `timed out after ${Math.round(timeout / 1000)} seconds`
  return { ...call, content: [{ type: 'text', text, media_type: undefined, url: undefined }], is_error: true }
}

type WarningEvent = Extract<
  MeerkatEvent,
  {
    type: 'model_fallback_committed' | 'budget_warning' | 'hook_denied' | 'skill_resolution_failed' | 'stream_truncated'
  }
>

function warningWords(event: WarningEvent): string {
  switch (event.type) {
    case 'model_fallback_committed':
      return `${event.previous.model} failed, so Meerkat continues with ${event.target.model}.`
    case 'budget_warning':
      return `${event.used} of ${event.limit} ${event.budget_type.replaceAll('_', ' ')} of the budget are used.`
    case 'hook_denied':
      return `A hook of Meerkat denied it: ${event.message}`
    case 'skill_resolution_failed':
      return `Meerkat could not load the skill ${event.skill_key?.skill_name ?? ''}`.trimEnd() + '.'
    case 'stream_truncated':
      return 'Meerkat omitted some of its events.'
  }
}

function wordsOf(reason: unknown): string {
  const text = typeof reason === 'string' ? reason : JSON.stringify(reason)
  return text ? `the compaction failed: ${text}` : 'the compaction failed'
}
