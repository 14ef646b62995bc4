import { createEditor } from '../composer/editor.ts'
import type { Chip } from './chips.ts'
import type { AppState } from './state.ts'

export type FoundImage = { label: string; character: string; chip: Chip }

/** The state with an image again where only its label stood: in the draft, or in a message that waits. */
export function withImage(state: AppState, { label, character, chip }: FoundImage): AppState {
  // As a function, since signs in a replacement may mean something.
  const again = (text: string): string => text.replace(label, () => character)
  const chips = new Map(state.chips).set(character, chip)
  const { editor, queue } = state
  const start = editor.text.indexOf(label)
  if (start < 0) return { ...state, chips, queue: { ...queue, entries: queue.entries.map(again) } }
  const isBehind = editor.caret >= start + label.length
  const caret = isBehind ? editor.caret - label.length + character.length : Math.min(editor.caret, start)
  // With nothing to undo: in the text of before there was no image.
  return { ...state, chips, editor: { ...createEditor(again(editor.text), editor.kills), caret } }
}
