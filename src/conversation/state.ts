/**
 * The conversation as it was said. Nothing here is sanitised or shortened for a screen: the transcript does that.
 * Only the arguments and results of tools are bounded.
 * Times are milliseconds since the Unix epoch.
 */
import type { AttachedFile } from '../agent/attached-file.ts'
import type { EventOf, MemoryFacts, Stop, Usage } from '../agent/event.ts'
import type { BoxWant, PermissionMode } from '../agent/permission.ts'
import type { AgentCommand, AgentOption, LimitWindow, LoginMethod, ToolServer } from '../agent/session-events.ts'
import type { TaskKind, TaskState } from '../agent/task-events.ts'
import type { PlanEntry, TurnCause } from '../agent/turn-events.ts'
import type { List } from './list.ts'
import type { EarlyFacts, Notice, Shell, Part } from './part.ts'

type Outcome = 'done' | 'aborted' | 'failed' | 'refused' | CutOff

/** The program that ended in the middle of a turn. */
export type CutOff = 'agent_ended' | 'zotui_ended'

export type CommandChange = { path: string; added: number; removed: number; isEstimate: boolean }

export type Turn = {
  kind: 'turn'
  /** As the agent got it; '' for a turn that the agent began itself. */
  prompt: string
  /** Set for a turn that the agent began without a prompt. `about` is the agent's words for the cause; '' if it gives none. */
  unprompted?: { cause: TurnCause; about: string; task: string | null }
  /** The words that the user typed, if the prompt was made of them. */
  typed?: string
  /** Set if zotui wrote the prompt, not the user. */
  by?: 'zotui'
  /** The device from which it was sent; absent for this terminal. */
  from?: string
  /** Text sent before the prompt that the user did not write: the output of commands that they ran, or what a hook added. */
  before: readonly string[]
  /** The files that the prompt mentions; the last texts of `before` are theirs. */
  mentions: readonly AttachedFile[]
  /** The digest of the conversation that was sent along, since the agent did not know it; otherwise null. */
  memory: MemoryFacts | null
  /** The provider and the model that it went to; null if that is not known. */
  sentTo: { provider: string; model: string } | null
  images: readonly { mimeType: string; bytes: number }[]
  startedAt: number
  accepted: boolean
  /** The time at which the model's first output arrived: text, thinking, or a call. */
  firstTokenAt: number | null
  endedAt: number | null
  parts: List<Part>
  /** The files that commands changed in this turn, as far as git reported; `count` is their total number. */
  byCommands: { count: number; files: readonly CommandChange[] }
  /** What was known of a call before the agent reported it, by the id of the call. */
  earlyFacts: ReadonlyMap<string, EarlyFacts>
  /** Calls before this index are old, and keep less output. */
  aged: number
  /** About the characters of the other calls. */
  kept: number
  /** Index in `parts` where the present attempt at the present step begins. */
  attemptStart: number
  /** No text before this index in `parts` can still grow. */
  settled: number
  /** Counts from 1 in each step; more than 1 means that the agent took back an answer and tried again. */
  attempt: number
  stop: Stop | null
  /** The last error of this step; provisional until the turn ends, since the agent may retry. */
  error: string | null
  /** Whether that error is that a limit of the user's plan is reached. */
  isOverLimit: boolean
  /** Failed attempts of this step so far. */
  retries: number
  usage: Usage
  /** Whether the cost of some of its model calls is unknown, though not of all. */
  costIsPartial: boolean
  /** The agent's to-do list. */
  plan: readonly PlanEntry[]
  /** The agent's description of its current work; '' if it gives none. */
  activity: string
  /** Whether `plan` stands in the text of an answer. */
  planInAnswer: boolean
  /** The retry that is to come; null if none is. */
  retry: EventOf<'retry_announced'> | null
  /** The time of the next try of a failed call, in milliseconds since the Unix epoch; null if it is not known. */
  retryAt: number | null
  /** The time at which the agent asked the model; null once the model answers, and while the agent works itself. */
  askedModelAt: number | null
  /** The time at which the agent began to summarise the conversation inside this turn; null if it does not. */
  compactingSince: number | null
  /** The agent's reason for the end of the turn; null if it gives none. */
  stopReason: string | null
  /** The device from which the user asked to stop; absent for this terminal. */
  stoppedFrom?: string
  /** Whether and when the user asked to stop. */
  aborting: boolean
  abortedAt: number | null
  abortOverdue: boolean
  outcome: Outcome | null
  /** The checkpoint of the files as they were before this turn; null if there is none. */
  checkpoint: string | null
}

export type Wanted = { want: BoxWant; allowed: boolean }

export type Compaction = {
  kind: 'compaction'
  startedAt: number
  endedAt: number | null
  /** `nothing` if there was nothing to compact. */
  outcome: 'running' | 'done' | 'nothing' | 'failed' | 'aborted'
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
  /** The host of the server in the place of the provider's own; absent for none. */
  server?: string | undefined
  model: string
  contextWindow: number | null
  /** '' means off, null unknown. */
  reasoning: string | null
  reasoningLevels: readonly string[]
}

/** What works for the agent beside its own turn: see `task_reported`, whose fields it has as they are now. */
export type AgentTask = {
  id: string
  kind: TaskKind
  /** Null if the agent itself began it. It may be the id of no task, or go in a circle. */
  parent: string | null
  /** '' if the agent gives none. */
  name: string
  about: string
  model: string
  state: TaskState
  canStop: boolean
  callId: string | null
  outputPath: string | null
  dueAt: number | null
  summary: string
  /** The time of the first report; null if the agent repeated it from its history. */
  startedAt: number | null
  /** The time since which it does not work; null while it does. */
  endedAt: number | null
  /** The conversation of a subagent, folded from its events; null while there are none. It has no agent and no tasks of its own. */
  chat: ChatState | null
  /** About its characters that are kept, and those that were dropped from its beginning. */
  kept: number
  omitted: number
}

/** Tasks by their ids, in the order in which they began. `task-list.ts` makes them. */
export type KnownTasks = Iterable<AgentTask> & { readonly size: number; get: (id: string) => AgentTask | undefined }

const none: readonly AgentTask[] = []
const noTasks: KnownTasks = { size: 0, get: () => undefined, [Symbol.iterator]: () => none.values() }

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
  /** The providers to which the user lets results of tools go that another provider got; absent for none. */
  sharedWith?: readonly string[] | undefined
  /** The running agent's own session; null if it has none. */
  agentSession: string | null
  /** The agent's session that contains this conversation, and its cost if known; null if there is none. */
  rememberedBy: { agent: string; id: string; costUsd: number | null } | null
  /** The permission mode; null for an agent that cannot ask. */
  permissionMode: PermissionMode | null
  /** Calls that wait for an answer, oldest first. */
  questions: readonly EventOf<'permission_requested'>[]
  /** What commands in the sandbox wanted beyond it, and whether they got it, oldest first: the last ones. */
  wanted: readonly Wanted[]
  /** The agent's own questions to the user, oldest first. */
  forms: readonly EventOf<'question_asked'>[]
  /** The options of the running agent, and its commands. */
  options: readonly AgentOption[]
  agentCommands: readonly AgentCommand[]
  /** The ways to log in if the agent waits for that; otherwise null. */
  login: readonly LoginMethod[] | null
  /** The tasks of this session, in the order in which they began: the last ones. */
  tasks: KnownTasks
  /** The windows of the user's plan; empty if the agent does not report them. */
  limits: readonly LimitWindow[]
  /** Folders beside its own that the agent may work in. */
  folders: readonly string[]
  /** The MCP servers that the agent has reported. */
  servers: readonly ToolServer[]
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
  wanted: [],
  forms: [],
  options: [],
  agentCommands: [],
  login: null,
  tasks: noTasks,
  limits: [],
  folders: [],
  servers: [],
  agentTitle: '',
  plan: null,
  context: null,
  usage: noUsage,
  usageIsPartial: false,
  reportedCost: null,
}
