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
  'conversations',
  'folder',
  'branch',
] as const

export type StatusFact = (typeof statusFacts)[number]
