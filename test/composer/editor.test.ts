import { describe, expect, test } from 'vitest'
import {
  atFirstLine,
  atLastLine,
  createEditor,
  edit,
  selectedText,
  type EditCommand,
  type Editor,
} from '../../src/composer/editor.ts'
import type { Motion } from '../../src/composer/motion.ts'
import { UNDO_LIMIT } from '../../src/composer/undo.ts'
import { ACUTE, FAMILY, FLAG, KEYCAP, shown } from './samples.ts'

const WIDTH = 20

/** The editor that `shown` would show so: `|` is the caret, `^` the selection's other end. */
function editorAt(marked: string): Editor {
  const caret = marked.replace('^', '').indexOf('|')
  const anchor = marked.replace('|', '').indexOf('^')
  return { ...createEditor(marked.replace(/[|^]/g, '')), caret, anchor: anchor < 0 ? null : anchor }
}

function after(start: Editor | string, ...commands: readonly EditCommand[]): Editor {
  const editor = typeof start === 'string' ? editorAt(start) : start
  return commands.reduce((each, command) => edit(each, command, WIDTH), editor)
}

const type = (text: string): EditCommand[] => Array.from(text, letter => ({ kind: 'insert', text: letter }))
const move = (to: Motion, select = false): EditCommand => ({ kind: 'move', to, select })
const undo: EditCommand = { kind: 'undo' }
const redo: EditCommand = { kind: 'redo' }
const yank: EditCommand = { kind: 'yank' }
const yankPop: EditCommand = { kind: 'yankPop' }

type Row = [name: string, before: string, command: EditCommand, after: string]

describe('changes', () => {
  test.each<Row>([
    ['insert', 'a|c', { kind: 'insert', text: 'b' }, 'ab|c'],
    ['insert over a selection', 'a^bcd|e', { kind: 'insert', text: 'X' }, 'aX|e'],
    ['insert over a selection made backwards', 'a|bcd^e', { kind: 'insert', text: 'X' }, 'aX|e'],
    ['insert nothing leaves a selection', 'a^b|c', { kind: 'insert', text: '\x07' }, 'a^b|c'],
    ['insert a mark that joins', 'e|x', { kind: 'insert', text: '\u0301' }, 'e\u0301|x'],
    [
      'insert before a mark: the caret goes after what they became',
      '|\u0301x',
      { kind: 'insert', text: 'e' },
      'e\u0301|x',
    ],
    ['insert cleans', '|', { kind: 'insert', text: 'a\r\x1b[31mb' }, 'a\nb|'],
    ['paste', 'a|d', { kind: 'paste', text: 'b\r\nc' }, 'ab\nc|d'],
    ['newline', 'a|b', { kind: 'newline' }, 'a\n|b'],
    ['deleteLeft', 'ab|c', { kind: 'deleteLeft' }, 'a|c'],
    ['deleteLeft at the start', '|abc', { kind: 'deleteLeft' }, '|abc'],
    ['deleteLeft joins lines', 'a\n|b', { kind: 'deleteLeft' }, 'a|b'],
    ['deleteLeft an emoji', `a${FAMILY}|b`, { kind: 'deleteLeft' }, 'a|b'],
    ['deleteLeft a flag of two', `${FLAG}${FLAG}|`, { kind: 'deleteLeft' }, `${FLAG}|`],
    ['deleteLeft a letter with its mark', `${ACUTE}|`, { kind: 'deleteLeft' }, '|'],
    ['deleteLeft in right-to-left text', 'של|ום', { kind: 'deleteLeft' }, 'ש|ום'],
    ['deleteLeft where neighbours join', '🇩x|🇪', { kind: 'deleteLeft' }, `${FLAG}|`],
    ['deleteLeft a selection', 'a^bc|d', { kind: 'deleteLeft' }, 'a|d'],
    ['deleteRight', 'a|bc', { kind: 'deleteRight' }, 'a|c'],
    ['deleteRight at the end', 'abc|', { kind: 'deleteRight' }, 'abc|'],
    ['deleteRight a keycap', `|${KEYCAP}a`, { kind: 'deleteRight' }, '|a'],
    ['deleteRight wide', '|汉字', { kind: 'deleteRight' }, '|字'],
    ['replace', '/mo| x', { kind: 'replace', range: { start: 0, end: 3 }, text: '/model' }, '/model| x'],
    [
      'replace takes whole characters',
      `a${FAMILY}b|`,
      { kind: 'replace', range: { start: 2, end: 4 }, text: '-' },
      'a-|b',
    ],
    ['replace clamps', 'abc|', { kind: 'replace', range: { start: 2, end: 99 }, text: 'X' }, 'abX|'],
    ['setText', 'a|b', { kind: 'setText', text: 'new\r\ntext' }, 'new\ntext|'],
    ['clear', 'a|b', { kind: 'clear' }, '|'],
    ['selectAll', 'a|b', { kind: 'selectAll' }, '^ab|'],
    ['selectAll of nothing', '|', { kind: 'selectAll' }, '|'],
  ])('%s', (_, before, command, expected) => {
    expect(shown(after(before, command))).toBe(expected)
  })
})

describe('kills', () => {
  test.each<
    [
      name: string,
      before: string,
      kind: Exclude<EditCommand['kind'], 'insert' | 'paste' | 'chip' | 'move' | 'replace' | 'setText'>,
      after: string,
      killed: string,
    ]
  >([
    ['Ctrl+W takes to the blank', 'one two/three.four|', 'deleteWordLeft', 'one |', 'two/three.four'],
    ['Ctrl+W takes blanks first', 'one two  |', 'deleteWordLeft', 'one |', 'two  '],
    ['Ctrl+W goes over a line end', 'one\n|', 'deleteWordLeft', '|', 'one\n'],
    ['Alt+Backspace takes a letter word', 'one two/three|', 'killWordLeft', 'one two/|', 'three'],
    ['Alt+Backspace takes signs first', 'one two/(|', 'killWordLeft', 'one |', 'two/('],
    ['Alt+Backspace takes a word with marks', `caf${ACUTE}|`, 'killWordLeft', '|', `caf${ACUTE}`],
    ['Alt+Backspace takes one word of Chinese', '我们使用电脑|', 'killWordLeft', '我们使用|', '电脑'],
    ['Alt+D', 'a| two.three', 'killWordRight', 'a|.three', ' two'],
    ['Alt+D takes one word of Thai', '|ภาษาไทย', 'killWordRight', '|ไทย', 'ภาษา'],
    ['Alt+D in right-to-left text', '|שלום עולם', 'killWordRight', '| עולם', 'שלום'],
    ['Ctrl+U', 'one\ntwo three| four', 'killToLineStart', 'one\n| four', 'two three'],
    ['Ctrl+U at the line start joins', 'one\n|two', 'killToLineStart', 'one|two', '\n'],
    ['Ctrl+K', 'one| two\nthree', 'killToLineEnd', 'one|\nthree', ' two'],
    ['Ctrl+K at the line end joins', 'one|\nthree', 'killToLineEnd', 'one|three', '\n'],
    ['a selection', 'on^e tw|o', 'killToLineEnd', 'on|o', 'e tw'],
  ])('%s', (_, before, kind, expected, killed) => {
    const editor = after(before, { kind })
    expect(shown(editor)).toBe(expected)
    expect(editor.kills).toEqual([killed])
    expect(shown(after(editor, undo))).toBe(before.replace('^', ''))
  })

  test.each<
    [name: string, before: string, kind: 'killToLineStart' | 'killToLineEnd' | 'deleteWordLeft' | 'killWordRight']
  >([
    ['Ctrl+U at the start', '|a', 'killToLineStart'],
    ['Ctrl+K at the end', 'a|', 'killToLineEnd'],
    ['Ctrl+W at the start', '|a', 'deleteWordLeft'],
    ['Alt+D at the end', 'a|', 'killWordRight'],
  ])('nothing to kill: %s', (_, before, kind) => {
    const editor = after(before, { kind })
    expect(shown(editor)).toBe(before)
    expect(editor.kills).toEqual([])
    expect(editor.undo).toEqual([])
  })

  test('in a row make one entry, each on its own side', () => {
    const editor = after(
      'one two| three\nfour',
      { kind: 'deleteWordLeft' },
      { kind: 'killToLineEnd' },
      { kind: 'killToLineEnd' },
    )
    expect(editor.kills).toEqual(['two three\n'])
    expect(shown(after(editor, yank))).toBe('one two three\n|four')
    expect(shown(after(editor, undo, undo, undo))).toBe('one two| three\nfour')
  })

  test('after another command begin a new entry', () => {
    const editor = after('one two three|', { kind: 'deleteWordLeft' }, move('left'), { kind: 'deleteWordLeft' })
    expect(editor.kills).toEqual(['three', 'two'])
  })

  test('are kept in a ring of bounded size', () => {
    const commands = Array.from({ length: 40 }, (_, i): EditCommand[] => [
      { kind: 'setText', text: `kill${i}` },
      { kind: 'deleteWordLeft' },
    ])
    const { kills } = after('|', ...commands.flat())
    expect(kills).toHaveLength(30)
    expect(kills.at(-1)).toBe('kill39')
  })

  test('can be cycled through with yank-pop, in one undo step', () => {
    const ring = { ...editorAt('a |b'), kills: ['one', 'two', 'three'] }
    const yanked = after(ring, yank)
    expect(shown(yanked)).toBe('a three|b')
    expect(shown(after(yanked, yankPop))).toBe('a two|b')
    expect(shown(after(yanked, yankPop, yankPop))).toBe('a one|b')
    expect(shown(after(yanked, yankPop, yankPop, yankPop))).toBe('a three|b')
    expect(shown(after(yanked, yankPop, undo))).toBe('a |b')
    expect(shown(after(yanked, yankPop, undo, redo))).toBe('a two|b')
  })

  test('are not inserted by yank-pop without a yank right before it', () => {
    const ring = { ...editorAt('|'), kills: ['one', 'two'] }
    expect(after(ring, yankPop).text).toBe('')
    expect(after(ring, yank, move('left'), yankPop).text).toBe('two')
  })

  test('replace a selection when they are yanked, and an empty ring changes nothing', () => {
    expect(shown(after({ ...editorAt('a^b|c'), kills: ['X'] }, yank))).toBe('aX|c')
    expect(shown(after('a|', yank))).toBe('a|')
  })
})

describe('movement', () => {
  test.each<[to: Motion, before: string, after: string]>([
    ['left', 'ab|', 'a|b'],
    ['left', '|ab', '|ab'],
    ['left', `${FAMILY}|`, `|${FAMILY}`],
    ['left', `${FLAG}${FLAG}|`, `${FLAG}|${FLAG}`],
    ['left', 'a^bc|d', 'a|bcd'],
    ['right', 'a|b', 'ab|'],
    ['right', 'ab|', 'ab|'],
    ['right', `|${ACUTE}a`, `${ACUTE}|a`],
    ['right', '|한국', '한|국'],
    ['right', '|नमस्ते', 'न|मस्ते'],
    ['right', 'a^bc|d', 'abc|d'],
    ['right', '|שלום', 'ש|לום'],
    ['wordLeft', 'one two.|', 'one |two.'],
    ['wordLeft', 'snake_case|', 'snake_|case'],
    ['wordLeft', '这是中文|', '这是|中文'],
    ['wordLeft', 'a 👍👍|', '|a 👍👍'],
    ['wordRight', '| one two', ' one| two'],
    ['wordRight', 'one|', 'one|'],
    ['wordRight', `|${KEYCAP}a`, `${KEYCAP}a|`],
    ['lineStart', 'one\ntwo|', 'one\n|two'],
    ['lineStart', 'aaaa bbbb cccc dddd eeee ff|ff', 'aaaa bbbb cccc dddd |eeee ffff'],
    ['lineStart', 'aaaa bbbb cccc dddd |eeee ffff', '|aaaa bbbb cccc dddd eeee ffff'],
    ['lineEnd', 'o|ne\ntwo', 'one|\ntwo'],
    ['lineEnd', 'aa|aa bbbb cccc dddd eeee ffff', 'aaaa bbbb cccc dddd| eeee ffff'],
    ['lineEnd', 'aaaa bbbb cccc dddd| eeee ffff', 'aaaa bbbb cccc dddd eeee ffff|'],
    ['up', 'one\ntw|o', 'on|e\ntwo'],
    ['up', 'on|e\ntwo', 'on|e\ntwo'],
    ['up', '汉字\nabc|', '汉|字\nabc'],
    ['up', 'aaaa bbbb cccc dddd eeee ff|ff', 'aaaa bb|bb cccc dddd eeee ffff'],
    ['down', 'on|e\ntwo', 'one\ntw|o'],
    ['down', 'one\ntw|o', 'one\ntw|o'],
    ['down', 'abc|d\n\tx', 'abcd\n|\tx'],
    ['down', 'abcd|\n\tx', 'abcd\n\t|x'],
    ['textStart', 'a\nb|', '|a\nb'],
    ['textEnd', '|a\nb', 'a\nb|'],
  ])('%s: %j', (to, before, expected) => {
    expect(shown(after(before, move(to)))).toBe(expected)
  })

  test('up and down keeps the column over shorter lines', () => {
    const commands = [move('up'), move('up'), move('down'), move('down')]
    const places = commands.map((_, i) => shown(after('abcdef\nab\nabcd|ef', ...commands.slice(0, i + 1))))
    expect(places).toEqual(['abcdef\nab|\nabcdef', 'abcd|ef\nab\nabcdef', 'abcdef\nab|\nabcdef', 'abcdef\nab\nabcd|ef'])
  })

  test('up and down forgets the column after another command', () => {
    expect(shown(after('abcdef\nab\nabcd|ef', move('up'), move('left'), move('up')))).toBe('a|bcdef\nab\nabcdef')
  })

  test('knows the first and the last row', () => {
    const wrapped = after('aaaa bbbb cccc dddd eeee| ffff')
    expect([atFirstLine(wrapped, WIDTH), atLastLine(wrapped, WIDTH)]).toEqual([false, true])
    expect([atFirstLine(wrapped, 80), atLastLine(wrapped, 80)]).toEqual([true, true])
    const first = after(wrapped, move('up'))
    expect([atFirstLine(first, WIDTH), atLastLine(first, WIDTH)]).toEqual([true, false])
  })
})

describe('selection', () => {
  test.each<[name: string, before: string, commands: EditCommand[], after: string]>([
    ['grows', 'a|bc', [move('right', true), move('right', true)], 'a^bc|'],
    ['shrinks to nothing', 'a|bc', [move('right', true), move('left', true)], 'a|bc'],
    ['by words', 'one two|', [move('wordLeft', true)], 'one |two^'],
    ['by rows', 'ab|c\nabc', [move('down', true)], 'ab^c\nab|c'],
    ['to the ends', 'a\n|b', [move('textStart', true)], '|a\n^b'],
    ['a movement drops it', 'a^b|c', [move('textEnd')], 'abc|'],
    ['a newline replaces it', 'a^b|c', [{ kind: 'newline' }], 'a\n|c'],
  ])('%s', (_, before, commands, expected) => {
    expect(shown(after(before, ...commands))).toBe(expected)
  })

  test('is available as text', () => {
    expect(selectedText(editorAt('a|bc^d'))).toBe('bc')
    expect(selectedText(editorAt('a|bcd'))).toBe('')
  })
})

describe('undo', () => {
  test('undoes typing word by word', () => {
    const typed = after('|', ...type('one two  three'))
    expect(shown(after(typed, undo))).toBe('one two  |')
    expect(shown(after(typed, undo, undo))).toBe('one |')
    expect(shown(after(typed, undo, undo, undo))).toBe('|')
    expect(shown(after(typed, undo, undo, undo, undo))).toBe('|')
    expect(shown(after(typed, undo, undo, redo, redo, redo))).toBe('one two  three|')
  })

  test.each<[name: string, between: EditCommand[], afterUndo: string]>([
    ['a movement', [move('left'), move('right')], 'ab|'],
    ['a newline', [{ kind: 'newline' }], 'ab\n|'],
    ['a paste', [{ kind: 'paste', text: 'P' }], 'abP|'],
    ['a deletion', [{ kind: 'deleteLeft' }], 'a|'],
    ['an undo', [{ kind: 'insert', text: ' ' }, { kind: 'insert', text: 'x' }, undo], 'ab |'],
  ])('%s ends a run of typing', (_, between, expected) => {
    expect(shown(after('|', ...type('ab'), ...between, ...type('cd'), undo))).toBe(expected)
  })

  test('undoes consecutive deletions at once', () => {
    const left: EditCommand = { kind: 'deleteLeft' }
    const right: EditCommand = { kind: 'deleteRight' }
    expect(shown(after('abcd|ef', left, left, right, undo))).toBe('abcd|ef')
    expect(shown(after('abcd|ef', left, left, right, undo, redo))).toBe('ab|f')
  })

  test('undoes each paste on its own', () => {
    const paste: EditCommand = { kind: 'paste', text: 'ab' }
    expect(shown(after('|', paste, paste, undo))).toBe('ab|')
  })

  test('restores text that was cleared, set or typed over', () => {
    expect(shown(after('ab|c', { kind: 'clear' }, undo))).toBe('ab|c')
    expect(shown(after('ab|c', { kind: 'setText', text: 'x' }, undo))).toBe('ab|c')
    expect(shown(after('a^bc|', ...type('xy'), undo))).toBe('abc|')
  })

  test('cannot redo after a change', () => {
    expect(shown(after('|', ...type('a b'), undo, ...type('c'), redo))).toBe('a c|')
  })

  test('keeps a bounded number of steps', () => {
    const pastes = Array.from({ length: UNDO_LIMIT + 5 }, (): EditCommand => ({ kind: 'paste', text: 'x' }))
    expect(after('|', ...pastes).undo).toHaveLength(UNDO_LIMIT)
  })
})

test('a new editor can take over the kill ring of the old one', () => {
  const old = after('one|', { kind: 'deleteWordLeft' })
  expect(shown(after(createEditor('a\r\n', old.kills), yank))).toBe('a\none|')
})
