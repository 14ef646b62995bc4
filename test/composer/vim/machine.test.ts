/** The vim editor by itself: what a real vim has no part in, and what it does otherwise. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chipCharacter } from '../../../src/composer/chips.ts'
import { createEditor, edit } from '../../../src/composer/editor.ts'
import { boundaryUpTo } from '../../../src/composer/graphemes.ts'
import type { VimEditor } from '../../../src/composer/vim/change.ts'
import { pressVim, readyForPaste, settleVim } from '../../../src/composer/vim/machine.ts'
import { newVim, type VimMode } from '../../../src/composer/vim/vim.ts'
import { vimCase } from './commands.ts'
import { afterKey } from './compare.ts'

const WIDTH = 40

/** A text with a bar before the caret, in normal mode. */
function at(marked: string, mode: 'insert' | 'normal' = 'normal'): VimEditor {
  const caret = marked.indexOf('|')
  return { editor: { ...createEditor(marked.replace('|', '')), caret }, vim: newVim(mode) }
}

function keysOf(words: string): string[] {
  return words.split(/(<[^>]+>)/u).flatMap(part => (/^<.+>$/u.test(part) ? [part.slice(1, -1)] : Array.from(part)))
}

const after = (state: VimEditor, words: string): VimEditor => keysOf(words).reduce(afterKey, state)

function shown({ editor: { text, caret } }: VimEditor): string {
  return `${text.slice(0, caret)}|${text.slice(caret)}`
}

/** A key, with what the clipboard has. */
function press({ editor, vim }: VimEditor, key: string, clipboard?: string | null): ReturnType<typeof pressVim> {
  return pressVim(editor, vim, key, { width: WIDTH, ...(clipboard !== undefined && { clipboard }) })
}

function pasted(state: VimEditor, text: string): VimEditor {
  const { editor, vim } = readyForPaste(state.editor, state.vim, text)
  return settleVim(edit(editor, { kind: 'paste', text }, WIDTH), vim)
}

const chip = chipCharacter(12, 3)
const family = '👨‍👩‍👧'

describe('a command', () => {
  test.each([
    ['deletes a word', '|one two three', 'd2w', '|three'],
    ['changes inside brackets', 'call(o|ne, two)', 'ci(x<escape>', 'call(|x)'],
    ['takes a chip as a word of its own', `see |${chip} now`, 'dw', 'see |now'],
    ['stops at a chip', `|one${chip}two`, 'w', `one|${chip}two`],
    ['takes characters as people count them', `|${family}e\u0301x`, 'x', '|e\u0301x'],
    ['replaces a character of several code points', `|${family}x`, 'rz', '|zx'],
    [
      'goes to the end of a line that wraps on the screen',
      `|${'word '.repeat(20)}`,
      '$',
      `${'word '.repeat(20).slice(0, -1)}| `,
    ],
    ['finds a text', 'one |two one', '/one<enter>', 'one two |one'],
    ['finds the same text again, around the end', 'one |two one', '/one<enter>n', '|one two one'],
    ['searches without what Backspace took away', '|a b ab', '/abx<backspace><enter>', 'a b |ab'],
    ['ends a search without letters', '|a b', '/<backspace>x', '| b'],
    ['is repeated', '|one two three', 'cwx<escape>w.', 'x |x three'],
    ['is repeated with what Backspace took away', '|one two', 'cwab<backspace>c<escape>w.', 'ac a|c'],
    ['is undone as a whole', '|one two', 'cwsome words<escape>u', '|one two'],
    ['is done again', '|one two', 'dwu<ctrl+r>', '|two'],
    ['moves by cursor keys', 'on|e', '<left><left><right><home><end>', 'on|e'],
    ['takes a cursor key as its movement', 'one |two', 'd<left>', 'one|two'],
    ['does nothing where its movement leads nowhere', '|one', 'dfz', '|one'],
    ['goes on after a key that is none', '|one two', 'dzw', 'one |two'],
    ['in replace mode gives characters back', 'o|ne', 'Rxy<backspace><backspace><escape>', '|one'],
    ['in replace mode goes on behind the end', 'on|e', 'Rabc<escape>', 'onab|c'],
    ['on a selection', 'o|ne two', 'vey', 'o|ne two'],
    ['on the selection before', '|one two', 've<escape>$gvd', '| two'],
    ['on lines', 'a\n|b\nc', 'Vjd', '|a'],
    ['shifts lines by two blanks', '|a\n\n  b', '>3G', '  |a\n\n    b'],
    ['that a register keeps', '|one two', '"aywW"aP', 'one one| two'],
    ['with text of the black hole changes no register', '|one two', 'yw"_dwP', 'one| two'],
  ])('%s', (_, before, keys, expected) => {
    expect(shown(after(at(before), keys))).toBe(expected)
  })

  test('does not change the case of a line where the movement is empty, as vim does', () => {
    expect(shown(after(at('a\n|Bc'), 'guh'))).toBe('a\n|Bc')
  })

  test('of a long count ends', () => {
    expect(shown(after(at('|one two'), '99999999999w'))).toBe('one tw|o')
  })
})

describe('Esc', () => {
  test.each<[string, VimEditor, VimMode]>([
    ['leads from insert mode to normal mode', at('one|', 'insert'), 'normal'],
    ['leads from replace mode to normal mode', after(at('|one'), 'Rx'), 'normal'],
    ['leads from a selection to normal mode', after(at('|one'), 'vl'), 'normal'],
    ['forgets an unfinished command', after(at('|one'), '"a2d'), 'normal'],
  ])('%s', (_, state, mode) => {
    const next = afterKey(state, 'escape')
    expect([next.vim.mode, next.vim.pending]).toEqual([mode, []])
  })

  test('with nothing to end is none of its keys', () => {
    const { editor, vim } = at('|one')
    expect(pressVim(editor, vim, 'escape', { width: WIDTH })).toEqual({ kind: 'not-mine' })
  })
})

test.each(['enter', 'up', 'down', 'tab', 'ctrl+a', 'ctrl+c', 'alt+p', 'f1', 'pageup'])(
  '%s is none of its keys',
  key => {
    const { editor, vim } = at('one |two')
    expect(pressVim(editor, vim, key, { width: WIDTH })).toEqual({ kind: 'not-mine' })
  },
)

describe('the clipboard', () => {
  test.each([
    ['"+yw', 'one '],
    ['"*dd', 'one two\n'],
    ['v"+y', 'o'],
  ])('gets what %s takes', (keys, text) => {
    const before = after(at('|one two'), keys.slice(0, -1))
    expect(press(before, keys.at(-1) ?? '')).toMatchObject({ kind: 'done', copied: text })
  })

  test.each([
    ['text', 'two', 'otw|one'],
    ['lines', 'two\n', 'one\n|two'],
    ['hostile text', 'a\u001B[31mb\u0007', 'oa|bne'],
    ['nothing', null, '|one'],
  ])('gives %s', (_, clipboard, expected) => {
    const before = after(at('|one'), '"+')
    expect(press(before, 'p')).toEqual({ kind: 'needs-clipboard' })
    const answer = press(before, 'p', clipboard)
    expect(answer.kind === 'done' && shown(answer.state)).toBe(expected)
  })
})

describe('a paste', () => {
  test.each([
    ['goes behind the end of a line', at('on|e'), 'dd', 'onedd'],
    ['goes before the caret elsewhere', at('|one'), 'dd', 'ddone'],
    ['goes into an empty draft', at('|'), 'ihello', 'ihello'],
    ['takes the place of a selection', after(at('|one two'), 've'), 'x', 'x two'],
    ['ends a command that waits', after(at('|one'), 'd'), 'w', 'wone'],
  ])('%s and is never a command', (_, state, text, expected) => {
    const next = pasted(state, text)
    expect([next.editor.text, next.vim.mode, next.vim.pending]).toEqual([expected, 'normal', []])
  })

  test('goes into a search that is being typed', () => {
    const { editor, vim } = after(at('|one two'), '/t')
    const { isTaken, ...next } = readyForPaste(editor, vim, 'wo\nmore')
    expect([isTaken, shown(after(next, '<enter>'))]).toEqual([true, 'one |two'])
  })
})

test('a text from elsewhere ends a selection and leaves the caret on a character', () => {
  const { vim } = after(at('|one'), 'vl')
  const { editor, vim: next } = settleVim(createEditor('other'), vim)
  expect([editor.caret, next.mode, next.marked]).toEqual([4, 'normal', null])
})

test('what was typed before it began is no change to be repeated', () => {
  expect(shown(after(at('abc|', 'insert'), '<escape>.'))).toBe('ab|c')
})

test.each('x X dw d0 d} D dd vd Vd vrx Vrx'.split(' '))(
  'in an empty draft %s is nothing to be undone: the next u brings back the text before',
  keys => {
    expect(shown(after(at('|'), `ione<escape>dd${keys}u`))).toBe('|one')
  },
)

test('the caret stays between characters and on one in normal mode, and undo leads back to the first text', () => {
  fc.assert(
    fc.property(vimCase, ({ lines, steps }) => {
      const first = { editor: { ...createEditor(lines.join('\n')), caret: 0 }, vim: newVim('normal') }
      let state: VimEditor = first
      for (const key of steps.flat()) {
        state = afterKey(state, key)
        const { text, caret } = state.editor
        expect(boundaryUpTo(text, caret)).toBe(caret)
      }
      state = afterKey(afterKey(afterKey(state, 'escape'), 'escape'), 'escape')
      const { text, caret } = state.editor
      expect(text[caret] === '\n' || caret === text.length ? caret === 0 || text[caret - 1] === '\n' : true).toBe(true)
      for (let left = state.editor.undo.length; left > 0; left -= 1) state = afterKey(state, 'u')
      expect(state.editor.text).toBe(first.editor.text)
    }),
    { numRuns: 200 },
  )
})
