/** The visual modes: what is selected, and what commands do with it. */
import type { Editor, TextRange } from '../editor.ts'
import { lineEnd, lineStart } from '../motion.ts'
import { nextBoundary } from '../graphemes.ts'
import { placed, replaced, type VimEditor } from './change.ts'
import { begin, characters } from './insertion.ts'
import { clear, join, recase, remove, shift, undoneTo, wholeLines, yank, type OperatorRange } from './operators.ts'
import { columnAt, columnsAt, firstNonBlank, isLineEnd, lineAway, onCharacter, placeAtColumn } from './places.ts'
import { deleted, registerOf } from './registers.ts'
import type { Register, Vim, VimCommand, VisualExtent } from './vim.ts'

/** The selected text: with the character under the caret, and with the newline if the caret is after the line. */
export function selectedRange(text: string, anchor: number, caret: number, isLinewise: boolean): OperatorRange {
  const [start, last] = anchor <= caret ? [anchor, caret] : [caret, anchor]
  const rest = { isBig: false, last }
  if (isLinewise) return { ...wholeLines(text, start, last), ...rest }
  return { start, end: Math.min(text.length, nextBoundary(text, last)), isLinewise: false, ...rest }
}

/** The marked text on the screen. */
export function markedRange(text: string, vim: Vim, caret: number): TextRange | null {
  if (vim.mode !== 'visual' && vim.mode !== 'visual-line') return null
  const { start, end, isLinewise } = selectedRange(text, vim.anchor, caret, vim.mode === 'visual-line')
  return { start, end: isLinewise && end < text.length ? end + 1 : end }
}

/** The extent of a selection, for `.`. */
export function extentOf(text: string, range: OperatorRange, vim: Vim): VisualExtent {
  const lines = text.slice(range.start, range.end).split('\n').length
  const { isLinewise } = range
  if (isLinewise) return { isLinewise, lines, column: 0 }
  const end = range.last ?? range.start
  const isToEnd = vim.goal?.column === 'end'
  const rows = text.slice(range.start, end).split('\n').length
  if (isToEnd) return { isLinewise, lines: rows, column: 'end' }
  const { from } = columnsAt(text, range.start)
  const column = rows === 1 ? columnsAt(text, end).to - from + 1 : columnsAt(text, end).to
  return { isLinewise, lines: rows, column }
}

/** The text from the caret on that has the same extent. */
export function sameExtent(text: string, caret: number, { isLinewise, lines, column }: VisualExtent): OperatorRange {
  const line = lineAway(text, caret, lines - 1)
  if (isLinewise) return selectedRange(text, caret, line, true)
  if (column === 'end') return selectedRange(text, caret, lineEnd(text, line), false)
  const endColumn = lines === 1 ? columnAt(text, caret) + column - 1 : column
  return selectedRange(text, caret, placeAtColumn(text, line, endColumn, true), false)
}

/** The caret that a command leaves: the start, or the caret itself if it is in a line above the others. */
function startingCaret({ editor, vim }: VimEditor, range: OperatorRange): number {
  if (range.isLinewise && vim.mode === 'normal') return editor.caret
  const isAbove = range.isLinewise && lineStart(editor.text, editor.caret) < lineStart(editor.text, vim.anchor)
  return isAbove ? editor.caret : range.start
}

/** Runs a command on a selection; null if it cannot. */
export function onSelection(
  state: VimEditor,
  command: VimCommand,
  range: OperatorRange,
  extent: VisualExtent,
): VimEditor | null {
  const { editor, vim } = state
  const { verb, register, count } = command
  const change = { command, extent }
  const caret = startingCaret(state, range)
  const done = (next: VimEditor): VimEditor => ({
    ...next,
    vim: { ...next.vim, mode: 'normal', marked: null, goal: null, change: { ...change, typed: null } },
  })
  const lines: OperatorRange = { ...range, ...wholeLines(editor.text, range.start, range.last ?? range.start) }
  switch (verb) {
    case 'd':
    case 'x':
      return done(remove(state, range, register, range.start))
    case 'D':
    case 'X':
      return done(remove(state, lines, register, lines.start))
    case 'y':
    case 'Y': {
      const yanked = verb === 'Y' ? lines : range
      const next = yank(state, yanked, register, onCharacter(editor.text, startingCaret(state, yanked)))
      return { ...next, vim: { ...next.vim, mode: 'normal', marked: null, goal: null } }
    }
    case 'c':
    case 's':
    case 'C':
    case 'S':
    case 'R': {
      const cleared = verb === 'c' || verb === 's' ? range : lines
      const caretBefore = undoneTo(editor.text, cleared, startingCaret(state, cleared))
      return begin(clear(state, cleared, register, caretBefore), { before: state, caretBefore, change })
    }
    case '~':
    case 'g~':
      return done({ editor: cased(editor, range, 'g~', caret), vim })
    case 'u':
    case 'U':
    case 'gu':
    case 'gU':
      return done({ editor: cased(editor, range, verb, caret), vim })
    case '>':
    case '<':
      return done({ editor: shift(editor, lines, (count ?? 1) * (verb === '>' ? 1 : -1), caret), vim })
    case 'J':
    case 'gJ': {
      const joined = join(editor, lines.start, linesIn(editor.text, lines), verb === 'J', caret)
      return done(
        joined
          ? { editor: joined, vim }
          : { editor: placed(editor, vim.mode === 'normal' ? editor.caret : caret), vim },
      )
    }
    case 'r': {
      if (command.argument === 'enter') return null
      // In an empty line, nothing is replaced and there is nothing to undo.
      if (range.start === range.end && (!range.isLinewise || editor.text === '')) return done(state)
      const part = editor.text.slice(range.start, range.end)
      const text = characters(part).map(character => (character === '\n' ? character : command.argument))
      const next = replaced(editor, range, text.join(''), range.start, range.start)
      return done({ editor: placed(next, onCharacter(next.text, range.start)), vim })
    }
    case 'p':
    case 'P': {
      const found = registerOf(vim.registers, register)
      return done(
        found ? putOver(state, range, found, count ?? 1, verb === 'P') : remove(state, range, null, range.start),
      )
    }
    default:
      return null
  }
}

function cased(editor: Editor, range: TextRange, verb: string, caret: number): Editor {
  const next = recase(editor, range, verb, caret, caret)
  return placed(next, onCharacter(next.text, caret))
}

function linesIn(text: string, { start, end }: TextRange): number {
  return text.slice(start, end).split('\n').length
}

/** Replaces the selection with a register; the selected text goes into the unnamed register. */
function putOver(
  { editor, vim }: VimEditor,
  range: OperatorRange,
  register: Register,
  count: number,
  keeps: boolean,
): VimEditor {
  const { text } = editor
  const content = { text: text.slice(range.start, range.end), isLinewise: range.isLinewise }
  const registers =
    keeps || (range.start === range.end && !range.isLinewise)
      ? vim.registers
      : deleted(vim.registers, null, content, false)
  const isLinewise = range.isLinewise || register.isLinewise
  const body = isLinewise ? Array.from({ length: count }, () => register.text).join('\n') : register.text.repeat(count)
  const splits = register.isLinewise && !range.isLinewise
  const takesBreak = range.end > range.start && text[range.end - 1] === '\n' && isLineEnd(text, range.end)
  const inserted = splits ? `\n${body}${takesBreak ? '' : '\n'}` : body
  const changed = replaced(editor, range, inserted, range.start, range.start)
  const start = range.start + (splits ? 1 : 0)
  const caret = isLinewise
    ? firstNonBlank(changed.text, lineStart(changed.text, start))
    : body.includes('\n')
      ? onCharacter(changed.text, start)
      : onCharacter(changed.text, Math.max(start, start + body.length - 1))
  return { editor: placed(changed, caret), vim: { ...vim, registers } }
}
