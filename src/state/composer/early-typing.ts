/**
 * Shows typing before the program handles keys. The keys themselves wait, and all of them are handled later, so this
 * only has to show their most likely effect.
 */
import { createEditor, edit, type Editor } from '../../composer/editor.ts'
import type { AppState } from '../state.ts'

/** An event that the first frame handles, before the program is loaded. */
export type EarlyEvent =
  | {
      type: 'typed_early'
      /** The text with what was typed before the program takes keys; null when it takes them, and they are typed again. */
      editor: Editor | null
    }
  | { type: 'ticked'; now: number }

export function reduceEarly(state: AppState, event: EarlyEvent): AppState {
  return event.type === 'ticked' ? { ...state, now: event.now } : { ...state, editor: event.editor ?? createEditor() }
}

/** The text with this key typed; null for a key that may do more than edit the text. */
export function typedEarly(editor: Editor, key: { name: string; text: string }): Editor | null {
  // A question mark on an empty line opens the help.
  if (key.name === 'text' && (editor.text !== '' || key.text !== '?'))
    return edit(editor, { kind: 'insert', text: key.text }, Infinity)
  if (key.name === 'backspace') return edit(editor, { kind: 'deleteLeft' }, Infinity)
  return null
}
