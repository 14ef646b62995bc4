/**
 * Shows typing before the program handles keys. The keys themselves wait, and all of them are handled later, so this
 * only has to show their most likely effect.
 */
import { createEditor, edit, type Editor } from '../../composer/editor.ts'
import type { AppState } from '../state.ts'

/** The state with this key typed; null for a key that may do more than edit the text. */
export function typedEarly(state: AppState, key: { name: string; text: string }): AppState | null {
  const { editor } = state
  // The terminal's replies and unknown keys change nothing.
  if (key.name === '') return state
  // A question mark on an empty line opens the help.
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
