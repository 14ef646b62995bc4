/**
 * The queue of a conversation that runs in the background, in a UI that is attached to it. The queue is in the other process: here it is
 * shown, and changes are sent there. What was not confirmed is sent again after a lost connection, and is in one place only.
 */
import { randomUUID } from 'node:crypto'
import type { SharedQueue } from '../../../agent/backend.ts'
import type { HeldEntry, HeldQueue, QueueChange } from '../../../agent/held-queue.ts'
import { carriedEntry, placedEntry } from '../../../state/composer/carried-entry.ts'
import { commandEntry, entryText, type QueueEntry, type WaitingSteer } from '../../../state/composer/queue-entry.ts'
import type { EditedEntry, Queue } from '../../../state/state.ts'
import type { Input } from '../../../turn/machine.ts'
import type { Composing } from '../../composer/composing.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import type { ShellCommand } from '../shell-command.ts'

type Added = Extract<QueueChange, { do: 'add' }>
/** An entry that the other process has not confirmed. */
type Unconfirmed = { added: Added; entry: QueueEntry; isOnItsWay: boolean }

/** The machine of this program. */
type QueueMachine = { send: (input: Input) => void; isBusy: () => boolean }

/** `holds`: a stop pauses the queue. */
type MachinePhase = { isBusy: boolean; holds: boolean }
type Takes = { [Type in Input['type']]?: (input: Extract<Input, { type: Type }>, phase: MachinePhase) => boolean }

type HeldQueueParts = {
  batcher: Pick<EventBatcher, 'flush'>
  shell: Pick<ShellCommand, 'takeOutputs' | 'giveBack'>
  composing: Pick<Composing, 'edit'>
}

export class HeldQueueView {
  readonly #context: AppContext
  readonly #there: SharedQueue
  readonly #parts: HeldQueueParts
  #machine: QueueMachine | null = null
  /** The entries as they are shown, by their ids. */
  readonly #known = new Map<string, { carried: HeldEntry; entry: QueueEntry }>()
  readonly #ids = new WeakMap<QueueEntry, string>()
  #queue: HeldQueue | null = null
  #unconfirmed: readonly Unconfirmed[] = []
  /** Those that were taken out here, until the other process has answered. */
  readonly #taken = new Set<string>()
  #editing: string | null = null
  /** Edited entries whose new text did not arrive. */
  readonly #edited: HeldEntry[] = []
  /** The command that this program has to run for the queue, and whether it has begun. */
  #toRun: { id: string; entry: QueueEntry; hasBegun: boolean } | null = null

  /** What is said to the queue. Each returns false if the machine here does it, too. */
  readonly #takes: Takes = {
    said: ({ entry }, { isBusy }) => isBusy && this.#took(() => this.#add(entry, 'say')),
    queued: ({ entry }, { isBusy }) => this.#took(() => this.#add(entry, isBusy ? 'say' : 'end')),
    put_off: ({ entry }) => this.#took(() => this.#add(entry, 'first')),
    send_now: ({ entry }, { isBusy }) =>
      (entry === null || isBusy) && this.#took(() => void this.#sayNow('send_now', entry)),
    steered: ({ entry }, { isBusy }) =>
      (entry === null || isBusy) && this.#took(() => void this.#sayNow('steer', entry)),
    steer_taken: () => this.#took(() => void this.#takeSteer()),
    unpaused: () => this.#took(() => this.#ask({ do: 'go_on' })),
    limit_raised: ({ wasStopped }) => !wasStopped && this.#took(() => this.#ask({ do: 'go_on' })),
    kept_due: ({ entry }) => this.#took(() => this.#ask({ do: 'send', id: this.#idOf(entry) })),
    newest_replaced: ({ entry }) => this.#took(() => this.#replaceNewest(entry)),
    queue_edited: () => true,
    newest_taken: () => true,
    turn_allowed: () => true,
    stopped: (_, { holds }) => {
      if (holds && this.#context.state().queue.entries.length > 0) this.#ask({ do: 'pause' })
      return false
    },
    change_requested: ({ change }) => {
      if (change.holdsQueue) this.#ask({ do: 'pause' })
      return false
    },
  }

  constructor(context: AppContext, there: SharedQueue, parts: HeldQueueParts) {
    this.#context = context
    this.#there = there
    this.#parts = parts
    there.onChange(queue => this.#follow(queue))
    there.onRun(carried => this.#run(carried))
  }

  connect(machine: QueueMachine): void {
    this.#machine = machine
  }

  /** Takes what is said to the queue. False if the machine here does it. */
  take(input: Input, phase: MachinePhase): boolean {
    // TypeScript does not see that the function is the one for this input.
    const take = this.#takes[input.type] as ((input: Input, phase: MachinePhase) => boolean) | undefined
    return take?.(input, phase) ?? false
  }

  /** The machine has taken a step. */
  follow(input: Input, isBusy: boolean): void {
    const running = this.#toRun
    if (!running) return
    if (!running.hasBegun) {
      if (isBusy) return
      this.#toRun = { ...running, hasBegun: true }
      return this.#machine?.send({ type: 'said', entry: running.entry })
    }
    const isOver = input.type === 'prepared' && (input.outcome === 'returned' || input.outcome === 'dropped')
    if (isOver || input.type === 'command_done' || input.type === 'settled') this.#ran(false)
  }

  /** What the machine puts into the queue: it could not be sent. */
  keep({ entries, paused }: Queue): void {
    for (const entry of entries.toReversed()) {
      if (entry === this.#toRun?.entry) this.#ran(true)
      else if (!this.#isUnconfirmed(entry)) this.#add(entry, paused ? 'first' : 'say')
    }
  }

  /** The entry is in the composer from now on, and no longer in the queue. */
  takeOut(entry: QueueEntry): void {
    void this.#takeOut(entry)
  }

  edit(entry: QueueEntry): void {
    this.#editing = this.#idOf(entry)
    void this.#edit(entry)
  }

  /** Puts the edited entry back, as it is now; null removes it. */
  putBack(entry: QueueEntry, now: QueueEntry | null): void {
    const id = this.#idOf(entry)
    this.#editing = null
    if (now) this.#know(id, now)
    void this.#putBack(now && carriedEntry(id, now, this.#context.state().chips))
  }

  #follow(queue: HeldQueue): void {
    const isFirst = this.#queue === null
    this.#queue = queue
    if (isFirst) this.#handOver(this.#context.state().queue)
    for (const each of this.#unconfirmed) if (!each.isOnItsWay) void this.#send(each)
    for (const entry of this.#edited.splice(0)) this.#ask({ do: 'replace', entry })
    this.#show()
    const { edited } = this.#context.state()
    // Another process has taken over: it does not know who edits.
    if (edited && this.#editing !== null && queue.edited === null && this.#has(this.#editing))
      void this.#edit(edited.entry)
  }

  /** The entries from before the conversation was moved go there. */
  #handOver({ entries, paused }: Queue): void {
    for (const entry of entries) this.#add(entry, paused ? 'end' : 'say')
    if (paused) this.#ask({ do: 'pause' })
  }

  #add(entry: QueueEntry, how: Added['how']): void {
    const unconfirmed = { added: { do: 'add', how, entry: this.#carried(entry) } as const, entry, isOnItsWay: false }
    this.#unconfirmed = [...this.#unconfirmed, unconfirmed]
    this.#show()
    void this.#send(unconfirmed)
  }

  async #send({ added }: Unconfirmed): Promise<void> {
    const isThis = (each: Unconfirmed): boolean => each.added.entry.id === added.entry.id
    const mark = (isOnItsWay: boolean): void => {
      this.#unconfirmed = this.#unconfirmed.map(each => (isThis(each) ? { ...each, isOnItsWay } : each))
    }
    mark(true)
    const reply = await this.#there.change(added)
    if (reply === null) return mark(false)
    this.#unconfirmed = this.#unconfirmed.filter(each => !isThis(each))
    this.#show()
    this.#hint(reply.hint)
  }

  /** Words that do not arrive wait for a person. */
  async #sayNow(how: 'send_now' | 'steer', entry: QueueEntry | null): Promise<void> {
    const carried = entry && this.#carried(entry)
    const reply = await this.#there.change({ do: how, entry: carried })
    if (entry && reply === null) this.#add(entry, 'first')
    this.#hint(reply?.hint ?? '')
  }

  async #putBack(entry: HeldEntry | null): Promise<void> {
    const reply = await this.#there.change({ do: 'put_back', entry })
    if (entry && reply === null) this.#edited.push(entry)
  }

  #ask(change: QueueChange): void {
    void this.#there.change(change).then(reply => this.#hint(reply?.hint ?? ''))
  }

  async #takeOut(entry: QueueEntry): Promise<void> {
    const id = this.#idOf(entry)
    this.#taken.add(id)
    this.#show()
    const reply = await this.#there.change({ do: 'take', id })
    this.#taken.delete(id)
    this.#show()
    if (reply?.entry) return this.#restore(reply.entry)
    const { editor, edited } = this.#context.state()
    if (editor.text === entryText(entry) && !edited) this.#parts.composing.edit({ kind: 'setText', text: '' })
    this.#hint(SENT)
  }

  async #edit(entry: QueueEntry): Promise<void> {
    const id = this.#idOf(entry)
    const reply = await this.#there.change({ do: 'edit', id })
    if (this.#editing !== id || reply === null) return
    if (reply.entry) return this.#restore(reply.entry)
    const { edited, queue, editor } = this.#context.state()
    this.#editing = null
    if (!edited || edited.entry !== entry) return
    // What was changed of it meanwhile is the draft.
    const text = editor.text === entryText(entry) ? edited.draft : editor.text
    this.#context.dispatch({ type: 'entry_edited', queue, edited: null, text })
    this.#show()
    this.#hint(SENT)
  }

  async #takeSteer(): Promise<void> {
    const reply = await this.#there.change({ do: 'take_steer' })
    this.#hint(reply?.hint ?? '')
    if (!reply?.entry) return
    const { entry, chips } = placedEntry(reply.entry, this.#context.state().chips)
    this.#context.dispatch({ type: 'chips_found', chips })
    this.#parts.shell.giveBack(reply.entry.before)
    if (this.#context.state().editor.text !== '') return this.#add(entry, 'first')
    this.#parts.composing.edit({ kind: 'setText', text: entryText(entry) })
  }

  #replaceNewest(entry: QueueEntry): void {
    const newest = this.#context.state().queue.entries.at(-1)
    if (!newest) return
    const id = this.#idOf(newest)
    this.#know(id, entry)
    this.#ask({ do: 'replace', entry: carriedEntry(id, entry, this.#context.state().chips) })
  }

  /** A command of the queue. The frames before it are drawn first. */
  #run(carried: HeldEntry): void {
    this.#parts.batcher.flush()
    const { text, command } = carried
    const { entry } = this.#known.get(carried.id) ?? { entry: commandEntry(command ?? '', text) }
    this.#toRun = { id: carried.id, entry, hasBegun: false }
    this.#machine?.send({ type: 'turn_allowed' })
    if (this.#machine?.isBusy() === false) this.follow({ type: 'turn_allowed' }, false)
  }

  #ran(isBack: boolean): void {
    const running = this.#toRun
    this.#toRun = null
    if (running) this.#ask({ do: 'ran', id: running.id, isBack })
  }

  /** Shows the queue as the other process has it, with what it has not confirmed. */
  #show(): void {
    const there = this.#queue
    if (!there) return
    const { edited, queue: before } = this.#context.state()
    const ids = new Set(there.entries.map(({ id }) => id))
    const own = this.#unconfirmed.filter(({ added }) => !ids.has(added.entry.id))
    const isShown = ({ id }: HeldEntry): boolean => !this.#taken.has(id) && id !== this.#editing
    const entries = [
      ...own.filter(({ added }) => added.how === 'first').map(({ entry }) => entry),
      ...there.entries.filter(isShown).map(each => this.#placed(each)),
      ...own.filter(({ added }) => added.how !== 'first').map(({ entry }) => entry),
    ]
    const paused = entries.length > 0 && (there.paused || own.some(({ added }) => added.how === 'first'))
    const at = there.entries.filter(({ id }) => !this.#taken.has(id)).findIndex(({ id }) => id === this.#editing)
    const moved: EditedEntry | null = edited && at >= 0 ? { ...edited, at } : edited
    this.#context.dispatch({ type: 'queue_changed', queue: { entries, paused }, edited: moved })
    if (before.entries.length === 0 && entries.length === 0 && there.steers.length === 0) this.#forget()
    const steers = there.steers.flatMap(({ entry: carried, isSent, isTakenBack }, index): WaitingSteer[] => {
      const entry = this.#placed(carried)
      // Numbers of this program are positive.
      return entry.kind === 'prompt' ? [{ id: index - there.steers.length, entry, isSent, isTakenBack }] : []
    })
    if (steers.length + this.#context.state().steers.length > 0)
      this.#context.dispatch({ type: 'steers_changed', steers })
  }

  #forget(): void {
    if (this.#editing === null && this.#unconfirmed.length === 0) this.#known.clear()
  }

  /** The entry as it is here, with chips in its text. */
  #placed(carried: HeldEntry): QueueEntry {
    const known = this.#known.get(carried.id)
    if (known?.carried.text === carried.text && known.carried.command === carried.command) return known.entry
    const { entry, chips } = placedEntry(carried, this.#context.state().chips)
    if (carried.chips.length > 0) this.#context.dispatch({ type: 'chips_found', chips })
    this.#ids.set(entry, carried.id)
    this.#known.set(carried.id, { carried, entry })
    return entry
  }

  /** The images of an entry come with it when it is taken out, and the outputs that went with it. */
  #restore(carried: HeldEntry): void {
    this.#parts.shell.giveBack(carried.before)
    const { chips } = this.#context.state()
    const images = new Map(
      carried.chips.flatMap(chip => (chip.kind === 'image' && chip.image ? [[chip.sha256, chip.image] as const] : [])),
    )
    if (images.size === 0) return
    const found = [...chips].map(([character, chip]) => {
      const image = chip.kind === 'image' && chip.image === null ? images.get(chip.sha256) : undefined
      return [character, image && chip.kind === 'image' ? { ...chip, image } : chip] as const
    })
    this.#context.dispatch({ type: 'chips_found', chips: new Map(found) })
  }

  #carried(entry: QueueEntry): HeldEntry {
    const before = entry.kind === 'prompt' ? this.#parts.shell.takeOutputs() : []
    const id = this.#idOf(entry)
    this.#know(id, entry)
    return carriedEntry(id, entry, this.#context.state().chips, before)
  }

  #know(id: string, entry: QueueEntry): void {
    this.#ids.set(entry, id)
    this.#known.set(id, { entry, carried: carriedEntry(id, entry, this.#context.state().chips) })
  }

  #idOf(entry: QueueEntry): string {
    const id = this.#ids.get(entry) ?? randomUUID()
    this.#ids.set(entry, id)
    return id
  }

  #has(id: string): boolean {
    return this.#queue?.entries.some(each => each.id === id) ?? false
  }

  #isUnconfirmed(entry: QueueEntry): boolean {
    return this.#unconfirmed.some(each => each.entry === entry)
  }

  #took(work: () => void): true {
    work()
    return true
  }

  #hint(words: string): void {
    if (words !== '') this.#context.hint(words)
  }
}

const SENT = 'That message was sent, or another zotui has it.'
