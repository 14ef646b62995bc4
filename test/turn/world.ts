/** The world around the machine in a test: an agent, a person and a screen that do anything in any order. */
import type { SteerOutcome } from '../../src/agent/backend.ts'
import type { QueueEntry } from '../../src/state/composer/queue-entry.ts'
import { idleMachine, type Effect, type Input, type Seen, type TurnMachine } from '../../src/turn/machine.ts'
import { impossible } from '../../src/turn/phases.ts'
import { step } from '../../src/turn/step.ts'

export class World {
  machine: TurnMachine = idleMachine
  seen: Seen = {
    agent: 'off',
    open: null,
    isReading: false,
    isLeaving: false,
    queue: { entries: [], paused: false },
    edited: null,
    steers: [],
    isComposerFree: true,
    isLimitReached: false,
    isTurnOverLimit: false,
    mayBegin: true,
  }
  /** All effects so far. */
  readonly effects: Effect[] = []
  /** The prompts that were said. */
  readonly said: string[] = []
  /** The prompts that the agent got, those that are in the composer, and the one that is edited in the queue. */
  readonly sent: string[] = []
  readonly composer: string[] = []
  edited: QueueEntry | null = null
  /** What the drafts keep beside the queue. */
  onItsWay: QueueEntry | null = null
  /** What was begun and is not known to be over. */
  preparing: { id: number; entry: QueueEntry | null }[] = []
  requests: { id: number; kind: 'prompt' | 'compaction' | 'clear' }[] = []
  preparedSteers: number[] = []
  /** The steers that the agent got. */
  steered: number[] = []
  changes: number[] = []
  works: number[] = []
  /** The request that the agent has and has not answered. */
  #asked: number | null = null
  #ids = 1000

  newId(): number {
    this.#ids += 1
    return this.#ids
  }

  say(how: 'said' | 'queued' | 'send_now'): void {
    const text = `prompt ${this.said.length + 1}`
    this.said.push(text)
    this.take({ type: how, entry: { kind: 'prompt', text } })
  }

  /** Null for the first entry of the queue. */
  steer(isNew = true): void {
    const text = `prompt ${this.said.length + 1}`
    if (isNew) this.said.push(text)
    this.take({ type: 'steered', entry: isNew ? { kind: 'prompt', text } : null })
  }

  /** The agent says what became of a steer. One that it does not have any more was settled before. */
  settleSteer(id: number, outcome: SteerOutcome): void {
    const steer = this.seen.steers.find(each => each.id === id && each.isSent)
    if (steer && outcome.how === 'delivered') this.sent.push(steer.entry.text)
    this.take({ type: 'steer_settled', id, outcome })
  }

  take(input: Input): readonly Effect[] {
    // A settled request is over, and so is one whose agent has ended.
    if ((input.type === 'settled' && input.id === this.#asked) || input.type === 'agent_ended') this.#asked = null
    const { machine, effects } = step(this.machine, input, this.seen)
    this.machine = machine
    for (const effect of effects) {
      this.#carryOut(effect)
      this.#die(input, effect)
    }
    this.effects.push(...effects)
    const broken = impossible.filter(({ isSo }) => isSo(this.machine, this.seen)).map(({ why }) => why)
    if (broken.length > 0) throw new Error(`${input.type} leads to: ${broken.join('; ')}`)
    this.#count(input)
    return effects
  }

  #carryOut(effect: Effect): void {
    const { type } = effect
    if (type === 'set_on_its_way') this.onItsWay = effect.entry
    else if (type === 'set_queue') this.seen = { ...this.seen, queue: effect.queue, edited: effect.edited }
    else if (type === 'set_steers') this.seen = { ...this.seen, steers: effect.steers }
    else if (type === 'prepare_steer') this.preparedSteers.push(effect.id)
    else if (type === 'steer') this.#steer(effect.id)
    else if (type === 'fill_composer') this.fillComposer(effect.text)
    else if (type === 'prepare') this.preparing.push(effect)
    else if (type === 'send') this.#send(effect.id)
    else if (type === 'send_again') this.#ask(effect.id, 'prompt')
    else if (type === 'compact') this.#ask(effect.id, 'compaction')
    else if (type === 'clear') this.#ask(effect.id, 'clear')
    else if (type === 'change') this.changes.push(effect.change.id)
    else if (type === 'work') this.works.push(effect.id)
    else if (type === 'abort' && this.seen.open)
      this.seen = { ...this.seen, open: { ...this.seen.open, isStopping: true } }
  }

  fillComposer(text: string): void {
    if (!this.seen.isComposerFree) throw new Error(`${text} replaces what is in the composer`)
    this.composer.push(text)
    this.seen = { ...this.seen, isComposerFree: false }
  }

  #steer(id: number): void {
    if (this.steered.includes(id)) throw new Error(`the agent gets steer ${id} twice`)
    if (this.steered.some(other => other > id)) throw new Error(`the agent gets steer ${id} after a later one`)
    if (this.seen.isLeaving) throw new Error(`the agent gets steer ${id} after the end of zotui has begun`)
    this.steered.push(id)
  }

  #send(id: number): void {
    const { entry = null } = this.preparing.find(one => one.id === id) ?? {}
    if (entry?.kind === 'prompt') this.sent.push(entry.text)
    this.#ask(id, 'prompt')
  }

  #ask(id: number, kind: World['requests'][number]['kind']): void {
    if (this.#asked !== null) throw new Error(`the agent gets request ${id} and has not settled ${this.#asked}`)
    this.#asked = id
    this.requests.push({ id, kind })
  }

  /** A program that is killed between two effects has every prompt that it had taken: with the agent or in the drafts. */
  #die(input: Input, effect: Effect): void {
    const steers = this.seen.steers.map(({ entry }) => entry)
    const waiting = textsOf([...this.seen.queue.entries, this.onItsWay, this.edited, ...steers])
    const kept = new Set([...waiting, ...this.sent, ...this.composer])
    const comes = 'entry' in input ? textsOf([input.entry]) : []
    const lost = this.said.filter(text => !kept.has(text) && !comes.includes(text))
    if (lost.length > 0) throw new Error(`a kill in ${input.type} after ${effect.type} loses ${lost.join()}`)
  }

  /** Every prompt is in one place, and only in one. */
  #count(after: Input): void {
    const { queue, steers } = this.seen
    const places = [
      ...textsOf([...queue.entries, this.edited, this.machine.preparing?.entry ?? null]),
      ...steers.map(({ entry }) => entry.text),
      ...this.sent,
      ...this.composer,
    ]
    const own = places.filter(isOfPerson)
    if (own.toSorted().join() !== this.said.toSorted().join())
      throw new Error(`after ${after.type} of ${this.said.join()} there are ${own.join()}`)
  }
}

function textsOf(entries: readonly (QueueEntry | null)[]): string[] {
  return entries.flatMap(entry => (entry?.kind === 'prompt' ? [entry.text] : []))
}

/** Not a prompt of zotui, such as the one that continues a stopped turn. */
export function isOfPerson(text: string): boolean {
  return text.startsWith('prompt ')
}
