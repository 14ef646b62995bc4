/** The tokens of a model call. Meerkat reports no prices. Pure. */
import type { Usage } from '../../../agent/event.ts'
import type { WireMeerkatUsage } from '../frame.ts'

/** The cost of a model call in US dollars; null if there is no price. */
export type PriceOf = (model: string, usage: Usage) => number | null

/** The only provider that counts cached tokens separately from the input. */
const DISJOINT = 'anthropic_disjoint_input_components'

export function toUsage(wire: WireMeerkatUsage, price: PriceOf): Usage {
  const { input_tokens: input, output_tokens: output, accounting, reasoning_tokens: reasoning = null } = wire
  const cacheRead = wire.cache_read_tokens ?? 0
  const cacheWrite = wire.cache_creation_tokens ?? 0
  const cached = accounting?.convention === DISJOINT ? 0 : Math.min(cacheRead + cacheWrite, input)
  const usage: Usage = { input: input - cached, output, cacheRead, cacheWrite, costUsd: null, reasoning }
  return { ...usage, costUsd: price(accounting?.model ?? '', usage) }
}

/** The rows of a turn that were not reported yet. An event that was lost leaves a row. */
export function missingUsage(
  rows: readonly WireMeerkatUsage[],
  reported: readonly WireMeerkatUsage[],
): WireMeerkatUsage[] {
  const left = reported.map(keyOf)
  return rows.filter(row => {
    const at = left.indexOf(keyOf(row))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

function keyOf({ input_tokens, output_tokens, accounting }: WireMeerkatUsage): string {
  return `${input_tokens} ${output_tokens} ${accounting?.model ?? ''}`
}
