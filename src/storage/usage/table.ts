/** Shows sums of usage as table rows and as bars. Pure. */
import { formatCost, formatDuration, formatPercent, formatTokens } from '../../text/format.ts'
import { cachedShare, sentOf, type UsageSum } from './sums.ts'

export const usageColumns = ['turns', 'in', 'cached', 'out', 'cost', 'time'] as const

/** The cells of a row. `isPlain` is for terminals that show only ASCII. */
export function usageCells(sum: UsageSum, isPlain: boolean): string[] {
  const share = cachedShare(sum)
  return [
    String(sum.turns),
    formatTokens(sentOf(sum)),
    share === null ? '' : formatPercent(share),
    formatTokens(sum.output),
    costText(sum, isPlain),
    formatDuration(sum.duration),
  ]
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

/** A bar for a share from 0 to 1. Any share above 0 is visible. */
export function bar(share: number, isPlain: boolean): string {
  if (!(share > 0)) return ''
  if (isPlain) return '#'.repeat(Math.max(1, Math.round(share * BAR)))
  const eighths = Math.max(1, Math.round(share * BAR * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}
