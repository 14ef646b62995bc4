/** The seams of this room: what it is made with, and the gate that its tools stand behind. */
import type { AgentEvent, Usage } from '../../agent/event.ts'
import type { Judge, PermissionAnswer, PermissionMode, RunningCommand } from '../../agent/permission.ts'
import type { Reply } from '../../agent/backend.ts'
import type { Transport } from '../transport/transport.ts'
import type { MeerkatLimits } from './limits.ts'

/** The settings of a new session. An absent one is left to Meerkat's own configuration. A gate turns shell and builtins off. */
export type MeerkatSessionFlags = {
  builtins?: boolean
  shell?: boolean
  memory?: boolean
  /** The most that one session may use. */
  budget?: { tokens?: number; toolCalls?: number }
}

export type MeerkatBackendOptions = {
  /** Starts the agent. Called for each `open`. */
  connect: () => Transport
  /** Its own default if absent. */
  model?: string | undefined
  /** That of the catalog, for a model that it has. */
  provider?: string | undefined
  reasoning?: string | undefined
  flags?: MeerkatSessionFlags
  /** The cost of a model call in US dollars; null if there is no price for the model. Meerkat tells none. */
  price?: (model: string, usage: Usage) => number | null
  /** Runs tools here, behind the permissions, in the place of Meerkat's own. */
  gate?: MeerkatGate | null
  /** Whether `clear` puts the former session away, so that it is not listed any more. */
  archivesCleared?: boolean
  /** Overrides of the default limits. */
  limits?: Partial<MeerkatLimits>
  /** Milliseconds since the Unix epoch. */
  now?: () => number
  /** Receives the agent's output that zotui does not understand, shortened, for a log. */
  debug?: (message: string) => void
  /** Removes secrets before a text is shortened. */
  redact?: (text: string) => string
}

/** A tool of ours as the model is told it. `inputSchema` is a JSON Schema. */
export type MeerkatTool = { name: string; description: string; inputSchema: Readonly<Record<string, unknown>> }

/** A call that the model has made. */
export type GateCall = {
  /** As in `tool_called`. */
  id: string
  /** The id that the agent and its provider have for it. */
  toolUseId: string
  name: string
  arguments: unknown
  /** Aborted when the turn is aborted or over, when the agent does not wait for the result any more, and when it has ended. */
  signal: AbortSignal
}

/** A block of a result, as Meerkat reads it. `data` is base64. */
export type GateContent =
  | { type: 'text'; text: string }
  | { type: 'image'; media_type: string; source: 'inline'; data: string }

/** The result of a call as the model is told it. */
export type GateResult = {
  content: string | readonly GateContent[]
  isError: boolean
  /** The call goes on: the gate tells its `tool_finished` (`outcomes`), and Meerkat's result of it is not for the user. */
  isLate?: boolean
}

/** Tools of ours, and the permissions that they need. It outlives runs of the agent. */
export type MeerkatGate = {
  readonly tools: readonly MeerkatTool[]
  /** Receives where its events go, once, before anything else is called. */
  attach(emit: (event: AgentEvent) => void): void
  /** Never rejects. Whatever it asked is decided when `signal` is aborted. */
  execute(call: GateCall): Promise<GateResult>
  judgeWith(judge: Judge): void
  /** Returns whether such a question waited. After the answer `stop` the backend aborts the turn. */
  answerPermission(id: string, answer: PermissionAnswer, by?: 'user' | 'rule'): boolean
  setPermissionMode?(mode: PermissionMode): void
  /** A note on the mode for the model's next prompt, given once; null for none. */
  modeNote?(): string | null
  /** The next prompt goes to a session that has been told nothing. */
  forgetMode?(): void
  /** Whether calls are late. Then the turn goes on after Meerkat has ended its own, with the prompt of `outcomes`. */
  readonly hasLate?: boolean
  /** Waits for the late calls, tells their results, and resolves with the prompt for the model. */
  outcomes?(): Promise<string>
  /** The whole turn is over: refuses what waits. */
  endTurn?(): void
  listRunning?(): Promise<readonly RunningCommand[]>
  endRunning?(pid: number): Promise<Reply>
  /** The agent has ended: ends the commands, also those in the background. */
  close?(): Promise<void>
}

/** Makes events of the messages of `session/history`, oldest first, with their times. Pure. Ids of calls are unique within the history. */
export type FoldHistory = (messages: readonly unknown[]) => AgentEvent[]
