import { reasoningTokens, type DemoModel } from './models.ts'

/** Tokens and cost, with zot's field names. `reasoning` is null until some is reported. */
export type Spent = {
  input: number
  output: number
  cache_read: number
  cache_write: number
  cost_usd: number
  reasoning: number | null
}

/** One model call. `context` is everything that the model read, `output` what it wrote, both in tokens. */
export type ModelCall = { model: DemoModel; level: string; context: number; output: number }

/** Counts the cost of the conversation. The totals survive a clear, as zot's do; the cache does not. */
export class DemoMeter {
  #total: Spent = { input: 0, output: 0, cache_read: 0, cache_write: 0, cost_usd: 0, reasoning: null }
  #cached = 0

  get total(): Spent {
    return { ...this.#total }
  }

  /** Returns the fields of `usage` for one call. Text that was read before comes from the cache. */
  call({ model, level, context, output }: ModelCall): Spent & { cumulative: Spent } {
    const read = Math.min(this.#cached, context)
    const fresh = context - read
    const input = Math.min(fresh, 12)
    this.#cached = context
    const thought = reasoningTokens(model, level)
    const counts = { input, output: output + thought, cache_read: read, cache_write: fresh - input }
    return this.#add(model, { ...counts, reasoning: thought })
  }

  /** The same for a call that a tool made: without the cache, and the context stays as it is. */
  auxiliaryUsage(model: DemoModel, input: number, output: number): Spent & { cumulative: Spent } {
    return this.#add(model, { input, output, cache_read: 0, cache_write: 0, reasoning: 0 })
  }

  /** Empties the provider's cache, for another model or conversation. */
  forget(): void {
    this.#cached = 0
  }

  #add({ price }: DemoModel, counts: Omit<Spent, 'cost_usd'>): Spent & { cumulative: Spent } {
    const inputs = counts.input + counts.cache_read * 0.1 + counts.cache_write * 1.25
    const spent = { ...counts, cost_usd: (inputs * price.input + counts.output * price.output) / 1_000_000 }
    const total = this.#total
    this.#total = {
      input: total.input + spent.input,
      output: total.output + spent.output,
      cache_read: total.cache_read + spent.cache_read,
      cache_write: total.cache_write + spent.cache_write,
      cost_usd: total.cost_usd + spent.cost_usd,
      reasoning: (total.reasoning ?? 0) + (spent.reasoning ?? 0),
    }
    return { ...spent, cumulative: this.total }
  }
}

/** Estimates tokens by the usual rule of thumb for English. */
export function tokens(text: string): number {
  return Math.ceil(text.length / 4)
}
