/** What keys and the mouse do in /usage. */
import { usageGroupings, usagePeriods, type UsageSelection } from '../../../src/usage/groups.ts'
import { usageMeasures } from '../../../src/usage/measures.ts'
import { keyListAfter } from '../key-list.ts'
import type { PageInput } from '../page-input.ts'
import { scrollSteps, WHEEL_ROWS } from '../scroll.ts'
import type { UsageReading } from './reading.ts'
import { choiceAt, firstPlotRow, lastTop, rowAt } from './rows.ts'
import type { UsageMove, UsageState } from './state.ts'

/** The next state; null closes the page. */
export function usageAfter(reading: UsageReading, input: PageInput<UsageMove>): UsageState | null {
  const { view } = reading
  switch (input.kind) {
    case 'move':
      return afterMove(reading, input.move)
    case 'wheel':
      if (view.help !== null) return afterMove(reading, input.by > 0 ? 'down' : 'up')
      return scrolled(reading, input.by * WHEEL_ROWS)
    case 'click':
      return view.help === null ? afterClick(reading, input.x, input.y) : view
    case 'text':
      return view
  }
}

/** Esc: out of the list of keys, then out of what was opened, then out of the page. */
function left({ view }: UsageReading): UsageState | null {
  if (view.help !== null) return { ...view, help: null }
  return view.selection.only ? closed(view) : null
}

function afterMove(reading: UsageReading, move: UsageMove): UsageState | null {
  const { view, plot, area, selected } = reading
  const { selection } = view
  if (move === 'leave') return left(reading)
  if (view.help !== null) return { ...view, help: keyListAfter(reading, view.help, move) }
  switch (move) {
    case 'help':
      return { ...view, help: 0 }
    case 'next_measure':
      return { ...view, measure: next(usageMeasures, plot.measure, 1) }
    case 'previous_measure':
      return { ...view, measure: next(usageMeasures, plot.measure, -1) }
    case 'next_grouping':
      return choosing(view, { grouping: next(usageGroupings, selection.grouping, 1) })
    case 'previous_grouping':
      return choosing(view, { grouping: next(usageGroupings, selection.grouping, -1) })
    case 'longer':
      return choosing(view, { days: step(usagePeriods, selection.days, 1) })
    case 'shorter':
      return choosing(view, { days: step(usagePeriods, selection.days, -1) })
    case 'open':
      return opened(reading)
    case 'back':
      return selection.only ? closed(view) : view
    case 'top':
      return { ...view, selected: 0, top: 0 }
    case 'bottom':
    case 'up':
    case 'down':
    case 'page_up':
    case 'page_down':
    case 'half_up':
    case 'half_down':
      return selecting(reading, selected + scrollSteps(area)[move])
  }
}

/** The rows are others: the first of them is selected. */
function choosing(view: UsageState, chosen: Partial<UsageSelection>): UsageState {
  return { ...view, selection: { ...view.selection, ...chosen }, selected: 0, top: 0 }
}

/** Shows what the selected row is made of. */
function opened({ view, plot, selected }: UsageReading): UsageState {
  const { grouping, only } = view.selection
  const group = plot.groups[selected]
  if (!group || only || group.sum.calls + group.sum.turns === 0) return view
  return choosing(view, { grouping: grouping === 'day' ? 'model' : 'day', only: { grouping, name: group.name } })
}

function closed(view: UsageState): UsageState {
  const { only, grouping } = view.selection
  return choosing(view, { only: null, grouping: only?.grouping ?? grouping })
}

/** Selects a row and scrolls as far as it needs; up from the first row shows what is above it. */
function selecting(reading: UsageReading, target: number): UsageState {
  const { view, plot, area, selected } = reading
  const index = Math.max(0, Math.min(plot.groups.length - 1, target))
  if (index === 0 && target <= 0)
    return { ...view, selected: 0, top: Math.max(0, view.top - Math.max(1, selected - target)) }
  const row = firstPlotRow(reading) + index
  return { ...view, selected: index, top: Math.max(row - area + 1, Math.min(view.top, row)) }
}

function scrolled(reading: UsageReading, by: number): UsageState {
  const { view } = reading
  return { ...view, top: Math.max(0, Math.min(lastTop(reading), view.top + by)) }
}

/** A click on a choice chooses it; one on a row selects it, and a second one opens it. */
function afterClick(reading: UsageReading, x: number, y: number): UsageState {
  const { view, selected } = reading
  const choice = choiceAt(reading, x, y)
  if (choice?.measure) return { ...view, measure: choice.measure }
  if (choice?.selection) return choosing(view, choice.selection)
  const index = rowAt(reading, y)
  if (index === null) return view
  return index === selected ? opened(reading) : { ...view, selected: index }
}

/** The next one, and the first after the last one. */
function next<T>(all: readonly T[], now: T, by: 1 | -1): T {
  return all.at((all.indexOf(now) + by) % all.length) ?? now
}

/** The next one, if there is one. */
function step<T>(all: readonly T[], now: T, by: 1 | -1): T {
  const at = all.indexOf(now) + by
  const found = at < 0 ? undefined : all[at]
  return found === undefined ? now : found
}
