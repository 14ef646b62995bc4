/**
 * One turn: the events of a run, and its end, which both the last event and the answer to `turn/start` report. Events may be lost; what
 * was lost is taken from the answer. Pure.
 */
import { STOPS } from './stops.ts'
import type { AgentEvent } from '../../../agent/event.ts'
import type { RpcError } from '../../transport/json-rpc.ts'
import { errorWords, failureWords, isCancelled } from '../error-words.ts'
import type { MeerkatEvent, WireMeerkatUsage, WireTurnResult } from '../frame.ts'
import type { MeerkatCalls } from './calls.ts'
import { createStep, type MeerkatStep } from './step.ts'
import type { Tasks } from './tasks.ts'
import { toUsage, missingUsage, type PriceOf } from './usage.ts'
import { lookup } from '../../../text/lookup.ts'

/** The end of a turn: the answer to its request. `cut`: the agent ended first. `unanswered`: only the last event came. */
export type MeerkatTurnEnd = { result: WireTurnResult } | { error: RpcError } | 'cut' | 'unanswered'

export type MeerkatTurn = {
  /** Whether the agent has begun with it. */
  readonly hasBegun: boolean
  /** The agent's id of the run; '' if it sent none. */
  readonly runId: string
  /** Whether the last event has come. */
  readonly isComplete: boolean
  /** Whether the agent keeps the turn even if it is stopped: one of its steps is stored. */
  readonly isCommitted: boolean
  /** The text of the last answer. */
  readonly text: string
  event(event: MeerkatEvent, at: number): AgentEvent[]
  end(how: MeerkatTurnEnd, isAborted: boolean, at: number): AgentEvent[]
}

export type TurnParts = {
  calls: MeerkatCalls
  tasks: Tasks
  price: PriceOf
}

export function createMeerkatTurn({ calls, tasks, price }: TurnParts): MeerkatTurn {
  let hasBegun = false
  let runId = ''
  let step: MeerkatStep | null = null
  let steps = 0
  let isCommitted = false
  let lastText = ''
  let lastStop = ''
  let isCompacting = false
  /** Messages that are over, and those of them whose whole text was emitted. */
  const past = new Set<string>()
  const whole = new Set<string>()
  const usages: WireMeerkatUsage[] = []
  let last: Extract<MeerkatEvent, { type: 'run_completed' | 'run_failed' }> | null = null

  return {
    get hasBegun() {
      return hasBegun
    },
    get runId() {
      return runId
    },
    get isComplete() {
      return last !== null
    },
    get isCommitted() {
      return isCommitted || calls.hasBegun
    },
    get text() {
      return step?.text ?? lastText
    },
    event(event, at) {
      hasBegun = true
      return translate(event, at)
    },
    end,
  }

  function translate(event: MeerkatEvent, at: number): AgentEvent[] {
    switch (event.type) {
      case 'run_started':
        runId = event.identity.run_id
        return []
      case 'turn_started':
        return isKnown(event.assistant_message_id) ? [] : begin(event.assistant_message_id, at)
      case 'text_delta':
        return inStep(event.assistant_message_id, at, open => open.said(event.delta, at))
      case 'reasoning_delta':
        return inStep(event.assistant_message_id, at, open => open.thought(event.delta, at))
      case 'text_complete':
        whole.add(event.assistant_message_id)
        return within(event.assistant_message_id, at, open => open.textIs(event.content, at))
      case 'reasoning_complete':
        return within(event.assistant_message_id, at, open => open.thoughtIs(event.content, at))
      case 'turn_completed':
        return within(event.assistant_message_id, at, () => complete(event.stop_reason, event.usage, at))
      case 'retrying': {
        const { failure, plan } = event.retry
        const { attempt, max_retries: of, selected_delay_ms: delayMs } = plan
        const message = failureWords(failure.message) || failure.kind || 'the model call failed'
        return [...(step?.retry(at) ?? []), { type: 'retry_announced', at, attempt, of, delayMs, message }]
      }
      case 'tool_call_requested':
        return [...needStep(at), ...calls.requested({ ...event, args: event.args }, at)]
      case 'tool_execution_started':
        return [...needStep(at), ...answered(at, () => calls.started(event, at))]
      case 'tool_execution_completed':
        calls.completed(event.id, event.is_error)
        return []
      case 'tool_execution_timed_out': {
        const text = `timed out after ${Math.round(event.timeout_ms / 1000)} seconds`
        return finished(
          { ...event, content: [{ type: 'text', text, media_type: undefined, url: undefined }], is_error: true },
          at,
        )
      }
      case 'tool_result_received':
        return finished(event, at)
      case 'run_completed':
      case 'run_failed':
        last = event
        return []
      case 'model_fallback_committed':
        return warning(`${event.previous.model} failed, so Meerkat continues with ${event.target.model}.`, at)
      case 'compaction_started':
        isCompacting = true
        return [{ type: 'compaction_started', at, inTurn: true }]
      case 'compaction_completed':
        return compacted({ type: 'compaction_finished', at, summary: '', inTurn: true }, at)
      case 'compaction_failed':
        return compacted({ type: 'compaction_failed', at, message: wordsOf(event.reason), inTurn: true }, at)
      case 'budget_warning':
        return warning(
          `${event.used} of ${event.limit} ${event.budget_type.replaceAll('_', ' ')} of the budget are used.`,
          at,
        )
      case 'hook_denied':
        return warning(`A hook of Meerkat denied it: ${event.message}`, at)
      case 'skill_resolution_failed':
        return warning(`Meerkat could not load the skill ${event.skill_key?.skill_name ?? ''}`.trimEnd() + '.', at)
      case 'stream_truncated':
        return warning('Meerkat omitted some of its events.', at)
    }
  }

  function isKnown(messageId: string): boolean {
    return messageId !== '' && (past.has(messageId) || step?.messageId === messageId)
  }

  /** The step of a piece of text. One that comes after the answer is of another. */
  function inStep(messageId: string, at: number, eventsOf: (open: MeerkatStep) => AgentEvent[]): AgentEvent[] {
    const isDeferred = past.has(messageId) && step?.messageId !== messageId
    if (isDeferred && whole.has(messageId)) return []
    const begun = isDeferred || step?.isAnswered ? begin(messageId, at) : []
    return [...begun, ...within(messageId, at, eventsOf)]
  }

  /** The step of this message, which begins here if its beginning was lost. What comes late for an earlier one is nothing new. */
  function within(messageId: string, at: number, eventsOf: (open: MeerkatStep) => AgentEvent[]): AgentEvent[] {
    const isOther = step === null || (messageId !== '' && step.messageId !== messageId)
    if (isOther && messageId !== '' && past.has(messageId)) return []
    const begun = isOther ? begin(messageId, at) : []
    return step ? [...begun, ...eventsOf(step)] : begun
  }

  function needStep(at: number): AgentEvent[] {
    return step ? [] : begin('', at)
  }

  function begin(messageId: string, at: number): AgentEvent[] {
    // The end of the former step was lost.
    const closed = close('tool_use', at)
    steps += 1
    step = createStep(messageId)
    calls.beginStep()
    return [...closed, { type: 'step_started', at, step: steps }]
  }

  function complete(stop: string, usage: WireMeerkatUsage | undefined, at: number): AgentEvent[] {
    if (usage) usages.push(usage)
    lastStop = stop
    const reported: AgentEvent[] = usage
      ? [{ type: 'usage_reported', at, usage: toUsage(usage, price), auxiliary: false }]
      : []
    isCommitted = true
    return close(lookup(STOPS, stop) ?? stop, at, reported)
  }

  function close(stop: string, at: number, reported: readonly AgentEvent[] = []): AgentEvent[] {
    if (!step) return []
    const answer = stop === 'error' || stop === 'aborted' ? [] : step.answer(calls.content, at)
    if (step.messageId !== '') past.add(step.messageId)
    lastText = step.text
    step = null
    return [...answer, ...reported, { type: 'step_ended', at, stop }]
  }

  /** The calls of the step are known, so its answer is, too. */
  function answered(at: number, eventsOf: () => AgentEvent[]): AgentEvent[] {
    const events = eventsOf()
    return [...(step?.answer(calls.content, at) ?? []), ...events]
  }

  function finished(
    event:
      | Extract<MeerkatEvent, { type: 'tool_result_received' }>
      | Omit<Extract<MeerkatEvent, { type: 'tool_result_received' }>, 'type'>,
    at: number,
  ): AgentEvent[] {
    const { content: blocks, is_error: isError, name, id } = event
    const finished = answered(at, () => calls.finished({ id, name, blocks, isError }, at))
    return [...finished, ...tasks.reported(name, blocks, at)]
  }

  function compacted(event: AgentEvent, at: number): AgentEvent[] {
    const begun: AgentEvent[] = isCompacting ? [] : [{ type: 'compaction_started', at, inTurn: true }]
    isCompacting = false
    return [...begun, event]
  }

  function end(how: MeerkatTurnEnd, isAborted: boolean, at: number): AgentEvent[] {
    const succeeded = how === 'unanswered' ? last?.type === 'run_completed' : how !== 'cut' && 'result' in how
    const result = how !== 'cut' && how !== 'unanswered' && 'result' in how ? how.result : null
    const events: AgentEvent[] = [
      ...(result ? repair(result, at) : []),
      ...close(isAborted ? 'aborted' : succeeded ? 'end' : 'error', at),
      ...calls.end(succeeded, at),
      ...(isCompacting
        ? compacted({ type: 'compaction_failed', at, message: 'the turn ended first', inTurn: true }, at)
        : []),
      ...(result ? missingUsage(result.request_usage, usages) : []).map((usage): AgentEvent => {
        return { type: 'usage_reported', at, usage: toUsage(usage, price), auxiliary: false }
      }),
    ]
    if (how === 'cut') return events
    if (isAborted) return [...events, { type: 'turn_ended', at }]
    if (succeeded) {
      const cause = (last?.type === 'run_completed' && last.terminal_cause_kind) || result?.terminal_cause_kind
      const stop = cause === 'budget_exhausted' ? 'budget' : lastStop === 'max_tokens' ? 'max_tokens' : null
      return [...events, { type: 'turn_ended', at, ...(stop !== null && { stop }) }]
    }
    return [...events, ...failed(how, at)]
  }

  /** The lost part of the last answer. */
  function repair(result: WireTurnResult, at: number): AgentEvent[] {
    const text = result.text || (last?.type === 'run_completed' ? last.result : '')
    if (text === '') return []
    if (step) return step.isAnswered ? [] : step.textIs(text, at)
    if (lastText !== '') return []
    const begun = begin('', at)
    return [...begun, ...((step as MeerkatStep | null) ?? createStep('')).textIs(text, at)]
  }

  function failed(how: MeerkatTurnEnd, at: number): AgentEvent[] {
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
}

function warning(message: string, at: number): AgentEvent[] {
  return [{ type: 'warning_raised', at, message }]
}

function wordsOf(reason: unknown): string {
  const text = typeof reason === 'string' ? reason : JSON.stringify(reason)
  return text ? `the compaction failed: ${text}` : 'the compaction failed'
}
