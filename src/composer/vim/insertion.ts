/** Typing in insert and replace mode: its beginning, and its end with Esc. */
import { edit, type Editor } from '../editor.ts'
import { boundaryUpTo, eachCharacter, nextBoundary, previousBoundary } from '../graphemes.ts'
import { placed, stepBetween, type VimEditor } from './change.ts'
import { isLineEnd, isLineStart } from './places.ts'
import type { Insertion, LastChange, Vim } from './vim.ts'

export interface InsertionStart {
  /** The state before the command. */
  readonly before: VimEditor
  /** The place that an undo returns to. */
  readonly caretBefore: number
  readonly change: Insertion['change']
  readonly times?: number
  readonly opensLines?: boolean
  readonly mode?: 'insert' | 'replace'
}

/** Begins typing at the caret. */
export function begin({ editor, vim }: VimEditor, start: InsertionStart): VimEditor {
  const { before, caretBefore, change, times = 1, opensLines = false, mode = 'insert' } = start
  const insertion: Insertion = {
    original: before.editor.text,
    undo: before.editor.undo,
    caretBefore,
    text: editor.text,
    caret: editor.caret,
    change,
    times,
    opensLines,
    overwritten: { characters: [], caret: editor.caret },
  }
  return { editor, vim: { ...vim, mode, pending: [], marked: null, goal: null, insertion } }
}

/** Esc: repeats the text as often as the count asks for, all of it as one undo step. */
export function finish(state: VimEditor, width: number): VimEditor {
  const { vim } = state
  const { insertion } = vim
  let { editor } = state
  const typed = insertion && typedText(insertion, editor, vim.mode === 'replace')
  if (insertion && typed && (typed.text !== '' || insertion.opensLines)) {
    for (let left = insertion.times - 1; left > 0; left -= 1) {
      const again = insertion.opensLines ? `\n${typed.text}` : typed.text
      editor = vim.mode === 'replace' ? overwrite(editor, again).editor : typeIn(editor, again, width)
    }
  }
  const { text, caret } = editor
  const back = placed(editor, isLineStart(text, caret) ? caret : previousBoundary(text, caret))
  const hasTyped = typed !== null && (typed.text !== '' || typed.erased > 0)
  return { editor: insertion ? asOneStep(back, insertion, hasTyped) : back, vim: afterTyping(vim, typed) }
}

function afterTyping(vim: Vim, typed: LastChange['typed'] | null): Vim {
  const change = vim.insertion && typed ? { ...vim.insertion.change, typed } : vim.change
  return { ...vim, mode: 'normal', pending: [], insertion: null, goal: null, change }
}

/** Types the text again, as part of a repeated command. */
export function typeAgain(state: VimEditor, typed: NonNullable<LastChange['typed']>, width: number): VimEditor {
  let { editor } = state
  for (let left = typed.erased; left > 0; left -= 1) editor = edit(editor, { kind: 'deleteLeft' }, width)
  editor = state.vim.mode === 'replace' ? overwrite(editor, typed.text).editor : typeIn(editor, typed.text, width)
  return finish({ ...state, editor }, width)
}

/** Inserts text at the caret, including chips. */
function typeIn(editor: Editor, text: string, width: number): Editor {
  if (text === '') return editor
  return edit(editor, { kind: 'replace', range: { start: editor.caret, end: editor.caret }, text }, width)
}

/** The text that was typed, and the characters before it that were deleted; null if something else happened to the text. */
function typedText(insertion: Insertion, editor: Editor, isReplacing: boolean): LastChange['typed'] {
  const { text } = editor
  const before = insertion.text.slice(0, insertion.caret)
  const behind = insertion.text.slice(insertion.caret)
  let same = 0
  while (same < before.length && before[same] === text[same]) same += 1
  same = boundaryUpTo(before, same)
  const end = isReplacing ? editor.caret : text.length - behind.length
  if (end < same || !(isReplacing || text.endsWith(behind))) return null
  return { text: text.slice(same, end), erased: characters(before.slice(same)).length }
}

/** One undo step for the command and what was typed. */
function asOneStep(editor: Editor, { original, undo, caretBefore }: Insertion, hasTyped: boolean): Editor {
  const newest = undo.at(-1)
  // Older steps may have been dropped.
  if (newest !== undefined && editor.undo[undo.length - 1] !== newest) return editor
  if (!hasTyped && editor.undo.length === undo.length) return editor
  return { ...editor, undo: [...undo, stepBetween(original, editor.text, caretBefore, editor.caret)], redo: [] }
}

/** Overwrites the characters at the caret, and returns them; a newline and text at the end of a line are inserted. */
function overwrite(editor: Editor, text: string): { editor: Editor; over: readonly string[] } {
  let next = editor
  const over: string[] = []
  for (const character of characters(text)) {
    const { caret } = next
    const inserts = character === '\n' || isLineEnd(next.text, caret)
    const end = inserts ? caret : nextBoundary(next.text, caret)
    over.push(next.text.slice(caret, end))
    next = edit(next, { kind: 'replace', range: { start: caret, end }, text: character }, 1)
  }
  return { editor: next, over }
}

/** Types text in replace mode. */
export function typeOver({ editor, vim }: VimEditor, text: string): VimEditor {
  const { insertion } = vim
  const next = overwrite(editor, text)
  if (insertion === null) return { editor: next.editor, vim }
  const { overwritten } = insertion
  const before = overwritten.caret === editor.caret ? overwritten.characters : []
  const now = { characters: [...before, ...next.over], caret: next.editor.caret }
  return { editor: next.editor, vim: { ...vim, insertion: { ...insertion, overwritten: now } } }
}

/** Backspace in replace mode: the character that stood there comes back. */
export function restoreOver({ editor, vim }: VimEditor): VimEditor {
  const { insertion } = vim
  const { text, caret } = editor
  const former = insertion?.overwritten.caret === caret ? insertion.overwritten.characters.at(-1) : undefined
  if (insertion === null || former === undefined) {
    return { editor: placed(editor, isLineStart(text, caret) ? caret : previousBoundary(text, caret)), vim }
  }
  const start = previousBoundary(text, caret)
  const next = placed(edit(editor, { kind: 'replace', range: { start, end: caret }, text: former }, 1), start)
  const overwritten = { characters: insertion.overwritten.characters.slice(0, -1), caret: start }
  return { editor: next, vim: { ...vim, insertion: { ...insertion, overwritten } } }
}

/** The characters of a text, as people count them. */
export function characters(text: string): string[] {
  const found: string[] = []
  text.split('\n').forEach((line, index) => {
    if (index > 0) found.push('\n')
    let at = 0
    eachCharacter(line, length => {
      found.push(line.slice(at, at + length))
      at += length
      return true
    })
  })
  return found
}
