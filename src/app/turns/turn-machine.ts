/**
 * Keeps the one machine of the agent and its turn (`src/turn`): the only place that steps it, and has its effects carried out. An input
 * that comes while effects are carried out waits for them, so each step is whole.
 */
import type { OwnSession } from '../../agent/backend.ts'
import {
  idleMachine,
  type ChangeOperation,
  type Effect,
  type Input,
  type Seen,
  type TurnMachine,
} from '../../turn/machine.ts'
import { canHold, canWork, isAtWork, isReplacing, phaseRules, phaseOf, type Phase } from '../../turn/phases.ts'
import { seenIn } from '../../turn/seen.ts'
import { step } from '../../turn/step.ts'
import type { Notices } from '../context/notices.ts'
import type { HeldQueueView } from './queue/held-queue.ts'
import type { ScreenState, Surroundings, UserPart } from '../context/parts.ts'

/** Carries out the effects of a type. */
type Performer<Type extends Effect['type']> = (effect: Extract<Effect, { type: Type }>) => void

/** The effects that the machine's keeper does not carry out itself. */
type PartsEffect = Exclude<
  Effect['type'],
  | 'set_queue'
  | 'set_on_its_way'
  | 'set_steers'
  | 'save_drafts'
  | 'change'
  | 'join'
  | 'work'
  | 'refuse'
  | 'answer'
  | 'add_notice'
  | 'hint'
>

export type Performers = { [Type in PartsEffect]: Performer<Type> }

export type MachineParts = {
  context: ScreenState & Notices & Pick<UserPart, 'drafts'> & Pick<Surroundings, 'conversations'>
  limit: { isReached: () => boolean; isTurnOver: () => boolean }
  /** The queue of the process that has the conversation; null if this program has both. */
  held: HeldQueueView | null
}

/** The result of a request: it begins, is refused or answered, or has the result of another one. */
type RequestResult = { type: 'begins' | 'refused' | 'done' | 'failed' } | { type: 'joins'; to: number }

export class MachineKeeper {
  readonly #parts: MachineParts
  readonly #performers: { [Type in Effect['type']]?: Performer<Type> }
  #machine: TurnMachine = idleMachine
  #tasks: (() => void)[] = []
  #isAtWork = false
  #ids = 0
  /** The callers that wait for the result of a request. */
  readonly #callers = new Map<number, (result: RequestResult) => void>()
  /** The changes that are not over. */
  readonly #changes = new Map<number, Promise<void>>()
  #whenSettled: (() => void)[] = []

  constructor(parts: MachineParts) {
    this.#parts = parts
    const { context, held } = parts
    const settle = (id: number, result: RequestResult): void => this.#callers.get(id)?.(result)
    this.#performers = {
      set_queue: ({ queue, edited }) =>
        held ? held.keep(queue) : context.dispatch({ type: 'queue_changed', queue, edited }),
      set_on_its_way: ({ entry }) => context.dispatch({ type: 'on_its_way_changed', entry }),
      set_steers: ({ steers }) => context.dispatch({ type: 'steers_changed', steers }),
      save_drafts: () => context.drafts.flush(),
      change: ({ change }) => settle(change.id, { type: 'begins' }),
      join: ({ id, to }) => settle(id, { type: 'joins', to }),
      work: ({ id }) => settle(id, { type: 'begins' }),
      refuse: ({ caller }) => settle(caller, { type: 'refused' }),
      answer: ({ caller, ok }) => settle(caller, { type: ok ? 'done' : 'failed' }),
      add_notice: ({ level, text }) => context.addNotice(level, text),
      hint: ({ text }) => (text === null ? context.dispatch({ type: 'hinted', hint: null }) : context.hint(text)),
    }
  }

  /** Takes the functions for the effects. The parts that have them need this machine first. */
  carryOut(performers: Performers): void {
    Object.assign(this.#performers, performers)
  }

  send(input: Input): void {
    this.later(() => this.#step(input))
  }

  /** What the machine decides about the queue is decided where the queue is. */
  #isTaken(input: Input): boolean {
    const { held } = this.#parts
    if (!held) return false
    const isBusy = this.isBusy()
    return held.take(input, { isBusy, holds: phaseRules(this.#machine, this.#seen()).stop === 'hold' })
  }

  /** Runs `task` after the steps and effects in progress. */
  later(task: () => void): void {
    this.#tasks.push(task)
    if (this.#isAtWork) return
    this.#isAtWork = true
    try {
      for (let next = this.#tasks.shift(); next; next = this.#tasks.shift()) next()
    } finally {
      this.#isAtWork = false
    }
  }

  phase(): Phase {
    return phaseOf(this.#machine, this.#seen())
  }

  /** True if a command that needs an idle agent runs now; otherwise it waits in the queue. */
  runsCommands(): boolean {
    return phaseRules(this.#machine, this.#seen()).command === 'runs'
  }

  /** True if a prompt that is sent now would wait. */
  isBusy(): boolean {
    return phaseRules(this.#machine, this.#seen()).prompt === 'waits'
  }

  /** True if the agent is not there but will be in a moment, so that a prompt for it can wait. */
  isComing(): boolean {
    return phaseRules(this.#machine, this.#seen()).isComing
  }

  /** True if a turn or a compaction is in progress, or zotui ends. */
  isAtWork(): boolean {
    return isAtWork(this.#machine, this.#seen())
  }

  isReplacing(): boolean {
    return isReplacing(this.#machine)
  }

  /** True while the agent is being started, ended or replaced. */
  isChanging(): boolean {
    return this.#machine.change !== null
  }

  canWork(): boolean {
    return canWork(this.#machine, this.#seen())
  }

  isPreparing(id: number): boolean {
    const steer = this.#seen().steers.find(each => each.id === id)
    return this.#machine.preparing?.id === id || (steer !== undefined && !steer.isSent && !steer.isTakenBack)
  }

  /** True if a turn runs that words can reach, as far as zotui knows. */
  isInTurn(): boolean {
    return this.phase() === 'turn'
  }

  /** The session in which the next start continues, if it is not simply the agent's own. */
  session(): OwnSession | undefined {
    return this.#machine.session
  }

  /** Resolves when the agent is not being started, ended or replaced. */
  async settled(): Promise<void> {
    if (!this.isChanging()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#whenSettled.push(resolve)
    await promise
  }

  /** Stops what can be stopped; false if that is nothing. A second call does nothing and says the same. */
  stop(): boolean {
    const seen = this.#seen()
    const { stop } = phaseRules(this.#machine, seen)
    const holds = stop === 'hold' && canHold(this.#machine, { ...seen, queue: this.#parts.context.state().queue })
    this.send({ type: 'stopped' })
    return stop === 'abort' || stop === 'ignored' || holds
  }

  /** Changes the agent by `run` when earlier changes are over. The result may be that of the one in progress. */
  change(operation: ChangeOperation, run: () => Promise<void>, holdsQueue = false): Promise<void> {
    const id = this.#newId()
    const result = this.#change({ id, operation, holdsQueue }, run)
    this.#changes.set(id, result)
    const forget = (): boolean => this.#changes.delete(id)
    result.then(forget, forget)
    return result
  }

  async #change(
    change: Extract<Input, { type: 'change_requested' }>['change'],
    run: () => Promise<void>,
  ): Promise<void> {
    const { id } = change
    const result = this.#resultOf(id, { type: 'change_requested', change })
    const begun = result instanceof Promise ? await result : result
    if (begun.type === 'joins') return this.#changes.get(begun.to)
    try {
      await run()
    } finally {
      this.send({ type: 'change_settled', id })
    }
  }

  /** Nothing is sent until `run` is done. Null if the agent works, so that it was not run. `drains` says what the queue does then. */
  async alone<Value>(
    run: () => Promise<Value>,
    drains: (value: Value) => 'well' | 'badly' | 'not',
  ): Promise<{ value: Value } | null> {
    const id = this.#newId()
    const result = this.#resultOf(id, { type: 'work_requested', id })
    const begun = result instanceof Promise ? await result : result
    if (begun.type === 'refused') return null
    let how: 'well' | 'badly' | 'not' = 'badly'
    try {
      const value = await run()
      how = drains(value)
      return { value }
    } finally {
      this.send({ type: 'work_settled', id, drains: how })
    }
  }

  /** Compacts the conversation, or makes the agent forget it. Resolves when it has settled; false if it did not work. */
  async request(type: 'compacted' | 'cleared'): Promise<boolean> {
    const caller = this.#newId()
    const result = await this.#resultOf(caller, { type, caller })
    return result.type === 'done'
  }

  #newId(): number {
    this.#ids += 1
    return this.#ids
  }

  /** The result of a request: at once if it is known, so that its work begins in the same turn of the event loop. */
  #resultOf(id: number, input: Input): RequestResult | Promise<RequestResult> {
    const { promise, resolve } = Promise.withResolvers<RequestResult>()
    const place: { result?: RequestResult } = {}
    this.#callers.set(id, result => {
      this.#callers.delete(id)
      place.result = result
      resolve(result)
    })
    this.send(input)
    return place.result ?? promise
  }

  #step(input: Input): void {
    if (this.#isTaken(input)) return
    const { machine, effects } = step(this.#machine, input, this.#seen())
    this.#machine = machine
    for (const effect of effects) this.#perform(effect)
    this.#parts.held?.follow(input, this.isBusy())
    if (this.#machine.change !== null) return
    for (const resolve of this.#whenSettled.splice(0)) resolve()
  }

  #perform(effect: Effect): void {
    // TypeScript does not see that the function is the one for this effect.
    const perform = this.#performers[effect.type] as ((effect: Effect) => void) | undefined
    perform?.(effect)
  }

  #seen(): Seen {
    const { context, limit, held } = this.#parts
    const mayBegin = held !== null || (context.conversations?.mayBegin() ?? true)
    const seen = seenIn(context.state(), {
      isLimitReached: limit.isReached(),
      isTurnOverLimit: limit.isTurnOver(),
      mayBegin,
    })
    return held ? { ...seen, queue: { entries: [], paused: false }, edited: null, steers: [] } : seen
  }
}
