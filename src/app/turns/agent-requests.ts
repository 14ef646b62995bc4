/** Asks the agent for what the machine wants: one prompt, compaction or clear at a time. Reports when the agent has settled it. */
import type { Prompt } from '../../agent/backend.ts'
import { sentence } from '../../text/sentence.ts'
import { endedTurn } from '../../turn/seen.ts'
import type { Settled } from '../../turn/machine.ts'
import type { Notices } from '../context/notices.ts'
import type { AgentPart, ScreenState, UserPart } from '../context/parts.ts'
import type { EventBatcher } from '../events/batcher.ts'
import type { MachineKeeper } from './turn-machine.ts'

export class AgentRequests {
  readonly #context: AgentPart & ScreenState & Notices & Pick<UserPart, 'settings'>
  readonly #batcher: Pick<EventBatcher, 'flush'>
  readonly #machine: Pick<MachineKeeper, 'send'>

  constructor(
    context: AgentPart & ScreenState & Notices & Pick<UserPart, 'settings'>,
    batcher: Pick<EventBatcher, 'flush'>,
    machine: Pick<MachineKeeper, 'send'>,
  ) {
    this.#context = context
    this.#batcher = batcher
    this.#machine = machine
  }

  prompt(id: number, prompt: Prompt): void {
    void this.#settle(id, this.#context.backend.prompt(prompt), () => this.#turn())
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

  #turn(): Settled {
    const { backend, state } = this.#context
    const ended = endedTurn(state().chat) ?? { outcome: null, error: 'other' }
    return { of: 'turn', ...ended, canCompact: backend.abilities.has('compact'), fullness: this.#fullness() }
  }

  /** The share of the window that is used, if that is a reason to compact. */
  #fullness(): number | null {
    const { backend, state, settings } = this.#context
    const { context: used, agent } = state().chat
    const { compactAt } = settings.values()
    if (!backend.abilities.has('compact') || compactAt === 0 || used === null || agent.contextWindow === null)
      return null
    const full = used / agent.contextWindow
    return full * 100 < compactAt ? null : full
  }
}
