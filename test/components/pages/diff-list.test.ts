/** The list of /diff: as a tree, with what is left to read, and with the search in all of it. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffAfter } from '../../../components/pages/diff/moves.ts'
import { createDiffReader, type DiffReading } from '../../../components/pages/diff/reading.ts'
import { diffRows } from '../../../components/pages/diff/rows.ts'
import { afterSeeking } from '../../../components/pages/diff/searching.ts'
import { isRead, leftOf, nextUnread } from '../../../components/pages/diff/seen.ts'
import { initialDiff, type Changes, type DiffMove, type DiffState } from '../../../components/pages/diff/state.ts'
import { filesToLoad } from '../../../components/pages/diff/load-next.ts'
import type { PageInput } from '../../../components/pages/page-input.ts'
import { rowsOfPage } from '../../../components/pages/page-rows.ts'
import { contentOf } from '../../../src/changes/file-content.ts'
import { compareContents } from '../../../src/changes/patch.ts'
import { initialState } from '../../../src/state/state.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { displayWidth, type Size } from '../../../src/text/lines/width.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { aPartOf } from '../../helpers/length.ts'
import { textsOf } from '../../helpers/lines.ts'

const theme = createTheme(0)
const app = initialState({ version: '1', folder: '~', branch: null, demo: false }, 0)
const wide = { columns: 80, rows: 14 }
const narrow = { columns: 40, rows: 12 }

const compared = (before: string, after: string): FileDiff =>
  compareContents(contentOf(Buffer.from(before)), contentOf(Buffer.from(after)))

function change(path: string, more: Partial<FileChange> = {}): FileChange {
  const counts = { added: 12, removed: 3, isEstimate: false, calls: 1 }
  return { file: `/${path}`, path, from: null, kind: 'changed', form: 'text', ...counts, ...more }
}

function changesOf(session: readonly FileChange[], before: readonly FileChange[] = []): Changes {
  return {
    list: { session, before, unsure: 0, notes: [] },
    isAsking: false,
    diffs: new Map(),
    digests: new Map([...session, ...before].map(({ file }) => [file, `digest of ${file}`])),
  }
}

const files = ['a.ts', 'src/app/main.ts', 'src/app/pages/diff.ts', 'src/app/pages/list.ts', 'test/a.test.ts'].map(
  path => change(path),
)

type Press = DiffMove | { type: string } | { click: number }

const inputOf = (press: Press): PageInput<DiffMove> =>
  typeof press === 'string'
    ? { kind: 'move', move: press }
    : 'type' in press
      ? { kind: 'text', text: press.type }
      : { kind: 'click', x: 9, y: press.click }

/** A page of which everything has been loaded, unless `texts` says what has been. */
function opened(changes: Changes, size: Size, texts: Readonly<Record<string, FileDiff>> = {}) {
  const reader = createDiffReader()
  let state: DiffState = { ...initialDiff(), changes }
  const read = (): DiffReading => reader(state, app, { theme, size, keys: [] })
  const load = (more: Readonly<Record<string, FileDiff>>): void => {
    for (const [path, diff] of Object.entries(more)) read().texts.set(`/${path}`, { path, diff })
  }
  load(texts)
  return {
    read,
    load,
    rows: (): string[] => textsOf(rowsOfPage(diffRows(read()))),
    /** The rows of the list. */
    list: (): string[] =>
      textsOf(rowsOfPage(diffRows(read())))
        .slice(1, -1)
        .filter(row => row !== ''),
    set: (more: Partial<DiffState>): void => void (state = { ...state, ...more }),
    press(...presses: readonly Press[]): void {
      for (const press of presses) state = diffAfter(read(), inputOf(press)) ?? state
    },
    /** Does the work between two keys. */
    work(): void {
      const reading = read()
      while (reading.found?.step(reading.files, reading.texts));
      state = afterSeeking(read()) ?? state
    },
  }
}

describe('the tree', () => {
  test('shows folders with their files, and with what is counted in them', () => {
    const page = opened(changesOf(files), wide)
    page.press('tree')
    expect(page.list()).toEqual([
      '› M  a.ts                     +12 -3',
      '  ▾  src/app/       3 files   +36 -9',
      '  M    main.ts                +12 -3',
      '  ▾    pages/       2 files   +24 -6',
      '  M      diff.ts              +12 -3',
      '  M      list.ts              +12 -3',
      '  ▾  test/           1 file   +12 -3',
      '  M    a.test.ts              +12 -3',
    ])
  })

  test('opens and closes folders with Enter, and with the arrows as files are shown and left', () => {
    const page = opened(changesOf(files), wide)
    page.press('tree', 'down', 'show')
    expect(page.list().map(row => row.slice(0, 14).trimEnd())).toEqual([
      '  M  a.ts',
      '› ▸  src/app/',
      '  ▾  test/',
      '  M    a.test.',
    ])
    page.press('into')
    expect(page.read().listRow).toBe(1)
    expect(page.list()).toHaveLength(8)
    page.press('into', 'down', 'into')
    expect(page.read().listRow).toBe(4)
    page.press('into')
    expect(page.read().shown?.path).toBe('src/app/pages/diff.ts')
    page.press('list')
    expect([page.read().shown, page.read().listRow]).toEqual([null, 4])
    page.press('list')
    expect(page.read().listRow).toBe(3)
    page.press('list')
    expect(page.list()).toHaveLength(6)
    page.press('list')
    expect(page.read().listRow).toBe(1)
  })

  test('takes a click on a folder as it takes one on a file: the first one selects, the second one opens', () => {
    const page = opened(changesOf(files), wide)
    page.press('tree', { click: 2 })
    expect(page.read().listRow).toBe(1)
    page.press({ click: 2 })
    expect(page.list()).toHaveLength(4)
    page.press({ click: 1 }, { click: 1 })
    expect(page.read().shown?.path).toBe('a.ts')
  })

  test('keeps the selected file when it becomes a list again, and shows the folder that hides it', () => {
    const page = opened(changesOf(files), wide)
    page.press('down', 'down', 'tree')
    expect(page.list()[page.read().listRow]).toContain('diff.ts')
    page.press('list', 'list', 'list', 'list')
    page.press('tree')
    expect(page.list()[page.read().listRow]).toContain('src/app/pages/diff.ts')
    page.press('tree')
    expect(page.list()[page.read().listRow]).toContain('▸  src/app/')
  })

  test('is where t leads from a file, with that file selected', () => {
    const page = opened(changesOf(files), wide)
    page.press('down', 'show', 'tree')
    expect(page.list()[page.read().listRow]).toContain('main.ts')
  })

  test('keeps apart the files from before the session, in folders of the same name', () => {
    const page = opened(changesOf([change('src/new.ts')], [change('src/old.ts')]), wide)
    page.press('tree', 'top', 'show')
    expect(page.list().map(row => row.trim().split('  ')[0])).toEqual([
      '› ▸',
      'changed before this session, and not since then: 1 file',
      '▾',
      'M',
    ])
  })

  test('has room for names and counts at 40 columns, however deep a folder is', () => {
    const deep = ['a', 'b', 'c', 'd', 'e', 'f'].map((_, at) =>
      change(`${Array.from({ length: at + 1 }, (_each, depth) => `folder-${depth}/`).join('')}file-${at}.ts`),
    )
    const page = opened(changesOf(deep), narrow)
    page.press('tree')
    expect(page.list()[0]).toBe('  ▾  folder-0/        6 files   +72 -18')
    for (const row of page.list()) expect(row).toMatch(/folder-|file-/)
  })
})

const marked = (...paths: readonly string[]): ReadonlyMap<string, string> =>
  new Map(paths.map(path => [path, `digest of /${path}`]))

describe('what is left to read', () => {
  test('is said in the title and beside folders, and files that are read have a mark', () => {
    const page = opened(changesOf(files), wide)
    expect(page.rows()[0]).toBe('  changed by this session: 5 files   +60 -15')
    page.set({ reads: marked('a.ts', 'src/app/main.ts') })
    expect(page.rows()[0]).toBe('  changed by this session: 5 files   3 of 5 left   +60 -15')
    expect(page.list().slice(0, 3)).toEqual([
      '› M● a.ts                    +12 -3',
      '  M● src/app/main.ts         +12 -3',
      '  M  src/app/pages/diff.ts   +12 -3',
    ])
    page.press('tree')
    expect(page.list()[1]).toMatch(/▾ {2}src\/app\/ +2 of 3 left {3}\+36 -9$/)
    page.set({ reads: marked(...files.map(({ path }) => path)) })
    expect(page.rows()[0]).toContain('all read')
    expect(page.list()[1]).toMatch(/all 3 read/)
  })

  test('counts a file again that has changed since it was marked, and one that is not loaded', () => {
    const changes = changesOf(files)
    const digests = new Map(changes.digests).set('/a.ts', 'another')
    digests.delete('/src/app/main.ts')
    const reading = { changes: { digests }, view: { reads: marked(...files.map(({ path }) => path)) } }
    expect(files.map(each => isRead(reading, each))).toEqual([false, false, true, true, true])
    expect(leftOf(reading, files)).toBe(2)
  })

  test('is gone through from the current file on, and from the beginning again', () => {
    const reading = { changes: changesOf(files), view: { reads: marked('a.ts', 'src/app/pages/list.ts') } }
    expect([0, 1, 2, 3, 4].map(index => nextUnread(reading, files, index))).toEqual([1, 2, 4, 4, 1])
    const all = { ...reading, view: { reads: marked(...files.map(({ path }) => path)) } }
    expect(nextUnread(all, files, 0)).toBeNull()
  })
})

describe('the search in all of /diff', () => {
  const diffs = {
    'a.ts': compared('one\ntwo\n', 'one\nTwo words\n'),
    'src/app/main.ts': compared('', 'nothing\n'),
    'src/app/pages/diff.ts': compared('x\n'.repeat(40), `${'x\n'.repeat(20)}a word\n${'x\n'.repeat(20)}`),
    'src/app/pages/list.ts': compared('', 'list\n'),
    'test/a.test.ts': compared('', 'test\n'),
  }

  function searched(query: string, ...presses: readonly Press[]) {
    const page = opened(changesOf(files), wide, diffs)
    page.press('search', { type: query })
    page.work()
    page.press('show')
    page.work()
    for (const press of presses) {
      page.press(press)
      page.work()
    }
    return page
  }

  test('counts matches while the query is typed, and goes to the first one with Enter', () => {
    const page = opened(changesOf(files), wide, diffs)
    page.press('search', { type: 'wor' })
    page.work()
    expect(page.rows().at(-1)).toBe('/wor   2 found')
    page.press({ type: 'd' }, 'show')
    page.work()
    expect(page.read().shown?.path).toBe('a.ts')
    expect(page.rows().at(-1)).toContain('match 1 of 2 for word')
  })

  test('goes by matches over all files with n and N, in order and around, and by changes with } and {', () => {
    const shown = (...presses: readonly Press[]): unknown => searched('word', ...presses).read().view.search?.shown
    expect(shown('next')).toEqual({ file: '/src/app/pages/diff.ts', line: 3 })
    expect(shown('next', 'next')).toEqual({ file: '/a.ts', line: 2 })
    expect(shown('previous')).toEqual({ file: '/src/app/pages/diff.ts', line: 3 })
    expect(searched('word', 'next_hunk').read().shown?.path).toBe('src/app/main.ts')
  })

  test('finds paths, and shows their files from the beginning', () => {
    const page = searched('pages')
    expect([page.read().shown?.path, page.rows().at(-1)]).toEqual([
      'src/app/pages/diff.ts',
      expect.stringContaining('match 1 of 2 for pages'),
    ])
    page.press('next')
    expect(page.read().shown?.path).toBe('src/app/pages/list.ts')
    page.press('previous')
    expect(page.read().shown?.path).toBe('src/app/pages/diff.ts')
  })

  test('ends with Esc, which leaves the file as it is, and with an empty query', () => {
    const page = searched('word', 'leave')
    expect([page.read().view.search, page.read().shown?.path]).toEqual([null, 'a.ts'])
    page.press('search', 'show')
    expect(page.read().view.search).toBeNull()
    page.press('search', { type: 'w' }, 'erase', 'erase')
    expect(page.read().view.search).toBeNull()
    page.press('search', { type: 'w' }, 'leave')
    expect([page.read().view.search, page.read().shown?.path]).toEqual([null, 'a.ts'])
  })

  test('keeps its keys for itself while the query is typed', () => {
    const page = opened(changesOf(files), wide, diffs)
    page.press('search', { type: 'x' }, 'down', 'tree', 'help', { click: 3 })
    expect(page.read().view).toMatchObject({
      search: { query: 'x', isTyping: true },
      help: null,
      tree: { isShown: false },
    })
    expect(page.read().selected).toBe(0)
  })

  test('begins at the cursor, whose own line may be the first match', () => {
    const page = opened(changesOf(files), wide, diffs)
    page.set({ changes: { ...changesOf(files), diffs: new Map([['/a.ts', diffs['a.ts']]]) } })
    page.press('show', 'down', 'search', { type: 'o' })
    page.work()
    page.press('show')
    expect(page.read().view.search?.shown).toEqual({ file: '/a.ts', line: 2 })
    page.press('next')
    expect(page.read().view.search?.shown?.file).toBe('/src/app/main.ts')
  })

  test('waits for a nearer match in a file that is still being loaded', () => {
    const page = opened(changesOf(files), wide, {
      'a.ts': compared('', 'nothing\n'),
      'test/a.test.ts': compared('', 'a word\n'),
    })
    page.press('search', { type: 'word' }, 'show')
    page.work()
    expect([page.read().shown, page.rows().at(-1)]).toEqual([
      null,
      expect.stringContaining('match 0 of 1 so far for word'),
    ])
    page.load({ 'src/app/main.ts': compared('', 'a word\n') })
    page.work()
    expect(page.read().shown?.path).toBe('src/app/main.ts')
    expect(page.rows().at(-1)).toContain('match 1 of 2 so far')
  })

  test('says when nothing matches, and how many files are too long to be searched', () => {
    const page = opened(changesOf(files), wide, diffs)
    page.read().texts.set('/a.ts', { path: 'a.ts', diff: null })
    page.press('search', { type: 'nowhere' }, 'show')
    page.work()
    expect(page.rows().at(-1)).toContain('No matches for nowhere   1 file too long to search')
  })

  test('asks for all files to be loaded, the nearest first, but for those that are too long', () => {
    const many = [...files, change('long.ts', { added: 90_000, removed: 20_000 })]
    const page = opened(changesOf(many), wide)
    page.press('down', 'down')
    page.press('search', { type: 'x' })
    expect(filesToLoad(page.read(), () => false).map(({ path }) => path)).toEqual([
      'src/app/pages/diff.ts',
      'src/app/pages/list.ts',
      'test/a.test.ts',
      'a.ts',
      'src/app/main.ts',
    ])
  })
})

test('files near the current one are loaded in one go, as soon as one that is very near is not', () => {
  const many = Array.from({ length: 60 }, (_, at) => change(`file-${String(at).padStart(2, '0')}.ts`))
  const page = opened(changesOf(many), wide)
  const loaded = (known: number): string[] =>
    filesToLoad(page.read(), ({ file }) => many.findIndex(each => each.file === file) < known).map(({ path }) => path)
  expect(loaded(0)).toEqual(many.slice(0, 16).map(({ path }) => path))
  page.press('down', 'down', 'down', 'down', 'down')
  expect(loaded(8)).toEqual([])
  expect(loaded(7)).toEqual([...many.slice(5, 21), ...many.slice(1, 5)].map(({ path }) => path))
})

test('whatever is pressed, the list keeps its size, and one row is selected while there are any', () => {
  const name = fc.constantFrom('a', 'b', '\u001B[2J', 'ü'.repeat(30), '宽', ' ')
  const path = fc.array(name, { minLength: 1, maxLength: 6 }).map(parts => parts.join('/'))
  const press = fc.constantFrom<Press>(
    ...(['up', 'down', 'page_down', 'top', 'bottom', 'show', 'into', 'list', 'tree', 'search', 'erase'] as const),
    ...(['next', 'previous', 'next_hunk', 'next_file', 'leave', { type: 'a' }, { click: 1 }, { click: 3 }] as const),
  )
  fc.assert(
    fc.property(
      fc.uniqueArray(path, { maxLength: 12 }),
      fc.nat(12),
      fc.array(press, { maxLength: 25 }),
      fc.integer({ min: 3, max: 90 }),
      fc.integer({ min: 3, max: 20 }),
      (paths, from, presses, columns, rows) => {
        const all = paths.map(each => change(each))
        const page = opened(changesOf(all.slice(from), all.slice(0, from)), { columns, rows })
        page.load(Object.fromEntries(paths.map(each => [each, compared('', 'a\nb\n')])))
        for (const each of presses) {
          page.press(each)
          page.work()
          const seen = page.rows()
          expect(seen).toHaveLength(rows)
          for (const row of seen) {
            expect(displayWidth(row)).toBeLessThanOrEqual(columns)
            expect(row).not.toMatch(/[\u0000-\u001F\u007F]/)
          }
          const { list, listRow } = page.read()
          expect(list[listRow]?.kind ?? 'none').not.toBe('words')
          expect(listRow >= 0).toBe(paths.length > 0)
        }
      },
    ),
    aPartOf(1000),
  )
})
