/** The hooks without an answer that follow an agent's work: finished calls, turns, failures, and idleness. */
import type { AgentEvent, EventOf, PlainEvent } from '../agent/event.ts'
import type { Hooks } from './hooks.ts'

export type TurnHooks = {
  follow: (event: AgentEvent) => void
  /** Called when a call does not run. */
  refused: (callId: string | null) => void
  /** False while the agent repeats an earlier conversation. */
  isLive: () => boolean
}

export type TurnHooksOptions = {
  notify: Hooks['notify']
  /** See `HookedAgentOptions`. */
  afterIdle?: (run: () => void) => () => void
  onCleared: () => void
}

type HookedCall = { name: string; input: unknown }

/** The limit of a result or an answer that hooks receive, in characters. */
const LONGEST = 100_000

export function createTurnHooks({ notify, afterIdle, onCleared }: TurnHooksOptions): TurnHooks {
  const calls = new Map<string, HookedCall>()
  /** Those of subagents, which may go on in the next turn. */
  const callsOfTasks = new Map<string, HookedCall>()
  let isRemembered = false
  let isOpen = false
  let isAborted = false
  let problem: string | null = null
  let answer = ''
  let cancelIdle: (() => void) | null = null
  return { follow, refused, isLive: () => !isRemembered }

  function follow(event: AgentEvent): void {
    const { type } = event
    if (type === 'prompt_sent') begin(event.remembered === true)
    else if (type === 'turn_begun') begin(false)
    else if (type === 'task_event') followCall(event.event, callsOfTasks)
    else if (type === 'tool_called' || type === 'tool_finished') followCall(event, calls)
    else if (type === 'call_refused') refused(event.wants ? null : event.callId)
    else if (type === 'step_started') problem = null
    else if (type === 'step_ended') problem = event.error ?? problem
    else if (type === 'error_reported') problem = event.message
    else if (type === 'answer_finished') answer = textOf(event.content)
    else if (type === 'abort_requested') isAborted = true
    else if (type === 'prompt_refused') end(event.message)
    else if (type === 'turn_ended') end(problem)
    else if (type === 'agent_ended') agentEnded(event)
    else if (type === 'conversation_cleared') onCleared()
  }

  /** An agent that zotui ended has not failed. */
  function agentEnded({ expected, reason }: EventOf<'agent_ended'>): void {
    if (!expected) fail(reason)
    isOpen = false
    callsOfTasks.clear()
  }

  /** Forgets a call that did not run: it has no end to report. */
  function refused(id: string | null): void {
    if (id === null) return
    calls.delete(id)
    callsOfTasks.delete(id)
  }

  function begin(remembered: boolean): void {
    isRemembered = remembered
    isOpen = !remembered
    isAborted = false
    problem = null
    answer = ''
    calls.clear()
    cancelIdle?.()
    cancelIdle = null
  }

  function followCall(event: PlainEvent, begun: Map<string, HookedCall>): void {
    if (event.type === 'tool_called') begun.set(event.id, { name: event.name, input: event.arguments })
    else if (event.type === 'tool_finished') finished(event, begun)
  }

  function finished({ id, failed, content }: EventOf<'tool_finished'>, begun: Map<string, HookedCall>): void {
    const call = begun.get(id)
    begun.delete(id)
    if (!call || isRemembered) return
    const text = textOf(content)
    const facts = { tool_name: call.name, tool_input: call.input, tool_use_id: id }
    notify('PostToolUse', { ...facts, tool_response: { text: text.slice(0, LONGEST), failed } }, call.name)
  }

  /** Runs the hooks for the end of a turn, unless the user has stopped it. */
  function end(why: string | null): void {
    if (!isOpen) return
    isOpen = false
    if (isAborted) return
    if (why !== null) fail(why)
    else notify('Stop', { last_assistant_message: answer.slice(0, LONGEST), stop_hook_active: false })
    cancelIdle = afterIdle?.(notifyIdle) ?? null
  }

  function fail(error: string): void {
    notify('StopFailure', { error: error.slice(0, LONGEST) })
  }

  function notifyIdle(): void {
    const idle = { notification_type: 'idle_prompt', message: 'Waiting for your next prompt' }
    notify('Notification', idle, 'idle_prompt')
  }
}

function textOf(content: readonly { type: string; text?: string }[]): string {
  return content.flatMap(part => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n')
}
