/** A model of the demo: a name, sizes and a price. */
import { lookup } from '../../text/lookup.ts'
export type DemoModel = {
  id: string
  /** In tokens. */
  contextWindow: number
  /** In tokens. */
  maxOutput: number
  /** Whether it supports reasoning levels. */
  reasoning: boolean
  /** US dollars for a million tokens; reading the cache costs a tenth of the input, writing it a quarter more. */
  price: { input: number; output: number }
}

export const demoProvider = 'demo'

const large: DemoModel = {
  id: 'demo-large',
  contextWindow: 200_000,
  maxOutput: 32_000,
  reasoning: true,
  price: { input: 3, output: 15 },
}

/** The window is small so that the context meter can be seen to move. */
const small: DemoModel = {
  id: 'demo-small',
  contextWindow: 32_000,
  maxOutput: 8_000,
  reasoning: false,
  price: { input: 0.25, output: 1.25 },
}

export const demoModels: readonly DemoModel[] = [large, small]

export const defaultModel = large

/** The words that zot accepts for a level, and the level that it then reports. */
const levels: ReadonlyMap<string, string> = new Map([
  ...['', 'off', 'no', 'none', 'false', 'disabled'].map(word => [word, ''] as const),
  ...['minimum', 'minimal', 'min'].map(word => [word, 'minimum'] as const),
  ['low', 'low'],
  ...['medium', 'med'].map(word => [word, 'medium'] as const),
  ...['high', 'hi'].map(word => [word, 'high'] as const),
  ...['xhigh', 'maximum'].map(word => [word, 'xhigh'] as const),
  ['max', 'max'],
])

/** Returns the level of a word, '' for off; undefined for an unknown word. */
export function reasoningLevel(word: string): string | undefined {
  return levels.get(word.trim().toLowerCase())
}

/** Returns the reasoning tokens of one call. */
export function reasoningTokens(model: DemoModel, level: string): number {
  if (!model.reasoning) return 0
  return lookup({ minimum: 24, low: 80, medium: 240, high: 600, xhigh: 1200, max: 2400 }, level) ?? 0
}
