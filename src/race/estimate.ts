/** What a turn will cost, as far as past turns say it. Pure. */
import type { UsageRecord } from '../usage/record.ts'

/** The costs of past turns in US dollars, of which half and nine of ten were not higher. */
export type CostEstimate = { median: number; high: number; turns: number }

/** Who is asked about: `agent` is the name in the records; a null model stands for any. */
export type Estimated = { agent: string; model: string | null }

export const MOST_TURNS = 50

type TurnCost = { costUsd: number; isKnown: boolean; isPartial: boolean }

/** Gathers the costs of turns from records in the order in which they were made. Those of several sessions may be mixed. */
export class TurnCosts {
  readonly #open = new Map<string, TurnCost>()
  readonly #ended: (Estimated & { costUsd: number })[] = []

  add(record: UsageRecord): void {
    const { kind, session, agent, model } = record
    const open = this.#open.get(session) ?? { costUsd: 0, isKnown: false, isPartial: false }
    this.#open.set(session, open)
    if (kind === 'cost') {
      open.costUsd += record.costUsd
      open.isKnown = true
    } else if (kind === 'call') {
      if (record.usage.costUsd === null) open.isPartial = true
      else {
        open.costUsd += record.usage.costUsd
        open.isKnown = true
      }
    } else if (kind === 'turn') {
      this.#open.delete(session)
      // A cost that is known in parts would make the estimate too low.
      if (open.isKnown && !open.isPartial) this.#ended.push({ agent, model, costUsd: open.costUsd })
    }
  }

  /** The newest of them. Null if there are none: then nothing is known. */
  estimate({ agent, model }: Estimated): CostEstimate | null {
    const costs = this.#ended
      .filter(each => each.agent === agent && (model === null || each.model === model))
      .slice(-MOST_TURNS)
      .map(({ costUsd }) => costUsd)
      .toSorted((a, b) => a - b)
    if (costs.length === 0) return null
    return { median: rank(costs, 0.5), high: rank(costs, 0.9), turns: costs.length }
  }
}

/** The smallest cost that this share of all does not exceed. */
function rank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
