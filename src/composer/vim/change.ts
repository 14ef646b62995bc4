/** The editor and its vim state, and the one way in which commands change the text: each as one undo step. */
import { boundaryFrom, boundaryUpTo } from '../graphemes.ts'
import type { Editor, TextRange } from '../editor.ts'
import { lineEnd, lineStart } from '../motion.ts'
import { applied, record, reverted, type Step } from '../undo.ts'
import { detached } from '../../text/detached.ts'
import { firstNonBlank, lineAway, lineNumber, onCharacter } from './places.ts'
import type { Vim } from './vim.ts'

export interface VimEditor {
  readonly editor: Editor
  readonly vim: Vim
}

/** The editor with other text in a range. `from` is the caret that an undo returns to. */
export function replaced(editor: Editor, range: TextRange, inserted: string, caret: number, from: number): Editor {
  const removed = detached(editor.text.slice(range.start, range.end))
  const change = { at: range.start, removed, inserted, caretBefore: from }
  const text = applied(editor.text, { ...change, caretAfter: 0 })
  const place = boundaryUpTo(text, caret)
  const undo = record(editor.undo, { ...change, caretAfter: place }, 'none')
  return { ...editor, text, caret: place, anchor: null, column: null, undo, redo: [], last: 'other' }
}

/** The editor with the caret at a place. */
export function placed(editor: Editor, caret: number): Editor {
  return { ...editor, caret: boundaryFrom(editor.text, caret), anchor: null, column: null, last: 'other' }
}

/** The step that leads from one text to another. */
export function stepBetween(before: string, after: string, caretBefore: number, caretAfter: number): Step {
  const most = Math.min(before.length, after.length)
  let at = 0
  while (at < most && before[at] === after[at]) at += 1
  let tail = 0
  while (tail < most - at && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1
  return {
    at,
    removed: detached(before.slice(at, before.length - tail)),
    inserted: detached(after.slice(at, after.length - tail)),
    caretBefore,
    caretAfter,
  }
}

/** Undoes or redoes the newest step; null without one. */
export function undone(editor: Editor, direction: 'undo' | 'redo'): Editor | null {
  const step = editor[direction].at(-1)
  if (step === undefined) return null
  const isUndo = direction === 'undo'
  const text = isUndo ? reverted(editor.text, step) : applied(editor.text, step)
  const stacks = isUndo
    ? { undo: editor.undo.slice(0, -1), redo: [...editor.redo, step] }
    : { undo: [...editor.undo, step], redo: editor.redo.slice(0, -1) }
  const before = isUndo ? text : editor.text
  return placed({ ...editor, ...stacks, text }, caretAfterUndo(before, text, step, isUndo))
}

/** The caret returns to the beginning of the change if that is near the changed lines, or else to the first of them. */
function caretAfterUndo(before: string, text: string, step: Step, isUndo: boolean): number {
  const back = isUndo ? step.removed : step.inserted
  const firstLine = lineStart(text, Math.min(step.at, text.length))
  const behind = step.at + back.length
  const above = firstLine === 0 ? 0 : lineStart(text, firstLine - 1)
  const newline = text.indexOf('\n', behind)
  const below = newline < 0 ? text.length : text.indexOf('\n', newline + 1)
  // The place is a line and a column: text that a redo adds above it does not move it.
  const line = lineAway(text, 0, lineNumber(before, step.caretBefore))
  const column = step.caretBefore - lineStart(before, step.caretBefore)
  const caret = Math.min(line + column, lineEnd(text, line))
  if (caret >= above && caret <= (below < 0 ? text.length : below)) return onCharacter(text, caret)
  return firstNonBlank(text, firstLine)
}
