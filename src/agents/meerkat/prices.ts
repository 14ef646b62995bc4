/** The cost of a model call by the user's own prices: Meerkat reports none. Pure. */
import type { Usage } from '../../agent/event.ts'
import { lookup } from '../../text/lookup.ts'
import { fitsStars, readStars } from '../../text/patterns/stars.ts'

/** In US dollars per million tokens. Cached tokens cost as much as others unless they have prices of their own. */
export type ModelPrice = {
  input: number
  output: number
  cacheRead?: number | undefined
  cacheWrite?: number | undefined
}

/** Prices by the names of models; `*` in a name stands for anything. */
export type Prices = Readonly<Record<string, ModelPrice>>

const MILLION = 1_000_000

/** The cost in US dollars; null if no price is known for the model. `input` is without the cached tokens. */
export function costOf(
  prices: Prices,
  model: string,
  { input, output, cacheRead, cacheWrite }: Pick<Usage, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>,
): number | null {
  const price = priceOf(prices, model)
  if (!price) return null
  const cached = cacheRead * (price.cacheRead ?? price.input) + cacheWrite * (price.cacheWrite ?? price.input)
  return (input * price.input + output * price.output + cached) / MILLION
}

/** The price of exactly this name, or else of the first pattern that matches it. */
export function priceOf(prices: Prices, model: string): ModelPrice | null {
  const found = Object.entries(prices).find(
    ([pattern]) => pattern.includes('*') && fitsStars(readStars(pattern), model),
  )
  return lookup(prices, model) ?? found?.[1] ?? null
}
