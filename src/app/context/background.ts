/** Access to the conversations in the background, each run by its own process, for a UI that is not attached. */
import type { Reply, StartOptions } from '../../agent/backend.ts'
import type { PermissionMode } from '../../agent/permission.ts'
import type { ConversationRow } from '../../state/conversations/conversations.ts'

/** A conversation that is to continue in the background. */
export type BackgroundStart = {
  /** The absolute folder in which its agent works. */
  folder: string
  /** The session to continue with; null for a new one. */
  session: string | null
  /** The first prompt; null if a UI attaches and asks for it. */
  prompt: string | null
  /** The name of the agent; by default that of this zotui. */
  agent?: string
  /** The model to begin with; by default that of the agent. */
  model?: string
  /** The permission mode; by default that of a new conversation. */
  mode?: PermissionMode
  /** The start of its agent, all of it; by default that of the command line. Only for zot. */
  start?: StartOptions
}

export type Background = {
  /** All of them, as rows without a number. Never rejects. */
  list: () => Promise<readonly ConversationRow[]>
  /** Begins one. Resolves to its ID when its agent has started. */
  begin: (start: BackgroundStart) => Promise<Reply<string>>
  /**
   * Follows one without attaching: `onRow` is called with each change of its state, and `onEnd` once, when its process has ended or
   * cannot be reached. Returns a function that stops it.
   */
  follow: (id: string, onRow: (row: ConversationRow) => void, onEnd: () => void) => () => void
  /** Answers a waiting call, once; false if it no longer waits, or came only a moment ago. */
  answer: (id: string, call: string, isAllowed: boolean) => Promise<boolean>
  rename: (id: string, title: string) => Promise<Reply>
  /** Stops its turn. */
  stop: (id: string) => Promise<Reply>
  /** Stops its turn and ends it. Its session can be resumed. */
  end: (id: string) => Promise<Reply>
}
