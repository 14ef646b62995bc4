import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createHunkEditor,
  type HunkAnswer,
  type HunkUndo,
  type HunkEditor,
} from '../../../src/changes/hunks/hunk-editor.ts'
import { createMachine } from '../../../src/platform/remote/machine.ts'
import { createRemoteFiles } from '../../../src/platform/remote/remote-files.ts'
import { readVia } from '../../../src/platform/remote/target.ts'
import { contentOf } from '../../../src/changes/file-content.ts'
import { compareContents } from '../../../src/changes/patch.ts'
import type { CollectedChanges } from '../../../src/changes/collect.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { begin, makeFolder, makeRepository, type Folder } from '../repositories.ts'

type Act = 'revert' | 'stage' | 'unstage'
type Chosen = ReadonlyMap<number, ReadonlySet<number>> | null

type Session = {
  folder: Folder
  kept: string[]
  work: HunkEditor
  /** Reads what is shown of a file, and does something with it: a hunk by its number, or the whole file for null. */
  act: (how: Act, path: string, hunk: number | null, lines?: (line: string) => boolean) => Promise<HunkAnswer>
  /** Acts on what was shown before something else happened. */
  actLater: (how: Act, path: string, hunk: number | null, meanwhile: () => void) => Promise<HunkAnswer>
  undo: (undo: HunkUndo) => Promise<HunkAnswer>
  read: (path: string) => string
  index: (path: string) => string
  marks: (path: string) => Promise<readonly string[]>
}

const asIs = (diff: FileDiff): FileDiff => diff

async function session(
  folder: Folder,
  change: () => void,
  remote?: Parameters<typeof createHunkEditor>[0]['remote'],
): Promise<Session> {
  const begun = await begin(folder)
  change()
  const kept: string[] = []
  const work = createHunkEditor({
    folder: folder.path,
    env: folder.env,
    limit: 20_000,
    remote,
    keep: async label => {
      kept.push(label)
      return null
    },
    writing: (_file, doing) => doing(),
  })
  async function shown(path: string): Promise<{ collected: CollectedChanges; change: FileChange; diff: FileDiff }> {
    const collected = await begun.collect()
    const found = [...collected.list.session, ...collected.list.before].find(each => each.path === path)
    if (!found) throw new Error(`${path} is not listed`)
    return { collected, change: found, diff: await collected.diffOf(found) }
  }
  const actLater = async (
    how: Act,
    path: string,
    hunk: number | null,
    meanwhile: () => void,
    chosen = (_line: string): boolean => true,
  ): Promise<HunkAnswer> => {
    const { collected, change: found, diff } = await shown(path)
    meanwhile()
    const lines = diff.hunks[hunk ?? 0]?.lines ?? []
    const indexes = [...lines.entries()].filter(([, { sign, text }]) => sign !== ' ' && chosen(sign + text))
    const picked: Chosen = hunk === null ? null : new Map([[hunk, new Set(indexes.map(([index]) => index))]])
    return work[how]({ change: found, shown: diff, fresh: () => collected.diffOf(found), redact: asIs, lines: picked })
  }
  return {
    folder,
    kept,
    work,
    actLater,
    act: (how, path, hunk, lines) => actLater(how, path, hunk, () => {}, lines),
    undo: undo => work.undo(undo),
    read: path => readFileSync(join(folder.path, path), 'latin1'),
    index: path => folder.git('ls-files', '-s', '--', path).trim() && folder.git('cat-file', 'blob', `:${path}`),
    async marks(path) {
      const { change: found, diff } = await shown(path)
      return work.staged(found, diff)
    },
  }
}

function undoOf(answer: HunkAnswer): HunkUndo {
  if (!answer.ok) throw new Error(answer.why)
  return answer.undo
}

const OLD = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
/** Two changes that are far from each other. */
const NEW = OLD.replace('line 3\n', 'three\nand more\n').replace('line 25\n', '')

const crlf = (text: string): string => text.replaceAll('\n', '\r\n')

function conflicting(): Folder {
  const folder = makeRepository({ a: 'one\n' })
  folder.git('checkout', '-qb', 'other')
  folder.put({ a: 'two\n' })
  folder.git('commit', '-qam', 'two')
  folder.git('checkout', '-q', '-')
  folder.put({ a: 'three\n' })
  folder.git('commit', '-qam', 'three')
  return folder
}

function attempt(work: () => unknown): void {
  try {
    work()
  } catch {
    // git stops at the conflict.
  }
}

describe('reverting', () => {
  test('a hunk brings back its old lines only, after a checkpoint, and is undone', async () => {
    const s = await session(makeRepository({ a: OLD }), () => {})
    s.folder.put({ a: NEW })
    chmodSync(join(s.folder.path, 'a'), 0o640)
    const answer = await s.act('revert', 'a', 1)
    expect(answer).toMatchObject({ ok: true, words: 'Reverted a change of a.' })
    expect(s.kept).toEqual(['Before reverting a'])
    expect(s.read('a')).toBe(OLD.replace('line 3\n', 'three\nand more\n'))
    expect(statSync(join(s.folder.path, 'a')).mode & 0o777).toBe(0o640)
    const again = await s.undo(undoOf(answer))
    expect(s.read('a')).toBe(NEW)
    await s.undo(undoOf(again))
    expect(s.read('a')).toBe(OLD.replace('line 3\n', 'three\nand more\n'))
    expect(await s.undo(undoOf(again))).toEqual({ ok: false, why: 'a has changed since then: it is not undone.' })
  })

  test('a line leaves the others of its hunk', async () => {
    const s = await session(makeRepository({ a: OLD }), () => {})
    s.folder.put({ a: NEW })
    expect(await s.act('revert', 'a', 0, line => line === '+and more')).toMatchObject({
      words: 'Reverted a line of a.',
    })
    expect(s.read('a')).toBe(NEW.replace('and more\n', ''))
    await s.act('revert', 'a', 0, line => line === '-line 3')
    expect(s.read('a')).toBe(NEW.replace('three\nand more\n', 'line 3\nthree\n'))
  })

  test('a new file removes it, and a deleted one brings it back, with their modes', async () => {
    const s = await session(makeRepository({ gone: 'x\n', kept: '' }), () => {})
    s.folder.git('update-index', '--chmod=+x', 'gone')
    s.folder.git('commit', '-qm', 'x')
    chmodSync(join(s.folder.path, 'gone'), 0o755)
    const t = await session(s.folder, () => {
      s.folder.put({ 'in/fresh': 'new' })
      chmodSync(join(s.folder.path, 'in/fresh'), 0o750)
      rmSync(join(s.folder.path, 'gone'))
    })
    const removed = await t.act('revert', 'in/fresh', null)
    expect(removed).toMatchObject({ words: 'in/fresh is removed again.' })
    expect(existsSync(join(s.folder.path, 'in/fresh'))).toBe(false)
    await t.undo(undoOf(removed))
    expect(t.read('in/fresh')).toBe('new')
    expect(statSync(join(s.folder.path, 'in/fresh')).mode & 0o777).toBe(0o750)
    const made = await t.act('revert', 'gone', null)
    expect(made).toMatchObject({ words: 'gone is there again.' })
    expect(t.read('gone')).toBe('x\n')
    expect(statSync(join(s.folder.path, 'gone')).mode & 0o111).not.toBe(0)
    await t.undo(undoOf(made))
    expect(existsSync(join(s.folder.path, 'gone'))).toBe(false)
  })

  test('a file that was changed before the session goes back to what it was then', async () => {
    const folder = makeRepository({ a: OLD })
    folder.put({ a: OLD.replace('line 9\n', 'mine\n') })
    const s = await session(folder, () => folder.put({ a: NEW.replace('line 9\n', 'mine\n') }))
    await s.act('revert', 'a', null)
    expect(s.read('a')).toBe(OLD.replace('line 9\n', 'mine\n'))
  })

  test.each([
    ['returns and newlines', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nc\r\n'],
    ['no newline at the end', 'a\nb', 'a\nc\n'],
    ['a newline at the end that went', 'a\nb\n', 'a\nb'],
    ['a return at the end', 'a\r', 'b\r'],
    ['Latin-1', 'a\xe9\nb\n', 'a\xe8\nb\n'],
    ['nothing left', 'a\nb\n', ''],
    ['nothing before', '', 'a\nb\n'],
    ['a mark of the byte order', '\xef\xbb\xbfa\n', '\xef\xbb\xbfb\n'],
  ])('%s: to the same bytes', async (_, old, fresh) => {
    const folder = makeRepository({ a: Buffer.from(old, 'latin1') })
    const s = await session(folder, () => folder.put({ a: Buffer.from(fresh, 'latin1') }))
    const answer = await s.act('revert', 'a', 0)
    expect(s.read('a')).toBe(old)
    await s.undo(undoOf(answer))
    expect(s.read('a')).toBe(fresh)
    await s.act('stage', 'a', 0)
    expect(s.folder.git('diff', '--', 'a')).toBe('')
    await s.act('unstage', 'a', 0)
    expect(s.folder.git('diff', '--cached', '--', 'a')).toBe('')
  })

  test('in a repository that converts line ends the lines get those of the file, and the index has its own', async () => {
    const folder = makeRepository({ a: OLD })
    folder.git('config', 'core.autocrlf', 'true')
    folder.put({ a: crlf(OLD) })
    const s = await session(folder, () => folder.put({ a: crlf(NEW), fresh: crlf('x\n') }))
    await s.act('stage', 'a', 0)
    expect(s.index('a')).toBe(OLD.replace('line 3\n', 'three\nand more\n'))
    await s.act('stage', 'fresh', null)
    expect(s.index('fresh')).toBe('x\n')
    await s.act('revert', 'a', 1)
    await s.act('revert', 'a', 0)
    expect(s.read('a')).toBe(crlf(OLD))
    rmSync(join(folder.path, 'a'))
    await s.act('revert', 'a', null)
    expect(s.read('a')).toBe(crlf(OLD))
  })
})

describe('staging', () => {
  test('a hunk puts its lines into the index, marks it, and is undone', async () => {
    const s = await session(makeRepository({ a: OLD }), () => {})
    s.folder.put({ a: NEW })
    expect(await s.marks('a')).toEqual(['none', 'none'])
    const staged = await s.act('stage', 'a', 1)
    expect(staged).toMatchObject({ ok: true })
    expect(s.index('a')).toBe(OLD.replace('line 25\n', ''))
    expect(await s.marks('a')).toEqual(['none', 'all'])
    await s.act('stage', 'a', 0, line => line === '+and more')
    expect(await s.marks('a')).toEqual(['some', 'all'])
    expect(s.index('a')).toBe(OLD.replace('line 3\n', 'line 3\nand more\n').replace('line 25\n', ''))
    await s.act('unstage', 'a', 1)
    expect(s.index('a')).toBe(OLD.replace('line 3\n', 'line 3\nand more\n'))
    expect(s.read('a')).toBe(NEW)
    expect(await s.undo(undoOf(staged))).toEqual({
      ok: false,
      why: 'The index has changed since then: a is not undone.',
    })
    const whole = await s.act('stage', 'a', null)
    expect(s.index('a')).toBe(NEW)
    expect(await s.act('stage', 'a', 0)).toEqual({ ok: false, why: 'It is staged already, or committed.' })
    await s.undo(undoOf(whole))
    expect(s.index('a')).toBe(OLD.replace('line 3\n', 'line 3\nand more\n'))
    await s.act('unstage', 'a', null)
    expect(s.folder.git('status', '--porcelain')).toBe(' M a\n')
    expect(await s.act('unstage', 'a', 0)).toEqual({ ok: false, why: 'Nothing of it is staged.' })
    expect(s.kept).toEqual([])
  })

  test('new and deleted files are staged by line, and taken out again', async () => {
    const folder = makeRepository({ gone: 'a\nb\n', kept: '' })
    const s = await session(folder, () => {
      folder.put({ fresh: '1\n2\n3\n' })
      chmodSync(join(folder.path, 'fresh'), 0o755)
      rmSync(join(folder.path, 'gone'))
    })
    const first = await s.act('stage', 'fresh', 0, line => line === '+2')
    expect(folder.git('ls-files', '-s', 'fresh')).toMatch(/^100755 /)
    expect(s.index('fresh')).toBe('2\n')
    await s.act('stage', 'gone', 0, line => line === '-a')
    expect(s.index('gone')).toBe('b\n')
    await s.act('stage', 'gone', 0)
    expect(folder.git('status', '--porcelain')).toBe('AM fresh\nD  gone\n')
    await s.act('unstage', 'gone', 0)
    await s.undo(undoOf(first))
    expect(folder.git('status', '--porcelain')).toBe(' D gone\n?? fresh\n')
    const whole = await s.act('stage', 'fresh', null)
    await s.act('stage', 'gone', null)
    expect(folder.git('status', '--porcelain')).toBe('A  fresh\nD  gone\n')
    await s.undo(undoOf(whole))
    expect(folder.git('status', '--porcelain')).toBe('D  gone\n?? fresh\n')
  })

  test('a file that is only meant to be added is so again after an undo', async () => {
    const folder = makeRepository({ kept: '' })
    const s = await session(folder, () => {
      folder.put({ fresh: 'a\nb\n' })
      folder.git('add', '-N', 'fresh')
    })
    const before = folder.git('ls-files', '--debug', 'fresh')
    const staged = await s.act('stage', 'fresh', 0, line => line === '+a')
    expect(s.index('fresh')).toBe('a\n')
    await s.undo(undoOf(staged))
    expect(folder.git('ls-files', '--debug', 'fresh')).toBe(before)
  })

  test('a renamed file is staged and taken out as a whole', async () => {
    const folder = makeRepository({ old: OLD })
    const s = await session(folder, () => {
      folder.git('mv', 'old', 'fresh')
      folder.git('reset', '-q')
      folder.git('add', '-N', 'fresh')
      folder.put({ fresh: NEW })
    })
    expect(await s.act('stage', 'fresh', 0)).toMatchObject({ why: 'A renamed file is staged as a whole, in the list.' })
    expect(await s.act('revert', 'fresh', null)).toMatchObject({ ok: false })
    await s.act('revert', 'fresh', 1)
    await s.act('stage', 'fresh', null)
    expect(folder.git('status', '--porcelain')).toBe('R  old -> fresh\n')
    await s.act('unstage', 'fresh', null)
    expect(folder.git('status', '--porcelain')).toBe(' D old\n?? fresh\n')
  })

  test('what the session has committed is not taken out of the index', async () => {
    const folder = makeRepository({ a: OLD })
    const s = await session(folder, () => {
      folder.put({ a: NEW })
      folder.git('commit', '-qam', 'two')
    })
    expect(await s.marks('a')).toEqual(['none', 'none'])
    expect(await s.act('unstage', 'a', 0)).toEqual({ ok: false, why: 'Nothing of it is staged.' })
    expect(await s.act('unstage', 'a', null)).toEqual({ ok: false, why: 'Nothing of a is staged.' })
  })

  test('other changes of the index stay', async () => {
    const folder = makeRepository({ a: OLD })
    const s = await session(folder, () => {
      folder.put({ a: OLD.replace('line 10\n', 'ten\n') })
      folder.git('add', 'a')
      folder.put({ a: NEW })
    })
    await s.act('stage', 'a', 0)
    expect(s.index('a')).toBe(OLD.replace('line 10\n', 'ten\n').replace('line 3\n', 'three\nand more\n'))
  })

  test('before the first commit', async () => {
    const folder = makeRepository()
    const s = await session(folder, () => folder.put({ a: 'x\ny\n' }))
    await s.act('stage', 'a', 0, line => line === '+x')
    expect(s.index('a')).toBe('x\n')
    await s.act('unstage', 'a', 0)
    expect(folder.git('status', '--porcelain')).toBe('?? a\n')
  })
})

describe('what is refused, with nothing changed', () => {
  const two = { a: OLD }
  test.each<[string, () => Folder, (folder: Folder) => void, Act, string, number | null, string]>([
    [
      'a binary file',
      () => makeRepository({ a: Buffer.from([0, 1, 2]) }),
      ({ put }) => put({ a: Buffer.from([0, 3]) }),
      'revert',
      'a',
      null,
      'The lines of a binary file are not known: git restore brings back the whole file.',
    ],
    [
      'a link',
      () => makeRepository(two),
      ({ path }) => symlinkSync('a', join(path, 'link')),
      'revert',
      'link',
      null,
      'A link is not changed here.',
    ],
    [
      'a mode alone',
      () => makeRepository(two),
      ({ path }) => chmodSync(join(path, 'a'), 0o755),
      'revert',
      'a',
      null,
      'No lines differ.',
    ],
    [
      'a file with conflicts',
      conflicting,
      ({ git }) => attempt(() => git('merge', 'other')),
      'revert',
      'a',
      0,
      'This file has conflicts: resolve them first.',
    ],
    [
      'staging a file with conflicts',
      conflicting,
      ({ git }) => attempt(() => git('merge', 'other')),
      'stage',
      'a',
      null,
      'This file has conflicts: resolve them first.',
    ],
    [
      'staging in the middle of a rebase',
      conflicting,
      ({ git }) => attempt(() => git('rebase', 'other')),
      'stage',
      'a',
      0,
      'This file has conflicts: resolve them first.',
    ],
    [
      'a file of git LFS',
      () => makeRepository({ '.gitattributes': 'a filter=lfs\n', a: 'version https://git-lfs\n' }),
      ({ put }) => put({ a: 'content\n' }),
      'revert',
      'a',
      0,
      'A filter of git (lfs) makes this file, and zotui runs none: use git itself.',
    ],
    [
      'staging a file of git LFS',
      () => makeRepository({ '.gitattributes': 'a filter=lfs\n', a: 'version https://git-lfs\n' }),
      ({ put }) => put({ a: 'content\n' }),
      'stage',
      'a',
      null,
      'A filter of git (lfs) makes this file, and zotui runs none: use git itself.',
    ],
    [
      'a file in another encoding for git',
      () =>
        makeRepository({ '.gitattributes': 'a working-tree-encoding=UTF-16LE\n', a: Buffer.from('a\nb\n', 'utf16le') }),
      ({ put }) => put({ a: Buffer.from('a\nc\n', 'utf16le') }),
      'revert',
      'a',
      0,
      'git has this file in another encoding than UTF-16LE: use git itself.',
    ],
    [
      'an index that another git has locked',
      () => makeRepository(two),
      ({ put, path }) => {
        put({ a: NEW })
        writeFileSync(join(path, '.git/index.lock'), '')
      },
      'stage',
      'a',
      0,
      'Another git is at work in this repository: its index is locked. Try again.',
    ],
  ])('%s', async (_, make, change, how, path, hunk, why) => {
    const folder = make()
    const s = await session(folder, () => change(folder))
    const before = folder.git('ls-files', '-s')
    expect(await s.act(how, path, hunk)).toMatchObject({ ok: false, why })
    expect(folder.git('ls-files', '-s')).toBe(before)
    expect(s.kept).toEqual([])
  })

  test('what only the calls of the agent tell, files of git itself, and files that git ignores', async () => {
    const folder = makeRepository({ '.gitignore': 'secret\n' })
    folder.put({ secret: 'x\n' })
    const { work } = await session(folder, () => {})
    const change: FileChange = {
      file: join(folder.path, 'secret'),
      path: 'secret',
      from: null,
      kind: 'changed',
      form: 'text',
      added: 1,
      removed: 0,
      isEstimate: false,
      calls: 1,
    }
    const diff = compareContents({ kind: 'none' }, contentOf(Buffer.from('x\n')))
    const request = { change, shown: diff, fresh: async () => diff, redact: asIs, lines: null }
    expect(await work.stage(request)).toEqual({ ok: false, why: 'git ignores this file: git add -f adds it.' })
    const told = { hunks: diff.hunks, notes: [] }
    expect(await work.revert({ ...request, shown: told, fresh: async () => told })).toMatchObject({
      why: 'What it was before is only known from the calls of the agent, which may not be exact.',
    })
    const own = { ...change, file: join(folder.path, '.git/config') }
    expect(await work.revert({ ...request, change: own })).toMatchObject({
      why: "git's own files are not changed here.",
    })
    expect((await work.stage({ ...request, change: own })).ok).toBe(false)
  })

  test.each<[string, (folder: Folder) => void]>([
    ['its hunk', ({ put }) => put({ a: NEW.replace('and more', 'and less') })],
    ['another place', ({ put }) => put({ a: NEW.replace('line 15\n', '') })],
    ['everything: it is gone', ({ path }) => rmSync(join(path, 'a'))],
    [
      'a link that leads out of the folder',
      ({ path }) => {
        rmSync(join(path, 'a'))
        symlinkSync('../outside', join(path, 'a'))
      },
    ],
  ])('a file that has changed since it was shown: %s', async (_, meanwhile) => {
    const folder = makeRepository(two)
    writeFileSync(join(folder.path, '../outside'), NEW)
    const s = await session(folder, () => folder.put({ a: NEW }))
    const answer = await s.actLater('revert', 'a', 0, () => meanwhile(folder))
    expect(answer.ok).toBe(false)
    expect(s.kept).toEqual([])
    expect(readFileSync(join(folder.path, '../outside'), 'utf8')).toBe(NEW)
  })

  test('a folder that became a link', async () => {
    const folder = makeRepository({ 'in/a': OLD })
    const s = await session(folder, () => folder.put({ 'in/a': NEW }))
    const answer = await s.actLater('revert', 'in/a', 0, () => {
      mkdirSync(join(folder.path, '../elsewhere'))
      writeFileSync(join(folder.path, '../elsewhere/a'), NEW)
      rmSync(join(folder.path, 'in'), { recursive: true })
      symlinkSync('../elsewhere', join(folder.path, 'in'))
    })
    expect(answer.ok).toBe(false)
    expect(readFileSync(join(folder.path, '../elsewhere/a'), 'utf8')).toBe(NEW)
  })

  test('the index of another repository that a file in the place of .git names', async () => {
    const other = makeRepository({ a: OLD })
    const folder = makeFolder()
    writeFileSync(join(folder.path, '.git'), `gitdir: ${join(other.path, '.git')}\n`)
    folder.put({ a: NEW })
    const s = await session(folder, () => folder.put({ a: `${NEW}more\n` }))
    const before = other.git('ls-files', '-s')
    expect((await s.act('stage', 'a', null)).ok).toBe(false)
    expect((await s.act('stage', 'a', 0)).ok).toBe(false)
    expect(other.git('ls-files', '-s')).toBe(before)
  })
})

test('300 random choices of lines are reverted and undone: the bytes are the same again', async () => {
  const { path, env } = makeFolder()
  const file = join(path, 'a')
  const line = fc.constantFrom('a\n', 'b\n', '\r\n', 'c\r\n', '}\n', '\xff\n', '\n')
  const text = fc
    .tuple(fc.array(line, { maxLength: 20 }), fc.constantFrom('', 'end', '\r'))
    .map(([all, end]) => all.join('') + end)
  const work = createHunkEditor({
    folder: path,
    env,
    limit: 1000,
    keep: async () => null,
    writing: (_file, doing) => doing(),
  })
  const counts = { added: null, removed: null, isEstimate: false, calls: 0 } as const
  await fc.assert(
    fc.asyncProperty(text, text, fc.infiniteStream(fc.boolean()), async (old, fresh, chooses) => {
      const bytes = Buffer.from(fresh, 'latin1')
      writeFileSync(file, bytes)
      const diff = compareContents(contentOf(Buffer.from(old, 'latin1')), contentOf(bytes))
      const change: FileChange = { file, path: 'a', from: null, kind: 'changed', form: 'text', ...counts }
      const lines = new Map(
        diff.hunks.map((hunk, at) => [at, new Set([...hunk.lines.keys()].filter(() => chooses.next().value))]),
      )
      const answer = await work.revert({ change, shown: diff, fresh: async () => diff, redact: asIs, lines })
      if (answer.ok) await work.undo(answer.undo)
      expect(readFileSync(file).equals(bytes)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

describe('the index', () => {
  test('a file in the place of a staged folder is not staged or unstaged, and its folder never is with it', async () => {
    const folder = makeRepository({ a: OLD })
    const s = await session(folder, () => {
      folder.git('rm', '-q', 'a')
      folder.put({ 'a/x': 'staged\n' })
      folder.git('add', 'a/x')
      folder.put({ 'a/x': 'x\n', 'a/private': 'y\n' })
    })
    const before = folder.git('ls-files', '-s')
    expect(await s.act('unstage', 'a', null)).toEqual({
      ok: false,
      why: 'The index has a folder in the place of a file, or a file in that of a folder: use git itself.',
    })
    expect(await s.act('stage', 'a', null)).toEqual({ ok: false, why: 'a is staged already.' })
    expect(folder.git('ls-files', '-s')).toBe(before)
  })

  test('a deleted file is staged without the folder in its place', async () => {
    const folder = makeRepository({ a: OLD })
    const s = await session(folder, () => {
      rmSync(join(folder.path, 'a'))
      folder.put({ 'a/private': 'y\n' })
    })
    const answer = await s.act('stage', 'a', null)
    expect(folder.git('ls-files', '-s')).toBe('')
    await s.undo(undoOf(answer))
    expect(folder.git('ls-files')).toBe('a\n')
  })

  test('a binary file that became a folder meanwhile', async () => {
    const folder = makeRepository({ a: Buffer.from([0, 1]) })
    const s = await session(folder, () => folder.put({ a: Buffer.from([0, 2]) }))
    const answer = await s.actLater('stage', 'a', null, () => {
      rmSync(join(folder.path, 'a'))
      folder.put({ 'a/private': 'y\n' })
    })
    expect(answer).toEqual({ ok: false, why: 'This is no file by now: nothing was staged.' })
    expect(folder.git('ls-files')).toBe('a\n')
  })

  test('what was committed since it was staged is not undone', async () => {
    const folder = makeRepository({ a: OLD })
    const s = await session(folder, () => folder.put({ a: NEW }))
    const answer = await s.act('stage', 'a', 0)
    folder.git('commit', '-qm', 'two')
    expect(await s.undo(undoOf(answer))).toEqual({ ok: false, why: 'a was committed since then: it is not undone.' })
    expect(folder.git('diff', '--cached')).toBe('')
  })

  test('lines of a new file have the ends that git wants', async () => {
    const folder = makeRepository({ a: OLD })
    folder.git('config', 'core.autocrlf', 'true')
    const s = await session(folder, () => folder.put({ fresh: 'x\r\ny\r\n' }))
    await s.act('stage', 'fresh', 0, line => line.startsWith('+x'))
    expect(s.index('fresh')).toBe('x\n')
  })

  test('is not left locked by a git that takes too long', async () => {
    const folder = makeRepository({ a: OLD })
    folder.put({ large: '' })
    truncateSync(join(folder.path, 'large'), 8 * 1024 ** 3)
    const work = createHunkEditor({
      folder: folder.path,
      env: folder.env,
      limit: 1000,
      keep: async () => null,
      writing: (_file, doing) => doing(),
    })
    const counts = { added: null, removed: null, isEstimate: false, calls: 0 } as const
    const file = join(folder.path, 'large')
    const change: FileChange = { file, path: 'large', from: null, kind: 'new', form: 'binary', ...counts }
    const shown: FileDiff = { hunks: [], notes: [] }
    const answer = await work.stage({ change, shown, fresh: async () => shown, redact: asIs, lines: null })
    expect(answer).toEqual({ ok: false, why: 'git did not answer in time.' })
    expect(existsSync(join(folder.path, '.git/index.lock'))).toBe(false)
  })
})

test('of a worktree, files that are binary or renamed are only taken as a whole, which is said', async () => {
  const folder = makeRepository({ a: 'one' })
  const [worktree, project] = [folder.path, join(folder.path, '../the project')]
  const work = createHunkEditor({
    folder: project,
    env: folder.env,
    limit: 20_000,
    keep: async () => null,
    worktreeOf: () => ({ folder: worktree, project }),
    writing: (_file, doing) => doing(),
  })
  const counts = { added: null, removed: null, isEstimate: false, calls: 0 } as const
  const shown: FileDiff = { hunks: [], notes: [] }
  const taking = async (facts: Pick<FileChange, 'kind' | 'form'> & Partial<FileChange>): Promise<HunkAnswer> => {
    const change: FileChange = { file: join(worktree, 'a'), path: 'a', from: null, ...counts, ...facts }
    return work.take({ change, shown, fresh: async () => shown, redact: asIs, lines: null })
  }
  expect([
    await taking({ kind: 'changed', form: 'binary' }),
    await taking({ kind: 'renamed', form: 'text', from: 'b' }),
  ]).toEqual([
    { ok: false, why: 'A binary file is only taken with all of the worktree, by a merge of it.' },
    { ok: false, why: 'A renamed file is only taken with all of the worktree, by a merge of it.' },
  ])
  expect(existsSync(join(project, 'a'))).toBe(false)
})

test('no program of the repository runs: no filter, hook, monitor, converter or other diff', async () => {
  const folder = makeRepository({
    '.gitattributes': 'b filter=evil diff=evil\n*.c diff=evil\n',
    a: OLD,
    'x.c': OLD,
    b: OLD,
  })
  const trap = join(folder.path, '../trap')
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >>${join(folder.path, '../ran')}\ncat\n`)
  chmodSync(trap, 0o755)
  for (const hook of ['post-index-change', 'pre-commit', 'fsmonitor-watchman', 'reference-transaction']) {
    writeFileSync(join(folder.path, '.git/hooks', hook), readFileSync(trap))
    chmodSync(join(folder.path, '.git/hooks', hook), 0o755)
  }
  for (const [key, value] of [
    ['core.fsmonitor', trap],
    ['diff.evil.textconv', trap],
    ['diff.evil.command', trap],
    ['diff.external', trap],
    ['filter.evil.clean', trap],
    ['filter.evil.smudge', trap],
    ['hook.evil.command', trap],
    ['hook.evil.event', 'post-index-change'],
    ['core.pager', trap],
  ] as const)
    folder.git('config', key, value)
  const s = await session(folder, () => folder.put({ a: NEW, 'x.c': NEW, fresh: 'x\n' }))
  for (const path of ['a', 'x.c']) {
    await s.act('stage', path, 0)
    await s.act('unstage', path, 0)
    await s.act('stage', path, null)
    await s.act('unstage', path, null)
    await s.marks(path)
    const answer = await s.act('revert', path, 0)
    expect(answer.ok).toBe(true)
    await s.undo(undoOf(answer))
  }
  await s.act('stage', 'fresh', 0)
  await s.act('revert', 'fresh', null)
  expect(existsSync(join(folder.path, '../ran'))).toBe(false)
})

test('files of another machine', async () => {
  const read = readVia('env')
  if (!read.ok) throw new Error(read.reason)
  const folder = makeRepository({ a: OLD })
  const machine = createMachine(read.target, folder.env)
  onTestFinished(() => machine.close())
  const remote = { machine, files: createRemoteFiles(machine, 'via:env') }
  const s = await session(folder, () => folder.put({ a: NEW, fresh: 'x' }), remote)
  const answer = await s.act('revert', 'a', 1)
  expect(s.read('a')).toBe(OLD.replace('line 3\n', 'three\nand more\n'))
  await s.undo(undoOf(answer))
  expect(s.read('a')).toBe(NEW)
  await s.act('stage', 'a', 0)
  expect(s.index('a')).toBe(OLD.replace('line 3\n', 'three\nand more\n'))
  const gone = await s.act('revert', 'fresh', null)
  expect(existsSync(join(folder.path, 'fresh'))).toBe(false)
  await s.undo(undoOf(gone))
  expect(s.read('fresh')).toBe('x')
})
