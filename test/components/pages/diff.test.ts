import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { initialDiff, type Changes, type DiffMove, type DiffState } from '../../../components/pages/diff/state.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { contentOf } from '../../../src/changes/file-content.ts'
import { compareContents } from '../../../src/changes/patch.ts'
import { textsOf } from '../../helpers/lines.ts'
import { displayWidth, type Size } from '../../../src/text/lines/width.ts'
import { initialState } from '../../../src/state/state.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { diffAfter } from '../../../components/pages/diff/moves.ts'
import { diffRows } from '../../../components/pages/diff/rows.ts'
import { rowsOfPage } from '../../../components/pages/page-rows.ts'
import {
  createDiffReader,
  cursorTarget,
  shownLine,
  type CursorTarget,
  type DiffReading,
} from '../../../components/pages/diff/reading.ts'
import { aPartOf } from '../../helpers/length.ts'

const theme = createTheme(0)
const app = initialState({ version: '1', folder: '~', branch: null, demo: false }, 0)
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
  return { list: { session, before: [], unsure: 0, notes: [] }, isAsking: false, diffs, digests: new Map() }
}

/** /diff after these moves, and its page. */
function page(changes: Changes, size: Size, ...moves: readonly DiffMove[]): { reading: DiffReading; rows: string[] } {
  const reader = createDiffReader()
  const read = (state: DiffState): DiffReading => reader(state, app, { theme, size, keys })
  const end = moves.reduce((state, move) => after(read(state), move), opened(changes))
  return { reading: read(end), rows: rowsOfDiff(read(end)) }
}

const after = (reading: DiffReading, move: DiffMove): DiffState =>
  diffAfter(reading, { kind: 'move', move }) ?? reading.view
const opened = (changes: Changes): DiffState => ({ ...initialDiff(), changes })
const rowsOfDiff = (reading: DiffReading): string[] => textsOf(rowsOfPage(diffRows(reading)))

const downs = (count: number): DiffMove[] => Array.from({ length: count }, () => 'down')
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('')
const size = { columns: 80, rows: 12 }

describe('one file', () => {
  const before = lines(100)
  const diff = compared(before, before.replace('line 5\n', 'five\n').replace('line 90\n', 'ninety\nand more\n'))
  const changes = changesOf({ a: diff, b: compared('one\n', 'two\n') })

  test('marks a gap only if lines are omitted: none before line 1', () => {
    expect(page(changesOf({ a: compared('one\n', 'two\n') }), size, 'show').rows[1]).toBe('▌ line 1')
  })

  test('is stepped through change by change, then to the next file, and back to the last change', () => {
    expect(page(changes, size, 'show').rows[1]).toBe('▌ ⋯ line 2')
    expect(page(changes, size, 'show', 'next_hunk').reading.window?.hunk).toBe(1)
    expect(page(changes, size, 'show', 'next_hunk', 'next_hunk').reading.shown?.path).toBe('b')
    const back = page(changes, size, 'show', 'next_hunk', 'next_hunk', 'previous_hunk')
    expect([back.reading.shown?.path, back.reading.window?.hunk]).toEqual(['a', 1])
    expect(page(changes, size, 'bottom', 'show', 'next_hunk').reading.shown?.path).toBe('b')
  })

  test('opens in the editor at the line of the change', () => {
    expect(shownLine(page(changes, size, 'show').reading)).toBe(5)
    expect(shownLine(page(changes, size, 'show', 'next_hunk').reading)).toBe(90)
    expect(shownLine(page(changes, size).reading)).toBeNull()
    const removed = changesOf({ a: compared('one\ntwo\nthree\n', 'one\nthree\n') })
    expect(shownLine(page(removed, size, 'show').reading)).toBe(2)
    expect(shownLine(page(changesOf({ a: compared('one\n', '') }), size, 'show').reading)).toBe(1)
  })

  test('shows old and new lines side by side', () => {
    const rows = page(changes, size, 'show', 'layout').rows.join('\n')
    expect(rows).toMatch(/^› +5 {2}- line 5 +│ +5 {2}\+ five$/m)
    expect(rows).toMatch(/^▌ +4 {4}line 4 +│ +4 {4}line 4$/m)
    expect(page(changes, size, 'show', 'next_hunk', 'layout').rows.join('\n')).toMatch(/^▌ +│ +91 {2}\+ and more$/m)
  })

  test('is shown on both sides of a wide screen, except a new file', () => {
    const wide = { columns: 120, rows: 12 }
    expect(page(changes, wide, 'show').rows.join('\n')).toContain('│')
    const fresh = { ...changesOf({ a: compared('', 'new\n') }) }
    const list = { ...fresh.list, session: [change('a', 'new')] }
    expect(page({ ...fresh, list }, wide, 'show').rows.join('\n')).not.toContain('│')
  })

  test('keeps its place while the agent changes the file', () => {
    const { reading, rows } = page(changesOf({ a: compared('', lines(100)) }), size, 'show', 'page_down', 'page_down')
    expect(rows[1]).toMatch(/ line 18$/)
    const grown = { ...reading.view, changes: changesOf({ a: compared('', lines(200)) }) }
    const now = rowsOfDiff(createDiffReader()(grown, app, reading.context))
    expect(now[1]).toBe(rows[1])
  })

  test('keeps the line at the top when the layout changes', () => {
    const before = page(changes, size, 'show', 'next_hunk', 'page_up')
    const split = page(changes, size, 'show', 'next_hunk', 'page_up', 'layout', 'layout')
    expect(split.rows).toEqual(before.rows)
  })

  test('has long lines cut or wrapped', () => {
    const long = changesOf({ a: compared('short\n', `${'word '.repeat(40)}\n`) })
    expect(page(long, size, 'show').rows.filter(row => row.includes('word'))).toHaveLength(1)
    expect(page(long, size, 'show', 'wrap').rows.filter(row => row.includes('word')).length).toBeGreaterThan(2)
  })
})

describe('the cursor', () => {
  const before = lines(40)
  const diff = compared(before, before.replace('line 5\n', 'five\nsix\n').replace('line 30\n', ''))
  const changes = changesOf({ a: diff, b: compared('one\n', 'two\n') })
  const target = (...moves: readonly DiffMove[]): CursorTarget | null =>
    cursorTarget(page(changes, size, ...moves).reading)
  const texts = (...moves: readonly DiffMove[]): readonly string[] =>
    (target(...moves)?.lines ?? []).map(({ sign, text }) => `${sign}${text}`)
  const marked = (...moves: readonly DiffMove[]): string =>
    page(changes, size, ...moves).rows.find(row => row.startsWith('›')) ?? ''

  test('begins at the first change of a hunk, and goes line by line', () => {
    expect(texts('show')).toEqual(['-line 5'])
    expect(marked('show')).toMatch(/^› +5 {2}- line 5$/)
    expect(texts('show', 'down')).toEqual(['+five'])
    expect(texts('show', 'up')).toEqual([' line 4'])
    expect(texts('show', 'next_hunk')).toEqual(['-line 30'])
  })

  test('is in the hunk of its line; a heading has no lines', () => {
    expect(target('show', 'bottom')?.hunk).toBe(1)
    expect(target('show', 'top')).toMatchObject({ hunk: 0, lines: [] })
    expect(target()).toMatchObject({ change: { path: 'a' }, hunk: null, lines: [] })
  })

  test('takes the window along, by as few rows as it needs', () => {
    const seen = page(changes, size, 'show', ...downs(8))
    expect(seen.rows.at(-2)).toMatch(/^›/)
    expect(page(changes, size, 'show', 'bottom', 'up').rows.at(-3)).toMatch(/^›/)
    expect(page(changes, size, 'show', 'bottom', 'top').rows[1]).toMatch(/^› ⋯ line 2$/)
  })

  test('begins a range with V, which Shift and the arrows make longer, and which stays in its hunk', () => {
    expect(texts('show', 'range', 'down', 'down')).toEqual(['-line 5', '+five', '+six'])
    expect(texts('show', 'select_down', 'select_down', 'select_up')).toEqual(['-line 5', '+five'])
    expect(texts('show', 'down', 'select_up')).toEqual(['-line 5', '+five'])
    expect(target('show', 'range', 'bottom')).toMatchObject({ hunk: 0, isRange: true })
    expect(texts('show', 'range', 'bottom').at(-1)).toBe(' line 8')
    expect(texts('show', 'range', 'down', 'range')).toEqual(['+five'])
    expect(texts('show', 'range', 'down', 'leave')).toEqual(['+five'])
    expect(page(changes, size, 'show', 'range', 'down').rows.at(-1)).toContain('2 lines')
  })

  test('has both lines of a row side by side, in the order of one column', () => {
    expect(texts('show', 'layout')).toEqual(['-line 5', '+five'])
    expect(texts('show', 'layout', 'range', 'down')).toEqual(['-line 5', '+five', '+six'])
  })

  test('is moved by a click, and taken along by the wheel only if it would leave the window', () => {
    const reading = page(changes, size, 'show').reading
    const clicked = diffAfter(reading, { kind: 'click', x: 9, y: 4 }) ?? reading.view
    const read = (state: DiffState): DiffReading => createDiffReader()(state, app, reading.context)
    expect(cursorTarget(read(clicked))?.lines).toMatchObject([{ text: 'line 4' }])
    const scrolled = diffAfter(reading, { kind: 'wheel', by: 1 }) ?? reading.view
    expect(cursorTarget(read(scrolled))?.lines).toMatchObject([{ text: 'line 5' }])
    const further = diffAfter(read(scrolled), { kind: 'wheel', by: 1 }) ?? reading.view
    expect(rowsOfDiff(read(further))[1]).toMatch(/^›/)
  })

  test('goes through a line that is higher than the window before it leaves it', () => {
    const long = changesOf({ a: compared('short\n', `${'word '.repeat(400)}\nend\n`) })
    const at = (count: number): readonly string[] =>
      (cursorTarget(page(long, size, 'show', 'wrap', 'down', ...downs(count)).reading)?.lines ?? []).map(line =>
        line.text.slice(0, 4),
      )
    expect(at(1)).toEqual(['word'])
    expect(at(12)).toEqual(['word'])
    expect(at(40)).toEqual(['end'])
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
      'range',
      'select_up',
      'select_down',
    ] as const),
    ...(['next_hunk', 'previous_hunk', 'next_file', 'previous_file', 'layout', 'wrap'] as const),
  ),
  { maxLength: 25 },
)

test('whatever is pressed, the page keeps its size, and no control sequence of a file reaches the terminal', () => {
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
    aPartOf(150),
  )
})

const manyKeys = Array.from({ length: 30 }, (_, at) => [`${at}`, 'does'] as const)

/** The first row of a long list of keys after these moves; null if it was closed. */
function helpAfterMoves(...moves: readonly DiffMove[]): number | null {
  const reader = createDiffReader()
  const context = { theme, size, keys: manyKeys }
  return moves.reduce((state, move) => after(reader(state, app, context), move), opened(changesOf({}))).help
}

test('the list of keys scrolls with every key that scrolls, and another key closes it', () => {
  expect(helpAfterMoves('help', 'bottom')).toBe(20)
  expect(helpAfterMoves('help', 'bottom', 'half_up')).toBe(15)
  expect(helpAfterMoves('help', 'page_down', 'page_down', 'up')).toBe(17)
  expect(helpAfterMoves('help', 'bottom', 'top')).toBe(0)
  expect(helpAfterMoves('help', 'show')).toBeNull()
})
