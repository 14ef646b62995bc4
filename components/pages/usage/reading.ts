/** /usage for a state and a size. */
import type { AppState } from '../../../src/state/state.ts'
import { createColumns, type Columns } from '../../../src/style/columns.ts'
import { shortenPath, truncate } from '../../../src/text/lines/shorten.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { oneLine, sanitize, type SafeText } from '../../../src/text/sanitize.ts'
import { daysSince, lastDays } from '../../../src/usage/days.ts'
import { groupsOf, selectedCells, sumOfCells, type UsageGroup } from '../../../src/usage/groups.ts'
import { sizeOf, type UsageMeasure } from '../../../src/usage/measures.ts'
import { noSum, type UsageSum } from '../../../src/usage/sums.ts'
import { EDGE, type PageContext, type PageReader } from '../page-rows.ts'
import { figuresOf } from './figures.ts'
import type { UsageState } from './state.ts'

/** What is drawn of the groups. It stays the same until the groups, their measure or the width change. */
export type Plot = {
  measure: UsageMeasure
  groups: readonly UsageGroup[]
  /** The names of the groups as they are shown, and the columns that they take. */
  names: readonly SafeText[]
  nameWidth: number
  /** The sum of all groups. */
  total: UsageSum
  /** What the longest bar stands for, and its columns. */
  largest: number
  barWidth: number
  /** The figures beside the bars. */
  figures: Columns<UsageSum>
}

export type UsageReading = {
  app: AppState
  view: UsageState
  context: PageContext
  plot: Plot
  /** The index of the selected group. */
  selected: number
  /** Rows between the title and the line at the bottom. */
  body: number
  /** Rows of them that scroll. The others show the exact numbers of the selected group. */
  area: number
}

/** As many for each group, so that nothing else moves. */
const exactRows = (columns: number): number => (columns >= 110 ? 1 : columns >= 64 ? 2 : 4)
/** The rows of a screen without room for them. */
const LOW = 10
/** Days of a plot: a clock that was wrong once must not make a million rows. */
const MOST_DAYS = 3660
/** Blanks between a name, its bar and its figures. */
export const BESIDE = 2

export function createUsageReader(): PageReader<UsageState, UsageReading> {
  let last: { of: readonly unknown[]; plot: Plot } | null = null
  return (view, app, context) => {
    const { theme, size } = context
    const of = [view.found.cells, view.selection, view.measure, view.now, theme, size.columns]
    if (!last || of.some((each, index) => each !== last?.of[index])) last = { of, plot: plotOf(view, context) }
    const { plot } = last
    const body = Math.max(1, size.rows - 2)
    const exact = body >= LOW && plot.groups.length > 0 ? exactRows(size.columns) + 1 : 0
    const selected = Math.max(0, Math.min(view.selected, plot.groups.length - 1))
    return { app, view, context, plot, selected, body, area: body - exact }
  }
}

function plotOf(
  { found, selection, measure: chosen, now }: UsageState,
  { theme, size: { columns } }: PageContext,
): Plot {
  const { ellipsis } = theme.signs
  const cells = selectedCells(found.cells, selection, now)
  const total = sumOfCells(cells)
  const measure = chosen ?? ((total.costUsd ?? 0) > 0 ? 'cost' : 'tokens')
  const sums = groupsOf(cells, selection.grouping)
  const groups =
    selection.grouping === 'day'
      ? withEmptyDays(sums, now)
      : sums.toSorted((a, b) => sizeOf(b.sum, measure) - sizeOf(a.sum, measure))
  const most = Math.max(8, Math.floor(columns / 3))
  const names = groups.map(({ name }) => shownName(name, selection.grouping, columns, most, ellipsis))
  const nameWidth = names.reduce((widest, name) => Math.max(widest, displayWidth(name)), 0)
  const room = columns - EDGE - nameWidth - BESIDE
  const figures = createColumns(
    groups.map(({ sum }) => sum),
    figuresOf(measure, !theme.markdown.unicode),
    { room: room - BESIDE - leastBar(columns), ellipsis },
  )
  return {
    measure,
    groups,
    names,
    nameWidth,
    total,
    largest: groups.reduce((largest, { sum }) => Math.max(largest, sizeOf(sum, measure)), 0),
    barWidth: Math.max(1, room - BESIDE - figures.width - 1),
    figures,
  }
}

/** At least these columns are for the bars. */
const leastBar = (columns: number): number => Math.max(6, Math.floor(columns / 5))

function shownName(name: string, grouping: string, columns: number, most: number, ellipsis: '…' | '...'): SafeText {
  const text = oneLine(sanitize(name))
  if (grouping === 'day') return columns >= 64 ? sanitize(`${name} ${weekday(name)}`) : sanitize(name.slice(5))
  return grouping === 'folder' ? shortenPath(text, most, ellipsis) : truncate(text, most, ellipsis)
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

const weekday = (day: string): string => WEEKDAYS[new Date(`${day}T12:00:00`).getDay()] ?? ''

/** Newest first, with the days between them on which nothing was used: without them, the plot would have no scale. */
function withEmptyDays(groups: readonly UsageGroup[], now: number): UsageGroup[] {
  const [first] = groups
  if (!first) return []
  const byDay = new Map(groups.map(group => [group.name, group]))
  const days = lastDays(now, Math.min(MOST_DAYS, daysSince(first.name, now)))
  return days.toReversed().map(name => byDay.get(name) ?? { name, sum: noSum })
}
