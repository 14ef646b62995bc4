/** Comments on the lines of a diff: where they stand, how one is written, and how the cursor goes through them. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commentedInHunk, placedComments } from '../../../components/pages/diff/comment-places.ts'
import { unsent, inListOrder } from '../../../components/pages/diff/comment-work.ts'
import { diffAfter } from '../../../components/pages/diff/moves.ts'
import { PaintedDiff } from '../../../components/pages/diff/painted-diff.ts'
import { createDiffReader, cursorTarget, type DiffReading } from '../../../components/pages/diff/reading.ts'
import { diffCaret, diffRows } from '../../../components/pages/diff/rows.ts'
import { initialDiff, type Changes, type DiffMove, type DiffState } from '../../../components/pages/diff/state.ts'
import { fullKeymap } from '../../../components/pages/keymap.ts'
import type { PageInput } from '../../../components/pages/page-input.ts'
import { rowsOfPage } from '../../../components/pages/page-rows.ts'
import { contentOf } from '../../../src/changes/file-content.ts'
import { compareContents } from '../../../src/changes/patch.ts'
import type { ReviewComment } from '../../../src/review/comment.ts'
import { initialState } from '../../../src/state/state.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { displayWidth, type Size } from '../../../src/text/lines/width.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { aPartOf } from '../../helpers/length.ts'
import { textsOf } from '../../helpers/lines.ts'
import { commentOf, linesOf } from '../../review/comments.ts'

const theme = createTheme(0)
const app = { ...initialState({ version: '1', folder: '~', branch: null, demo: false }, 0), keyNames: fullKeymap.names }
const size = { columns: 80, rows: 24 }

function compared(before: string, after: string): FileDiff {
  return compareContents(contentOf(Buffer.from(before)), contentOf(Buffer.from(after)))
}

const change = (path: string): FileChange => ({
  file: `/${path}`,
  path,
  from: null,
  kind: 'changed',
  form: 'text',
  added: 1,
  removed: 1,
  isEstimate: false,
  calls: 1,
})

function changesOf(files: Record<string, FileDiff>): Changes {
  const session = Object.keys(files).map(change)
  const diffs = new Map(Object.entries(files).map(([path, diff]) => [`/${path}`, diff]))
  return { list: { session, before: [], unsure: 0, notes: [] }, isAsking: false, diffs, digests: new Map() }
}

const before = 'one\ntwo\nthree\nfour\nfive\n'
const after = 'one\ntwo\n3\n3 and a half\nfour\nfive\n'
const changes = changesOf({ a: compared(before, after), b: compared('x\n', 'y\n') })

type Press = DiffMove | { type: string } | { paste: string } | { edit: 'newline' | 'deleteLeft' }

function input(press: Press): PageInput<DiffMove> {
  if (typeof press === 'string') return { kind: 'move', move: press }
  if ('type' in press) return { kind: 'text', text: press.type }
  if ('paste' in press) return { kind: 'text', text: '', edit: { kind: 'paste', text: press.paste } }
  return { kind: 'text', text: '', edit: { kind: press.edit } }
}

function page(comments: readonly ReviewComment[], presses: readonly Press[], at: Size = size, of = changes) {
  const reader = createDiffReader()
  const read = (state: DiffState): DiffReading => reader(state, app, { theme, size: at, keys: [] })
  const start: DiffState = { ...initialDiff(), changes: of, comments }
  const state = presses.reduce((now, press) => diffAfter(read(now), input(press)) ?? now, start)
  const reading = read(state)
  return { state, reading, rows: textsOf(rowsOfPage(diffRows(reading))), caret: diffCaret(reading) }
}

describe('a comment', () => {
  test('stands below its line, and the count beside the file and in the title', () => {
    const comments = [commentOf({ lines: linesOf(3, ['3']), text: 'Why a number?' }), commentOf({ id: 'b', path: 'b' })]
    const { rows } = page(comments, ['show'])
    const at = rows.findIndex(row => / 3 {2}\+ 3$/.test(row))
    expect(rows.slice(at + 1, at + 3)).toEqual(['▌ ┃ comment', '▌ ┃ Why a number?'])
    expect(rows[0]).toBe('  a   1 comment   +1 -1')
    expect(page(comments, []).rows[0]).toContain('2 comments')
    expect(page(comments, []).rows[1]).toMatch(/^› M +a +1 comment +\+1 -1$/)
    expect(page(comments, [], { columns: 40, rows: 20 }).rows[1]).toMatch(/^› M +a +1c +\+1 -1$/)
  })

  test('is counted beside the folders that its file is in', () => {
    const of = changesOf({ 'src/a': compared(before, after), 'src/deep/b': compared('x\n', 'y\n') })
    const comments = [commentOf({ path: 'src/a' }), commentOf({ id: 'b', path: 'src/deep/b' })]
    const { rows } = page(comments, ['tree'], size, of)
    expect(rows.find(row => row.includes('src/'))).toMatch(/src\/ +2 comments {3}2 files/)
    expect(rows.find(row => row.includes('deep/'))).toMatch(/deep\/ +1 comment {3}1 file/)
  })

  test('on a file without changes stands in that file, which is listed below the others', () => {
    const comments = [commentOf({ path: 'gone', lines: linesOf(3, ['3']), text: 'Where is it?' })]
    const { rows } = page(comments, [])
    expect(rows.slice(3, 6)).toEqual(['', '  comments on other files: 1 file', '  =  gone   1 comment'])
    expect(page(comments, ['next_comment']).reading.shown?.path).toBe('gone')
    const { reading } = page(comments, ['next_comment'], size, {
      ...changes,
      diffs: new Map(changes.diffs).set('/gone', { hunks: [], notes: [] }),
    })
    expect(cursorTarget(reading)?.comment?.text).toBe('Where is it?')
    const shown = textsOf(rowsOfPage(diffRows(reading)))
    expect(shown[1]).toContain('stale: its lines are not among the changes')
    expect(shown[2]).toContain('Where is it?')
    expect(shown).toContain('  It has comments, and is not among the changes.')
  })

  test('shows no file as unchanged before git has answered', () => {
    const asking = { ...changes, isAsking: true }
    expect(page([commentOf({ path: 'gone' })], [], size, asking).rows.join('\n')).not.toContain('gone')
    const again = { ...asking, areWhole: true }
    expect(page([commentOf({ path: 'gone' })], [], size, again).rows.join('\n')).toContain('gone')
  })

  test('on the whole file stands above everything, also of a file without lines', () => {
    const comment = commentOf({ text: 'No tests?' })
    expect(page([comment], ['show']).rows.slice(1, 3)).toEqual(['  ┃ comment, on the file', '  ┃ No tests?'])
    const binary = changesOf({ a: { hunks: [], notes: ['Binary files differ.'] } })
    expect(page([comment], ['show'], size, binary).rows.slice(1, 4)).toEqual([
      '  ┃ comment, on the file',
      '  ┃ No tests?',
      '› Binary files differ.',
    ])
  })

  test('says what it still needs, and what became of it', () => {
    const line = linesOf(3, ['3', '3 and a half'])
    const head = (part: Partial<ReviewComment>): string | undefined =>
      page([commentOf({ lines: line, ...part })], ['show']).rows.find(row => row.includes('┃'))
    expect(head({ by: 'review', level: 'error', state: 'offered' })).toBe(
      '▌ ┃ error, found by the review, lines 3 to 4, not kept yet',
    )
    expect(head({ state: 'draft', text: '', draft: 'W' })).toBe('▌ ┃ comment, lines 3 to 4, not finished')
    expect(head({ draft: 'Why not?' })).toBe('▌ ┃ comment, lines 3 to 4, being changed')
    expect(head({ state: 'sent' })).toBe('▌ ┃ comment, lines 3 to 4, sent')
    expect(head({ state: 'sent', outcome: 'changed' })).toBe(
      '▌ ┃ comment, lines 3 to 4, sent: its lines have changed since',
    )
    expect(head({ lines: linesOf(3, ['never there']) })).toContain('stale: its lines are not among the changes')
  })

  test('of a removed line stands below that', () => {
    const { rows } = page([commentOf({ lines: linesOf(3, ['three'], 'before') })], ['show'])
    const at = rows.findIndex(row => row.endsWith('- three'))
    expect(rows[at + 1]).toBe('▌ ┃ comment, removed line 3')
  })

  test('shows its beginning if it is long, and how long it is', () => {
    const { rows } = page([commentOf({ text: 'word '.repeat(20_000) })], ['show'])
    expect(rows.filter(row => row.includes('┃'))).toHaveLength(13)
    expect(rows[13]).toContain('… 100000 characters in all')
  })
})

describe('writing one', () => {
  test('takes letters, pastes and line breaks in a field below the line, with the caret in it', () => {
    const { rows, caret, state } = page(
      [],
      ['show', 'comment', { type: 'Why' }, { type: '?' }, { edit: 'newline' }, { paste: '宽 x\ny' }],
    )
    expect(state.field?.editor.text).toBe('Why?\n宽 x\ny')
    expect(state.field?.comment.lines).toMatchObject({ side: 'before', from: 3, to: 3, excerpt: ['three'] })
    const at = rows.findIndex(row => row.includes('┃ new comment, removed line 3'))
    expect(rows.slice(at + 1, at + 4)).toEqual(['▌ ┃ > Why?', '▌ ┃   宽 x', '▌ ┃   y'])
    expect(caret).toEqual({ x: 7, y: at + 3 })
    expect(rows.at(-1)).toContain('Enter keeps')
  })

  test('is about the range, the changes of a hunk at its heading, or the file in the list', () => {
    const written = (...presses: Press[]) => page([], [...presses, 'comment']).state.field?.comment.lines
    expect(written('show', 'down', 'range', 'down')).toEqual({
      side: 'after',
      from: 3,
      to: 4,
      excerpt: ['3', '3 and a half'],
      above: ['one', 'two'],
      below: ['four', 'five'],
    })
    expect(written('show', 'top')).toMatchObject({ side: 'after', from: 3, to: 4 })
    expect(written()).toBeNull()
    const { state, rows } = page([], ['comment'])
    expect([state.file, state.field?.isFromList]).toEqual(['/a', true])
    expect(rows[1]).toBe('› ┃ new comment, on the file')
  })

  test('changes the comment that the cursor is on, by i or Enter', () => {
    const comment = commentOf({ lines: linesOf(3, ['3']), text: 'Why?' })
    for (const press of ['comment', 'show'] as const) {
      const { state } = page([comment], ['show', 'next_comment', press, { type: '!' }])
      expect(state.field).toMatchObject({ comment: { id: 'one' }, editor: { text: 'Why?!' } })
    }
  })

  test('goes on with a draft that was left at that place', () => {
    const lines = { ...linesOf(3, ['three'], 'before') }
    const draft = commentOf({ lines, state: 'draft', text: '', draft: 'half a' })
    expect(page([draft], ['show', 'comment']).state.field).toMatchObject({
      comment: { id: 'one' },
      editor: { text: 'half a' },
    })
  })

  test('takes all keys and clicks: nothing else moves meanwhile', () => {
    const { state } = page([], ['show', 'comment', { type: 'q' }, 'leave', 'next_file', 'help', 'search'])
    expect(state).toMatchObject({ file: '/a', help: null, search: null, field: { editor: { text: 'q' } } })
  })
})

const next = (count: number): Press[] => Array.from({ length: count }, () => 'next_comment')

test('the cursor goes to the next and the previous comment over all files, and stays at the ends', () => {
  const comments = [
    commentOf({ id: 'file' }),
    commentOf({ id: 'low', lines: linesOf(5, ['four']) }),
    commentOf({ id: 'high', lines: linesOf(3, ['3']) }),
    commentOf({ id: 'other', path: 'b', lines: linesOf(1, ['y']) }),
  ]
  const at = (...presses: Press[]) => cursorTarget(page(comments, presses).reading)?.comment?.id ?? null
  expect([1, 2, 3, 4, 5].map(count => at(...next(count)))).toEqual(['file', 'high', 'low', 'other', 'other'])
  expect(at(...next(4), 'previous_comment')).toBe('low')
  expect(at(...next(4), 'previous_comment', 'previous_comment', 'previous_comment', 'previous_comment')).toBe('file')
  expect(at('show', 'next_comment')).toBe('high')
  expect(at('next_comment', 'down')).toBeNull()
})

test('comments are sent in the order of the list and of their lines; what is not sent is named', () => {
  const comments = [
    commentOf({ id: 'gone', path: 'gone' }),
    commentOf({ id: 'b', path: 'b' }),
    commentOf({ id: 'late', lines: linesOf(9, ['x']) }),
    commentOf({ id: 'early', lines: linesOf(2, ['x']) }),
  ]
  expect(inListOrder(comments, ['a', 'b']).map(({ id }) => id)).toEqual(['early', 'late', 'b', 'gone'])
  expect(unsent([commentOf({ state: 'offered' }), commentOf({ state: 'draft' }), commentOf()])).toBe(
    '1 finding that you have not kept, 1 comment that is not finished',
  )
})

const painted = (diff: FileDiff, isSplit = false): PaintedDiff =>
  new PaintedDiff(diff, 'a', { theme, width: 80, isSplit, isWrapped: false }, [])

describe('comments follow their lines', () => {
  const line = fc.constantFrom('{', '}', '', 'a unique line', 'return value', 'x', 'const other = 1')

  test('wherever lines are added above, on either layout', () => {
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 30 }),
        fc.array(line, { maxLength: 10 }),
        fc.boolean(),
        (old, added, isSplit) => {
          const mark = ['marked line of this test', '}']
          const first = compared('', [...old, ...mark, 'end'].join('\n'))
          const hunk = first.hunks[0]?.lines ?? []
          const own = hunk.filter(({ after: number }) => number === old.length + 1 || number === old.length + 2)
          const comment = commentOf({ lines: commentedInHunk(own, hunk) })
          const later = painted(compared('', [...added, ...old, ...mark, 'end'].join('\n')), isSplit)
          const [placed] = placedComments(later, [comment])
          const row = later.rows[placed?.below ?? -1]
          expect(placed?.fate).toBe('there')
          expect((row?.right ?? row?.left)?.after).toBe(added.length + old.length + 2)
        },
      ),
      aPartOf(400),
    )
  })

  test('and say if these have changed, are gone, or cannot be told from others', () => {
    const lines = { ...linesOf(2, ['let value = 1']), above: ['first()'], below: ['second()'] }
    const placedIn = (text: string) => placedComments(painted(compared('', text)), [commentOf({ lines })])[0]
    expect(placedIn('first()\nlet value = 1\nsecond()\n')).toMatchObject({ fate: 'there', below: 2 })
    expect(placedIn('first()\nlet value = 2\nsecond()\n')).toMatchObject({ fate: 'changed', below: 2 })
    expect(placedIn('first()\nsecond()\n')).toMatchObject({ fate: 'gone', below: 1 })
    expect(placedIn('x\ny\n')).toMatchObject({ fate: 'stale' })
  })

  test('also where a diff has no numbers', () => {
    const unnumbered: FileDiff = {
      hunks: [
        { title: 'edit', lines: ['a', 'b', 'c'].map(each => ({ sign: '+', text: each, before: null, after: null })) },
      ],
      notes: [],
    }
    const hunk = unnumbered.hunks[0]?.lines ?? []
    const comment = commentOf({ lines: commentedInHunk(hunk.slice(1, 2), hunk) })
    expect(placedComments(painted(unnumbered), [comment])[0]).toMatchObject({ fate: 'there', below: 2 })
    expect(placedComments(painted(compared('', 'x\n')), [comment])[0]).toMatchObject({ fate: 'stale', below: -1 })
  })
})

test('whatever is pressed and whatever comments hold, the page keeps its size, and no control sequence reaches the terminal', () => {
  const presses = fc.array(
    fc.oneof(
      fc.constantFrom<Press>(
        'show',
        'comment',
        'next_comment',
        'previous_comment',
        'up',
        'down',
        'layout',
        'wrap',
        'range',
      ),
      fc.constantFrom<Press>('bottom', 'top', 'list', 'leave', 'next_file', 'row_up', 'row_down', 'delete_right'),
      fc.constantFrom<Press>(
        { type: 'x' },
        { type: '宽' },
        { paste: 'a\u001B[2J\nb\r\nc' },
        { edit: 'newline' },
        { edit: 'deleteLeft' },
      ),
    ),
    { maxLength: 25 },
  )
  const text = fc.string({ unit: 'binary', maxLength: 80 })
  const comment = fc
    .record({
      id: fc.uuid(),
      path: fc.constantFrom('a', 'b', 'c'),
      text,
      from: fc.integer({ min: 0, max: 7 }),
      isFile: fc.boolean(),
      excerpt: fc.constantFrom('3', 'two', 'three', '\u001B[31m'),
    })
    .map(({ from, isFile, excerpt, ...rest }) =>
      commentOf({ ...rest, lines: isFile ? null : linesOf(from, [excerpt]) }),
    )
  fc.assert(
    fc.property(
      fc.array(comment, { maxLength: 6 }),
      presses,
      fc.integer({ min: 3, max: 130 }),
      fc.integer({ min: 3, max: 30 }),
      (comments, pressed, columns, rows) => {
        const seen = page(comments, pressed, { columns, rows })
        expect(seen.rows).toHaveLength(rows)
        for (const row of seen.rows) {
          expect(displayWidth(row)).toBeLessThanOrEqual(columns)
          expect(row).not.toMatch(/[\u0000-\u001F\u007F]/)
        }
        const { x, y } = seen.caret ?? { x: 0, y: 0 }
        expect([x < Math.max(columns, 9), y < rows - 1]).toEqual([true, true])
      },
    ),
    aPartOf(300),
  )
})
