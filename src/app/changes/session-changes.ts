/** The files that the conversation changes: recorded from its beginning, collected for `/diff`. */
import type { AgentEvent } from '../../agent/event.ts'
import { createListeners } from '../../agent/listeners.ts'
import type { AppContext } from '../context/context.ts'
import type { Host } from '../context/host.ts'
import { ChangeSource } from './change-source.ts'
import { CommandChanges } from './command-changes.ts'

export type SessionChanges = Pick<ChangeSource, 'begin' | 'onEvent' | 'fromCalls' | 'collect' | 'stop'> & {
  /** Calls `listener` after events that may have changed files. Returns a function that unsubscribes. */
  follow: (listener: () => void) => () => void
}

/** The events after which files may have changed. */
const MAY_CHANGE: ReadonlySet<AgentEvent['type']> = new Set(['tool_finished', 'turn_ended', 'agent_ended'])

export function createSessionChanges(context: AppContext, host: Host): SessionChanges {
  const source = new ChangeSource(context, host)
  const byCommands = new CommandChanges(context, host.folder, source)
  const { emit, subscribe } = createListeners<[]>()
  return {
    begin: () => source.begin(),
    onEvent(event) {
      source.onEvent(event)
      byCommands.onEvent(event)
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
