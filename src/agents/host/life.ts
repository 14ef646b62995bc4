/** The process of one run of an agent: the reason for its end, and the way to end it. */
import type { AgentEvent } from '../../agent/event.ts'
import type { Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { explainEnd, type EndCause } from './explain.ts'
import type { Prompting } from './prompting.ts'
import { shutDown, type ShutDown } from './shut-down.ts'

export type LifeOptions = {
  transport: Transport
  /** The name to show. */
  name: string
  /** The name of its protocol: `the Agent Client Protocol`. */
  protocol: string
  now: () => number
  emit: (event: AgentEvent) => void
  debug: (message: string) => void
  redact: (text: string) => string
  /** A hint for getting the agent; '' if unknown. */
  install: () => string
  patience: () => ShutDown['patience']
  /** The time that `close` waits for an abort, in milliseconds. */
  closeAbort: number
  isRunning: () => boolean
  /** Closes what is open, before `agent_ended` is emitted. */
  onEnd: () => void
}

/** The warning about a line of so many bytes, which was too long to keep. */
export function lineDropped(name: string, bytes: number, at: number): AgentEvent {
  const size = `${(bytes / 1e6).toFixed(1)} MB`
  const message = `${name} wrote a line of ${size}, which is too long to read. Its content is missing here.`
  return { type: 'warning_raised', at, message }
}

export class Life {
  /** Resolves, never rejects, after `agent_ended`. */
  readonly gone: Promise<void>
  readonly #options: LifeOptions
  #cause: EndCause | null = null
  #isOver = false

  constructor(options: LifeOptions) {
    this.#options = options
    this.gone = this.#watch()
  }

  /** Whether the process has ended. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Whether it has ended or is about to. */
  get isEnding(): boolean {
    return this.#isOver || this.#cause !== null
  }

  /** The agent cannot be used: ends it. */
  async fail(cause: EndCause): Promise<void> {
    this.#cause ??= cause
    if (cause.type === 'silent') this.#options.transport.kill('SIGKILL')
    await this.#shutDown()
  }

  /** Ends the agent cleanly. Aborts first, so that the agent ends its commands. */
  async close(prompting: Prompting | undefined): Promise<void> {
    this.#cause ??= { type: 'closed' }
    prompting?.abort()
    const { transport, closeAbort } = this.#options
    const stops = prompting ? await withTimeout(closeAbort, prompting.over) : undefined
    if (stops === 'timed out') transport.kill('SIGKILL')
    await this.#shutDown()
  }

  async kill(): Promise<void> {
    this.#cause ??= { type: 'killed' }
    this.#options.transport.kill('SIGKILL')
    await this.gone
  }

  /** Logs a line that could not be parsed. */
  logUnknown(line: string, reason: string): void {
    this.#options.debug(`${reason}: ${line}`)
  }

  /** Reports a line of so many bytes, which was too long to keep. */
  reportDropped(bytes: number): void {
    const { emit, now, name } = this.#options
    emit(lineDropped(name, bytes, now()))
  }

  #shutDown(): Promise<void> {
    const { transport, patience } = this.#options
    return shutDown({ transport, gone: this.gone, patience: patience() })
  }

  async #watch(): Promise<void> {
    const { transport, name, protocol, redact, now, emit, install, isRunning, onEnd } = this.#options
    const ending = await transport.ended
    const started = isRunning()
    this.#isOver = true
    onEnd()
    const facts = { name, protocol, ending, cause: this.#cause, started, install: install() }
    const { reason, hint } = explainEnd(facts, redact)
    const expected = this.#cause?.type === 'closed' || this.#cause?.type === 'killed'
    emit({ type: 'agent_ended', at: now(), code: ending.code, signal: ending.signal, reason, hint, expected })
  }
}
