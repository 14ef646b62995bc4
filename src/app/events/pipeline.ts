/** The way that every event takes: secrets out, what we know besides in, into the conversation, into the session. */
import type { AgentEvent } from '../../agent/event.ts'
import { createRedactor, type Redactor } from '../../storage/sessions/secrets.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { Ledger } from '../../storage/usage/ledger.ts'
import { annotated } from './annotate.ts'
import { snapshotOf } from './snapshot.ts'
import { reduceApp } from '../../state/reduce.ts'
import type { AppState } from '../../state/state.ts'
import type { Store } from '../../state/store.ts'

export type EventPipeline = {
  /** Folds events and stores them. `now` moves the clock of the screen with them. */
  publish: (events: readonly AgentEvent[], now?: number) => void
  /** Tells what was held back: nothing more comes. */
  end: () => void
  /** A text that nobody told of, without what must not be stored. */
  redact: (text: string) => string
  /** The same for one that comes in pieces. */
  redactStream: Redactor['stream']
}

export type EventPipelineOptions = {
  store: Store<AppState>
  sessions: Sessions | undefined
  ledger: Ledger | undefined
  secrets: readonly string[]
  /** The folder in which the agent works; undefined where its files are not ours to look into, as in a replay. */
  folder: string | undefined
}

export function createEventPipeline({ store, sessions, ledger, secrets, folder }: EventPipelineOptions): EventPipeline {
  const redactor = createRedactor(secrets)

  function fold(events: readonly AgentEvent[], now?: number): void {
    let next = now === undefined ? store.get() : reduceApp(store.get(), { type: 'ticked', now })
    const told: AgentEvent[] = []
    for (const heard of events) {
      const event = ofLeaving(heard, next)
      for (const each of folder === undefined ? [event] : annotated(next.chat, event, folder, next.startup.toolLimit)) {
        next = reduceApp(next, { type: 'agent_told', event: each })
        told.push(each)
      }
    }
    // First, since a session that cannot be written says so.
    store.set(next)
    log(told)
  }

  /** A new conversation is a new session. What cleared the old one lies between the two and is in neither. */
  function log(told: readonly AgentEvent[]): void {
    const at = told.findLastIndex(event => event.type === 'conversation_cleared')
    if (at < 0) return note(told)
    note(told.slice(0, at).filter(event => event.type !== 'conversation_cleared'))
    sessions?.begin()
    note([...snapshotOf(store.get().chat.agent, told[at]?.at ?? 0), ...told.slice(at + 1)])
  }

  function note(events: readonly AgentEvent[]): void {
    sessions?.add(events)
    ledger?.add(events, sessions?.current().id ?? '')
  }

  return {
    publish: (events, now) => fold(events.flatMap(redactor.push), now),
    end: () => fold(redactor.flush()),
    redact: redactor.redact,
    redactStream: redactor.stream,
  }
}

/** Who leaves takes the agent along: what it was at is then cut off by zotui. */
function ofLeaving(event: AgentEvent, { leaving }: AppState): AgentEvent {
  return event.type === 'agent_ended' && event.expected && leaving !== null ? { ...event, withZotui: true } : event
}
