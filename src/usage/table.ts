/** Shows sums of usage as table rows and as bars. Pure. */
import { formatCost, formatDuration, formatPercent, formatTokens } from '../text/format.ts'
import type { UsageGroup } from './groups.ts'
import { cachedShare, sentOf, type UsageSum } from './sums.ts'

/** The heading and the rows of a table. The time that agents waited has a column only if they did. */
export function usageTable(title: string, groups: readonly UsageGroup[], isPlain: boolean): string[][] {
  const hasWaits = groups.some(({ sum }) => sum.waits > 0)
  const shown = hasWaits ? columns : columns.filter(([name]) => name !== 'waited')
  return [
    [title, ...shown.map(([name]) => name)],
    ...groups.map(({ name, sum }) => [name, ...shown.map(([, text]) => text(sum, isPlain))]),
  ]
}

const columns: readonly (readonly [name: string, text: (sum: UsageSum, isPlain: boolean) => string])[] = [
  ['turns', sum => String(sum.turns)],
  ['in', sum => formatTokens(sentOf(sum))],
  ['cached', sum => cachedText(sum)],
  ['out', sum => formatTokens(sum.output)],
  ['cost', costText],
  ['time', sum => formatDuration(sum.duration)],
  ['waited', sum => (sum.waits === 0 ? '' : formatDuration(sum.waited))],
]

/** The share of tokens from the cache; empty where there were none. */
function cachedText(sum: UsageSum): string {
  const share = cachedShare(sum)
  return share === null ? '' : formatPercent(share)
}

/** A cost; partial ones are marked as a minimum. */
export function costText({ costUsd, isPartial }: Pick<UsageSum, 'costUsd' | 'isPartial'>, isPlain: boolean): string {
  if (costUsd === null) return formatCost(null)
  return `${isPartial ? (isPlain ? '>= ' : '≥ ') : ''}${formatCost(costUsd)}`
}

/** Columns of the longest bar. */
const BAR = 12
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/**
 * A line for each day with usage, at most 34 columns wide. Its bar shows the cost, or the tokens where nothing has a price.
 */
export function usageBars(days: readonly string[], sums: ReadonlyMap<string, UsageSum>, isPlain: boolean): string[] {
  const found = days.flatMap(day => {
    const sum = sums.get(day)
    return sum && sum.calls + sum.turns > 0 ? [{ day, sum }] : []
  })
  const isPriced = found.some(({ sum }) => (sum.costUsd ?? 0) > 0)
  const sizeOf = (sum: UsageSum): number => (isPriced ? (sum.costUsd ?? 0) : sentOf(sum) + sum.output)
  const largest = Math.max(...found.map(({ sum }) => sizeOf(sum)))
  return found.map(({ day, sum }) => {
    const drawn = bar(largest > 0 ? sizeOf(sum) / largest : 0, isPlain).padEnd(BAR)
    const words = isPriced ? costText(sum, isPlain) : formatTokens(sizeOf(sum))
    return `${day.slice(5)}  ${drawn}  ${words}`.trimEnd()
  })
}

/** A bar for a share from 0 to 1 of `width` columns. Any share above 0 is visible. */
export function bar(share: number, isPlain: boolean, width = BAR): string {
  if (!(share > 0)) return ''
  if (isPlain) return '#'.repeat(Math.max(1, Math.round(share * width)))
  const eighths = Math.max(1, Math.round(share * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}
