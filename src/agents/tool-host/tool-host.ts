/** The interface of this room: tools that zotui runs, after a permission check, for an agent that runs none itself. */
import type { Reply, Steer, SteerOutcome } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, PermissionMode } from '../../agent/permission.ts'
import type { PermissionAnswer, RunningCommand } from '../../agent/requests.ts'
import type { ToolDefinition, ToolOutcome } from '../../local-tools/tool.ts'
import type { TakenWords } from './steering.ts'

/** A call that the model has made. */
export type HostedCall = {
  /** As in `tool_called`. */
  id: string
  /** The id that the agent and its provider have for it. */
  toolUseId: string
  name: string
  arguments: unknown
  /** Milliseconds that the agent waits for this call, if it reports them. */
  patience?: number
  /** Aborted when the turn is aborted or over, when the agent does not wait for the result any more, and when it has ended. */
  signal: AbortSignal
}

/** The result of a call as the model gets it. */
export type HostedResult = ToolOutcome & {
  /** The call continues: its `tool_finished` comes with the outcome (`outcomes`), and this result of it is not for the user. */
  isDeferred?: boolean
  /** Words of the user that go to the model with this result (`asHeard`), and are not for the user. The agent that sends it says so there. */
  words?: TakenWords
  /** Milliseconds that it ran, without the wait for an answer; absent if it did not run. */
  ranMs?: number
}

/** zotui's tools and their permissions. The tool host outlives runs of the agent. */
export type ToolHost = {
  readonly tools: readonly ToolDefinition[]
  /** Whether its commands can be held by the sandbox. */
  readonly hasSandbox: boolean
  /** Sets the receiver of its events. Called once, before anything else. */
  attach(emit: (event: AgentEvent) => void): void
  /** Never rejects. Its open requests are decided when `signal` is aborted. */
  execute(call: HostedCall): Promise<HostedResult>
  judgeWith(judge: Judge): void
  /** Returns whether such a question waited. After the answer `stop` the backend aborts the turn. */
  answerPermission(id: string, answer: PermissionAnswer, by?: 'user' | 'rule'): boolean
  setPermissionMode(mode: PermissionMode): void
  /** A note on the mode for the model's next prompt, returned once; null for none. */
  modeNote(): string | null
  /** The next prompt goes to a session without a conversation. */
  forgetMode(): void
  /** Whether calls are deferred. Then the turn continues after the agent has ended its own, with the prompt of `outcomes`. */
  readonly hasDeferred: boolean
  /** Waits for the deferred calls, emits their results, and resolves with the prompt for the model. */
  outcomes(): Promise<string>
  /** Sends that prompt, with the words of the user that wait. `send` returns whether it was sent. */
  sendOutcomes(text: string, send: (text: string) => boolean): void
  /** A turn begins: the user may say something to it. */
  beginTurn(): void
  /** Words for the model, with the next result. Resolves, never rejects, at the latest with the end of the turn. */
  steer(steer: Steer): Promise<SteerOutcome>
  withdrawSteer(id: string): void
  /** The turn is being stopped: no words go to the model any more. */
  stopTurn(): void
  /** The whole turn is over: refuses what waits. */
  endTurn(): void
  listRunning(): Promise<readonly RunningCommand[]>
  endRunning(pid: number): Promise<Reply>
  /** The agent has ended: ends the commands, also those in the background. */
  close(): Promise<void>
}
