/** The editor against the simplest editor there is, at random. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createEditor, edit, selection, type EditCommand, type Editor } from '../../src/composer/editor.ts'
import { chipCharacter } from '../../src/composer/chips.ts'
import { layout } from '../../src/composer/layout.ts'
import type { Motion } from '../../src/composer/motion.ts'
import { normalisePaste } from '../../src/composer/paste.ts'
import { boundaries, pieces } from './samples.ts'
import { aPartOf } from '../helpers/length.ts'

const MOTIONS: readonly Motion[] = [
  'left',
  'right',
  'wordLeft',
  'wordRight',
  'lineStart',
  'lineEnd',
  'up',
  'down',
  'textStart',
  'textEnd',
]
const PLAIN = [
  'newline',
  'deleteLeft',
  'deleteRight',
  'deleteWordLeft',
  'killWordLeft',
  'killWordRight',
  'killToLineStart',
  'killToLineEnd',
  'yank',
  'yankPop',
  'selectAll',
  'killSelection',
  'copySelection',
  'clear',
  'undo',
  'redo',
] as const

const text = pieces(4)
const command: fc.Arbitrary<EditCommand> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('insert' as const), text }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('paste' as const), text }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('chip' as const),
      chip: fc.constantFrom(chipCharacter(5, 1), chipCharacter(30, 2)),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('move' as const), to: fc.constantFrom(...MOTIONS), select: fc.boolean() }),
  },
  { weight: 6, arbitrary: fc.constantFrom(...PLAIN).map(kind => ({ kind })) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('setText' as const), text }) },
  {
    weight: 1,
    arbitrary: fc
      .record({ start: fc.nat(20), size: fc.nat(6), text })
      .map(({ start, size, text }) => ({ kind: 'replace' as const, range: { start, end: start + size }, text })),
  },
)
const script = fc.array(fc.record({ command, width: fc.integer({ min: 1, max: 24 }) }), { maxLength: 40 })

function isSound(editor: Editor, width: number): void {
  const ends = boundaries(editor.text)
  expect(ends).toContain(editor.caret)
  expect(editor.anchor === null || (editor.anchor !== editor.caret && ends.includes(editor.anchor))).toBe(true)
  expect(normalisePaste(editor.text)).toBe(editor.text)
  const { rows, caretRow, caretColumn } = layout(editor.text, editor.caret, width, 5)
  expect(rows.length).toBeLessThanOrEqual(5)
  expect(rows[caretRow]?.start).toBeLessThanOrEqual(editor.caret)
  expect(rows[caretRow]?.end).toBeGreaterThanOrEqual(editor.caret)
  expect(caretColumn).toBeLessThan(width)
}

/** The effect of the simple commands on a list of characters with a caret, or null if the model has no opinion. */
function model(editor: Editor, command: EditCommand): string | null {
  const { start, end } = selection(editor) ?? { start: editor.caret, end: editor.caret }
  const before = editor.text.slice(0, start)
  const rest = editor.text.slice(end)
  const ends = boundaries(editor.text)
  switch (command.kind) {
    case 'insert':
    case 'paste':
      return normalisePaste(command.text) === '' ? editor.text : before + normalisePaste(command.text) + rest
    case 'chip':
      return before + command.chip + rest
    case 'newline':
      return `${before}\n${rest}`
    case 'deleteLeft':
      return start < end ? before + rest : before.slice(0, ends.findLast(each => each < start) ?? 0) + rest
    case 'deleteRight':
      return start < end ? before + rest : before + editor.text.slice(ends.find(each => each > end) ?? end)
    case 'move':
    case 'selectAll':
    case 'copySelection':
      return editor.text
    case 'killSelection':
      return before + rest
    case 'clear':
      return ''
    case 'setText':
      return normalisePaste(command.text)
    case 'yank':
      return editor.kills.length === 0 ? editor.text : before + (editor.kills.at(-1) ?? '') + rest
    case 'deleteWordLeft':
    case 'killWordLeft':
    case 'killWordRight':
    case 'killToLineStart':
    case 'killToLineEnd':
    case 'yankPop':
    case 'replace':
    case 'undo':
    case 'redo':
      return null
  }
}

test('any sequence of commands has the same effect as in the model, and leaves the editor valid', () => {
  fc.assert(
    fc.property(pieces(6), script, (start, steps) => {
      let editor = createEditor(start)
      for (const { command, width } of steps) {
        const expected = model(editor, command)
        const next = edit(editor, command, width)
        isSound(next, width)
        expect(next.text).toBe(expected ?? next.text)
        editor = next
      }
    }),
    aPartOf(300),
  )
})

test('undoing everything gives the first text, and redoing everything the last', () => {
  fc.assert(
    fc.property(pieces(6), script, (start, steps) => {
      const first = createEditor(start)
      const last = steps.reduce((editor, { command, width }) => edit(editor, command, width), first)
      const end = repeat(last, 'redo')
      const back = repeat(end, 'undo')
      expect(back.text).toBe(first.text)
      const again = repeat(back, 'redo')
      expect(again.text).toBe(end.text)
      expect(again.undo).toEqual(end.undo)
    }),
    aPartOf(300),
  )
})

function repeat(editor: Editor, kind: 'undo' | 'redo'): Editor {
  let each = editor
  while (each[kind].length > 0) {
    each = edit(each, { kind }, 20)
    isSound(each, 20)
  }
  return each
}
