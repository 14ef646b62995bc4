/** /usage: what was used, in plots, by day, model, agent and folder. */
import type { UsageRequest } from '../../../src/app/pages/pages.ts'
import type { Page } from '../page.ts'
import { usageEffects } from './effects.ts'
import { usageKeys } from './keys.ts'
import { usageAfter } from './moves.ts'
import { createUsageReader, type UsageReading } from './reading.ts'
import { usageRows } from './rows.ts'
import { initialUsage, type UsageMove, type UsageState, type UsageWork } from './state.ts'

export const usage: Page<UsageState, UsageMove, UsageWork, UsageReading, UsageRequest> = {
  keys: usageKeys,
  initial: ({ note }, kept) => initialUsage(note(), kept),
  kept: ({ measure, selection }) => ({ measure, selection: { ...selection, only: null } }),
  reader: createUsageReader,
  after: usageAfter,
  rows: usageRows,
  effects: usageEffects,
  spoken: ({ text }, { context }) => context.show(text()),
  load: async () => (await import('./UsagePage.tsx')).UsagePage,
}
