/** A step in progress: the machine and what it sees, as far as the step has changed them, and the effects so far. */
import type { QueueEntry, WaitingSteer } from '../state/composer/queue-entry.ts'
import type { EditedEntry, Queue } from '../state/state.ts'
import type { AgentRequest, Effect, Seen, TurnMachine } from './machine.ts'
import { phaseRules } from './phases.ts'

export class TurnStep {
  machine: TurnMachine
  seen: Seen
  readonly effects: Effect[] = []

  constructor(machine: TurnMachine, seen: Seen) {
    this.machine = machine
    this.seen = seen
    this.#calm()
  }

  /** True if a prompt can go out now. */
  get isFree(): boolean {
    return phaseRules(this.machine, this.seen).prompt === 'goes'
  }

  get isQueueEmpty(): boolean {
    return this.seen.queue.entries.length === 0 && this.seen.edited === null
  }

  set(fields: Partial<TurnMachine>): void {
    this.machine = { ...this.machine, ...fields }
  }

  add(...effects: readonly Effect[]): void {
    this.effects.push(...effects)
  }

  setQueue(queue: Queue, edited: EditedEntry | null = this.seen.edited): void {
    this.seen = { ...this.seen, queue, edited }
    this.add({ type: 'set_queue', queue, edited })
    this.#calm()
  }

  setSteers(steers: readonly WaitingSteer[]): void {
    this.seen = { ...this.seen, steers }
    this.add({ type: 'set_steers', steers })
    this.#calm()
  }

  append(entry: QueueEntry): void {
    const { queue } = this.seen
    this.setQueue({ ...queue, entries: [...queue.entries, entry] })
    this.add({ type: 'save_drafts' })
  }

  /** Puts an entry before all others; if `paused`, all wait for the user. */
  putFirst(entry: QueueEntry, paused = false): void {
    const { queue, edited } = this.seen
    if (paused) this.set({ isUrgent: false })
    const first = { entries: [entry, ...queue.entries], paused: paused || queue.paused }
    this.setQueue(first, edited && { ...edited, at: edited.at + 1 })
    this.add({ type: 'save_drafts' })
  }

  takeFirst(): void {
    const { queue, edited } = this.seen
    const entries = queue.entries.slice(1)
    this.set({ isUrgent: false })
    const paused = (entries.length > 0 || edited !== null) && queue.paused
    this.setQueue({ entries, paused }, edited && { ...edited, at: Math.max(0, edited.at - 1) })
  }

  pause(): void {
    const { queue } = this.seen
    this.set({ isUrgent: false })
    if (!this.isQueueEmpty && !queue.paused) this.setQueue({ ...queue, paused: true })
  }

  /** Lets the agent do something. */
  request(fields: Pick<AgentRequest, 'kind' | 'why' | 'caller'>): number {
    const id = this.machine.count + 1
    this.set({ count: id, request: { id, ...fields } })
    return id
  }

  prepare(entry: QueueEntry | null): void {
    const id = this.machine.count + 1
    this.set({ count: id, preparing: { id, entry } })
    this.add({ type: 'set_on_its_way', entry }, { type: 'prepare', id, entry })
  }

  /** Called when what was on its way is somewhere else: a kill before that must not lose it. */
  arrive(): void {
    this.add({ type: 'set_on_its_way', entry: null }, { type: 'save_drafts' })
  }

  /** Nothing is urgent where nothing waits. */
  #calm(): void {
    if (this.isQueueEmpty && this.seen.steers.length === 0) this.set({ isUrgent: false })
  }
}
