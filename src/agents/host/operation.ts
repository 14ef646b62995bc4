/**
 * The operation in flight, a prompt or a compaction, from its request to its end. One at a time: agents lose an abort that comes too
 * early, and some run waiting prompts in any order.
 *
 *     waiting --> sent --accepted()--> running --abort()--> stopping --end()--> over
 *                  ^                      |
 *                  +----- deferred <------+ continueWith()
 */
import type { Prompt } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { promptSent } from '../../agent/prompt-sent.ts'
import type { Driver, AgentOperation } from './driver.ts'

export type OperationTask = { type: 'prompt'; prompt: Prompt } | { type: 'compact' }

export type OperationHost = {
  driver: Driver
  emit: (event: AgentEvent) => void
  now: () => number
  /** Whether the agent can take it. */
  isRunning: () => boolean
}

export class HostedOperation implements AgentOperation {
  /** Resolves, never rejects, when it is over and all its events are emitted. */
  readonly over: Promise<void>
  readonly #task: OperationTask
  readonly #host: OperationHost
  readonly #resolve: () => void
  #phase: 'waiting' | 'sent' | 'running' | 'stopping' | 'deferred' | 'over' = 'waiting'
  #hasBegun = false
  #isAborted = false
  #overdue: NodeJS.Timeout | undefined

  constructor(task: OperationTask, host: OperationHost) {
    this.#task = task
    this.#host = host
    const { promise, resolve } = Promise.withResolvers<void>()
    this.over = promise
    this.#resolve = resolve
  }

  get type(): OperationTask['type'] {
    return this.#task.type
  }

  get isOver(): boolean {
    return this.#phase === 'over'
  }

  get isAborted(): boolean {
    return this.#isAborted
  }

  get isRunning(): boolean {
    return this.#phase === 'running' || this.#phase === 'stopping'
  }

  /** Announces it, waits until it can be sent, and sends it. Resolves when it is over. */
  async run(name: string): Promise<void> {
    const task = this.#task
    const { driver, emit, now, isRunning } = this.#host
    const refuse = (why: string | null): void => {
      if (this.#phase !== 'waiting') return
      if (!isRunning()) this.refuse(`${name} is not running`)
      else if (why !== null) this.refuse(why)
    }
    emit(announced(task, now()))
    refuse(task.type === 'prompt' ? driver.refusal(task.prompt) : null)
    await driver.changed
    if (task.type === 'prompt') {
      await task.prompt.ready
      const isStillNeeded = !this.isOver && !this.#isAborted
      refuse(isStillNeeded && driver.prepare ? await driver.prepare(task.prompt) : null)
    }
    this.#start()
    await this.over
  }

  accepted(): void {
    if (this.#phase !== 'sent') return
    this.#phase = 'running'
    const isFirst = !this.#hasBegun
    this.#hasBegun = true
    if (isFirst && this.#task.type === 'prompt') this.#host.emit({ type: 'prompt_accepted', at: this.#host.now() })
    if (this.#isAborted) this.#cancel()
  }

  async continueWith(outcomes: Promise<string>, send: (text: string) => void): Promise<void> {
    this.#phase = 'deferred'
    const text = await outcomes
    if (this.isOver) return
    if (this.#isAborted || !this.#host.isRunning()) return this.end([stopped(this.#task, this.#host.now())])
    this.#phase = 'sent'
    send(text)
  }

  refuse(message: string): void {
    const at = this.#host.now()
    if (!this.#hasBegun || this.type === 'compact') return this.end([refused(this.#task, message, at)])
    this.end([
      { type: 'error_reported', at, message },
      { type: 'turn_ended', at },
    ])
  }

  end(events: readonly AgentEvent[]): void {
    if (this.isOver) return
    this.#phase = 'over'
    clearTimeout(this.#overdue)
    this.#host.driver.operationEnded?.()
    for (const event of events) this.#host.emit(event)
    this.#resolve()
  }

  /** Asks the agent to stop, as soon as that can reach it. Only once: a second abort could stop the next operation. */
  abort(): void {
    if (this.#isAborted || this.isOver) return
    const { driver, emit, now } = this.#host
    this.#isAborted = true
    this.#overdue = setTimeout(() => emit({ type: 'abort_overdue', at: now() }), driver.limits.abort)
    emit({ type: 'abort_requested', at: now() })
    driver.stopCalls?.()
    this.#cancel()
  }

  #start(): void {
    if (this.#phase !== 'waiting') return
    const { driver, now } = this.#host
    if (this.#isAborted && !driver.sendsStopped) return this.end([stopped(this.#task, now())])
    this.#phase = 'sent'
    if (this.#task.type === 'prompt') driver.send(this, this.#task.prompt)
    else driver.compact?.(this)
  }

  #cancel(): void {
    if (this.#phase === 'running') this.#phase = 'stopping'
    else if (this.#phase !== 'deferred') return
    this.#host.driver.cancel(this)
  }
}

/** Emits what is emitted for an operation that no agent can take. */
export function refuseTask(task: OperationTask, message: string, now: number, emit: (event: AgentEvent) => void): void {
  emit(announced(task, now))
  emit(refused(task, message, now))
}

function announced(task: OperationTask, at: number): AgentEvent {
  return task.type === 'prompt' ? promptSent(task.prompt, at) : { type: 'compaction_started', at }
}

function refused({ type }: OperationTask, message: string, at: number): AgentEvent {
  return { type: type === 'prompt' ? 'prompt_refused' : 'compaction_failed', at, message }
}

function stopped({ type }: OperationTask, at: number): AgentEvent {
  return { type: type === 'prompt' ? 'turn_ended' : 'compaction_aborted', at }
}
