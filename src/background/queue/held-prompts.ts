/**
 * The queue of a conversation in the background. It belongs to the process that has the conversation: attached programs show and change it,
 * and it continues without them. What goes out, and when, decides the machine that also decides it in a UI (`src/turn`).
 */
import { randomUUID } from 'node:crypto'
import type { Prompt } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { HeldEntry, HeldQueue, QueueReply } from '../../agent/held-queue.ts'
import { endedTurn, inputsOf, seenOfAgent } from '../../turn/seen.ts'
import { idleMachine, type Effect, type Input, type Seen, type TurnMachine } from '../../turn/machine.ts'
import { phaseRules } from '../../turn/phases.ts'
import { step } from '../../turn/step.ts'
import type { QueueEntry, WaitingSteer } from '../../state/composer/queue-entry.ts'
import type { EditedEntry, Queue } from '../../state/state.ts'
import { QueueEntries, type AttachedProgram, type PromptToSend } from './entries.ts'
import { QueueSender, type SenderOptions } from './sender.ts'

export type HeldPromptsOptions = SenderOptions & {
  /** Ends what `prepare` waits for. */
  stopPreparing: () => void
  /** The cost limits. `words` say in a sentence that one is reached. */
  limit: { isReached: () => boolean; isTurnOver: () => boolean; words: () => string }
  /** Adds an event that is not the agent's. */
  publish: (event: AgentEvent) => void
  /** Keeps what was not sent on the disk. */
  keep: (entries: readonly HeldEntry[]) => void
  onChange: () => void
  /** Lets a program run a command, if possible this one. Returns which one; null if none is attached. */
  run: (entry: HeldEntry, by: AttachedProgram | null) => AttachedProgram | null
  /** Milliseconds since the Unix epoch. */
  now: () => number
}

export class HeldPrompts {
  readonly #options: HeldPromptsOptions
  readonly #all = new QueueEntries()
  readonly #sender: QueueSender
  #machine: TurnMachine = idleMachine
  #queue: Queue = { entries: [], paused: false }
  #edited: EditedEntry | null = null
  #editor: AttachedProgram | null = null
  #steers: readonly WaitingSteer[] = []
  #onItsWay: QueueEntry | null = null
  /** The command that an attached program runs, and the number of its preparation. */
  #running: { id: number; entry: QueueEntry; by: AttachedProgram } | null = null
  /** Who waits for words to the running turn. */
  #taking: { id: number; resolve: (entry: HeldEntry | null) => void } | null = null
  /** The first prompt, and requests of attached programs: nothing is sent beside them. */
  #others = 1
  #hint = ''
  #tasks: (() => void)[] = []
  #isStepping = false
  readonly #onStep: (() => void)[] = []

  constructor(options: HeldPromptsOptions) {
    this.#options = options
    this.#sender = new QueueSender(options, {
      entries: this.#all,
      take: input => this.#take(input),
      later: task => this.#later(task),
      warn: words => this.#say('warn', words),
    })
  }

  /** True if something is sent, or will be without anybody. */
  get isAtWork(): boolean {
    const { preparing, request } = this.#machine
    const waits = this.#queue.entries.length > 0 && !this.#queue.paused && this.#edited === null
    const isReady = this.#options.chat().agent.phase === 'ready'
    return (
      this.#onStep.length > 0 || preparing !== null || request !== null || this.#steers.length > 0 || (waits && isReady)
    )
  }

  /** The queue as it is shown. */
  shown(): HeldQueue {
    return {
      entries: this.#entries().map(entry => this.#all.shown(entry)),
      paused: this.#queue.paused,
      edited: this.#edited && this.#all.of(this.#edited.entry).carried.id,
      steers: this.#steers.map(({ entry, isSent, isTakenBack }) => ({
        entry: this.#all.shown(entry),
        isSent,
        isTakenBack,
      })),
    }
  }

  /** Takes the prompts that an earlier process has left. They wait for a person. */
  restore(entries: readonly HeldEntry[]): void {
    if (entries.length === 0) return
    this.#setQueue({
      entries: [...entries.map(each => this.#all.make(each, null)), ...this.#queue.entries],
      paused: true,
    })
  }

  /** The first prompt is over. */
  begin(): void {
    const turn = endedTurn(this.#options.chat())
    this.#others -= 1
    this.#take({ type: 'turn_ended', isGood: turn === null || turn.outcome === 'done', isOwn: false })
  }

  /** Runs a request of an attached program to the agent. Nothing is sent beside it. */
  async beside<Value>(work: () => Promise<Value>): Promise<Value> {
    this.#others += 1
    try {
      return await this.#options.operate(work)
    } finally {
      this.#others -= 1
      // What the request has changed is known by now. The running command continues.
      const isReady = this.#options.chat().agent.phase === 'ready'
      if (isReady && !this.#running) this.#take({ type: 'command_done' })
      for (const resolve of this.#onStep.splice(0)) resolve()
      this.#options.onChange()
    }
  }

  /** Sends a prompt that an attached program has prepared. Resolves when it has been answered, or waits in the queue. */
  async handIn(prompt: Prompt, by: AttachedProgram, onSend: () => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const ready: PromptToSend = { prompt, isOwn: false, onSend, onSettled: resolve }
    if (this.#running?.by === by) {
      const { id } = this.#running
      this.#running = null
      this.#sender.hasPrepared(id, ready)
      if (this.#machine.request?.id !== id) resolve()
      return promise
    }
    // The turn before is over for whoever sends this: how it ended says nothing about this prompt.
    while (this.#isSettling()) await this.#change()
    const text = prompt.typed ?? prompt.text
    const carried = { id: randomUUID(), command: null, text, chips: [], before: prompt.before ?? [] }
    const entry = this.#all.make(carried, by, ready)
    this.#take({ type: 'said', entry })
    if (this.#queue.entries.includes(entry)) resolve()
    return promise
  }

  /** Takes what the agent has reported. */
  follow(event: AgentEvent): void {
    this.#sender.follow(event)
    for (const input of inputsOf([event], this.#options.chat(), false)) this.#take(input)
  }

  /** Stops the running turn, and what is prepared. */
  stop(): void {
    const { backend, stopPreparing } = this.#options
    const { stop } = phaseRules(this.#machine, this.#seen())
    if (this.#machine.preparing) stopPreparing()
    this.#take({ type: 'stopped' })
    if (stop !== 'abort' && stop !== 'ignored') backend.abort()
  }

  /** An attached program is gone: what it edits is as it was, and the command that it runs waits for a person. */
  leave(by: AttachedProgram): void {
    if (this.#editor === by) this.putBack(by, this.#edited && this.#all.of(this.#edited.entry).carried)
    if (this.#running?.by !== by) return
    const { id } = this.#running
    this.#running = null
    this.#sender.finish(id, 'refused')
  }

  /** Adds an entry: now or after the running turn, or at the end, or before all others, which then wait for a person. */
  add(carried: HeldEntry, by: AttachedProgram | null, how: 'say' | 'end' | 'first'): void {
    if (this.#all.isKnown(carried.id)) return
    const entry = this.#all.make(carried, by)
    this.#take({ type: ({ say: 'said', end: 'queued', first: 'put_off' } as const)[how], entry })
  }

  /** Takes an entry out; null if it is not there, or is being edited. */
  takeOut(id: string): HeldEntry | null {
    const entry = this.#find(id)
    if (!entry) return null
    const at = this.#queue.entries.indexOf(entry)
    const entries = this.#queue.entries.toSpliced(at, 1)
    const edited = this.#edited && { ...this.#edited, at: this.#edited.at > at ? this.#edited.at - 1 : this.#edited.at }
    this.#setQueue({ entries, paused: this.#queue.paused && entries.length > 0 }, edited)
    return this.#all.of(entry).carried
  }

  /** From now on this program edits the entry; null if that is not possible. */
  edit(id: string, by: AttachedProgram): HeldEntry | null {
    if (this.#edited && this.#editor !== by) return null
    if (this.#edited) this.putBack(by, this.#all.of(this.#edited.entry).carried)
    const entry = this.#find(id)
    if (!entry) return null
    const at = this.#queue.entries.indexOf(entry)
    this.#editor = by
    this.#setQueue({ ...this.#queue, entries: this.#queue.entries.toSpliced(at, 1) }, { at, draft: '', entry })
    return this.#all.of(entry).carried
  }

  /** Puts the entry that this program edits back into its place; null removes it. False if it edits none. */
  putBack(by: AttachedProgram, carried: HeldEntry | null): boolean {
    const edited = this.#edited
    if (!edited || this.#editor !== by) return false
    const { entries, paused } = this.#queue
    const entry = carried && this.#all.changed(edited.entry, carried)
    const all = entry ? entries.toSpliced(edited.at, 0, entry) : entries
    this.#editor = null
    this.#setQueue({ entries: all, paused: paused && all.length > 0 }, null)
    this.#take({ type: 'queue_edited', goesOn: true })
    return true
  }

  /** Another text for an entry. False if it is not there, or is being edited. */
  replace(carried: HeldEntry): boolean {
    const entry = this.#find(carried.id)
    if (!entry) return false
    const at = this.#queue.entries.indexOf(entry)
    this.#setQueue({ ...this.#queue, entries: this.#queue.entries.with(at, this.#all.changed(entry, carried)) })
    return true
  }

  sendNow(carried: HeldEntry | null, by: AttachedProgram | null): void {
    if (carried && this.#all.isKnown(carried.id)) return
    this.#take({ type: 'send_now', entry: carried && this.#all.make(carried, by) })
  }

  /** Sends an entry before the others, also out of a queue that is paused. False if it is not there. */
  send(id: string): boolean {
    const entry = this.#find(id)
    if (entry) this.#take({ type: 'kept_due', entry })
    return entry !== null
  }

  goOn(): void {
    this.#take({ type: 'unpaused' })
  }

  pause(): void {
    if (this.#queue.entries.length > 0) this.#setQueue({ ...this.#queue, paused: true })
  }

  /** Words for the running turn; null for the first entry. */
  steer(carried: HeldEntry | null, by: AttachedProgram | null): void {
    if (carried && this.#all.isKnown(carried.id)) return
    const entry = carried && this.#all.make(carried, by)
    this.#take(entry?.kind === 'command' ? { type: 'said', entry } : { type: 'steered', entry })
  }

  /** Takes the newest words for the running turn back; null if the agent has them. */
  async takeSteer(): Promise<HeldEntry | null> {
    const newest = this.#steers.at(-1)
    if (!newest || newest.isTakenBack || this.#taking) return null
    const { promise, resolve } = Promise.withResolvers<HeldEntry | null>()
    this.#taking = { id: newest.id, resolve }
    this.#take({ type: 'steer_taken' })
    return promise
  }

  /** The command that this program was asked to run is done. */
  ran(id: string, by: AttachedProgram, isBack: boolean): void {
    if (this.#running?.by !== by || this.#all.of(this.#running.entry).carried.id !== id) return
    const { id: preparation } = this.#running
    this.#running = null
    this.#sender.finish(preparation, isBack ? 'refused' : 'ran')
    if (!isBack) this.#take({ type: 'command_done' })
  }

  /** Does something with the queue. The reply has the hint of the machine about it. */
  reply(isDone: boolean, entry: HeldEntry | null = null): QueueReply {
    const hint = this.#hint
    this.#hint = ''
    return { isDone, entry, hint }
  }

  /** The entry, if it waits and nobody edits it. */
  entry(id: string): HeldEntry | null {
    const found = this.#find(id)
    return found && this.#all.of(found).carried
  }

  #take(input: Input): void {
    this.#later(() => {
      const { machine, effects } = step(this.#machine, input, this.#seen())
      this.#machine = machine
      for (const effect of effects) this.#perform(effect)
      if (effects.length > 0) this.#options.onChange()
      for (const resolve of this.#onStep.splice(0)) resolve()
    })
  }

  /** True if nothing runs any more, and what has run is not settled yet. */
  #isSettling(): boolean {
    const isOver = this.#options.chat().open === null
    return isOver && (this.#machine.request !== null || this.#others > 0)
  }

  /** Resolves after the next step. */
  async #change(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onStep.push(resolve)
    await promise
  }

  /** Runs `task` after the steps and effects in progress. */
  #later(task: () => void): void {
    this.#tasks.push(task)
    if (this.#isStepping) return
    this.#isStepping = true
    try {
      for (let next = this.#tasks.shift(); next; next = this.#tasks.shift()) next()
    } finally {
      this.#isStepping = false
    }
  }

  #seen(): Seen {
    return {
      ...seenOfAgent(this.#options.chat()),
      isReading: this.#others > 0,
      isLeaving: false,
      queue: this.#queue,
      edited: this.#edited,
      steers: this.#steers,
      // What comes back goes to the program that asks for it, and into the queue if none does.
      isComposerFree: this.#taking !== null,
      isLimitReached: this.#options.limit.isReached(),
      isTurnOverLimit: this.#options.limit.isTurnOver(),
      mayBegin: true,
    }
  }

  #perform(effect: Effect): void {
    const { backend, files } = this.#options
    switch (effect.type) {
      case 'set_queue':
        return this.#setQueue(effect.queue, effect.edited)
      case 'set_on_its_way':
        this.#onItsWay = effect.entry
        return
      case 'set_steers':
        return this.#setSteers(effect.steers)
      case 'save_drafts':
        return this.#keep()
      case 'prepare':
        return this.#prepare(effect.id, effect.entry)
      case 'prepare_steer':
        return this.#sender.prepareSteer(effect.id, effect.entry)
      case 'send':
        return this.#sender.send(effect.id)
      case 'send_again':
        return this.#sender.sendAgain(effect.id)
      case 'steer':
        return this.#sender.steer(effect.id)
      case 'withdraw_steer':
        return this.#sender.withdrawSteer(effect.id)
      case 'fill_composer':
        return this.#giveBack(effect.text)
      case 'compact':
        return this.#sender.compact(effect.id)
      case 'abort':
        return backend.abort()
      case 'after_prompt':
        return effect.step === 'mark_files' ? files?.after() : undefined
      case 'ask_limit':
        return this.#say('warn', this.#options.limit.words())
      case 'add_notice':
        return this.#say(effect.level, effect.text)
      case 'hint':
        this.#hint = effect.text ?? ''
        return
      // AttachedProgram programs change the agent, and offer what may help.
      case 'clear':
      case 'change':
      case 'join':
      case 'work':
      case 'refuse':
      case 'answer':
      case 'offer_restart':
      case 'offer_ways':
      case 'restart':
    }
  }

  #prepare(id: number, entry: QueueEntry | null): void {
    if (entry === null) return this.#sender.finish(id, 'dropped')
    const { carried, by, ready } = this.#all.of(entry)
    if (entry.kind === 'prompt' || ready) return this.#sender.prepare(id, entry)
    const runner = this.#options.run(carried, by)
    if (runner) this.#running = { id, entry, by: runner }
    else {
      this.#say('info', UNATTENDED)
      this.#sender.finish(id, 'refused')
    }
  }

  /** Gives words for the running turn to the program that has asked for them. */
  #giveBack(text: string): void {
    const steer = this.#steers.findLast(({ entry }) => entry.text === text)
    this.#taking?.resolve(steer ? this.#all.of(steer.entry).carried : null)
    this.#taking = null
  }

  #setSteers(steers: readonly WaitingSteer[]): void {
    this.#steers = steers
    const taking = this.#taking
    if (!taking || steers.some(({ id }) => id === taking.id)) return
    this.#taking = null
    taking.resolve(null)
  }

  #setQueue(queue: Queue, edited: EditedEntry | null = this.#edited): void {
    this.#queue = queue
    this.#edited = edited
    if (edited === null) this.#editor = null
    this.#keep()
    this.#options.onChange()
  }

  #keep(): void {
    const sent = [...(this.#onItsWay ? [this.#onItsWay] : []), ...this.#steers.map(({ entry }) => entry)]
    const all = [...sent, ...this.#entries()].map(entry => this.#all.of(entry).carried)
    this.#options.keep([...new Map(all.map(each => [each.id, each])).values()])
  }

  /** All entries, with the one that is being edited as it was. */
  #entries(): readonly QueueEntry[] {
    const { entries } = this.#queue
    return this.#edited ? entries.toSpliced(this.#edited.at, 0, this.#edited.entry) : entries
  }

  #find(id: string): QueueEntry | null {
    return this.#queue.entries.find(entry => this.#all.of(entry).carried.id === id) ?? null
  }

  /** Adds a line of zotui's to the conversation, when the event in progress is over. */
  #say(level: 'info' | 'warn', text: string): void {
    const { publish, now } = this.#options
    queueMicrotask(() => publish({ type: 'remark_made', at: now(), level, text, hint: null, markdown: false }))
  }
}

const UNATTENDED = 'The queue waits: a command in it runs only while a zotui is attached.'
