/**
 * The conversation as it was said. Nothing here is sanitised or shortened for a screen: the transcript does that.
 * Only the arguments and results of tools are bounded.
 * Times are milliseconds since the Unix epoch.
 */
import type { AttachedFile } from '../agent/attached-file.ts'
import type { Content, EventOf, MemoryFacts, Stop, Usage } from '../agent/event.ts'
import type { PermissionMode, ToolKind } from '../agent/permission.ts'
import type { AgentCommand, AgentOption, LoginMethod } from '../agent/session-events.ts'
import type { CallDiff, CallLocation, PlanEntry } from '../agent/turn-events.ts'
import type { List } from './list.ts'

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
  /** A description in the agent's own words; '' if it gives none. */
  title: string
  /** The kind of the call by the agent's own words, and the files that it is about. */
  does: ToolKind | null
  locations: readonly CallLocation[]
  /** The changes in files that the agent tells. */
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
  /** The last content of an agent that shows all of it each time while it runs; `progress` is its text. */
  shown: readonly Content[] | null
  result: readonly Content[] | null
  /** The amounts omitted from its arguments and its result (`trim-output.ts`); null if both are complete. */
  omitted: { arguments: Omitted; result: Omitted } | null
  /** For an edit, the line of the file at which each hunk begins; null if unknown. */
  hunkLines: readonly (number | null)[]
  /** Set for a write that made its file: nothing was overwritten. */
  created?: true
  /** The image file that the call read, if any. */
  image: ImageFile | null
  /** The question and the decision before it ran; absent if nobody was asked and nothing refused it. */
  permission?: CallPermission
}

/** `words` are what the model was told; '' for nothing. `command` ran instead of the requested one. */
export type CallPermission =
  | { state: 'asked' }
  | { state: 'allowed'; by: EventOf<'permission_decided'>['by']; command?: string }
  | { state: 'refused'; by: EventOf<'permission_decided'>['by']; because: string; words: string }

/** The size of what was omitted: bytes of UTF-8, lines, and lines that a diff adds and removes. */
export type Omitted = { bytes: number; lines: number; added: number; removed: number }

/** Sizes are in pixels. */
export type ImageFile = { path: string; mimeType: string; width: number; height: number }

export type TextPart = {
  kind: 'text'
  withdrawn: boolean
  text: string
  final: boolean
  /** The pieces that it grew by, newest first, while it grows: followers need not read all of it each time. */
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
export type Growth = { start: number; text: string; before: Growth | null }

/** A remark by an extension, the agent or zotui itself. */
export type Notice = {
  kind: 'notice'
  withdrawn: boolean
  at: number
  /** `quiet` is a minor fact, such as a switch of the model. */
  level: 'quiet' | 'info' | 'success' | 'warn' | 'error'
  /** The name of the extension that says it; null for the agent and zotui. */
  source: string | null
  text: string
  hint: string | null
  /** A long text of the agent that belongs to it, in Markdown. */
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
  /** Set for a side question with its answer (`details`) that the user took over: it belongs to what was said. */
  isTakenOver?: true
}

/** A command that the user ran. */
export type Shell = {
  kind: 'shell'
  withdrawn: boolean
  /** The command in the form of a call of the agent's own tool. */
  tool: ToolCall
  /** Whether the agent is told of it with the next prompt. */
  shared: boolean
  stopping: boolean
}

/**
 * A piece of a turn. Pieces are only ever added, so that an index stays valid: what the agent or an extension took back is
 * marked `withdrawn`, and neither the model nor copies or exports of the conversation include it.
 */
export type Part = TextPart | ThoughtPart | ToolCall | Notice | Shell

export type Outcome = 'done' | 'aborted' | 'failed' | 'refused' | CutOff

/** The program that ended in the middle of a turn. */
export type CutOff = 'agent_ended' | 'zotui_ended'

export type CommandChange = { path: string; added: number; removed: number; isEstimate: boolean }

export type Turn = {
  kind: 'turn'
  prompt: string
  /** Text sent before the prompt that the user did not write: the output of commands that they ran, or what a hook added. */
  before: readonly string[]
  /** The files that the prompt mentions; the last texts of `before` are theirs. */
  mentions: readonly AttachedFile[]
  /** The digest of the conversation that was sent along, since the agent did not know it; otherwise null. */
  memory: MemoryFacts | null
  images: readonly { mimeType: string; bytes: number }[]
  startedAt: number
  accepted: boolean
  /** The time at which the first text of an answer arrived. */
  firstTextAt: number | null
  endedAt: number | null
  parts: List<Part>
  /** The files that commands changed in this turn, as far as git reported; `count` is their total number. */
  byCommands: { count: number; files: readonly CommandChange[] }
  /** Calls before this index keep less output: they were printed long ago. */
  aged: number
  /** Index in `parts` where the present attempt at the present step begins. */
  attemptStart: number
  /** No text before this index in `parts` can still grow. */
  settled: number
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
  /** Whether the cost of some of its model calls is unknown, though not of all. */
  costIsPartial: boolean
  /** The agent's to-do list. */
  plan: readonly PlanEntry[]
  /** The agent's own words for what it does now; '' if it tells none. */
  activity: string
  /** Whether that list stands in the text of an answer. */
  planInAnswer: boolean
  /** The retry that is to come; null if none is. */
  retry: EventOf<'retry_announced'> | null
  /** Since when the agent summarises the conversation inside this turn; null if it does not. */
  compactingSince: number | null
  /** Why the agent says that the turn ended; null if it does not say. */
  stopReason: string | null
  /** Whether and when the user asked to stop. */
  aborting: boolean
  abortedAt: number | null
  abortOverdue: boolean
  outcome: Outcome | null
  /** The checkpoint of the files as they were before this turn; null if there is none. */
  checkpoint: string | null
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
  /** Tokens in the context before it; null if unknown. */
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
  /** '' means off, null unknown. */
  reasoning: string | null
  reasoningLevels: readonly string[]
}

export type ChatState = {
  agent: AgentState
  /** Finished entries, oldest first. */
  entries: readonly Entry[]
  /** The turn or compaction in progress. */
  open: Turn | Compaction | null
  /** The user's own command while it runs; afterwards it is an entry or a part. */
  shell: Shell | null
  /**
   * The running agent's knowledge of the conversation since the last clear: all of it, a digest, or nothing, such as when
   * it was restarted and has had no prompt yet.
   */
  memory: 'whole' | 'digest' | 'none'
  /** The session of its own that the running agent is in; null if it has none. */
  agentSession: string | null
  /** The session in which an agent was told this conversation, and its cost as far as it is known; null if none holds it. */
  rememberedBy: { agent: string; id: string; costUsd: number | null } | null
  /** The permission mode; null for an agent that cannot ask. */
  permissionMode: PermissionMode | null
  /** Calls that wait for an answer, oldest first. */
  questions: readonly EventOf<'permission_requested'>[]
  /** The agent's own questions to the user, oldest first. */
  forms: readonly EventOf<'question_asked'>[]
  /** The options of the running agent, and its commands. */
  options: readonly AgentOption[]
  agentCommands: readonly AgentCommand[]
  /** The ways to log in if the agent waits for that; otherwise null. */
  login: readonly LoginMethod[] | null
  /** The agent's title for this session; '' for none. */
  agentTitle: string
  /** The plan that waits for an answer, in Markdown; null if none does. */
  plan: string | null
  /** Tokens in the context of the last model call; null before the first call and after a compaction. */
  context: number | null
  /** The total usage in this session, kept across restarts; a clear resets it. */
  usage: Usage
  /** Whether the usage lacks something that no agent reports, such as a compaction. */
  usageIsPartial: boolean
  /** The cost that the running agent has reported for all of its work; null if it does not report that. */
  reportedCost: number | null
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
  agentSession: null,
  rememberedBy: null,
  permissionMode: null,
  questions: [],
  forms: [],
  options: [],
  agentCommands: [],
  login: null,
  agentTitle: '',
  plan: null,
  context: null,
  usage: noUsage,
  usageIsPartial: false,
  reportedCost: null,
}
