/** Usage by day, model, agent and folder: records are summed once, and the sums are grouped as asked. */
import { dayOf, lastDays } from './days.ts'
import type { UsageRecord } from './record.ts'
import { addSums, modelOf, sentOf, sumOf, totalOf, type UsageSum } from './sums.ts'

export const usageGroupings = ['day', 'model', 'agent', 'folder'] as const
export type UsageGrouping = (typeof usageGroupings)[number]

/** The usage of one model and agent in a folder on a day. */
export type UsageCell = Readonly<Record<UsageGrouping, string>> & { sum: UsageSum }

/** The days that can be chosen, including today; null for all. */
export const usagePeriods = [7, 30, 90, null] as const

/** The usage that is asked for: its days, a part of it, and what its rows are. */
export type UsageSelection = {
  grouping: UsageGrouping
  /** Null for all. */
  days: number | null
  /** One day, model, agent or folder; null for all. */
  only: { grouping: UsageGrouping; name: string } | null
}

export type UsageFormat = 'csv' | 'json' | 'html'

export type UsageGroup = { name: string; sum: UsageSum }

export function groupingOf(word: string): UsageGrouping | null {
  return usageGroupings.find(grouping => grouping === word) ?? null
}

/** The sums of the records by all of the four. There are few, however many records there are. */
export function cellsOf(records: readonly UsageRecord[]): UsageCell[] {
  const byKey = new Map<string, UsageRecord[]>()
  for (const record of records) {
    const key = JSON.stringify(placeOf(record))
    const found = byKey.get(key)
    if (found) found.push(record)
    else byKey.set(key, [record])
  }
  return [...byKey.values()].flatMap(own => {
    const [first] = own
    return first ? [Object.assign(placeOf(first), { sum: sumOf(own) })] : []
  })
}

function placeOf(record: UsageRecord): Omit<UsageCell, 'sum'> {
  const { at, agent, folder } = record
  return { day: dayOf(at), model: modelOf(record), agent: agent || 'unknown', folder: folder || 'unknown' }
}

/** The same cells, each of them once. */
export function mergedCells(cells: readonly UsageCell[]): UsageCell[] {
  const byKey = new Map<string, UsageCell>()
  for (const cell of cells) {
    const { sum, ...place } = cell
    const key = JSON.stringify(place)
    const before = byKey.get(key)
    byKey.set(key, before ? { ...place, sum: addSums(before.sum, sum) } : cell)
  }
  return [...byKey.values()]
}

/** The first of the selected days; '' for all of them. */
export function firstDay({ days }: Pick<UsageSelection, 'days'>, now: number): string {
  return days === null ? '' : (lastDays(now, days)[0] ?? '')
}

export function selectedCells(cells: readonly UsageCell[], selection: UsageSelection, now: number): UsageCell[] {
  const first = firstDay(selection, now)
  const { only } = selection
  return cells.filter(cell => cell.day >= first && (only === null || cell[only.grouping] === only.name))
}

/** Whether a record belongs to what is selected, on whatever day. */
export function isSelected(record: UsageRecord, { only }: Pick<UsageSelection, 'only'>): boolean {
  return only === null || placeOf(record)[only.grouping] === only.name
}

export function sumOfCells(cells: readonly UsageCell[]): UsageSum {
  return totalOf(cells.map(({ sum }) => sum))
}

/** Days oldest first; all others by cost and then by tokens, the largest first. */
export function groupsOf(cells: readonly UsageCell[], grouping: UsageGrouping): UsageGroup[] {
  const byName = Map.groupBy(cells, cell => cell[grouping])
  const groups = [...byName].map(([name, own]) => ({ name, sum: sumOfCells(own) }))
  return grouping === 'day'
    ? groups.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    : groups.toSorted((a, b) => (b.sum.costUsd ?? 0) - (a.sum.costUsd ?? 0) || tokensOf(b.sum) - tokensOf(a.sum))
}

/** All tokens, in and out. */
export function tokensOf(sum: UsageSum): number {
  return sentOf(sum) + sum.output
}
