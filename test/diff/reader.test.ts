import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Changes, DiffMove } from '../../src/state/diff-screen.ts'
import type { FileChange, FileDiff } from '../../src/tools/diff/change.ts'
import { contentOf } from '../../src/changes/content.ts'
import { compareContents } from '../../src/changes/patch.ts'
import { displayWidth } from '../../src/text/width.ts'
import { initialState } from '../../src/state/state.ts'
import { createTheme } from '../../src/style/theme.ts'
import { diffPage } from '../../src/diff/page.ts'
import { rowsOfPage } from '../../src/viewer/page.ts'
import { DiffReader } from '../../src/diff/reader.ts'
import { textsOf } from '../helpers/lines.ts'

const theme = createTheme(0)
const state = initialState({ version: '1', folder: '~', branch: null, demo: false }, 0)
const keys = [['k', 'does']] as const

function compared(before: string, after: string): FileDiff {
  return compareContents(contentOf(Buffer.from(before)), contentOf(Buffer.from(after)))
}

function change(path: string, kind: FileChange['kind'] = 'changed'): FileChange {
  return { file: `/${path}`, path, from: null, kind, form: 'text', added: 1, removed: 1, isEstimate: false, calls: 1 }
}

function changesOf(files: Record<string, FileDiff>): Changes {
  const session = Object.keys(files).map(path => change(path))
  const diffs = new Map(Object.entries(files).map(([path, diff]) => [`/${path}`, diff]))
  return { list: { session, before: [], unsure: 0, notes: [] }, isAsking: false, diffs }
}

/** A reader that has done this, and its page. */
function page(changes: Changes, size: { columns: number; rows: number }, ...moves: readonly DiffMove[]) {
  const reader = new DiffReader()
  reader.open()
  const update = (): void => reader.update(changes, theme, size)
  update()
  for (const move of moves) {
    reader.perform(move)
    update()
  }
  const rows = rowsOfPage(diffPage(reader, state, { theme, size, keys }))
  return { reader, rows: textsOf(rows) }
}

const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')
const size = { columns: 80, rows: 12 }

describe('one file', () => {
  const before = lines(100)
  const diff = compared(before, before.replace('line 5\n', 'five\n').replace('line 90\n', 'ninety\nand more\n'))
  const changes = changesOf({ a: diff, b: compared('one\n', 'two\n') })

  test('says of a gap only where there is one: nothing is left out before line 1', () => {
    expect(page(changesOf({ a: compared('one\n', 'two\n') }), size, 'show').rows[1]).toBe('▌ line 1')
  })

  test('changes one after the other, then the next file, and back to the last change', () => {
    expect(page(changes, size, 'show').rows[1]).toBe('▌ ⋯ line 2')
    expect(page(changes, size, 'show', 'next_hunk').reader.window.hunk).toBe(1)
    expect(page(changes, size, 'show', 'next_hunk', 'next_hunk').reader.shown?.path).toBe('b')
    const back = page(changes, size, 'show', 'next_hunk', 'next_hunk', 'previous_hunk')
    expect([back.reader.shown?.path, back.reader.window.hunk]).toEqual(['a', 1])
    expect(page(changes, size, 'bottom', 'show', 'next_hunk').reader.shown?.path).toBe('b')
  })

  test('the line to be opened is that of the change', () => {
    expect(page(changes, size, 'show').reader.line()).toBe(5)
    expect(page(changes, size, 'show', 'next_hunk').reader.line()).toBe(90)
    expect(page(changes, size).reader.line()).toBeNull()
    const removed = changesOf({ a: compared('one\ntwo\nthree\n', 'one\nthree\n') })
    expect(page(removed, size, 'show').reader.line()).toBe(2)
    expect(page(changesOf({ a: compared('one\n', '') }), size, 'show').reader.line()).toBe(1)
  })

  test('side by side, what took the place of what stands beside it', () => {
    const rows = page(changes, size, 'show', 'layout').rows.join('\n')
    expect(rows).toMatch(/^▌ +5 {2}- line 5 +│ +5 {2}\+ five$/m)
    expect(rows).toMatch(/^▌ +4 {4}line 4 +│ +4 {4}line 4$/m)
    expect(page(changes, size, 'show', 'next_hunk', 'layout').rows.join('\n')).toMatch(/^▌ +│ +91 {2}\+ and more$/m)
  })

  test('a wide screen has both sides, but for a file that came', () => {
    const wide = { columns: 120, rows: 12 }
    expect(page(changes, wide, 'show').rows.join('\n')).toContain('│')
    const fresh = { ...changesOf({ a: compared('', 'new\n') }) }
    const list = { ...fresh.list, session: [change('a', 'new')] }
    expect(page({ ...fresh, list }, wide, 'show').rows.join('\n')).not.toContain('│')
  })

  test('what is read stays where it is while the agent goes on with the file', () => {
    const { reader, rows } = page(changesOf({ a: compared('', lines(100)) }), size, 'show', 'page_down', 'page_down')
    expect(rows[1]).toMatch(/ line 18$/)
    const more = changesOf({ a: compared('', lines(200)) })
    reader.update(more, theme, size)
    const after = textsOf(rowsOfPage(diffPage(reader, state, { theme, size, keys })))
    expect(after[1]).toBe(rows[1])
  })

  test('a long line is cut, or broken', () => {
    const long = changesOf({ a: compared('short\n', `${'word '.repeat(40)}\n`) })
    expect(page(long, size, 'show').rows.filter(row => row.includes('word'))).toHaveLength(1)
    expect(page(long, size, 'show', 'wrap').rows.filter(row => row.includes('word')).length).toBeGreaterThan(2)
  })
})

const text = fc.array(fc.constantFrom('a', 'b', '', '\t\tc', 'x'.repeat(300), '宽'.repeat(60), '\u001B[2J'), {
  maxLength: 60,
})
const moves = fc.array(
  fc.constantFrom<DiffMove>(
    ...([
      'up',
      'down',
      'page_up',
      'page_down',
      'half_up',
      'half_down',
      'top',
      'bottom',
      'show',
      'list',
      'leave',
      'help',
    ] as const),
    ...(['next_hunk', 'previous_hunk', 'next_file', 'previous_file', 'layout', 'wrap'] as const),
  ),
  { maxLength: 25 },
)

test('whatever is pressed, the page has its size, and nothing of a file reaches the terminal', () => {
  fc.assert(
    fc.property(
      text,
      text,
      moves,
      fc.integer({ min: 3, max: 130 }),
      fc.integer({ min: 3, max: 30 }),
      (a, b, pressed, columns, rows) => {
        const changes = changesOf({
          'a.ts': compared(a.join('\n'), b.join('\n')),
          'b\n\u001B[2J': compared(b.join('\n'), a.join('\n')),
        })
        const seen = page(changes, { columns, rows }, ...pressed).rows
        expect(seen).toHaveLength(rows)
        for (const row of seen) {
          expect(displayWidth(row)).toBeLessThanOrEqual(columns)
          expect(row).not.toMatch(/[\u0000-\u001F\u007F]/)
        }
      },
    ),
    { numRuns: 150 },
  )
})
