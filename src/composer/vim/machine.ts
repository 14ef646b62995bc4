/** The vim editor: a key turns the editor and its vim state into the next ones. */
import type { Editor } from '../editor.ts'
import { placed, type VimEditor } from './change.ts'
import { runCommand } from './commands.ts'
import { characters, finish, restoreOver, typeOver } from './insertion.ts'
import { foundBy, motion } from './motions.ts'
import { behind, textObject } from './objects.ts'
import { isSearching, parseKeys } from './parse.ts'
import { isLineEnd, onCharacter } from './places.ts'
import { forClipboard, fromClipboard } from './put.ts'
import { isClipboard } from './registers.ts'
import type { Vim, VimCommand } from './vim.ts'
import { extentOf, markedRange, onSelection, selectedRange } from './visual.ts'
import { lookup } from '../../text/lookup.ts'

export type VimContext = {
  /** The composer's width. */
  readonly width: number
  /** The text of the system's clipboard, once it was asked for. */
  readonly clipboard?: string | null
}

export type VimAnswer =
  /** `copied` is for the system's clipboard. */
  | { kind: 'done'; state: VimEditor; copied: string | null }
  /** The key must be sent again with the text of the clipboard. */
  | { kind: 'needs-clipboard' }
  /** The key is not a vim key. */
  | { kind: 'not-mine' }

/** Keys that stand for others in normal and visual mode. */
const SAME: Readonly<Record<string, string>> = {
  left: 'h',
  right: 'l',
  up: 'k',
  down: 'j',
  home: '0',
  end: '$',
  backspace: 'h',
  delete: 'x',
  ' ': 'l',
  space: 'l',
}
/** Keys that zotui handles itself in normal mode, unless a command is unfinished. */
const SHARED: ReadonlySet<string> = new Set(['up', 'down', 'enter'])

/** Takes a key, by its name, or a character that was typed. */
export function pressVim(editor: Editor, vim: Vim, key: string, context: VimContext): VimAnswer {
  const state = { editor, vim }
  const isEscape = key === 'escape' || key === 'ctrl+['
  if (vim.mode === 'insert') return isEscape ? done(finish(state, context.width)) : NOT_MINE
  if (vim.mode === 'replace') {
    if (isEscape) return done(finish(state, context.width))
    return key === 'backspace' ? done(restoreOver(state)) : NOT_MINE
  }
  const isVisual = vim.mode !== 'normal'
  if (isEscape) {
    // With an unfinished count, Esc still ends the selection.
    const isCounting = /^\d$/.test(vim.pending.at(-1) ?? '')
    if (vim.pending.length > 0 && !(isVisual && isCounting)) return done(withPending(state, []))
    return isVisual ? done(leaveVisual(state)) : NOT_MINE
  }
  return pressCommand(state, key, context)
}

const NOT_MINE: VimAnswer = { kind: 'not-mine' }

/** Types text in replace mode; null in any other. */
export function typeVim(editor: Editor, vim: Vim, text: string): VimEditor | null {
  return vim.mode === 'replace' ? typeOver({ editor, vim }, text) : null
}

function pressCommand(state: VimEditor, key: string, context: VimContext): VimAnswer {
  const { editor, vim } = state
  const { pending } = vim
  const isVisual = vim.mode !== 'normal'
  if (isSearching(pending)) {
    if (key === 'backspace') return done(withPending(state, pending.slice(0, -1)))
    if (key === 'enter') return carryOut(state, [...pending, key], context)
    return isTyped(key) ? done(withPending(state, [...pending, key])) : NOT_MINE
  }
  if (pending.length === 0 && !isVisual && SHARED.has(key)) return NOT_MINE
  const isArgument = /^[fFtTr"]$/.test(pending.at(-1) ?? '')
  const meant =
    isArgument && (isTyped(key) || key === 'enter') ? (key === 'space' ? ' ' : key) : (lookup(SAME, key) ?? key)
  if (!isTyped(meant) && meant !== 'ctrl+r' && meant !== 'enter') return NOT_MINE
  if (meant === 'ctrl+r' && isVisual) return NOT_MINE
  return carryOut({ editor: settled(editor, vim), vim }, [...pending, meant], context)
}

const isTyped = (key: string): boolean => key === 'space' || !/^(?:[a-z]{2,}|f\d+|.*\+.+)$/u.test(key)

function carryOut(state: VimEditor, keys: readonly string[], context: VimContext): VimAnswer {
  const isVisual = state.vim.mode !== 'normal'
  const parsed = parseKeys(keys, isVisual)
  if (parsed.kind === 'more') return done(withPending(state, keys))
  const ready = withPending(state, [])
  if (parsed.kind === 'none') return done(ready)
  const { command } = parsed
  const puts = command.verb === 'p' || command.verb === 'P'
  if (!isClipboard(command.register)) return done(run(ready, command, context) ?? ready)
  if (puts && context.clipboard === undefined) return { kind: 'needs-clipboard' }
  const start = puts && context.clipboard ? withClipboard(ready, context.clipboard) : ready
  const before = start.vim.registers.kept.get('+')
  const next = run(start, command, context) ?? start
  const after = next.vim.registers.kept.get('+')
  return { kind: 'done', state: marked(next), copied: after && after !== before ? forClipboard(after) : null }
}

function withClipboard({ editor, vim }: VimEditor, clipboard: string): VimEditor {
  const kept = new Map(vim.registers.kept).set('+', fromClipboard(clipboard))
  return { editor, vim: { ...vim, registers: { ...vim.registers, kept } } }
}

function run(state: VimEditor, command: VimCommand, { width }: VimContext): VimEditor | null {
  const { editor, vim } = state
  if (vim.mode === 'visual' || vim.mode === 'visual-line') return inVisual(state, command)
  if (command.verb === 'v' || command.verb === 'V') {
    const mode = command.verb === 'v' ? 'visual' : 'visual-line'
    return { editor, vim: { ...vim, mode, anchor: editor.caret } }
  }
  if (command.verb === 'gv') return reselected(state)
  return runCommand(state, command, width)
}

function reselected({ editor, vim }: VimEditor): VimEditor | null {
  const { lastVisual } = vim
  if (lastVisual === null) return null
  const { text } = editor
  const { mode, anchor, caret } = lastVisual
  return { editor: placed(editor, onCharacter(text, caret)), vim: { ...vim, mode, anchor: onCharacter(text, anchor) } }
}

function inVisual(state: VimEditor, command: VimCommand): VimEditor | null {
  const { editor, vim } = state
  const { verb, target, count } = command
  const { text, caret } = editor
  if (verb === 'v' || verb === 'V') {
    const mode = verb === 'v' ? 'visual' : 'visual-line'
    return mode === vim.mode ? leaveVisual(state) : { editor, vim: { ...vim, mode } }
  }
  if (verb === 'o') return { editor: placed(editor, vim.anchor), vim: { ...vim, anchor: caret, goal: null } }
  if (verb === 'gv') return reselected({ editor, vim: remembered(state) }) && reselected(state)
  if (verb !== 'move') {
    const range = selectedRange(text, vim.anchor, caret, vim.mode === 'visual-line')
    const next = onSelection(state, command, range, extentOf(text, range, vim))
    return next && { editor: next.editor, vim: { ...next.vim, lastVisual: remembered(state).lastVisual } }
  }
  if (target === null) return null
  const isObject = target.name.length > 1 && /^[ia]/u.test(target.name)
  if (isObject) return extended(state, target.name, count ?? 1)
  const reach = motion({ text, at: caret, count, verb: null, isVisual: true, vim }, target)
  if (!reach) return null
  const moved = reach.column === undefined ? null : { at: reach.to, column: reach.column }
  const goal = moved ?? (reach.isStuck ? vim.goal : null)
  return { editor: placed(editor, reach.to), vim: { ...vim, goal, ...foundBy(vim, reach) } }
}

/** Extends the selection by a text object. */
function extended({ editor, vim }: VimEditor, name: string, count: number): VimEditor | null {
  const { text, caret } = editor
  const anchor = vim.anchor === caret ? null : vim.anchor
  const first = textObject({ text, at: caret, count, anchor }, name)
  // A paragraph of one line would change nothing while lines are selected: it is taken with the next one.
  const isSame =
    vim.mode === 'visual-line' && anchor === null && name.endsWith('p') && first !== null && first.to === first.from
  const object = (isSame ? textObject({ text, at: caret, count: count + 1, anchor }, name) : null) ?? first
  if (object === null) return null
  if (object.isShort) return { editor: placed(editor, object.to), vim }
  const to = object.kind === 'exclusive' && object.to > object.from ? object.to - 1 : object.to
  const mode = object.kind === 'linewise' ? 'visual-line' : 'visual'
  return { editor: placed(editor, to), vim: { ...vim, mode, anchor: object.from, goal: null } }
}

function remembered({ editor, vim }: VimEditor): Vim {
  if (vim.mode !== 'visual' && vim.mode !== 'visual-line') return vim
  return { ...vim, lastVisual: { mode: vim.mode, anchor: vim.anchor, caret: editor.caret } }
}

function leaveVisual(state: VimEditor): VimEditor {
  const { editor } = state
  const vim: Vim = { ...remembered(state), mode: 'normal', marked: null, pending: [] }
  return { editor: placed(editor, onCharacter(editor.text, editor.caret)), vim }
}

function withPending({ editor, vim }: VimEditor, pending: readonly string[]): VimEditor {
  return { editor, vim: { ...vim, pending } }
}

function done(state: VimEditor): VimAnswer {
  return { kind: 'done', state: marked(state), copied: null }
}

function marked({ editor, vim }: VimEditor): VimEditor {
  return { editor, vim: { ...vim, marked: markedRange(editor.text, vim, editor.caret) } }
}

/** In normal mode the caret stands on a character, wherever something else has put it. */
function settled(editor: Editor, vim: Vim): Editor {
  if (vim.mode !== 'normal') return editor
  const caret = onCharacter(editor.text, editor.caret)
  return caret === editor.caret && editor.anchor === null ? editor : placed(editor, caret)
}

/** The place of a paste: after the last character of a line, over a selection, or else at the caret. */
export function readyForPaste(editor: Editor, vim: Vim, text: string): VimEditor & { isTaken: boolean } {
  if (vim.mode === 'insert' || vim.mode === 'replace') return { editor, vim, isTaken: false }
  if (isSearching(vim.pending)) {
    const [line = ''] = text.split('\n')
    return { editor, vim: { ...vim, pending: [...vim.pending, ...characters(line)] }, isTaken: true }
  }
  const next: Vim = { ...remembered({ editor, vim }), mode: 'normal', pending: [], marked: null }
  if (vim.marked && vim.marked.end > vim.marked.start) {
    const { start, end } = vim.marked
    return { editor: { ...placed(editor, end), anchor: start }, vim: next, isTaken: false }
  }
  const { caret } = settled(editor, next)
  const isLast = isLineEnd(editor.text, behind(editor.text, caret))
  return {
    editor: placed(editor, isLast && !isLineEnd(editor.text, caret) ? behind(editor.text, caret) : caret),
    vim: next,
    isTaken: false,
  }
}

/** The state after anything but a vim key: a history entry, a completion, a paste. */
export function settleVim(editor: Editor, vim: Vim): VimEditor {
  if (vim.mode === 'insert' || vim.mode === 'replace') return { editor, vim }
  const next: Vim = { ...vim, mode: 'normal', pending: [], marked: null }
  return { editor: settled(editor, next), vim: next }
}
