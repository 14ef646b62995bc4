/** The operators: deleting, yanking, changing case, shifting and joining. */
import type { Editor, TextRange } from '../editor.ts'
import { lineEnd, lineStart } from '../motion.ts'
import { nextBoundary } from '../graphemes.ts'
import { placed, replaced, type VimEditor } from './change.ts'
import type { Reach } from './motions.ts'
import { columnAt, firstNonBlank, indentEnd, isBlank, isLineEnd, isLineStart, onCharacter } from './places.ts'
import { deleted, yanked } from './registers.ts'
import type { Register } from './vim.ts'

/** Columns that > and < shift by. */
const SHIFT = 2

/** The text that an operator takes; of whole lines up to the end of the last one. */
export interface OperatorRange extends TextRange {
  readonly isLinewise: boolean
  readonly isBig: boolean
  /** The last place that a selection takes. */
  readonly last?: number
  /** Whether it is an empty line up to its end, which a deletion leaves as it is. */
  readonly isEmptyLine?: boolean
}

/** The text between the caret and the place that a movement leads to. */
export function operatorRange(text: string, at: number, reach: Reach, verb: string): OperatorRange {
  const from = reach.from ?? at
  const [start, last] = from <= reach.to ? [from, reach.to] : [reach.to, from]
  const rest = { isBig: reach.isBig ?? false }
  if (reach.kind === 'linewise') return { ...wholeLines(text, start, last), ...rest }
  if (reach.kind === 'inclusive' && start === last && isLineEnd(text, start)) {
    return { start, end: start, isLinewise: false, isEmptyLine: true, ...rest }
  }
  let end = reach.kind === 'inclusive' && !isLineEnd(text, last) ? nextBoundary(text, last) : last
  const crosses = text.slice(start, end).includes('\n')
  if (reach.kind === 'exclusive' && crosses && isLineStart(text, end)) {
    // An end at the start of a line moves to the end of the line before.
    end -= 1
    if (indentEnd(text, start) >= start) return { ...wholeLines(text, start, end), ...rest }
  }
  if (verb === 'd' && text.slice(start, end).includes('\n')) {
    let behind = end
    while (isBlank(text, behind)) behind += 1
    if (isLineEnd(text, behind) && indentEnd(text, start) >= start) return { ...wholeLines(text, start, end), ...rest }
  }
  return { start, end, isLinewise: false, ...rest }
}

export function wholeLines(text: string, from: number, to: number): TextRange & { isLinewise: true } {
  return { start: lineStart(text, from), end: lineEnd(text, to), isLinewise: true }
}

function contentOf(text: string, { start, end, isLinewise }: OperatorRange): Register {
  return { text: text.slice(start, end), isLinewise }
}

/** Copies the text to a register; the caret goes to `caret`. */
export function yank({ editor, vim }: VimEditor, range: OperatorRange, name: string | null, caret: number): VimEditor {
  const registers = yanked(vim.registers, name, contentOf(editor.text, range))
  return { editor: placed(editor, caret), vim: { ...vim, registers } }
}

/** Deletes the text and keeps it in a register. `caret` is the place that an undo returns to. */
export function remove(state: VimEditor, range: OperatorRange, name: string | null, caret: number): VimEditor {
  const { editor } = state
  // Without text, nothing is deleted and there is nothing to undo.
  if (editor.text === '') return state
  if (range.start === range.end && !range.isLinewise) {
    return range.isEmptyLine ? state : { ...state, editor: replaced(editor, range, '', editor.caret, editor.caret) }
  }
  const next = intoRegister(state, range, name)
  const { text } = editor
  if (!range.isLinewise) {
    const changed = replaced(editor, range, '', range.start, caret)
    return { ...next, editor: placed(changed, onCharacter(changed.text, range.start)) }
  }
  const lines =
    range.end < text.length
      ? { start: range.start, end: range.end + 1 }
      : { start: Math.max(0, range.start - 1), end: range.end }
  const changed = replaced(editor, lines, '', lines.start, caret)
  const line = range.end < text.length ? range.start : lineStart(changed.text, lines.start)
  return { ...next, editor: placed(changed, firstNonBlank(changed.text, line)) }
}

/** Deletes text before something else is typed there, and keeps it in a register; whole lines leave an empty one. */
export function clear(state: VimEditor, range: OperatorRange, name: string | null, caret: number): VimEditor {
  const isNothing = range.start === range.end && !range.isLinewise && range.isEmptyLine !== true
  const next = isNothing ? state : intoRegister(state, range, name)
  return { ...next, editor: replaced(state.editor, range, '', range.start, caret) }
}

function intoRegister({ editor, vim }: VimEditor, range: OperatorRange, name: string | null): VimEditor {
  const registers = deleted(vim.registers, name, contentOf(editor.text, range), range.isBig)
  return { editor, vim: { ...vim, registers } }
}

/** The place that an undo returns to; of several changed lines in the second one, since the first one stays. */
export function undoneTo(text: string, { start, end, isLinewise }: OperatorRange, from: number): number {
  const newline = text.indexOf('\n', start)
  if (!isLinewise || newline < 0 || newline >= end) return from
  return Math.min(newline + 1 + from - lineStart(text, from), lineEnd(text, newline + 1))
}

/** Toggles the case of letters, or makes it lower or upper. */
export function recase(editor: Editor, range: TextRange, verb: string, caret: number, from = caret): Editor {
  const part = editor.text.slice(range.start, range.end)
  return replaced(editor, range, inCase(part, verb), caret, from)
}

function inCase(text: string, verb: string): string {
  return Array.from(text, letter => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()]
    const other = verb.endsWith('u') ? lower : verb.endsWith('U') ? upper : letter === lower ? upper : lower
    // A letter whose other case is two letters stays.
    return other.length === letter.length ? other : letter
  }).join('')
}

/** Shifts lines to the right, or with negative `times` to the left. Leading tabs become blanks. */
export function shift(editor: Editor, range: TextRange, times: number, from: number): Editor {
  const { start, end } = wholeLines(editor.text, range.start, range.end)
  const lines = editor.text
    .slice(start, end)
    .split('\n')
    .map(line => {
      if (line === '') return line
      const indent = indentEnd(line, 0)
      const columns = indent < line.length ? columnAt(line, indent) : columnAt(`${line}.`, indent)
      return ' '.repeat(Math.max(0, columns + times * SHIFT)) + line.slice(indent)
    })
  const changed = replaced(editor, { start, end }, lines.join('\n'), start, from)
  return placed(changed, firstNonBlank(changed.text, start))
}

/** Joins lines to one, with or without a blank between two; null on the last line. */
export function join(editor: Editor, from: number, lines: number, isSpaced: boolean, caret: number): Editor | null {
  const { text } = editor
  const start = lineStart(text, from)
  let end = lineEnd(text, start)
  if (end === text.length && lines <= 2) return null
  let joined = text.slice(start, end)
  let seam = 0
  let before = joined
  for (let left = Math.max(2, lines) - 1; left > 0 && end < text.length; left -= 1) {
    const next = lineEnd(text, end + 1)
    const line = text.slice(end + 1, next)
    const rest = isSpaced ? line.slice(indentEnd(line, 0)) : line
    const isTight = !isSpaced || rest === '' || rest.startsWith(')') || joined === '' || /[ \t]$/.test(before)
    seam = joined.length
    joined += isTight ? rest : ` ${rest}`
    before = rest
    end = next
  }
  const changed = replaced(editor, { start, end }, joined, start + seam, caret)
  return placed(changed, onCharacter(changed.text, start + seam))
}
