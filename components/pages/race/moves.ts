/** What keys and the mouse do on the page of a race. */
import { keyListAfter } from '../key-list.ts'
import type { PageInput } from '../page-input.ts'
import { scrollSteps, WHEEL_ROWS } from '../scroll.ts'
import type { RaceReading } from './reading.ts'
import { entrantAtRow, topOf } from './rows.ts'
import type { RaceMove, RacePageState } from './state.ts'

/** The next state; null closes the page. */
export function raceAfter(reading: RaceReading, input: PageInput<RaceMove>): RacePageState | null {
  const { view } = reading
  switch (input.kind) {
    case 'move':
      return afterMove(reading, input.move)
    case 'wheel':
      return view.help === null
        ? scrolled(reading, input.by * WHEEL_ROWS)
        : afterMove(reading, input.by > 0 ? 'down' : 'up')
    case 'click': {
      const at = view.help === null ? entrantAtRow(reading, input.y) : null
      return at === null ? view : choosing(reading, at)
    }
    case 'text':
      return view
  }
}

function afterMove(reading: RaceReading, move: RaceMove): RacePageState | null {
  const { view, area, selected } = reading
  if (move === 'leave') return view.help === null ? null : { ...view, help: null }
  if (view.help !== null) return { ...view, help: keyListAfter(reading, view.help, move) }
  if (move === 'help') return { ...view, help: 0 }
  const by = scrollSteps(Math.max(2, area))[move]
  return move === 'up' || move === 'down' ? choosing(reading, selected + by) : scrolled(reading, by)
}

function choosing({ view, shown, selected }: RaceReading, target: number): RacePageState {
  const at = Math.max(0, Math.min(shown.length - 1, target))
  return { ...view, selected: at, ...(at !== selected && { top: 0 }) }
}

function scrolled(reading: RaceReading, by: number): RacePageState {
  const top = Math.max(0, topOf(reading) + by)
  return { ...reading.view, top: topOf({ ...reading, view: { ...reading.view, top } }) }
}
