/** What a list is: everything about one stands in its file. */
import type { PickerApp, PickerLetters, PickerRequest } from '../../src/app/pickers/pickers.ts'
import type { AppEvent } from '../../src/state/reduce.ts'
import type { PickerKind, PickerOf } from '../../src/state/pickers/picker.ts'
import type { AppState } from '../../src/state/state.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { RowList } from './list.ts'

export type PickerSpec<Kind extends PickerKind> = {
  /** A few words, before the filter. */
  title: (picker: PickerOf<Kind>) => string
  /** The number of rows that match the filter. */
  size: (picker: PickerOf<Kind>) => number
  /** The list with another filter, at its first row. */
  filter: (picker: PickerOf<Kind>, filter: string) => PickerOf<Kind>
  /** The filter as it is shown; as it is typed by default. */
  shownFilter?: (picker: PickerOf<Kind>) => string
  rows: (picker: PickerOf<Kind>, state: AppState, theme: Theme) => RowList
  /** Whether some of its rows are still to come; never by default. */
  isIncomplete?: (picker: PickerOf<Kind>) => boolean
  letters: (picker: PickerOf<Kind>) => PickerLetters
  isDismissedByTyping?: (picker: PickerOf<Kind>) => boolean
  /** The list after an event. `state` is the one before. */
  follow?: (picker: PickerOf<Kind>, event: AppEvent, state: AppState) => PickerOf<Kind>
  open?: (app: PickerApp, request: PickerRequest) => void
  /** Carries out the selected row. */
  take: (app: PickerApp, picker: PickerOf<Kind>) => void
  widen?: (app: PickerApp, picker: PickerOf<Kind>) => void
  rename?: (app: PickerApp, picker: PickerOf<Kind>) => void
  remove?: (app: PickerApp, picker: PickerOf<Kind>) => void
  /** Acts on the selected row, where letters are keys. */
  press?: (app: PickerApp, picker: PickerOf<Kind>, letter: string) => void
  /** Called when it was closed without taking a row. */
  closed?: (app: PickerApp) => void
}
