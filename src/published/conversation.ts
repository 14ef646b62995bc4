/** A conversation as a server sees it. That of a UI and that of a process in the background are made differently, and behave alike. */
import type { AgentEvent } from '../agent/event.ts'
import type { Device, OutsideCall, OutsideReply } from './outside-call.ts'
import type { PublishedRow, ServedModel, ServedQuestion, ServedQueue } from './protocol.ts'

/** What a conversation shows for the answers of devices, and what it does for them. Nothing of it throws. */
export type OutsideRequests = {
  /** All questions that wait, the first to answer first. */
  questions: () => readonly ServedQuestion[]
  queue: () => ServedQueue
  /** The models that `set_model` accepts: those of the same provider. Empty if it cannot be changed. */
  models: () => Promise<readonly ServedModel[]>
  /**
   * Carries out a request whose role is sufficient, once for each device and `id`. `isConfirmed`: the person at the server's terminal has
   * said yes to prompts of this device in a mode that does not ask.
   */
  carryOut: (call: OutsideCall, device: Device, isConfirmed: boolean) => Promise<OutsideReply>
}

export type PublishedConversation = OutsideRequests & {
  row: () => PublishedRow
  /** Lets a process of its own continue it, for a board: to that it can be attached. Resolves when it is there. */
  toBackground: () => Promise<OutsideReply>
  /** The listener is called after each change of the row, the questions or the queue, and perhaps more often. Returns its end. */
  onChange: (listener: () => void) => () => void
  past: () => PublishedPast
  /** Calls the listener with events as they are stored: those that follow the last `past`. Returns its end. */
  onEvents: (listener: OnEvents) => () => void
  /** Who looks at it now, for its terminal. */
  watched: (names: readonly string[]) => void
}

/** The events so far: first those of the file, if it is kept in one, then `events`. */
export type PublishedPast = {
  /** The file of its session, and how many bytes of it count: whole lines. Null if nothing is saved. */
  file: { path: string; bytes: number } | null
  events: readonly AgentEvent[]
}

export type OnEvents = {
  added: (events: readonly AgentEvent[]) => void
  /** It is another conversation from now on, as after /clear: `past` has its beginning. */
  replaced: () => void
}
