/** The way of events into the conversation and the session. */
import type { AgentEvent } from '../../agent/event.ts'
import type { Redactor } from '../../storage/sessions/secrets.ts'
import type { ConversationStore } from '../../state/app-store.ts'
import { createEventPipeline } from '../events/pipeline.ts'
import type { CommandNaming } from './commands/command-name.ts'
import type { Kept, Surroundings } from './parts.ts'

export type Publishing = {
  /** Publishes events to the conversation and the session. `now` moves the clock of the screen with them. */
  report: (events: readonly AgentEvent[], now?: number) => void
  /** Publishes the text that still waits. Called when no more events follow. */
  endEvents: () => void
  /** Passes every event through this first: it names the device that has caused it. */
  nameEvents: (named: (event: AgentEvent) => AgentEvent) => void
  /** Removes secrets from a text that is part of no event. */
  redact: (text: string) => string
  /** Removes secrets from a text that comes in pieces. */
  redactStream: Redactor['stream']
}

export type PublishingParts = Pick<Surroundings, 'host'> &
  Pick<Kept, 'sessions' | 'ledger'> & { store: ConversationStore; secrets?: readonly string[] }

/** `publish` is `report` for events that are no answer to a command. */
export function createPublishing(
  { store, host, sessions, ledger, secrets = [] }: PublishingParts,
  naming: Pick<CommandNaming, 'take'>,
): Publishing & { publish: Publishing['report'] } {
  const pipeline = createEventPipeline({
    chat: () => store.get().chat,
    onFold: (chat, at) => store.dispatch({ type: 'conversation_folded', chat, now: at }),
    isLeaving: () => store.get().leaving !== null,
    sessions: sessions ?? null,
    ledger: ledger ?? null,
    secrets,
    // Files of another machine are not read for it.
    folder: host?.remote ? undefined : host?.folder,
    toolLimit: store.get().startup.toolLimit ?? null,
  })
  let ofDevices: ((event: AgentEvent) => AgentEvent) | null = null
  const publish: Publishing['report'] = (events, at) => pipeline.publish(ofDevices ? events.map(ofDevices) : events, at)
  const named = (event: AgentEvent): AgentEvent => {
    if (event.type !== 'model_changed' && event.type !== 'reasoning_changed') return event
    const command = naming.take()
    return command === undefined ? event : { ...event, command }
  }
  return {
    publish,
    report: (events, at) => publish(events.map(named), at),
    nameEvents: naming => (ofDevices = naming),
    endEvents: pipeline.end,
    redact: pipeline.redact,
    redactStream: pipeline.redactStream,
  }
}
