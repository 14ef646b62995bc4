/** The commands of normal mode. `motions.ts` has the movements. */
import { nextBoundary, previousBoundary } from '../graphemes.ts'
import { lineEnd, lineStart } from '../motion.ts'
import { placed, replaced, undone, type VimEditor } from './change.ts'
import { begin, characters, typeAgain } from './insertion.ts'
import { foundBy, motion, type Reach } from './motions.ts'
import { textObject } from './objects.ts'
import { clear, join, operatorRange, recase, remove, shift, undoneTo, yank, type OperatorRange } from './operators.ts'
import { columnAt, firstNonBlank, indentEnd, isLineEnd, onCharacter } from './places.ts'
import { put } from './put.ts'
import { registerOf } from './registers.ts'
import type { Vim, VimCommand } from './vim.ts'
import { onSelection, sameExtent } from './visual.ts'
import { lookup } from '../../text/lookup.ts'

/** Runs a command of normal mode; null if it cannot. `width` is the composer's. */
export function runCommand(state: VimEditor, command: VimCommand, width: number): VimEditor | null {
  if (command.verb === 'move') return move(state, command)
  if (command.target !== null) return operate(state, command)
  return lookup(rules, command.verb)?.(state, command, width) ?? null
}

type CommandRule = (state: VimEditor, command: VimCommand, width: number) => VimEditor | null

const rules: Readonly<Record<string, CommandRule>> = {
  i: (state, command) => insertAt(state, command, state.editor.caret),
  I: (state, command) => insertAt(state, command, indentEnd(state.editor.text, state.editor.caret)),
  gI: (state, command) => insertAt(state, command, lineStart(state.editor.text, state.editor.caret)),
  a: (state, command) => {
    const { text, caret } = state.editor
    return insertAt(state, command, isLineEnd(text, caret) ? caret : nextBoundary(text, caret))
  },
  A: (state, command) => insertAt(state, command, lineEnd(state.editor.text, state.editor.caret)),
  o: (state, command) => openLine(state, command, false),
  O: (state, command) => openLine(state, command, true),
  R: (state, command) => insertAt(state, command, state.editor.caret, 'replace'),
  p: (state, command) => putRegister(state, command, false),
  P: (state, command) => putRegister(state, command, true),
  J: (state, command) => joinLines(state, command, true),
  gJ: (state, command) => joinLines(state, command, false),
  '~': (state, command) => {
    const { text, caret } = state.editor
    if (isLineEnd(text, caret)) return null
    const end = forward(text, caret, command.count ?? 1)
    const editor = recase(state.editor, { start: caret, end }, 'g~', end, caret)
    return changedBy(command, { ...state, editor: placed(editor, onCharacter(editor.text, end)) })
  },
  r: replaceCharacters,
  u: (state, command) => repeated(state, command, 'undo'),
  'ctrl+r': (state, command) => repeated(state, command, 'redo'),
  '.': repeatChange,
}

function move({ editor, vim }: VimEditor, { target, count }: VimCommand): VimEditor | null {
  const { text, caret } = editor
  const reach = target && motion({ text, at: caret, count, verb: null, isVisual: false, vim }, target)
  if (!reach) return null
  const to = onCharacter(text, reach.to)
  return { editor: placed(editor, to), vim: { ...vim, goal: goalOf(text, vim, reach), ...foundBy(vim, reach) } }
}

/** The column that moving up and down keeps after a movement. One that did not move leaves it. */
function goalOf(text: string, vim: Vim, { to, column, isStuck }: Reach): Vim['goal'] {
  if (column === undefined) return isStuck ? vim.goal : null
  return { at: onCharacter(text, to), column }
}

function operate(state: VimEditor, command: VimCommand): VimEditor | null {
  const { editor, vim } = state
  const { text, caret } = editor
  const { verb, target, count, register } = command
  if (target === null) return null
  const isObject = target.name.length > 1 && /^[ia]/u.test(target.name)
  const reach = isObject
    ? textObject({ text, at: caret, count: count ?? 1, anchor: null }, target.name)
    : motion({ text, at: caret, count, verb, isVisual: false, vim }, target)
  if (!reach) return null
  const remembered = { ...vim, goal: goalOf(text, vim, reach), ...foundBy(vim, reach) }
  // The caret moves even if the operator does nothing.
  if (reach.isShort) return { editor: placed(editor, onCharacter(text, reach.to)), vim: remembered }
  const range = operatorRange(text, caret, reach, verb)
  const from = Math.min(reach.from ?? caret, reach.to)
  const next = applyOperator({ editor, vim: remembered }, { ...command, register }, range, from)
  if (verb !== 'y' || reach.column === undefined) return next
  return { ...next, vim: { ...next.vim, goal: { at: next.editor.caret, column: columnOf(next, reach.column) } } }
}

function columnOf({ editor }: VimEditor, column: number | 'end'): number | 'end' {
  return column === 'end' ? 'end' : columnAt(editor.text, editor.caret)
}

function applyOperator(state: VimEditor, command: VimCommand, range: OperatorRange, from: number): VimEditor {
  const { editor } = state
  const { verb, register } = command
  switch (verb) {
    case 'd':
      return changedBy(command, remove(state, range, register, from))
    case 'c': {
      const caretBefore = undoneTo(editor.text, range, from)
      return begin(clear(state, range, register, caretBefore), { before: state, caretBefore, change: { command } })
    }
    case 'y':
      return yank(state, range, register, onCharacter(editor.text, from))
    case '<':
    case '>':
      return changedBy(command, { ...state, editor: shift(editor, range, verb === '>' ? 1 : -1, from) })
    default:
      return changedBy(command, {
        ...state,
        editor: placed(recase(editor, range, verb, from), onCharacter(editor.text, from)),
      })
  }
}

function changedBy(command: VimCommand, { editor, vim }: VimEditor): VimEditor {
  return { editor, vim: { ...vim, goal: null, change: { command, typed: null } } }
}

function insertAt(state: VimEditor, command: VimCommand, at: number, mode: 'insert' | 'replace' = 'insert'): VimEditor {
  const next = { ...state, editor: placed(state.editor, at) }
  return begin(next, { before: state, caretBefore: at, change: { command }, times: command.count ?? 1, mode })
}

function openLine(state: VimEditor, command: VimCommand, isAbove: boolean): VimEditor {
  const { editor } = state
  const { text, caret } = editor
  const at = isAbove ? lineStart(text, caret) : lineEnd(text, caret)
  const opened = replaced(editor, { start: at, end: at }, '\n', isAbove ? at : at + 1, caret)
  return begin(
    { ...state, editor: opened },
    { before: state, caretBefore: caret, change: { command }, times: command.count ?? 1, opensLines: true },
  )
}

function putRegister(state: VimEditor, command: VimCommand, isBefore: boolean): VimEditor | null {
  const register = registerOf(state.vim.registers, command.register)
  if (register === null) return changedBy(command, state)
  return changedBy(command, { ...state, editor: put(state.editor, register, command.count ?? 1, isBefore) })
}

function joinLines(state: VimEditor, command: VimCommand, isSpaced: boolean): VimEditor | null {
  const { text, caret } = state.editor
  const there = text.slice(lineStart(text, caret)).split('\n').length
  const lineCount = command.count ?? 2
  const editor = join(state.editor, caret, lineCount, isSpaced, caret)
  const count = lineCount > there ? there : command.count
  return editor && changedBy({ ...command, count }, { ...state, editor })
}

function replaceCharacters(state: VimEditor, command: VimCommand): VimEditor | null {
  const { text, caret } = state.editor
  const count = command.count ?? 1
  const end = forward(text, caret, count)
  if (characters(text.slice(caret, end)).length < count) return null
  const isBreak = command.argument === 'enter'
  const inserted = isBreak ? '\n' : command.argument.repeat(count)
  const last = caret + inserted.length
  const editor = replaced(state.editor, { start: caret, end }, inserted, last, caret)
  const place = isBreak ? firstNonBlank(editor.text, last) : previousBoundary(editor.text, last)
  return changedBy(command, { ...state, editor: placed(editor, isBreak ? lineStart(editor.text, last) : place) })
}

/** The place `count` characters further on, within the line. */
function forward(text: string, from: number, count: number): number {
  let at = from
  for (let left = count; left > 0 && !isLineEnd(text, at); left -= 1) at = nextBoundary(text, at)
  return at
}

function repeated(state: VimEditor, command: VimCommand, direction: 'undo' | 'redo'): VimEditor | null {
  let editor = undone(state.editor, direction)
  if (editor === null) return null
  for (let left = (command.count ?? 1) - 1; left > 0; left -= 1) editor = undone(editor, direction) ?? editor
  return { editor, vim: { ...state.vim, goal: null } }
}

/** Repeats the last change; a count replaces that of the change. */
function repeatChange(state: VimEditor, { count }: VimCommand, width: number): VimEditor | null {
  const { change } = state.vim
  if (change === null) return null
  const { extent, typed } = change
  // On a selection, the count is always that of the change.
  const times = extent ? change.command.count : (count ?? change.command.count)
  const command = { ...change.command, count: times, register: nextRegister(change.command) }
  const { text, caret } = state.editor
  const next = extent
    ? onSelection(state, command, sameExtent(text, caret, extent), extent)
    : runCommand(state, command, width)
  if (next === null) return null
  if (typed === null) return next
  if (next.vim.insertion === null) return next
  return typeAgain(next, typed, width)
}

/** A repeated put from a numbered register takes the next one. */
function nextRegister({ register, verb }: VimCommand): string | null {
  const isNumbered = register !== null && /^[1-8]$/.test(register) && (verb === 'p' || verb === 'P')
  return isNumbered ? String(Number(register) + 1) : register
}
