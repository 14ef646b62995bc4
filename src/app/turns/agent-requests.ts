/** Asks the agent for what the machine wants: one prompt, compaction or clear at a time. Reports when the agent has settled it. */
import type { Prompt } from '../../agent/backend.ts'
import { sentence } from '../../text/sentence.ts'
import { endedTurn, fullnessOf, promptedTurns } from '../../turn/seen.ts'
import type { Settled } from '../../turn/machine.ts'
import type { Notices } from '../context/notices.ts'
import type { AgentPart, ScreenState, UserPart } from '../context/parts.ts'
import type { Publishing } from '../context/publishing.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { MachineKeeper } from './turn-machine.ts'

type RequestContext = AgentPart & ScreenState & Notices & Pick<UserPart, 'settings'> & Pick<Publishing, 'redact'>

export class AgentRequests {
  readonly #context: RequestContext
  readonly #batcher: Pick<EventBatcher, 'flush'>
  readonly #machine: Pick<MachineKeeper, 'send'>

  #isLost = false

  constructor(context: RequestContext, batcher: Pick<EventBatcher, 'flush'>, machine: Pick<MachineKeeper, 'send'>) {
    this.#context = context
    this.#batcher = batcher
    this.#machine = machine
  }

  /** Whether the agent was lost before it confirmed the last prompt. */
  get isLost(): boolean {
    return this.#isLost
  }

  prompt(id: number, prompt: Prompt): void {
    const begun = promptedTurns(this.#context.state().chat).length
    void this.#settle(id, this.#context.backend.prompt(prompt), () => {
      this.#isLost = this.#isUnconfirmed(prompt, begun)
      return this.#isLost ? { of: 'lost prompt' } : this.#turn()
    })
  }

  /** Nothing was sent after all. */
  giveUp(id: number): void {
    void this.#settle(id, Promise.resolve(), () => this.#turn())
  }

  compact(id: number): void {
    void this.#settle(id, this.#context.backend.compact(), () => {
      const { chat } = this.#context.state()
      const { outcome = 'failed' } = chat.entries.findLast(entry => entry.kind === 'compaction') ?? {}
      return { of: 'compaction', outcome, last: endedTurn(chat) }
    })
  }

  clear(id: number): void {
    void this.#settle(id, this.#context.backend.clear(), reply => {
      if (!reply.ok) this.#context.addNotice('error', sentence(reply.message))
      return { of: 'clear', ok: reply.ok }
    })
  }

  /** Stops what is in progress, and shows that at once. */
  abort(): void {
    this.#context.backend.abort()
    this.#batcher.flush()
  }

  async #settle<Value>(id: number, asked: Promise<Value>, how: (value: Value) => Settled): Promise<void> {
    // The state shows it at once.
    this.#batcher.flush()
    const value = await asked
    this.#batcher.flush()
    this.#machine.send({ type: 'settled', id, how: how(value) })
  }

  /** Whether the agent has ended and no turn with this prompt has begun, of which there were `begun` before. */
  #isUnconfirmed({ text }: Prompt, begun: number): boolean {
    const { state, redact } = this.#context
    const { chat } = state()
    const sent = redact(text)
    return (
      chat.agent.phase === 'ended' &&
      !promptedTurns(chat)
        .slice(begun)
        .some(({ prompt }) => redact(prompt) === sent)
    )
  }

  #turn(): Settled {
    const { backend, state, settings } = this.#context
    const { chat } = state()
    const ended = endedTurn(chat) ?? { outcome: null, error: 'other' }
    const canCompact = backend.abilities.has('compact')
    if (!backend.holder)
      return {
        of: 'turn',
        ...ended,
        canCompact,
        fullness: canCompact ? fullnessOf(chat, settings.values().compactAt) : null,
      }
    // The process that has the conversation compacts it, and sends the prompt again.
    const isMended = ended.outcome === 'failed' && ended.error === 'overflow' && canCompact
    return { of: 'turn', ...ended, ...(isMended && { outcome: 'done' }), canCompact: false, fullness: null }
  }
}
