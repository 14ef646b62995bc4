/** The facts that zotui itself can show in the status line, in their usual order. */
export const statusFacts = [
  'model',
  'reasoning',
  'mode',
  'sandbox',
  'context',
  'tokens',
  'cached',
  'cost',
  'limits',
  'allLimits',
  'conversations',
  'folder',
  'branch',
] as const

/** Those that it shows by default: windows of a plan only where one is nearly used up. */
export const usualFacts: readonly StatusFact[] = statusFacts.filter(name => name !== 'allLimits')

export type StatusFact = (typeof statusFacts)[number]
