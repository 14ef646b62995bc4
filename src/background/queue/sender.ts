/** Prepares prompts of the queue, and asks the agent for what the machine wants. Reports to the machine what became of it. */
import { randomUUID } from 'node:crypto'
import type { Backend, Memory, Prompt } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { HeldEntry } from '../../agent/held-queue.ts'
import type { ChatState } from '../../conversation/state.ts'
import type { QueueEntry } from '../../state/composer/queue-entry.ts'
import type { Input, Preparation, Settled } from '../../turn/machine.ts'
import { endedTurn, fullnessOf, promptedTurns } from '../../turn/seen.ts'
import type { PromptToSend, QueueEntries } from './entries.ts'

/** `words` are a sentence that says why it is not sent. */
export type PreparedPrompt = { ok: true; prompt: Prompt; onSent: () => void } | { ok: false; words: string }

export type SenderOptions = {
  backend: Backend
  chat: () => ChatState
  /** Asks the hooks about a prompt, and reads the files that it mentions. */
  prepare: (entry: HeldEntry) => Promise<PreparedPrompt>
  /** Keeps the files before a prompt, and marks what was changed after it. Null to keep none. */
  files: { before: (prompt: string) => Promise<void> | undefined; after: () => void } | null
  /** The conversation so far, if the agent does not know it. */
  memory: () => Memory | null
  /** The share of the window from which on it is compacted, in percent; 0 for never. */
  compactAt: () => number
  /** Runs an operation after the earlier ones have ended. */
  operate: <Value>(work: () => Promise<Value>) => Promise<Value>
}

/** What the sender needs of the queue. */
type Around = {
  entries: QueueEntries
  take: (input: Input) => void
  /** Runs `task` after the steps in progress. */
  later: (task: () => void) => void
  warn: (words: string) => void
}

export class QueueSender {
  readonly #options: SenderOptions
  readonly #around: Around
  readonly #ready = new Map<number, PromptToSend>()
  readonly #ownSteers = `${randomUUID()}:`
  #last: Prompt = { text: '', images: [] }

  constructor(options: SenderOptions, around: Around) {
    this.#options = options
    this.#around = around
  }

  /** Prepares a prompt of the queue. One that a program has prepared is ready. */
  prepare(id: number, entry: QueueEntry): void {
    const { ready } = this.#around.entries.of(entry)
    if (ready) return this.hasPrepared(id, ready)
    void this.#make(id, entry, outcome => this.finish(id, outcome))
  }

  /** An attached program has prepared it. */
  hasPrepared(id: number, ready: PromptToSend): void {
    this.#ready.set(id, ready)
    this.finish(id, 'ready')
  }

  prepareSteer(id: number, entry: QueueEntry): void {
    void this.#make(id, entry, outcome => this.#around.take({ type: 'steer_prepared', id, outcome }))
  }

  finish(id: number, outcome: Preparation): void {
    this.#around.take({ type: 'prepared', id, outcome })
    this.#around.later(() => this.#drop(id))
  }

  /** Sends what was prepared. */
  send(id: number): void {
    const ready = this.#takeReady(id)
    const { prompt, isOwn, onSend, onSettled } = ready
    const { chat, memory, files } = this.#options
    const digest = isOwn ? memory() : null
    const kept = isOwn ? files?.before(prompt.typed ?? prompt.text) : undefined
    const begun = promptedTurns(chat()).length
    this.#last = prompt
    onSend()
    void this.#request(id, { ...prompt, ...(digest && { memory: digest }), ...(kept && { ready: kept }) }, () => {
      const isLost = chat().agent.phase === 'ended' && promptedTurns(chat()).length === begun
      onSettled()
      // The program that has sent it has it again.
      return isLost && isOwn ? { of: 'lost prompt' } : this.#turn()
    })
  }

  /** Sends the last prompt as it was. */
  sendAgain(id: number): void {
    void this.#request(id, this.#last, () => this.#turn())
  }

  compact(id: number): void {
    const { backend, chat } = this.#options
    const how = (): Settled => {
      const { outcome = 'failed' } = chat().entries.findLast(entry => entry.kind === 'compaction') ?? {}
      return { of: 'compaction', outcome, last: endedTurn(chat()) }
    }
    void this.#settle(id, () => backend.compact(), how)
  }

  steer(id: number): void {
    const { prompt, onSend } = this.#takeReady(id)
    onSend()
    void this.#options.backend
      .steer({ id: this.#ownSteers + id, prompt })
      .then(outcome => this.#around.take({ type: 'steer_settled', id, outcome }))
  }

  withdrawSteer(id: number): void {
    this.#options.backend.withdrawSteer(this.#ownSteers + id)
  }

  /** Words for the running turn are in the conversation. */
  follow(event: AgentEvent): void {
    if (event.type !== 'steer_delivered' || !event.id.startsWith(this.#ownSteers)) return
    const id = Number(event.id.slice(this.#ownSteers.length))
    this.#around.take({ type: 'steer_settled', id, outcome: { how: 'delivered' } })
  }

  async #make(id: number, entry: QueueEntry, finish: (how: 'ready' | 'refused') => void): Promise<void> {
    const { entries, warn, later } = this.#around
    const made = await this.#options.prepare(entries.of(entry).carried)
    if (!made.ok) {
      warn(`${made.words} Nothing was sent.`)
      return finish('refused')
    }
    this.#ready.set(id, { prompt: made.prompt, isOwn: true, onSend: made.onSent, onSettled() {} })
    finish('ready')
    later(() => this.#drop(id))
  }

  #takeReady(id: number): PromptToSend {
    const ready = this.#ready.get(id)
    this.#ready.delete(id)
    // Without it the prompt would be gone, and its turn would never end.
    if (!ready) throw new Error(`prompt ${id} was never prepared`)
    return ready
  }

  /** It was not sent after all. */
  #drop(id: number): void {
    this.#ready.get(id)?.onSettled()
    this.#ready.delete(id)
  }

  async #request(id: number, prompt: Prompt, how: () => Settled): Promise<void> {
    return this.#settle(id, () => this.#options.backend.prompt(prompt), how)
  }

  async #settle(id: number, ask: () => Promise<void>, how: () => Settled): Promise<void> {
    await this.#options.operate(ask)
    this.#around.take({ type: 'settled', id, how: how() })
  }

  #turn(): Settled {
    const { backend, chat, compactAt } = this.#options
    // An agent that reports no turn has none that failed.
    const ended = endedTurn(chat()) ?? { outcome: 'done', error: 'other' }
    const canCompact = backend.abilities.has('compact')
    return { of: 'turn', ...ended, canCompact, fullness: canCompact ? fullnessOf(chat(), compactAt()) : null }
  }
}
