/** The output of `zotui usage --json`. Pure. */
import * as z from 'zod'
import { dayOf } from './ledger.ts'
import type { UsageRecord } from './record.ts'
import { modelOf, sumOf, sumsBy, usageSumSchema, type UsageSum } from './sums.ts'

export const usageReportSchema = z.object({
  /** The number of days that the report covers, including today. */
  days: z.number(),
  total: usageSumSchema,
  /** By local day, as in 2026-01-31; days without use are omitted. */
  byDay: z.record(z.string(), usageSumSchema),
  /** By provider and model, as in `anthropic/claude`. */
  byModel: z.record(z.string(), usageSumSchema),
  /** By session id; usage outside of a session has the empty id. */
  bySession: z.record(z.string(), usageSumSchema),
})

export function usageReport(records: readonly UsageRecord[], days: number): z.infer<typeof usageReportSchema> {
  const by = (nameOf: (record: UsageRecord) => string): Record<string, UsageSum> =>
    Object.fromEntries(sumsBy(records, nameOf).map(({ name, sum }) => [name, sum]))
  return {
    days,
    total: sumOf(records),
    byDay: by(({ at }) => dayOf(at)),
    byModel: by(modelOf),
    bySession: by(({ session }) => session),
  }
}
