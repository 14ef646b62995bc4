/**
 * The composer's editor: an immutable value, and a function that returns the next one. The text holds what
 * `normalisePaste` lets through, and the caret always lies between two characters as a user counts them.
 */
import { withoutChips } from './chips.ts'
import { boundaryFrom, boundaryUpTo, nextBoundary, previousBoundary } from './graphemes.ts'
import { rowAt, rowCount } from './layout.ts'
import { lineEnd, lineStart, moved, type Motion } from './motion.ts'
import { normalisePaste } from './paste.ts'
import { detached } from '../text/detached.ts'
import { applied, record, reverted, type Step } from './undo.ts'
import { blankWordStart, wordEnd, wordStart } from './word-bounds.ts'

export interface Editor {
  readonly text: string
  /** Offset in UTF-16 units, like every offset here. */
  readonly caret: number
  /** The selection's other end; null if nothing is selected. Never equal to the caret. */
  readonly anchor: number | null
  /** The column that moving up and down keeps; null after anything else. */
  readonly column: number | null
  /** Newest last. */
  readonly undo: readonly Step[]
  /** Undone steps, the next one to redo last. */
  readonly redo: readonly Step[]
  /** The kill ring, newest last. */
  readonly kills: readonly string[]
  /** The kind of the last command: typing, deleting and killing may continue a run, and a yank may be popped. */
  readonly last: 'typing' | 'deleting' | 'killing' | 'yanking' | 'other'
}

/** Part of a text: from `start` up to, not including, `end`. */
export interface TextRange {
  readonly start: number
  readonly end: number
}

/** Commands on the text. A change replaces the selection; a movement without `select` drops it. */
export type EditCommand =
  /** Typed text: joins the undo step of the word before it. */
  | { readonly kind: 'insert'; readonly text: string }
  /** Pasted text: its own undo step. */
  | { readonly kind: 'paste'; readonly text: string }
  /** A chip, see chips.ts: its own undo step. */
  | { readonly kind: 'chip'; readonly chip: string }
  | { readonly kind: 'newline' }
  | { readonly kind: 'deleteLeft' }
  | { readonly kind: 'deleteRight' }
  /** Ctrl+W: kills back over blanks, and then over anything else. */
  | { readonly kind: 'deleteWordLeft' }
  /** Alt+Backspace: kills back over other characters, and then over letters and digits. */
  | { readonly kind: 'killWordLeft' }
  /** Alt+D */
  | { readonly kind: 'killWordRight' }
  /** Ctrl+U: the logical line; at its start, the newline before it. */
  | { readonly kind: 'killToLineStart' }
  /** Ctrl+K: the logical line; at its end, the newline. */
  | { readonly kind: 'killToLineEnd' }
  | { readonly kind: 'yank' }
  /** Right after a yank: replaces it with the kill before it. */
  | { readonly kind: 'yankPop' }
  | { readonly kind: 'move'; readonly to: Motion; readonly select?: boolean }
  | { readonly kind: 'selectAll' }
  /** Kills the selection. */
  | { readonly kind: 'killSelection' }
  /** Copies the selection to the kill ring. */
  | { readonly kind: 'copySelection' }
  /** For completion: the caret lands after the text. */
  | { readonly kind: 'replace'; readonly range: TextRange; readonly text: string }
  | { readonly kind: 'setText'; readonly text: string }
  | { readonly kind: 'clear' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }

/** Texts in the kill ring. */
const KILL_LIMIT = 30

/** A new editor with the caret at the end. `kills` carries a kill ring over from another one. */
export function createEditor(text = '', kills: readonly string[] = []): Editor {
  const clean = normalisePaste(text)
  return {
    text: clean,
    caret: clean.length,
    anchor: null,
    column: null,
    undo: [],
    redo: [],
    kills,
    last: 'other',
  }
}

/** The editor after a command. `width` is that of `layout`: some movements go by row. */
export function edit(editor: Editor, command: EditCommand, width: number): Editor {
  switch (command.kind) {
    case 'insert':
      return insert(editor, command.text, 'typing')
    case 'paste':
      return insert(editor, command.text, 'other')
    case 'chip':
      return changed(editor, selection(editor) ?? { start: editor.caret, end: editor.caret }, command.chip, 'other')
    case 'newline':
      return insert(editor, '\n', 'other')
    case 'deleteLeft':
      return remove(editor, { start: previousBoundary(editor.text, editor.caret), end: editor.caret })
    case 'deleteRight':
      return remove(editor, { start: editor.caret, end: nextBoundary(editor.text, editor.caret) })
    case 'deleteWordLeft':
    case 'killWordLeft':
    case 'killWordRight':
    case 'killToLineStart':
    case 'killToLineEnd':
      return kill(editor, command.kind)
    case 'killSelection':
      return editor.anchor === null ? editor : kill(editor, 'killToLineEnd')
    case 'copySelection':
      return copy(editor)
    case 'yank':
      return yank(editor)
    case 'yankPop':
      return yankPop(editor)
    case 'move':
      return move(editor, command.to, command.select === true, width)
    case 'selectAll':
      return placed(editor, editor.text.length, 0, null)
    case 'replace':
      return changed(editor, command.range, normalisePaste(command.text), 'other')
    case 'setText':
      return changed(editor, { start: 0, end: editor.text.length }, normalisePaste(command.text), 'other')
    case 'clear':
      return changed(editor, { start: 0, end: editor.text.length }, '', 'other')
    case 'undo':
      return undo(editor)
    case 'redo':
      return redo(editor)
  }
}

/** The range of the selection, or null. */
export function selection(editor: Editor): TextRange | null {
  if (editor.anchor === null) return null
  return { start: Math.min(editor.anchor, editor.caret), end: Math.max(editor.anchor, editor.caret) }
}

/** The selected text, empty when nothing is selected. */
export function selectedText(editor: Editor): string {
  const range = selection(editor)
  return range === null ? '' : editor.text.slice(range.start, range.end)
}

/** Whether the caret is in the first row, from which moving up leaves the text. */
export function atFirstLine(editor: Editor, width: number): boolean {
  return rowAt(editor.text, editor.caret, width).row === 0
}

/** Whether the caret is in the last row, from which moving down leaves the text. */
export function atLastLine(editor: Editor, width: number): boolean {
  return rowAt(editor.text, editor.caret, width).row === rowCount(editor.text, width) - 1
}

/** The editor with the caret and the other end of the selection placed. Ends a run. */
function placed(editor: Editor, caret: number, anchor: number | null, column: number | null): Editor {
  return { ...editor, caret, anchor: anchor === caret ? null : anchor, column, last: 'other' }
}

function move(editor: Editor, to: Motion, select: boolean, width: number): Editor {
  const selected = selection(editor)
  if (!select && selected !== null && (to === 'left' || to === 'right')) {
    return placed(editor, to === 'left' ? selected.start : selected.end, null, null)
  }
  const { caret, column } = moved(editor.text, editor, to, width)
  return placed(editor, caret, select ? (editor.anchor ?? editor.caret) : null, column)
}

/**
 * The only way in which text changes. The caret goes to the next boundary after the inserted text, since characters may
 * have joined there.
 */
function changed(editor: Editor, range: TextRange, inserted: string, as: Editor['last']): Editor {
  const at = boundaryUpTo(editor.text, range.start)
  const end = Math.max(at, boundaryFrom(editor.text, range.end))
  const removed = detached(editor.text.slice(at, end))
  if (removed === inserted) return placed(editor, at + inserted.length, null, null)
  const change = { at, removed, inserted, caretBefore: editor.caret }
  const text = applied(editor.text, { ...change, caretAfter: 0 })
  const caret = boundaryFrom(text, at + inserted.length)
  const run = editor.last === as && (as === 'typing' || as === 'deleting') ? as : 'none'
  const undo = record(editor.undo, { ...change, caretAfter: caret }, run)
  return { ...editor, text, caret, anchor: null, column: null, undo, redo: [], last: as }
}

function insert(editor: Editor, text: string, as: 'typing' | 'other'): Editor {
  const clean = withoutChips(normalisePaste(text))
  if (clean === '') return editor
  return changed(editor, selection(editor) ?? { start: editor.caret, end: editor.caret }, clean, as)
}

function remove(editor: Editor, range: TextRange): Editor {
  return changed(editor, selection(editor) ?? range, '', 'deleting')
}

type Kill = 'deleteWordLeft' | 'killWordLeft' | 'killWordRight' | 'killToLineStart' | 'killToLineEnd'

/** Consecutive kills make one entry of the ring, each on its own side. If text is selected, that is killed. */
function kill(editor: Editor, kind: Kill): Editor {
  const range = selection(editor) ?? killRange(editor.text, editor.caret, kind)
  if (range.start === range.end) return editor.last === 'killing' ? editor : placed(editor, editor.caret, null, null)
  const killed = detached(editor.text.slice(range.start, range.end))
  const grown = editor.last === 'killing' ? editor.kills.at(-1) : undefined
  const entry = grown === undefined ? killed : range.start < editor.caret ? killed + grown : grown + killed
  const older = grown === undefined ? editor.kills.slice(-KILL_LIMIT + 1) : editor.kills.slice(0, -1)
  return { ...changed(editor, range, '', 'killing'), kills: [...older, entry] }
}

function copy(editor: Editor): Editor {
  const text = selectedText(editor)
  if (text === '') return editor
  return { ...editor, kills: [...editor.kills.slice(-KILL_LIMIT + 1), detached(text)], last: 'other' }
}

function killRange(text: string, caret: number, kind: Kill): TextRange {
  switch (kind) {
    case 'deleteWordLeft':
      return { start: blankWordStart(text, caret), end: caret }
    case 'killWordLeft':
      return { start: wordStart(text, caret), end: caret }
    case 'killWordRight':
      return { start: caret, end: wordEnd(text, caret) }
    case 'killToLineStart': {
      const start = lineStart(text, caret)
      return { start: start === caret ? Math.max(0, caret - 1) : start, end: caret }
    }
    case 'killToLineEnd': {
      const end = lineEnd(text, caret)
      return { start: caret, end: end === caret ? Math.min(text.length, caret + 1) : end }
    }
  }
}

function yank(editor: Editor): Editor {
  const newest = editor.kills.at(-1)
  if (newest === undefined) return editor
  return changed(editor, selection(editor) ?? { start: editor.caret, end: editor.caret }, newest, 'yanking')
}

/** Turns the ring by one and replaces the yanked text with the entry that is now newest, in the same undo step. */
function yankPop(editor: Editor): Editor {
  const step = editor.undo.at(-1)
  const newest = editor.kills.at(-1)
  if (editor.last !== 'yanking' || step === undefined || newest === undefined) return editor
  const kills = [newest, ...editor.kills.slice(0, -1)]
  const inserted = kills.at(-1) ?? newest
  const text = applied(reverted(editor.text, step), { ...step, inserted })
  const caret = boundaryFrom(text, step.at + inserted.length)
  const undo = [...editor.undo.slice(0, -1), { ...step, inserted, caretAfter: caret }]
  return { ...editor, text, caret, kills, undo }
}

function undo(editor: Editor): Editor {
  const step = editor.undo.at(-1)
  if (step === undefined) return editor
  const text = reverted(editor.text, step)
  const back = { ...editor, text, undo: editor.undo.slice(0, -1), redo: [...editor.redo, step] }
  return placed(back, step.caretBefore, null, null)
}

function redo(editor: Editor): Editor {
  const step = editor.redo.at(-1)
  if (step === undefined) return editor
  const text = applied(editor.text, step)
  const again = { ...editor, text, undo: [...editor.undo, step], redo: editor.redo.slice(0, -1) }
  return placed(again, step.caretAfter, null, null)
}
