/** A pasted megabyte must not make keys slow. Work is counted, not timed: how many characters the segmenter is asked for. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEditor, edit, type EditCommand, type Editor } from '../../src/composer/editor.ts'
import { layout } from '../../src/composer/layout.ts'
import { FAMILY } from './samples.ts'

let segmented = 0
const real = new Intl.Segmenter('en', { granularity: 'grapheme' })
const uncounted = real.segment.bind(real)

beforeEach(() => {
  vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(text => {
    const segments = uncounted(text)
    return {
      containing(at) {
        segmented += 1
        return segments.containing(at)
      },
      *[Symbol.iterator]() {
        for (const each of segments) {
          segmented += 1
          yield each
        }
        return undefined
      },
    }
  })
})

afterEach(() => {
  vi.restoreAllMocks()
})

function counted(editor: Editor, command: EditCommand): { editor: Editor; work: number } {
  segmented = 0
  const next = edit(editor, command, 80)
  layout(next.text, next.caret, 80, 10)
  return { editor: next, work: segmented }
}

const MEGABYTE = 1_000_000

test.each<[name: string, line: string, asked: number]>([
  ['lines of code', 'const answer = 42 // with a comment\n', 0],
  ['lines of words', `${'नमस्ते दुनिया '.repeat(10)}\n`, 50],
  ['lines of emoji', `${`${FAMILY}😀`.repeat(30)}\n`, 60],
  ['lines of combining marks', `${'e\u0301'.repeat(20)} and so on\n`, 20],
])('a key in a megabyte of %s asks for what it changed', (_, line, asked) => {
  const text = line.repeat(Math.ceil(MEGABYTE / line.length))
  const pasted = counted(createEditor(), { kind: 'paste', text })
  expect(pasted.work).toBeGreaterThanOrEqual(asked)
  const middle = text.lastIndexOf('\n', MEGABYTE / 2) + 1
  const placed = counted({ ...pasted.editor, caret: middle }, { kind: 'move', to: 'right' })
  let { editor } = counted(placed.editor, { kind: 'insert', text: 'x' })
  const keys: EditCommand[] = [
    { kind: 'insert', text: 'a' },
    { kind: 'insert', text: '汉' },
    { kind: 'insert', text: '😀' },
    { kind: 'deleteLeft' },
    { kind: 'deleteRight' },
    { kind: 'move', to: 'left' },
    { kind: 'move', to: 'up' },
    { kind: 'move', to: 'down' },
    { kind: 'move', to: 'lineEnd' },
    { kind: 'undo' },
  ]
  const work: number[] = []
  for (const key of keys) {
    const pressed = counted(editor, key)
    work.push(pressed.work)
    editor = pressed.editor
  }
  expect(Math.max(...work)).toBeLessThan(1500)
})

test('a text of nothing but newlines, and one that is a single line, are laid out', () => {
  expect(layout('\n'.repeat(MEGABYTE), 0, 80, 5)).toMatchObject({ caretRow: 0, firstRow: 0 })
  const one = layout('x'.repeat(MEGABYTE), MEGABYTE, 80, 5)
  expect(one).toMatchObject({ firstRow: Math.ceil(MEGABYTE / 79) - 5, caretRow: 4 })
})
