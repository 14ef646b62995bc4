/** The parts of a turn: the texts of the agent, its calls, notices, and commands that the user ran. Times are as in `state.ts`. */
import type { AttachedFile } from '../agent/attached-file.ts'
import type { Content, EventOf } from '../agent/event.ts'
import type { ToolKind } from '../agent/permission.ts'
import type { CallDiff, CallLocation } from '../agent/turn-events.ts'

export type ToolState = 'composing' | 'waiting' | 'running' | 'ok' | 'failed' | 'not_run' | 'aborted'

export type ToolCall = {
  kind: 'tool'
  withdrawn: boolean
  /** Unique within its step only: some providers count from 0 in every turn. */
  id: string
  /** The id of the call whose tool made this one; null if the agent did. */
  parent: string | null
  /** The id of the outermost of these calls; its own if it has no parent. */
  root: string
  name: string
  /** A description by the agent; '' if it gives none. */
  title: string
  /** The kind of the call as the agent reports it, and the files that it is about. */
  does: ToolKind | null
  locations: readonly CallLocation[]
  /** The changes in files that the agent reports. */
  diffs: readonly CallDiff[]
  /** The JSON text of the arguments as far as the model has written it. */
  argumentsText: string
  /** Undefined until the call is complete; null where its JSON was invalid. */
  arguments: unknown
  /** Whether the agent said that it runs the call: a mere draft may be withdrawn. */
  called: boolean
  state: ToolState
  /** The time of its first report. */
  draftedAt: number
  /** The time at which it began to run; null before that. */
  startedAt: number | null
  endedAt: number | null
  /** The end of what it printed while running, at most twice `PROGRESS_LIMIT` characters. */
  progress: string
  /** Characters of progress that were dropped before those. */
  progressDropped: number
  /** The last content, if the agent sends all of it each time while the call runs; `progress` is its text. */
  shown: readonly Content[] | null
  result: readonly Content[] | null
  /** The amounts omitted from its arguments and its result (`trim-output.ts`); null if both are complete. */
  omitted: { arguments: Omitted; result: Omitted } | null
  /** For an edit, the line of the file at which each hunk begins; null if unknown. */
  hunkLines: readonly (number | null)[]
  /** Set for a write that made its file: nothing was overwritten. */
  created?: true
  /** Set for a write that zotui carried out over a file that existed: the lines that it added and removed. */
  replaced?: { added: number; removed: number }
  /** The image file that the call read, if any. */
  image: ImageFile | null
  /** The question and the decision before it ran; absent if there was none. */
  permission?: CallPermission
  /** The box in which it ran, or that the user let it leave the sandbox; absent if it ran as any program does. */
  heldIn?: EventOf<'call_held'>['where']
  /** Set if it did not run because the user's words came first (`call_steered`). */
  steered?: true
  /** Who let it leave the sandbox. */
  letOutBy?: EventOf<'permission_decided'>['by']
}

/** A guard asks on a way of its own, often before the agent has reported the call. */
export type EarlyFacts = Pick<ToolCall, 'permission' | 'heldIn' | 'letOutBy'>

/** `words` are the message for the model; '' for nothing. `command` ran instead of the requested one. `from` as in `permission_decided`. */
export type CallPermission =
  | { state: 'asked' }
  | {
      state: 'allowed'
      by: EventOf<'permission_decided'>['by']
      command?: string | undefined
      from?: string | undefined
    }
  | {
      state: 'refused'
      by: EventOf<'permission_decided'>['by']
      because: string
      words: string
      from?: string | undefined
    }

/** The size of what was omitted: bytes of UTF-8, lines, and lines that a diff adds and removes. */
export type Omitted = { bytes: number; lines: number; added: number; removed: number }

/** Sizes are in pixels. */
export type ImageFile = { path: string; mimeType: string; width: number; height: number }

export type TextPart = {
  kind: 'text'
  withdrawn: boolean
  text: string
  final: boolean
  /** The pieces that it grew by, newest first, while it grows, so that readers need not read all of it each time. */
  grown: Growth | null
}

/** A piece of the model's thinking. */
export type ThoughtPart = {
  kind: 'thought'
  withdrawn: boolean
  text: string
  startedAt: number
  /** Null while it grows. */
  endedAt: number | null
}

/** A piece that was added at the offset `start`. */
type Growth = { start: number; text: string; before: Growth | null }

/** A notice by an extension, the agent or zotui itself. */
export type Notice = {
  kind: 'notice'
  withdrawn: boolean
  at: number
  /** `quiet` is a minor fact, such as a switch of the model. */
  level: 'quiet' | 'info' | 'success' | 'warn' | 'error'
  /** The name of the extension that made it; null for the agent and zotui. */
  source: string | null
  text: string
  hint: string | null
  /** A long text that belongs to it, in Markdown. */
  details?: string
  /** Whether the text is Markdown written by zotui. */
  markdown: boolean
  /** Set for a text that an extension shows, in Markdown. */
  isDisplay?: true
  /** Set if the note before it is of the same extension. */
  follows?: true
  /** The user's command, if this notice begins the reply to it. */
  command?: string
  /** Set if it is about zotui and not about the conversation: exports omit it. */
  aside?: true
  /** Set for a preview of what an answer to the next question would do. */
  isPreview?: true
  /** Set if it stands for a preview that was cancelled and withdrawn; `details` is the text of that. */
  cancels?: true
  /** Set for a side question with its answer (`details`) that the user took over: it is part of the conversation. */
  isTakenOver?: true
}

/** A command that the user ran. */
export type Shell = {
  kind: 'shell'
  withdrawn: boolean
  /** The command in the form of a call of the agent's own tool. */
  tool: ToolCall
  /** Whether the agent gets it with the next prompt. */
  shared: boolean
  stopping: boolean
  /** The bytes of its output that were not kept; absent for none. */
  omittedBytes?: number
  /** True if it had the terminal, so that its output is not known. */
  onTerminal?: true
}

/**
 * A piece of a turn. Pieces are only ever added, so that an index stays valid: what the agent or an extension took back
 * is marked `withdrawn`, and copies and exports of the conversation omit it.
 */
export type Part = TextPart | ThoughtPart | ToolCall | Notice | Shell | SteerPart

/** The user's words to the running turn, where the agent got them. */
export type SteerPart = {
  kind: 'steer'
  withdrawn: boolean
  at: number
  /** As the agent got it. */
  text: string
  /** The words that the user typed, if the text was made of them. */
  typed?: string
  images: readonly { mimeType: string; bytes: number }[]
  /** Text sent before it that the user did not write; the last ones are those of `mentions`. */
  before: readonly string[]
  mentions: readonly AttachedFile[]
  /** The device from which it came; absent for this terminal. */
  from?: string
}

/** Half of the most characters that are kept of a running call's output. */
export const PROGRESS_LIMIT = 64 * 1024
