/** Runs the same cases in zotui's vim editor, and tells where a real vim came to something else. */
import { createEditor, edit, type Editor } from '../../../src/composer/editor.ts'
import { pressVim, typeVim } from '../../../src/composer/vim/machine.ts'
import { registerOf } from '../../../src/composer/vim/registers.ts'
import { newVim } from '../../../src/composer/vim/vim.ts'
import type { Vim } from '../../../src/composer/vim/vim.ts'
import type { VimEditor } from '../../../src/composer/vim/change.ts'
import { PROLOGUE, REGISTERS, type SeenByVim, type VimCase } from './real-vim.ts'

const WIDTH = 1000

/** The state after a key, as the composer handles it. */
export function afterKey({ editor, vim }: VimEditor, key: string): VimEditor {
  const answer = pressVim(editor, vim, key, { width: WIDTH })
  if (answer.kind === 'done') return answer.state
  if (vim.mode !== 'insert' && vim.mode !== 'replace') return { editor, vim }
  const text = key === 'ctrl+j' ? '\n' : key
  if (key === 'backspace') return { editor: edit(editor, { kind: 'deleteLeft' }, WIDTH), vim }
  return typeVim(editor, vim, text) ?? { editor: edit(editor, { kind: 'insert', text }, WIDTH), vim }
}

function seen({ editor, vim }: VimEditor): SeenByVim {
  const registers: Record<string, string> = {}
  for (const name of REGISTERS) {
    const register = registerOf(vim.registers, name)
    const text = register && (register.isLinewise ? `${register.text}\n` : register.text)
    if (text) registers[name] = text
  }
  return { text: editor.text, caret: editor.caret, registers }
}

const remembering: Vim = {
  ...newVim('normal'),
  find: { name: 'f', argument: 'q' },
  search: { name: '/', argument: 'q' },
}

export type VimDifference = { keys: string; words: string }

/** The first difference of each case. What is remembered goes from one case to the next, as it does in vim. */
export function compare(cases: readonly VimCase[], byVim: readonly (readonly SeenByVim[])[]): VimDifference[] {
  const differences: VimDifference[] = []
  for (const [index, { lines, line, column, steps }] of cases.entries()) {
    const text = lines.join('\n')
    const above = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
    let vim = PROLOGUE.flat().reduce(afterKey, { editor: createEditor(''), vim: remembering }).vim
    const trail: string[] = []
    const caret =
      above +
      Array.from(lines[line - 1] ?? '')
        .slice(0, column)
        .join('').length
    let editor: Editor = { ...createEditor(text), caret }
    for (const [at, keys] of steps.entries()) {
      const former = editor
      const before = vim
      let state: VimEditor = { editor, vim }
      for (const key of keys) state = afterKey(state, key)
      if (state.vim.pending.length > 0) state = afterKey(state, 'escape')
      ;({ editor, vim } = state)
      trail.push(keys.join(''))
      const [ours, theirs] = [seen(state), byVim[index]?.[at]]
      if (JSON.stringify(sorted(ours)) === JSON.stringify(sorted(theirs))) continue
      if (isOnlyColumn(ours, theirs, keys) || isKnown(former, before, keys, state, theirs)) break
      const words = [
        `keys ${keys.join('')} (step ${at} of case ${index}) before: ${trail.slice(-7, -1).join(' | ')}`,
        `text  ${marked(former.text, former.caret)}`,
        `ours  ${marked(ours.text, ours.caret)}  ${vim.mode}`,
        `vim   ${theirs ? marked(theirs.text, theirs.caret) : 'nothing'}`,
        ...REGISTERS.filter(name => ours.registers[name] !== theirs?.registers[name]).map(
          name =>
            `"${name}   ours ${JSON.stringify(ours.registers[name])} vim ${JSON.stringify(theirs?.registers[name])}`,
        ),
      ]
      differences.push({ keys: keys.join(''), words: `${words.join('\n')}\n` })
      break
    }
  }
  return differences
}

/** The differences that docs/keys.md describes. */
function isKnown(
  { text }: Editor,
  before: Vim,
  keys: readonly string[],
  { editor, vim }: VimEditor,
  theirs: SeenByVim | undefined,
): boolean {
  const words = keys.join('')
  // An empty text that was never typed in is no line: nothing of it is in a register.
  const isSame = editor.text === theirs?.text && editor.caret === theirs.caret
  if (text === '' && (isSame || /^v.*p$|^\d*u$/iu.test(words))) return true
  // A brace that moves back leads to the end of a text of one line.
  if (words.includes('{') && !text.includes('\n')) return true
  // An operator on nothing at the start of a line changes the case of the line.
  if (/^(?:"[a-zA-Z_"])?\d*g[~uU]\d*[h0^]$/u.test(words) && editor.text === text) return true
  if (!words.endsWith('.')) return false
  // A repeated change that cannot be made lets its text run as commands.
  const failed =
    before.change?.typed !== undefined &&
    before.change?.typed !== null &&
    editor.text === text &&
    vim.change === before.change
  // A put over a selection is repeated as a deletion.
  if (/^p$/iu.test(before.change?.command.verb ?? '') && before.change?.extent) return true
  const joins = before.change?.extent && before.change.command.verb.endsWith('J') && editor.text === text
  return failed || joins === true || before.change?.extent?.column === 'end'
}

/** The caret after an undo: vim counts the bytes of another line for it. */
function isOnlyColumn(ours: SeenByVim, theirs: SeenByVim | undefined, keys: readonly string[]): boolean {
  return ours.text === theirs?.text && /[^\0-\x7f]/u.test(ours.text) && /^(?:\d?u|ctrl\+r)$/u.test(keys.join(''))
}

function sorted(state: SeenByVim | undefined): unknown {
  return state && [state.text, state.caret, REGISTERS.map(name => state.registers[name] ?? '')]
}

/** The text in one line, with the caret's character in brackets. */
function marked(text: string, caret: number): string {
  return JSON.stringify(`${text.slice(0, caret)}⟦${text.slice(caret, caret + 1)}⟧${text.slice(caret + 1)}`)
}
