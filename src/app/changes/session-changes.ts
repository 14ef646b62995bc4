/** The files that the conversation changes: recorded from its beginning, collected for `/diff`. */
import type { AgentEvent, PlainEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import type { AppContext } from '../context/context.ts'
import type { Host } from '../context/host.ts'
import { ChangeSource } from './change-source.ts'
import { CommandChanges } from './command-changes.ts'
import { ReviewOutcomes } from './review-outcomes.ts'

export type SessionChanges = Pick<ChangeSource, 'begin' | 'onEvent' | 'fromCalls' | 'collect' | 'stop'> & {
  /** Calls `listener` after events that may have changed files. Returns a function that unsubscribes. */
  follow: (listener: () => void) => () => void
}

/** The events after which files may have changed. */
const MAY_CHANGE: ReadonlySet<AgentEvent['type']> = new Set(['tool_finished', 'turn_ended', 'agent_ended'])

export function createSessionChanges(context: AppContext, host: Host): SessionChanges {
  const source = new ChangeSource(context, host)
  const byCommands = new CommandChanges(context, host.folder, source)
  const outcomes = new ReviewOutcomes(context, host)
  const { emit, subscribe } = createListeners<[]>()
  return {
    begin: () => source.begin(),
    onEvent(reported) {
      const event = inConversation(reported)
      if (!event) return
      source.onEvent(event)
      byCommands.onEvent(event)
      // A subagent gets no comments.
      outcomes.onEvent(reported)
      if (MAY_CHANGE.has(event.type)) emit()
    },
    fromCalls: async () => source.fromCalls(),
    collect: async () => source.collect(),
    follow: subscribe,
    stop() {
      byCommands.stop()
      source.stop()
    },
  }
}

/** The calls of a subagent change files as any others do; its turns are no turns here. Its ids are made different from all others. */
function inConversation(event: AgentEvent): PlainEvent | null {
  if (event.type !== 'task_event') return event
  const { id, event: inner } = event
  return 'id' in inner && OF_CALL.has(inner.type) ? { ...inner, id: `${id} ${inner.id}` } : null
}

const OF_CALL: ReadonlySet<AgentEvent['type']> = new Set([
  'tool_drafted',
  'tool_arguments_received',
  'tool_called',
  'tool_described',
  'tool_finished',
])
