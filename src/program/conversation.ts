/** One conversation of the program: its state, its controller, and functions to save and end it. */
import type { StartOptions } from '../agent/backend.ts'
import type { Controller } from '../app/controller-options.ts'
import type { ConversationState } from '../state/conversations/conversations.ts'
import type { AppState } from '../state/state.ts'
import type { ConversationStore } from '../state/app-store.ts'
import type { Sessions } from '../storage/sessions/sessions.ts'

export type Conversation = {
  store: ConversationStore
  controller: Controller
  /** The options of the next start of its zot; undefined for another agent. */
  start: () => StartOptions | undefined
  /** The words of `--agent` that start its agent on another machine; undefined if the agent's name is enough. */
  remoteWords: () => string | undefined
  /** The absolute folder in which its agent works. */
  folder: string
  /** The other machine that its agent works on; null for this one. Then `folder` is only a key, under which its sessions are kept. */
  machine: ConversationMachine | null
  /** The ID under which a separate process holds it in the background; null if it ends with this zotui. */
  backgroundId: string | null
  /** The ID under which it can be resumed; null if nothing of it is saved. */
  session: () => string | null
  /** Null if nothing is saved here. */
  sessions: Pick<Sessions, 'current' | 'keep' | 'rename' | 'find' | 'show' | 'note' | 'newestClosed'> | null
  /** Where its events are, also if they are kept only until it ends; null if they are nowhere, as in a replay. */
  kept: Pick<Sessions, 'current' | 'past' | 'follow'> | null
  /** Kills its agent at once. */
  kill: () => Promise<void>
  /** Writes unwritten data, in a crash. */
  flush: () => void
  /** Writes unwritten data, and releases its files to other programs. */
  close: () => void
}

export type ConversationMachine = {
  /** Such as `ssh:build`. Not sanitised. */
  name: string
  /** The folder there, absolute. */
  folder: string
  /** The value of `--on` for machine and folder; null if it cannot be named so. */
  on: string | null
  /** The flags that start zotui there again, quoted for a shell. */
  flags: string
}

/** A conversation in the list. */
export type OpenConversation = Conversation & {
  /** The name of a conversation that saves no session; empty for none. */
  title: string
  /** Its last state. */
  state: ConversationState
  /** The time at which that began. */
  since: number
  /** The ID of the first call that waits for an answer; null if none does. */
  call: string | null
  /** True if the user has looked at it since its last turn ended. */
  isSeen: boolean
  /** True if its agent was ended to save memory. */
  isSuspended: boolean
  /** The time at which it was shown last. */
  shownAt: number
  isGone: boolean
}

/** The title that the user gave it; empty if there is none. */
export function conversationTitle({ sessions, title }: OpenConversation): string {
  return sessions?.current().title() || title
}

/** True if its agent is working or waits for the user. */
export const isInProgress = ({ state }: OpenConversation): boolean =>
  state === 'working' || state === 'asks' || state === 'waiting'

/** By this key other programs know a conversation: its number stays, unlike its place in the list. */
export function publishedKey({ startup }: Pick<AppState, 'startup'>): string {
  return String(startup.conversation ?? 1)
}
