/**
 * Typing before the program hears keys. The composer shows it at once; the keys themselves wait, and are handed over with
 * nothing left out. So this only has to show what they will most likely do.
 */
import { createEditor, edit, type Editor } from '../../composer/editor.ts'
import type { AppState } from '../state.ts'

/** The state with this key typed; null for a key that may do something else than edit the text. */
export function typedEarly(state: AppState, key: { name: string; text: string }): AppState | null {
  const { editor } = state
  // The answers of the terminal come this way, too; they and unknown keys change nothing.
  if (key.name === '') return state
  // On an empty line it opens the help.
  if (key.name === 'text' && (editor.text !== '' || key.text !== '?'))
    return withEditor(state, edit(editor, { kind: 'insert', text: key.text }, Infinity))
  if (key.name === 'backspace') return withEditor(state, edit(editor, { kind: 'deleteLeft' }, Infinity))
  return null
}

/** The state before the typing, for when the keys are handed over. */
export function beforeTyping(state: AppState): AppState {
  return withEditor(state, createEditor())
}

function withEditor(state: AppState, editor: Editor): AppState {
  return { ...state, editor }
}
