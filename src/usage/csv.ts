/** Usage as CSV, a line for each group. */
import { oneLine, sanitize } from '../text/sanitize.ts'
import type { UsageGroup, UsageGrouping } from './groups.ts'
import type { UsageSum } from './sums.ts'

const columns: readonly (readonly [name: string, of: (sum: UsageSum) => number | string])[] = [
  ['turns', sum => sum.turns],
  ['calls', sum => sum.calls],
  ['input', sum => sum.input],
  ['cache_read', sum => sum.cacheRead],
  ['cache_write', sum => sum.cacheWrite],
  ['output', sum => sum.output],
  // Empty if no cost is known.
  ['cost_usd', sum => sum.costUsd ?? ''],
  ['cost_is_partial', sum => String(sum.isPartial)],
  ['duration_ms', sum => sum.duration],
  ['waits', sum => sum.waits],
  ['waited_ms', sum => sum.waited],
]

export function usageCsv(groups: readonly UsageGroup[], grouping: UsageGrouping): string {
  const head = [grouping, ...columns.map(([name]) => name)]
  const rows = groups.map(({ name, sum }) => [field(name), ...columns.map(([, of]) => String(of(sum)))])
  return [head, ...rows].map(row => `${row.join(',')}\r\n`).join('')
}

/** Names are from agents and folders: a spreadsheet must read none of them as a formula. */
function field(name: string): string {
  const text = oneLine(sanitize(name))
  const harmless = /^[=+\-@\t]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
