/** Sums of usage. Pure. */
import * as z from 'zod'
import { addCost } from '../agent/content.ts'
import type { UsageRecord } from './record.ts'

export const usageSumSchema = z.object({
  turns: z.number(),
  /** Calls of models. */
  calls: z.number(),
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
  /** Null if no cost is known. */
  costUsd: z.number().nullable(),
  /** Whether some cost is not reported by the agent: then `costUsd` is a minimum. */
  isPartial: z.boolean(),
  /** The duration of all turns, in milliseconds. */
  duration: z.number(),
  /** Answers that an agent waited for, and for how long, in milliseconds. These are part of the turns' duration. */
  waits: z.number(),
  waited: z.number(),
})
export type UsageSum = z.infer<typeof usageSumSchema>

export const noSum: UsageSum = {
  turns: 0,
  calls: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  costUsd: 0,
  isPartial: false,
  duration: 0,
  waits: 0,
  waited: 0,
}

function addRecord(sum: UsageSum, record: UsageRecord): UsageSum {
  switch (record.kind) {
    case 'call': {
      const { input, output, cacheRead, cacheWrite, costUsd } = record.usage
      return {
        ...sum,
        calls: sum.calls + 1,
        input: sum.input + input,
        output: sum.output + output,
        cacheRead: sum.cacheRead + cacheRead,
        cacheWrite: sum.cacheWrite + cacheWrite,
        ...addCost(sum, costUsd, sum.calls === 0 && sum.costUsd === 0),
      }
    }
    case 'turn':
      return { ...sum, turns: sum.turns + 1, duration: sum.duration + record.duration }
    case 'wait':
      return { ...sum, waits: sum.waits + 1, waited: sum.waited + record.duration }
    case 'cost':
      return { ...sum, costUsd: (sum.costUsd ?? 0) + record.costUsd }
    case 'unreported':
      return { ...sum, isPartial: true }
  }
}

export function addSums(one: UsageSum, other: UsageSum): UsageSum {
  return totalOf([one, other])
}

/** The sum of all of them. There may be ten thousand, so that none is copied on the way. */
export function totalOf(sums: Iterable<UsageSum>): UsageSum {
  const total = { ...noSum }
  for (const sum of sums) {
    mergeCost(total, sum)
    total.turns += sum.turns
    total.calls += sum.calls
    total.input += sum.input
    total.output += sum.output
    total.cacheRead += sum.cacheRead
    total.cacheWrite += sum.cacheWrite
    total.duration += sum.duration
    total.waits += sum.waits
    total.waited += sum.waited
  }
  return total
}

/** Partial where only one of them knows what its calls cost. A cost without calls is that of the agent's work as a whole: it covers the calls. */
function mergeCost(total: UsageSum, { calls, costUsd, isPartial }: UsageSum): void {
  total.isPartial ||= isPartial
  if (total.costUsd !== null && costUsd !== null) {
    total.costUsd += costUsd
  } else if (total.costUsd === null && costUsd !== null) {
    total.isPartial ||= calls > 0
    if (calls > 0 || costUsd > 0) total.costUsd = costUsd
  } else if (total.costUsd !== null) {
    total.isPartial ||= total.calls > 0
    if (total.calls === 0 && total.costUsd === 0) total.costUsd = null
  }
}

export function sumOf(records: readonly UsageRecord[]): UsageSum {
  return records.reduce(addRecord, noSum)
}

/** A sum for each name that `nameOf` returns, in the order of their first records. */
export function sumsBy(
  records: readonly UsageRecord[],
  nameOf: (record: UsageRecord) => string,
): { name: string; sum: UsageSum }[] {
  const sums = new Map<string, UsageSum>()
  for (const record of records) {
    const name = nameOf(record)
    sums.set(name, addRecord(sums.get(name) ?? noSum, record))
  }
  return [...sums].map(([name, sum]) => ({ name, sum }))
}

export function modelOf({ provider, model }: UsageRecord): string {
  return [provider, model].filter(Boolean).join('/') || 'unknown'
}

/** The input tokens, from the cache or not. */
export function sentOf({ input, cacheRead, cacheWrite }: Pick<UsageSum, 'input' | 'cacheRead' | 'cacheWrite'>): number {
  return input + cacheRead + cacheWrite
}

/** The share of input tokens from the cache, from 0 to 1; null where there were none. */
export function cachedShare(sum: Parameters<typeof sentOf>[0]): number | null {
  const sent = sentOf(sum)
  return sent === 0 ? null : sum.cacheRead / sent
}
