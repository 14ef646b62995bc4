/** What the agent remembers of the conversation, and what it gets with the next prompt because it does not. */
import type { Memory } from '../../../agent/backend.ts'
import type { AgentEvent, EventOf } from '../../../agent/event.ts'
import { memoryFor } from '../../../conversation/queries/session/digest.ts'
import { sentence } from '../../../text/sentence.ts'
import type { AgentPart, ScreenState, UserPart } from '../../context/parts.ts'
import { memoryText } from './memory-text.ts'

export class AgentMemory {
  readonly #context: AgentPart & ScreenState & Pick<UserPart, 'settings'>
  /** The share of `memoryTokens` that the digest may use. */
  #share = 1
  #opened: EventOf<'agent_session_opened'> | undefined

  constructor(context: AgentPart & ScreenState & Pick<UserPart, 'settings'>) {
    this.#context = context
  }

  /** Called with the events of each frame. */
  follow(events: readonly AgentEvent[]): void {
    for (const event of events) {
      if (event.type === 'agent_starting') this.#opened = undefined
      if (event.type === 'agent_session_opened') this.#opened = event
    }
  }

  /** The digest that goes with the next prompt; undefined if the agent knows the whole conversation. */
  digest(): Memory | undefined {
    return memoryFor(this.#context.state().chat, this.#context.settings.values().memoryTokens, this.#share)
  }

  /** Halves the digest; false if there is none. */
  shorten(): boolean {
    if (!this.digest()) return false
    this.#share /= 2
    return true
  }

  /** A fresh agent gets the whole digest. */
  beginAgain(): void {
    this.#share = 1
  }

  /** One line on how much of the conversation the agent will get; empty if it has all of it. */
  line(): string {
    const { backend, state } = this.#context
    if (state().chat.memory !== 'none') return this.#opened?.remembers ? `${backend.name} remembers all of it.` : ''
    const { problem } = this.#opened ?? {}
    const unopened = problem === undefined ? '' : `${backend.name} did not open its own session: ${sentence(problem)} `
    return unopened + memoryText(this.digest()?.facts ?? null, state().chat)
  }
}
