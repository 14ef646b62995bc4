/** The shape of the caret, by the mode of the vim editor. */
import { visibleQuestion, type AppState } from '../state.ts'

export type CaretShape = 'block' | 'bar' | 'underline'

/** The caret's shape; null for the terminal's own. */
export function caretShape(state: AppState): CaretShape | null {
  const { vim, picker, page } = state
  if (vim === null) return null
  if (vim.mode === 'insert' || picker || page || visibleQuestion(state)) return 'bar'
  return vim.mode === 'replace' ? 'underline' : 'block'
}
