/** The composer as a panel of the whole program. */
import { fromSlice } from '../from-slice.ts'
import { composer as draft, drawComposer } from './rows.ts'

export const composer = fromSlice(
  draft,
  ({ state: { editor, noting, vim, chips }, theme, columns, rows }) => ({
    editor,
    noting,
    vim,
    chips,
    theme,
    columns,
    rows,
  }),
  slice => drawComposer(slice, slice),
)
