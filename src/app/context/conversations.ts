/** The access of a conversation to the others of this zotui. */
import type { Reply } from '../../agent/backend.ts'
import type { PermissionMode } from '../../agent/permission.ts'
import type { Notice } from '../../conversation/part.ts'
import type { Background } from './background.ts'

/** A conversation that is to be opened. */
export type NewConversation = {
  /** Another folder, such as a git worktree; by default that of the conversation that is shown. */
  folder?: string
  /** Sent as soon as the agent is ready; null for none. */
  prompt: string | null
  /** An agent's name or command line; by default that of this zotui. */
  agent?: string
  /** The model to begin with; by default that of the agent. */
  model?: string
  /** Another machine to work on, as `--on` names it; null for this one. By default that of the conversation that is shown. */
  on?: string | null
  /** Ends the start on another machine. */
  signal?: AbortSignal
  /** What happens until the other machine is there, in a few words. Not sanitised. By default it is shown as a hint. */
  onProgress?: (words: string) => void
  /** The permission mode to begin with; by default that of the conversation that is shown. */
  mode?: PermissionMode
  /** By default the first prompt names it. */
  title?: string
  /** The ID of the session that it resumes; true for the newest one of its folder that is not open, if there is one. */
  resumes?: boolean | string
  /** True if the screen shows it at once. */
  isShown: boolean
}

/** A prompt for a new conversation in the background. What is absent is as in the conversation that is shown. */
export type BackgroundPrompt = Pick<NewConversation, 'folder' | 'agent' | 'model' | 'mode'> & { prompt: string }

/** Where a conversation goes on: on another machine, or here again. */
export type Relocation = Pick<NewConversation, 'on' | 'folder' | 'agent' | 'signal' | 'onProgress'> & {
  /** Whether the agent knows its own session there, because it went along. */
  isKnown: boolean
  /** Where it goes, in a few words: for the title of the session that is left. Sanitised. */
  to: string
}

/** The last warning about each window of each agent's plan: the highest threshold, and when the window resets. */
export type PlanWarnings = Map<string, { threshold: number; resetsAt: number | null }>

/** The number of a conversation is its place in the list, counted from 1. */
export type Conversations = {
  /** Opens one, and starts its agent; resolves to its number. Refused with the reason if there is no such agent. */
  open: (options: NewConversation) => Promise<Reply<number>>
  /** The conversations in the background; null if none can run. */
  background: Background | null
  /** Attaches to one of these by its ID, and shows it; resolves to its number. */
  attach: (id: string) => Promise<Reply<number>>
  /** Begins one in the background, which is not shown here. Resolves to its ID when its agent has started. */
  begin: (task: BackgroundPrompt) => Promise<Reply<string>>
  /** Moves a conversation to the background; its turn is stopped, and continues there. It keeps its number. */
  move: (number: number) => Promise<Reply>
  /**
   * Lets the conversation with this session go on at another place, in its place of the list: the agent there has started, and has the
   * conversation, before the agent here is ended. If that fails nothing has changed. Nothing may run in it, and nothing be sent.
   */
  relocate: (session: string, to: Relocation) => Promise<Reply>
  /** The numbers of those that work and could continue in the background. */
  movable: () => readonly number[]
  /** Shows one on the screen; false if there is none with this number. */
  show: (number: number) => boolean
  /** The number of the one that other programs know by this key; null if there is none. */
  numberOf: (key: string) => number | null
  /** The number of the first one that works in a folder or below it; null if none does. */
  numberIn: (folder: string) => number | null
  /** Shows the one that was shown before; false if there is none. */
  showFormer: () => boolean
  /** Forgets that one in the background has ended. */
  dropNews: (id: string) => void
  /** Updates the rows of the list, and keeps updating them while the list is open. */
  follow: () => void
  /** Answers a waiting call; false if it no longer waits. */
  answer: (number: number, call: string, isAllowed: boolean) => boolean
  rename: (number: number, title: string) => void
  /** Stops its turn. */
  stop: (number: number) => void
  /** Ends its agent and takes it out of the list. Its session can be resumed. */
  end: (number: number) => Promise<void>
  /** True if one more turn may begin now. */
  mayBegin: () => boolean
  /** The turns of this process, and how many may run at the same time. */
  turnsAtOnce: () => { running: number; most: number }
  /** The cost of all of them, as far as their agents report it. */
  cost: () => number
  /** The cost limit that the user has allowed for all; null if it was not raised. */
  raised: { limit: number | null }
  planWarnings: PlanWarnings
  /** Prints a notice in the one that is shown. */
  say: (level: Notice['level'], text: string) => void
  /** Closes all agents in good order and exits. */
  leave: () => Promise<void>
  /** Kills all agents and exits at once. */
  quit: () => Promise<void>
}
