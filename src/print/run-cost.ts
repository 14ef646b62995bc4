/** What a run may cost, and whether its agent reports what it has cost. */
import type { AgentEvent } from '../agent/event.ts'
import { lastTurn } from '../conversation/queries/last-turn.ts'
import type { ChatState } from '../conversation/state.ts'

export type RunCostOptions = {
  /** The agent's name. */
  name: string
  /** In US dollars; null for no limit. */
  maxCost: number | null
  warn: (line: string) => void
}

export class RunCost {
  readonly #options: RunCostOptions
  #isReported = false
  #isWarned = false

  constructor(options: RunCostOptions) {
    this.#options = options
  }

  /** The session is open. Its earlier turns show whether its agent reports its cost. */
  begin(chat: ChatState): void {
    if (chat.usage.costUsd === null && chat.agent.name === this.#options.name) this.#warn()
  }

  /** Takes an event, and the conversation with it. */
  follow(event: AgentEvent, chat: ChatState): void {
    if (event.type === 'usage_reported') this.#isReported ||= event.usage.costUsd !== null
    if (event.type === 'context_reported') this.#isReported ||= (event.sessionCostUsd ?? event.costUsd) !== null
    if (event.type !== 'turn_ended' || this.#isReported) return
    // A turn that failed may have cost nothing.
    if (chat.usage.costUsd === null || lastTurn(chat.entries)?.outcome === 'done') this.#warn()
  }

  /** Whether no further step may begin. */
  isSpent({ usage }: ChatState): boolean {
    const { maxCost } = this.#options
    return maxCost !== null && (usage.costUsd ?? 0) >= maxCost
  }

  #warn(): void {
    const { name, maxCost, warn } = this.#options
    if (maxCost === null || this.#isWarned) return
    this.#isWarned = true
    warn(`${name} does not report its cost, so --max-cost cannot stop it.`)
  }
}
