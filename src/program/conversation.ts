/** One conversation of the program: its state, its controller, and its means to save itself. */
import type { Controller } from '../app/controller.ts'
import type { ConversationState } from '../state/conversations/conversations.ts'
import type { AppState } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import type { Sessions } from '../storage/sessions/sessions.ts'

export type Conversation = {
  store: Store<AppState>
  controller: Controller
  /** The absolute folder in which its agent works. */
  folder: string
  /** The ID under which a process of its own holds it in the background; null where it ends with this zotui. */
  held: string | null
  /** The ID under which it can be resumed; null if nothing of it is saved. */
  session: () => string | null
  /** Null if nothing is saved here. */
  sessions: Pick<Sessions, 'current' | 'rename' | 'find' | 'toContinue'> | null
  /** Kills its agent at once. */
  kill: () => Promise<void>
  /** Writes what is not written yet, in a crash. */
  flush: () => void
  /** Writes what is not written yet, and releases its files to other programs. */
  close: () => void
}

/** A conversation in the list. */
export type OpenConversation = Conversation & {
  /** A name for a conversation that saves no session; empty for none. */
  title: string
  /** Its last state. */
  state: ConversationState
  /** When that began. */
  since: number
  /** Whether the user has looked at it since its last turn ended. */
  isSeen: boolean
  /** Whether its agent was ended to save memory. */
  isResting: boolean
  /** When it was shown last. */
  shownAt: number
  isGone: boolean
}

/** The title that the user gave it; empty if there is none. */
export function titleOf({ sessions, title }: OpenConversation): string {
  return sessions?.current().title() || title
}

/** Whether its agent is working or waits for the user. */
export const isInProgress = ({ state }: OpenConversation): boolean =>
  state === 'working' || state === 'asks' || state === 'waiting'
