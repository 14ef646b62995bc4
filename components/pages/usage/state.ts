/** What /usage remembers while it is open. */
import { usagePeriods, type UsageCell, type UsageGroup, type UsageSelection } from '../../../src/usage/groups.ts'
import type { UsageMeasure } from '../../../src/usage/measures.ts'
import type { ScrollMove } from '../scroll.ts'

export type UsageMove =
  | ScrollMove
  | 'next_measure'
  | 'previous_measure'
  | 'next_grouping'
  | 'previous_grouping'
  | 'longer'
  | 'shorter'
  | 'open'
  | 'back'
  | 'help'
  | 'leave'

/** The actions that do more than move. */
export type UsageWork = 'reload' | 'copy' | 'save_csv' | 'save_json' | 'save_html'

/** The records that have been read, as sums. */
export type FoundUsage = {
  cells: readonly UsageCell[]
  /** The models of this session. */
  own: readonly UsageGroup[]
  /** More records of the period may come. */
  isReading: boolean
}

export type UsageState = {
  /** When the records were read, in milliseconds since the Unix epoch: days are counted from it. */
  now: number
  found: FoundUsage
  /** What the user should know of the records; usually empty. */
  note: string
  /** Null for the cost, or the tokens if nothing has a price. */
  measure: UsageMeasure | null
  selection: UsageSelection
  /** The index of the selected row. A number that is too high means the last one. */
  selected: number
  /** The first visible row below the title. */
  top: number
  /** The scroll position of the key list; null if it is not shown. */
  help: number | null
}

export type KeptUsage = Pick<UsageState, 'measure' | 'selection'>

export function initialUsage(note: string, { measure = null, selection }: Partial<KeptUsage> = {}): UsageState {
  const all: UsageSelection = { grouping: 'day', days: usagePeriods[1], only: null }
  return {
    now: 0,
    found: { cells: [], own: [], isReading: true },
    note,
    measure,
    selection: selection ?? all,
    selected: 0,
    top: 0,
    help: null,
  }
}
