/**
 * The conversation as it was said. Nothing here is made safe for a screen or shortened for one: that is the view's work.
 * Only what tools were given and answered is kept up to a bound.
 * Times are milliseconds since the Unix epoch.
 */
import type { Content, MemoryFacts, Stop, Usage } from '../agent/event.ts'
import type { List } from './list.ts'

export type ToolState = 'composing' | 'waiting' | 'running' | 'ok' | 'failed' | 'not_run' | 'aborted'

export type ToolCall = {
  kind: 'tool'
  withdrawn: boolean
  /** Unique within its step only: some providers count from 0 in every turn. */
  id: string
  /** The id of the tool that made this call, for nested calls. */
  parent: string | null
  name: string
  /** The JSON text of the arguments as far as the model has written it. */
  argumentsText: string
  /** Undefined until the call is complete; null where its JSON was invalid. */
  arguments: unknown
  /** Whether the agent said that it runs it: what is only drafted may be taken back. */
  called: boolean
  state: ToolState
  /** When we first heard of it. */
  draftedAt: number
  /** When it began to run; null while it has not. */
  startedAt: number | null
  endedAt: number | null
  /** The end of what it printed while running, at most twice `PROGRESS_LIMIT` characters. */
  progress: string
  /** Characters of progress that were dropped before those. */
  progressDropped: number
  result: readonly Content[] | null
  /** What was left out of its arguments and its result, null where they are whole (`bulk.ts`). */
  leftOut: { arguments: Omitted; result: Omitted } | null
  /** Of an edit: the line of the file at which each hunk of its difference begins, null where that is unknown. */
  hunkLines: readonly (number | null)[]
  /** Of a call that read an image: the file that it is. */
  image: ImageFile | null
}

/** How much the whole is larger than what was kept: bytes of UTF-8, lines, and lines that a difference adds and removes. */
export type Omitted = { bytes: number; lines: number; added: number; removed: number }

/** Sizes are in pixels. */
export type ImageFile = { path: string; mimeType: string; width: number; height: number }

export type TextPart = {
  kind: 'text'
  withdrawn: boolean
  text: string
  final: boolean
  /** While it grows, the pieces that it grew by, newest first: who follows it need not look at all of it each time. */
  grown: Growth | null
}

/** A piece that was added at the offset `start`. */
export type Growth = { start: number; text: string; before: Growth | null }

/** What an extension, the agent or zotui itself remarks. */
export type Notice = {
  kind: 'notice'
  withdrawn: boolean
  at: number
  /** `quiet` is a fact that nobody waits for, such as a switch of the model. */
  level: 'quiet' | 'info' | 'success' | 'warn' | 'error'
  /** Who says it: an extension's name, or null for the agent and zotui. */
  source: string | null
  text: string
  hint: string | null
  /** Whether the text is Markdown of our own making. */
  markdown: boolean
  /** The command of the person whose answer begins here. */
  command?: string
}

/** A command that the person ran. */
export type Shell = {
  kind: 'shell'
  withdrawn: boolean
  /** As if the agent had called its own tool for it. */
  tool: ToolCall
  /** Whether the agent is told of it with the next prompt. */
  shared: boolean
  stopping: boolean
}

/**
 * A piece of a turn. Pieces are only ever added, so that an index stays good: what the agent or an extension took back is
 * marked `withdrawn` and counts no more, neither for the model nor for whoever copies or exports the conversation.
 */
export type Part = TextPart | ToolCall | Notice | Shell

export type Outcome = 'done' | 'aborted' | 'failed' | 'refused' | CutOff

/** What ended in the middle of it. */
export type CutOff = 'agent_ended' | 'zotui_ended'

export type CommandChange = { path: string; added: number; removed: number; isEstimate: boolean }

export type Turn = {
  kind: 'turn'
  prompt: string
  /** What went before the prompt and is not the person's words: the output of commands that they ran. */
  before: readonly string[]
  /** What the agent was told of the conversation first, since it had not heard it; else null. */
  memory: MemoryFacts | null
  images: readonly { mimeType: string; bytes: number }[]
  startedAt: number
  accepted: boolean
  /** When the first word of an answer came. */
  firstTextAt: number | null
  endedAt: number | null
  parts: List<Part>
  /** The files that commands changed in it, as far as git told; `count` is how many there are. */
  byCommands: { count: number; files: readonly CommandChange[] }
  /** Of the calls before this index less is kept: they have long been printed. */
  aged: number
  /** Index in `parts` where the present attempt at the present step begins. */
  attemptStart: number
  /** No text before this index in `parts` can grow any more. */
  settled: number
  /** No call before this index in `parts`, of those that the agent made in this attempt, has still to end. */
  firstOpen: number
  /** Counts from 1 in each step; more than 1 means that the agent took back an answer and tried again. */
  attempt: number
  /** Whether the final answer of the present attempt has come. */
  answered: boolean
  step: number
  stop: Stop | null
  /** The last error of this step; provisional until the turn ends, since the agent may retry. */
  error: string | null
  /** Failed attempts of this step so far. */
  retries: number
  usage: Usage
  /** The person asked to stop, and when. */
  aborting: boolean
  abortedAt: number | null
  abortOverdue: boolean
  outcome: Outcome | null
}

export type Compaction = {
  kind: 'compaction'
  startedAt: number
  endedAt: number | null
  outcome: 'running' | 'done' | 'failed' | 'aborted'
  aborting: boolean
  abortedAt: number | null
  abortOverdue: boolean
  summary: string
  error: string | null
  /** Tokens in the context before it, null where unknown. */
  contextBefore: number | null
}

export type Entry =
  | Turn
  | Compaction
  | Notice
  | Shell
  | { kind: 'cleared'; at: number }
  | { kind: 'agent_ended'; at: number; reason: string; hint: string }

export type AgentState = {
  phase: 'closed' | 'starting' | 'ready' | 'ended'
  name: string
  version: string
  provider: string
  model: string
  contextWindow: number | null
  /** '' is off, null where it cannot be known. */
  reasoning: string | null
  reasoningLevels: readonly string[]
}

export type ChatState = {
  agent: AgentState
  /** What is over, oldest first. */
  entries: readonly Entry[]
  /** What is going on. */
  open: Turn | Compaction | null
  /** The person's own command, while it runs; then it stands where it ended. */
  shell: Shell | null
  /**
   * What the agent that runs knows of what was said since the last clear: all of it, a digest, or nothing, as when it was
   * started anew and has had no prompt yet.
   */
  memory: 'whole' | 'digest' | 'none'
  /** Tokens that the last model call had in its context; null before the first and after a compaction. */
  context: number | null
  /** The sum of every call's usage in this session, kept over restarts; a clear begins another. */
  usage: Usage
  /** True once something was paid for that no agent reports, such as a compaction. */
  usageIsPartial: boolean
}

export const PROGRESS_LIMIT = 64 * 1024

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, costUsd: 0, reasoning: null }

export const initialChat: ChatState = {
  agent: {
    phase: 'closed',
    name: '',
    version: '',
    provider: '',
    model: '',
    contextWindow: null,
    reasoning: null,
    reasoningLevels: [],
  },
  entries: [],
  open: null,
  shell: null,
  memory: 'whole',
  context: null,
  usage: noUsage,
  usageIsPartial: false,
}
