/** The output of `zotui usage --json`. */
import * as z from 'zod'
import { dayOf } from './days.ts'
import { cellsOf, groupsOf, usageGroupings, type UsageGrouping } from './groups.ts'
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
  /** By the agent's name, as in `claude`. */
  byAgent: z.record(z.string(), usageSumSchema),
  /** By the folder's absolute path. */
  byFolder: z.record(z.string(), usageSumSchema),
  /** By session id; usage outside of a session has the empty id. */
  bySession: z.record(z.string(), usageSumSchema),
  /** With `--by`: the sums in its order, days oldest first, all others with the largest cost first. */
  by: z.enum(usageGroupings).optional(),
  rows: z.array(usageSumSchema.extend({ name: z.string() })).optional(),
})
export type UsageReport = z.infer<typeof usageReportSchema>

export function usageReport(
  records: readonly UsageRecord[],
  days: number,
  by: UsageGrouping | null = null,
): UsageReport {
  const sums = (nameOf: (record: UsageRecord) => string): Record<string, UsageSum> =>
    Object.fromEntries(sumsBy(records, nameOf).map(({ name, sum }) => [name, sum]))
  return {
    days,
    total: sumOf(records),
    byDay: sums(({ at }) => dayOf(at)),
    byModel: sums(modelOf),
    byAgent: sums(({ agent }) => agent || 'unknown'),
    byFolder: sums(({ folder }) => folder || 'unknown'),
    bySession: sums(({ session }) => session),
    ...(by && { by, rows: groupsOf(cellsOf(records), by).map(({ name, sum }) => Object.assign({ name }, sum)) }),
  }
}
