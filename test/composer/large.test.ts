/** A pasted megabyte must not make keys slow. Work is counted, not timed: how many characters the segmenter is asked for. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEditor, edit, type EditCommand, type Editor } from '../../src/composer/editor.ts'
import { layout } from '../../src/composer/layout.ts'
import { lineIndex } from '../../src/composer/line-index.ts'
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
  ['short lines', 'const answer = 42 // with a comment\n', 0],
  ['long lines of words', `${'नमस्ते दुनिया '.repeat(7000)}\n`, 50_000],
  ['long lines of emoji', `${`${FAMILY}😀`.repeat(10_000)}\n`, 20_000],
  ['short lines of combining marks', `${'e\u0301'.repeat(20)} and so on\n`, 100_000],
])('a key in a megabyte of %s measures only what it changed', (_, line, asked) => {
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

test('a key does not rebuild the index of a megabyte of lines', () => {
  const lines = 'some words\n'.repeat(MEGABYTE / 10)
  const before = lineIndex(lines, 20)
  const looks = vi.spyOn(String.prototype, 'indexOf')
  const after = lineIndex(`${lines.slice(0, 500_000)}x${lines.slice(500_000)}`, 20)
  // One look for a newline per line that was read.
  expect(looks.mock.calls.length).toBeLessThan(10)
  expect(after.starts).toHaveLength(before.starts.length)
})

test('a text of newlines only and a text of a single long line are laid out', () => {
  expect(layout('\n'.repeat(MEGABYTE), 0, 80, 5)).toMatchObject({ totalRows: MEGABYTE + 1, firstRow: 0 })
  const one = layout('x'.repeat(MEGABYTE), MEGABYTE, 80, 5)
  expect(one).toMatchObject({ totalRows: Math.ceil(MEGABYTE / 79), caretRow: 4 })
})
