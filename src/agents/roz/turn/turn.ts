/**
 * One turn as events. roz does not report steps: a text and the calls after it are one step, and the first event after their
 * results begins the next one. Pure.
 */
import type { AgentEvent, AnswerContent, Content } from '../../../agent/event.ts'
import type { WireTurnFinished } from '../wire/messages.ts'

export type RozTurn = {
  said(text: string, at: number): AgentEvent[]
  thought(text: string, at: number): AgentEvent[]
  called(call: { id: string; name: string; arguments: unknown; parent?: string }, at: number): AgentEvent[]
  finished(id: string, result: { failed: boolean; content: readonly Content[] }, at: number): AgentEvent[]
  /** The call continues here although its agent was answered: its end comes from another place. */
  deferred(id: string): void
  /** The server has ended its turn. `stop` is the word of the step's end. */
  ended(stop: 'end' | 'error' | 'aborted', usage: WireTurnFinished | null, at: number): AgentEvent[]
}

export function createRozTurn(): RozTurn {
  let steps = 0
  let step: { text: string; calls: AnswerContent[]; isStarted: boolean; isAnswered: boolean } | null = null
  const running = new Set<string>()

  return {
    said(text, at) {
      if (text === '') return []
      const begun = open(at)
      if (step) step.text += text
      return [...begun, { type: 'text_received', at, text }]
    },
    thought(text, at) {
      return text === '' ? [] : [...open(at), { type: 'thought_received', at, text }]
    },
    called({ id, name, arguments: args, parent }, at) {
      // A call beside one that runs is of the same step.
      const begun = step?.isAnswered && running.size > 0 ? [] : open(at)
      running.add(id)
      step?.calls.push({ type: 'tool_call', id, name, arguments: args })
      const called: AgentEvent = { type: 'tool_called', at, id, name, arguments: args, ...(parent && { parent }) }
      return [...begun, called, ...answer(at), { type: 'tool_started', at, id }]
    },
    finished(id, { failed, content }, at) {
      if (!running.delete(id)) return []
      return [{ type: 'tool_finished', at, id, failed, content: [...content] }]
    },
    deferred: id => void running.delete(id),
    ended(stop, usage, at) {
      const answered = stop === 'end' ? answer(at) : []
      // Their results were lost.
      const lost = stop === 'end' ? [...running] : []
      const finished = lost.map((id): AgentEvent => ({ type: 'tool_finished', at, id, failed: false, content: [] }))
      const reported: AgentEvent[] = usage && isUsed(usage) ? [usageOf(usage, steps > 1, at)] : []
      const closed: AgentEvent[] = step ? [{ type: 'step_ended', at, stop }] : []
      step = null
      running.clear()
      return [...answered, ...finished, ...reported, ...closed]
    },
  }

  /** The step of a piece of the answer. One that has called is over. */
  function open(at: number): AgentEvent[] {
    const closed: AgentEvent[] = step?.isAnswered ? [{ type: 'step_ended', at, stop: 'tool_use' }] : []
    if (step && closed.length === 0) return start(at)
    steps += 1
    step = { text: '', calls: [], isStarted: false, isAnswered: false }
    return [...closed, { type: 'step_started', at, step: steps }, ...start(at)]
  }

  function start(at: number): AgentEvent[] {
    if (!step || step.isStarted) return []
    step.isStarted = true
    return [{ type: 'answer_started', at }]
  }

  /** Emits the answer of the step, once. */
  function answer(at: number): AgentEvent[] {
    if (!step || step.isAnswered) return []
    step.isAnswered = true
    const { text, calls } = step
    return [
      { type: 'answer_finished', at, content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls] },
    ]
  }
}

function isUsed({ input_tokens: input, output_tokens: output, cache_read_tokens: cached }: WireTurnFinished): boolean {
  return input + output + cached > 0
}

/** The sum of several model calls is no measure of the context. */
function usageOf(wire: WireTurnFinished, auxiliary: boolean, at: number): AgentEvent {
  const { input_tokens: input, output_tokens: output } = wire
  const cache = { cacheRead: wire.cache_read_tokens, cacheWrite: wire.cache_creation_tokens }
  const usage = { input, output, ...cache, costUsd: null, reasoning: null }
  return { type: 'usage_reported', at, usage, auxiliary }
}
