/**
 * What an agent is to the host: how it starts, takes a prompt, stops and ends. A driver is one run of its agent. The host does the rest
 * once for all agents: `hosted-backend.ts` starts, replaces and clears; `hosted-run.ts` ends; `operation.ts` is the prompt in flight.
 */
import type { OwnSession, Prompt, Reply, Refused, StartOptions } from '../../agent/backend.ts'
import type { AgentEvent, EventOf } from '../../agent/event.ts'
import type { AgentConnection } from './connection.ts'
import type { EndCause, EndWords } from './explain-end.ts'

export interface Driver {
  /** The way to end it. */
  readonly connection: AgentConnection
  readonly limits: HostLimits
  /** The words for its end. */
  readonly endWords: EndWords
  /** True from the agent's answer to hello: prompts can be sent. */
  readonly isReady: boolean
  /** Says hello, and opens this session or else a new one. The driver reports its start (`DriverHost.started`). */
  start(session?: OwnSession): Promise<StartOutcome>

  /** Why it cannot take such a prompt; null if it can. */
  refusal(prompt: Prompt): string | null
  /** Resolves when the changes so far are made: an operation waits for them. Never rejects. */
  readonly changed: Promise<unknown>
  /** Gets ready for a prompt that is about to be sent. Returns the reason if that fails. */
  prepare?(prompt: Prompt): Promise<string | null>
  /** Sends a prompt. The agent's answers call `accepted` and then `end`. */
  send(operation: AgentOperation, prompt: Prompt): void
  /** Sends the request for a summary in the place of the conversation, if it has the ability `compact`. */
  compact?(operation: AgentOperation): void
  /**
   * Asks the agent to stop. Called once for an abort, as soon as the agent has accepted the operation. While only deferred calls are
   * waited for, the agent has nothing to stop.
   */
  cancel(operation: AgentOperation): void
  /** Asks the agent to stop a turn that it began without a prompt. Nothing if there is none. */
  cancelOwnTurn?(): void
  /** The host is about to announce an operation: a turn that the agent began itself is over by then. */
  operationBegins?(): void
  /** Refuses the calls that wait. Called at once for an abort, even before the agent can be asked to stop. */
  stopCalls?(): void
  /** Whether an operation is sent even if it was stopped before; otherwise it ends without the agent. */
  readonly sendsStopped?: boolean
  /** Called when the operation is over, before its last events are emitted. */
  operationEnded?(): void

  /** Clears the conversation, or begins a new session. */
  clear(): Promise<Reply>
  /** Continues a stored session, or starts a new one. */
  resumeSession(session: OwnSession): Promise<Reply>
  /** It has started beside another run, with these options: refuses to take over, or null. */
  takeOver(options: StartOptions): Promise<Refused | null>
  /** Whether it answers within `timeout` milliseconds. */
  ping(timeout: number): Promise<boolean>

  /** Emits an event of the host. By default that is done at once. */
  emit?(event: AgentEvent): void
  /** It has ended: closes what is open. The promise may resolve later. */
  ended(): void | Promise<void>
}

/** A prompt or a compaction in flight: see `operation.ts`. */
export interface AgentOperation {
  readonly type: 'prompt' | 'compact'
  readonly isOver: boolean
  readonly isAborted: boolean
  /** Whether the agent works on it, so that what it reports belongs to it. */
  readonly isRunning: boolean
  /** The agent has begun: from here on an abort reaches it. */
  accepted(): void
  /**
   * The agent's own turn is over, but calls of it wait or still run: for the user the turn continues, and for the model their outcome is
   * its next prompt. The agent's answers to that call `accepted` and `end` again.
   */
  continueWith(outcomes: Promise<string>, send: (text: string) => void): Promise<void>
  /** The agent does not take it. */
  refuse(message: string): void
  /** It is over with these events. Does nothing if it was over. */
  end(events: readonly AgentEvent[]): void
}

/** `ended` if it ended meanwhile. Otherwise the reason why it cannot be used: the host ends it. */
export type StartOutcome = 'ready' | 'ended' | EndCause

/** In milliseconds. */
export type HostLimits = {
  /** From the abort until the user gets a message that the agent has not stopped. */
  abort: number
  /** The time that `close` waits for an abort. */
  closeAbort: number
}

/** What the host is to a driver. The functions may be passed on by themselves. */
export type DriverHost = {
  /** The name to show. */
  readonly name: string
  readonly now: () => number
  readonly emit: (event: AgentEvent) => void
  /** Logs what is not understood, shortened and without secrets. */
  readonly debug: (message: string) => void
  readonly redact: (text: string) => string
  /** Makes ids that are unique among all runs. */
  readonly newId: (kind: 'call' | 'ask' | 'form') => string
  /** Whether it is ready, and has not ended. */
  readonly isRunning: boolean
  /** Whether it has ended or is about to. */
  readonly isEnding: boolean
  /** The last operation. */
  readonly operation: AgentOperation | undefined
  /** True while a prompt or a compaction is in flight. */
  readonly isBusy: boolean
  started(facts: Omit<EventOf<'agent_started'>, 'type' | 'at' | 'agent'>): void
  /** Aborts the operation in flight. */
  abort(): void
  /** The agent cannot go on: ends it, by force if it must do nothing more. Resolves when it has ended. */
  fail(cause: EndCause, how?: 'graceful' | 'forced'): Promise<void>
  /** Logs a line that could not be parsed. */
  readonly unknownLine: (line: string, reason: string) => void
  /** Reports a line of so many bytes, which was too long to keep. */
  readonly droppedLine: (bytes: number) => void
}

/** The agent was not even started, for a reason that the user can do something about. */
export class CannotStart extends Error {
  readonly hint: string

  constructor(reason: string, hint: string) {
    super(reason)
    this.hint = hint
  }
}

/** Waits for a machine that can come back. @throws CannotStart if it does not. */
export async function cameBack(comeBack: () => Promise<string | null>): Promise<void> {
  const problem = await comeBack()
  if (problem !== null) throw new CannotStart(problem, '/restart tries again')
}
