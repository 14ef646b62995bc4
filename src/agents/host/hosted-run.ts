/** One run of an agent, from its start to its end: its operations, and the reason for its end. */
import type { OwnSession } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import type { Driver, DriverHost } from './driver.ts'
import { explainEnd, type EndCause } from './explain-end.ts'
import { HostedOperation, type OperationTask } from './operation.ts'

export type HostedRunOptions = {
  name: string
  now: () => number
  emit: (event: AgentEvent) => void
  debug: (message: string) => void
  redact: (text: string) => string
  newId: DriverHost['newId']
  /** Called before `agent_ended` is emitted. */
  onGone: () => void
}

export class HostedRun<Agent extends Driver> implements DriverHost {
  readonly name: string
  readonly now: () => number
  readonly emit: (event: AgentEvent) => void
  readonly debug: (message: string) => void
  readonly redact: (text: string) => string
  readonly newId: DriverHost['newId']
  readonly driver: Agent
  /** Resolves, never rejects, after `agent_ended`. */
  readonly gone: Promise<void>
  readonly #onGone: () => void
  #cause: EndCause | null = null
  #isOver = false
  #operation: HostedOperation | undefined

  constructor(options: HostedRunOptions, connect: (host: DriverHost) => Agent) {
    this.name = options.name
    this.now = options.now
    this.emit = options.emit
    this.debug = options.debug
    this.redact = options.redact
    this.newId = options.newId
    this.#onGone = options.onGone
    this.driver = connect(this)
    this.gone = this.#watch()
  }

  get isRunning(): boolean {
    return this.driver.isReady && !this.#isOver
  }

  get isEnding(): boolean {
    return this.#isOver || this.#cause !== null
  }

  get operation(): HostedOperation | undefined {
    return this.#operation
  }

  get isBusy(): boolean {
    return this.#operation !== undefined && !this.#operation.isOver
  }

  /** Resolves after `agent_started` or `agent_ended`. */
  async open(session?: OwnSession): Promise<void> {
    const outcome = await this.driver.start(session)
    if (outcome === 'ready') return
    if (outcome === 'ended' || this.isEnding) return this.gone
    return this.fail(outcome)
  }

  /** Runs an operation. Resolves when it is over and all its events are emitted. One at a time. */
  operate(task: OperationTask): Promise<void> {
    if (this.isBusy) throw new Error('an operation is in flight: the caller must wait for its end')
    const { driver, now } = this
    driver.operationBegins?.()
    this.#operation = new HostedOperation(task, { driver, now, emit: this.#emit, isRunning: () => this.isRunning })
    return this.#operation.run(this.name)
  }

  started(facts: Parameters<DriverHost['started']>[0]): void {
    this.#emit({ type: 'agent_started', at: this.now(), agent: this.name, ...facts })
  }

  abort(): void {
    if (this.isBusy) this.#operation?.abort()
    else this.driver.cancelOwnTurn?.()
  }

  readonly unknownLine = (line: string, reason: string): void => this.debug(`${reason}: ${line}`)

  readonly droppedLine = (bytes: number): void => {
    const size = `${(bytes / 1e6).toFixed(1)} MB`
    const { name } = this.driver.endWords
    const message = `${name} wrote a line of ${size}, which is too long to read. Its content is missing here.`
    this.#emit({ type: 'warning_raised', at: this.now(), message })
  }

  async fail(cause: EndCause, how: 'graceful' | 'forced' = 'graceful'): Promise<void> {
    if (this.#isOver) return
    this.#cause ??= cause
    const { connection } = this.driver
    if (how === 'forced' || cause.type === 'silent') connection.kill()
    else await connection.close(false)
    await this.gone
  }

  /** Ends the agent gracefully. Aborts first: a busy agent finishes its work, and a killed one leaves its commands running. */
  async close(): Promise<void> {
    this.#cause ??= { type: 'closed' }
    this.abort()
    const { connection, limits } = this.driver
    const stops = this.#operation ? await withTimeout(limits.closeAbort, this.#operation.over) : undefined
    await connection.close(stops === 'timed out')
    await this.gone
  }

  async kill(): Promise<void> {
    this.#cause ??= { type: 'killed' }
    this.driver.connection.kill()
    await this.gone
  }

  readonly #emit = (event: AgentEvent): void => {
    if (this.driver.emit) this.driver.emit(event)
    else this.emit(event)
  }

  async #watch(): Promise<void> {
    const { driver, redact, now } = this
    const ending = await driver.connection.ended
    const started = this.isRunning
    this.#isOver = true
    const closed = driver.ended()
    this.#onGone()
    const cause = this.#cause
    const explanation = explainEnd({ words: driver.endWords, ending, cause, started }, redact)
    const expected = cause?.type === 'closed' || cause?.type === 'killed'
    const { code, signal } = ending
    this.#emit({ type: 'agent_ended', at: now(), code, signal, ...explanation, expected })
    await closed
  }
}
