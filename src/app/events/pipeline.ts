/**
 * Handles every event, with and without a UI: secrets are removed, what zotui knows is added, and the event is
 * folded into the conversation and stored in the session.
 */
import type { AgentEvent } from '../../agent/event.ts'
import { createRedactor, type Redactor } from '../../storage/sessions/secrets.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { Ledger } from '../../storage/usage/ledger.ts'
import { annotated, mayBeAnnotated } from './annotate.ts'
import { mayChangePlan, withPlan } from './derive-plan.ts'
import { foldersChanged, snapshotOf } from './snapshot.ts'
import { reduce } from '../../conversation/reduce.ts'
import type { ChatState } from '../../conversation/state.ts'
import type { ToolLimit } from '../../state/state.ts'

export type EventPipeline = {
  /** Folds events and stores them. `now` moves the clock of the screen with them. */
  publish: (events: readonly AgentEvent[], now?: number) => void
  /** Publishes the text that waits because a secret could begin in it. Must be the last call. */
  end: () => void
  /** Removes secrets from a text that is part of no event. */
  redact: (text: string) => string
  /** Removes secrets from a text that comes in pieces. */
  redactStream: Redactor['stream']
}

export type EventPipelineOptions = {
  /** The current conversation. */
  chat: () => ChatState
  /** Called once for the events of each `publish`, with the conversation after them. */
  onFold: (chat: ChatState, now?: number) => void
  /** Called with each event when it is folded and stored, and the conversation after it. */
  onEvent?: (chat: ChatState, event: AgentEvent) => void
  sessions: Sessions | null
  ledger: Ledger | null
  secrets: readonly string[]
  /** The folder in which the agent works; undefined if its files must not be read, as in a replay. */
  folder: string | undefined
  /** Why the agent lacks tools; null if it has all of them. */
  toolLimit: ToolLimit | null
  /** True while zotui exits: an agent that ends then was ended by zotui. */
  isLeaving?: () => boolean
}

export function createEventPipeline(options: EventPipelineOptions): EventPipeline {
  const { sessions, ledger, folder, toolLimit, onEvent, isLeaving = () => false } = options
  const redactor = createRedactor(options.secrets)

  function fold(events: readonly AgentEvent[], now?: number): void {
    let chat = options.chat()
    const folded: AgentEvent[] = []
    const states: ChatState[] = []
    for (const event of events) annotate(isLeaving() ? endedByZotui(event) : event)
    // Before storing: a session that cannot be written announces that in the conversation.
    options.onFold(chat, now)
    log(folded)
    for (const [index, state] of states.entries()) if (folded[index]) onEvent?.(state, folded[index])

    /** Each event passes here: the types say which ones may get more beside them, and all others are not looked at. */
    function annotate(event: AgentEvent): void {
      if (folder === undefined || !mayBeAnnotated(event)) return derive(event)
      for (const known of annotated(chat, event, folder, toolLimit)) derive(known)
    }

    function derive(event: AgentEvent): void {
      if (!mayChangePlan(event)) return take(event)
      for (const each of withPlan(chat, event)) take(each)
    }

    function take(event: AgentEvent): void {
      chat = reduce(chat, event)
      folded.push(event)
      if (onEvent) states.push(chat)
    }
  }

  /** A cleared conversation begins a new session. The event that cleared it is stored in neither. */
  function log(events: readonly AgentEvent[]): void {
    const at = events.findLastIndex(event => event.type === 'conversation_cleared')
    if (at < 0) return note(events)
    note(events.slice(0, at).filter(event => event.type !== 'conversation_cleared'))
    sessions?.begin()
    const chat = options.chat()
    const now = events[at]?.at ?? 0
    // What the user has opened stays open.
    const folders = chat.folders.length === 0 ? [] : [foldersChanged(chat.folders, now)]
    note([...snapshotOf({ ...chat, agentSession: null }, now), ...folders, ...events.slice(at + 1)])
  }

  function note(events: readonly AgentEvent[]): void {
    sessions?.add(events)
    ledger?.add(events, sessions?.current().id ?? '')
  }

  return {
    publish: (events, now) => fold(options.secrets.length === 0 ? events : events.flatMap(redactor.push), now),
    end: () => fold(redactor.flush()),
    redact: redactor.redact,
    redactStream: redactor.stream,
  }
}

function endedByZotui(event: AgentEvent): AgentEvent {
  return event.type === 'agent_ended' && event.expected ? { ...event, withZotui: true } : event
}
