import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withSnapshots } from '../../src/changes/baseline.ts'
import type { FileContent } from '../../src/changes/file-content.ts'
import { collectChanges } from '../../src/changes/collect.ts'
import type { ToolCall } from '../../src/conversation/part.ts'
import { openRepository } from '../../src/changes/repository.ts'
import { begin, inShort, linesOf, makeFolder, makeRepository, opened } from './repositories.ts'

const textOf = (text: string) => ({ kind: 'text', text, isUtf8: true }) as const
const WAS_DIFFERENT = 'It already differed from the last commit when this session began: only later changes are shown.'

function call(name: 'edit' | 'write', path: string, more: { text?: string; at?: number }): ToolCall {
  const { text = '', at = 1 } = more
  return {
    kind: 'tool',
    withdrawn: false,
    id: 't',
    parent: null,
    root: 't',
    name,
    title: '',
    does: null,
    locations: [],
    diffs: [],
    shown: null,
    argumentsText: '',
    arguments: name === 'write' ? { path, content: text } : { path },
    state: 'ok',
    draftedAt: at,
    startedAt: at,
    endedAt: at,
    progress: '',
    progressDropped: 0,
    result: [{ type: 'text', text }],
    omitted: null,
    called: true,
    hunkLines: [],
    image: null,
  }
}

describe('since the session began', () => {
  test('lists changed, new, deleted and renamed files, and those committed meanwhile', async () => {
    const folder = makeRepository({ a: 'one\ntwo\n', b: 'b\n', old: 'x\ny\nz\n', far: 'far\n' })
    const { collect } = await begin(folder)
    folder.put({ a: 'one\ntwice\n', 'src/new': 'n\n' })
    rmSync(join(folder.path, 'b'))
    folder.git('mv', 'old', 'young')
    folder.put({ far: 'farther\n' })
    folder.git('commit', '-qm', 'two', 'far')
    const { list } = await collect()
    expect(inShort(list.session)).toEqual([
      'a +1 -1',
      'deleted b +0 -1',
      'far +1 -1',
      'new src/new +1 -0',
      'renamed old > young +0 -0',
    ])
    expect(list.before).toEqual([])
    expect(list.notes).toEqual([
      expect.stringMatching(/^The current commit is \w{7}; when the session began, it was \w{7}\.$/),
    ])
  })

  test('files beyond the limit of the baseline are listed as possibly changed', async () => {
    const folder = makeRepository({})
    const names = Array.from({ length: 2010 }, (_, number) => `${number}`.padStart(4, '0'))
    folder.put(Object.fromEntries(names.map(name => [name, 'one\n'])))
    const { collect } = await begin(folder)
    // The list is made once: each time reads all these files.
    const changed = ['0000', ...names.slice(2000)]
    folder.put(Object.fromEntries(changed.map(name => [name, 'two\n'])))
    const { list } = await collect()
    expect(list.session.map(({ path }) => path)).toEqual(['0000'])
    expect(list).toMatchObject({ before: { length: 2009 }, unsure: 10 })
  })

  test('earlier changes are listed apart, until the session changes the file', async () => {
    const folder = makeRepository({ mine: 'one\n', both: 'one\n', back: 'one\n' })
    folder.put({ mine: 'one\ntwo\n', both: 'one\ntwo\n', back: 'two\n', 'mine too': 'a\nb\n' })
    const { collect } = await begin(folder)
    folder.put({ both: 'one\ntwo\nthree\n', back: 'one\n' })
    const found = await collect()
    expect(inShort(found.list.session)).toEqual(['back +1 -1', 'both +1 -0'])
    expect(inShort(found.list.before)).toEqual(['mine +1 -0', 'new mine too +2 -0'])
    expect(await linesOf(found, 'both')).toEqual([WAS_DIFFERENT, '+three'])
    expect(await linesOf(found, 'mine')).toEqual(['+two'])
    expect(await linesOf(found, 'mine too')).toEqual(['+a', '+b'])
  })

  test('earlier changes that were committed meanwhile are still listed as earlier', async () => {
    const folder = makeRepository({ mine: 'one\n' })
    folder.put({ mine: 'two\n' })
    const { collect } = await begin(folder)
    folder.git('commit', '-qam', 'mine')
    const { list } = await collect()
    expect(inShort(list.session)).toEqual([])
    expect(inShort(list.before)).toEqual(['mine +1 -1'])
  })

  test('a file that was only touched has not changed', async () => {
    const folder = makeRepository({ mine: 'one\n', a: 'a\n' })
    folder.put({ mine: 'two\n' })
    const { collect } = await begin(folder)
    folder.put({ mine: 'two\n', a: 'a\n' })
    const { list } = await collect()
    expect(inShort(list.session)).toEqual([])
    expect(inShort(list.before)).toEqual(['mine +1 -1'])
  })

  test('files written while the baseline is taken count as changed by the session', async () => {
    const folder = makeRepository({ mine: 'one\n', a: 'a\n', 'far/b': 'b\n', 'old/c': 'c\n' })
    folder.put({ mine: 'two\n' })
    rmSync(join(folder.path, 'old/c'))
    utimesSync(join(folder.path, 'mine'), 1, 1)
    const { ctimeMs } = lstatSync(join(folder.path, 'mine'))
    // The clock of the files may be late by a tick of the system.
    await expect.poll(() => Date.now()).toBeGreaterThan(ctimeMs + 400)
    const since = Date.now() - 200
    rmSync(join(folder.path, 'far/b'))
    folder.put({ a: 'b\n', 'new/fresh': 'f\n' })
    utimesSync(folder.path, 1, 1)
    const { list } = await (await begin(folder, folder.path, since)).collect()
    expect(inShort(list.session)).toEqual(['a +1 -1', 'deleted far/b +0 -1', 'new new/fresh +1 -0'])
    expect(inShort(list.before)).toEqual(['mine +1 -1', 'deleted old/c +0 -1'])
  })

  test('a file written in the millisecond in which the session begins was there before', async () => {
    const folder = makeRepository({ mine: 'one\n' })
    folder.put({ mine: 'two\n' })
    const since = Math.floor(lstatSync(join(folder.path, 'mine')).ctimeMs)
    const { list } = await (await begin(folder, folder.path, since)).collect()
    expect([inShort(list.session), inShort(list.before)]).toEqual([[], ['mine +1 -1']])
  })

  test('an edit while the baseline is taken is compared with what the file was before it', async () => {
    const folder = makeRepository({ mine: 'one\n', a: 'a\n' })
    const since = Date.now() - 200
    folder.put({ mine: 'one\ntwo\nthree\n', a: 'b\n' })
    const { baseline, collect } = await begin(folder, folder.path, since)
    const befores = new Map<string, FileContent>([
      [join(folder.path, 'mine'), textOf('one\ntwo\n')],
      [join(folder.path, 'a'), textOf('a\n')],
    ])
    const repository = await opened(folder)
    const found = await collect({ git: { repository, baseline: withSnapshots(baseline, befores) } })
    expect(inShort(found.list.session)).toEqual(['a +1 -1', 'mine +1 -0'])
    expect(await linesOf(found, 'a')).toEqual(['-a', '+b'])
  })

  test('the earlier content of a large file is not saved, and a note says so', async () => {
    const large = 'x'.repeat(600 * 1024)
    const folder = makeRepository({ large: `${large}\n` })
    folder.put({ large: `${large}\nmine\n` })
    const { collect } = await begin(folder)
    folder.put({ large: `${large}\nmine\nits\n` })
    const found = await collect()
    expect(inShort(found.list.session)).toEqual(['large about +2 -0'])
    expect(await linesOf(found, 'large')).toEqual([
      'It was changed before this session, and its content at that time was not saved.',
      '+mine',
      '+its',
    ])
  })

  test('a repository without a commit is compared, also after its first commit', async () => {
    const folder = makeRepository()
    folder.put({ mine: 'mine\n' })
    const { collect } = await begin(folder)
    folder.put({ a: 'a\n', b: 'b\n' })
    folder.git('add', 'a')
    expect(inShort((await collect()).list.session)).toEqual(['new a +1 -0', 'new b +1 -0'])
    folder.git('commit', '-qm', 'one')
    const found = await collect()
    expect(inShort(found.list.session)).toEqual(['new a +1 -0', 'new b +1 -0'])
    expect(inShort(found.list.before)).toEqual(['new mine +1 -0'])
    expect(found.list.notes).toEqual([expect.stringMatching(/when the session began, there was no commit\.$/)])
    expect(await linesOf(found, 'a')).toEqual(['+a'])
  })

  test('a subfolder lists paths relative to itself, and all tracked files of the repository', async () => {
    const folder = makeRepository({ 'top.txt': 'a\n', 'src/in/a': 'a\n' })
    const { collect } = await begin(folder, join(folder.path, 'src'))
    folder.put({ 'top.txt': 'b\n', 'src/in/a': 'b\n', 'src/new': 'n\n' })
    expect(inShort((await collect()).list.session)).toEqual(['../top.txt +1 -1', 'in/a +1 -1', 'new new +1 -0'])
  })

  test('a checkout of another branch and a rename of a changed file are listed', async () => {
    const folder = makeRepository({ a: '1\n2\n3\n', mine: '1\n2\n3\n' })
    folder.git('branch', 'other')
    folder.put({ mine: '1\n2\n3\n4\n' })
    const { collect } = await begin(folder)
    folder.git('checkout', '-q', 'other')
    folder.git('mv', 'mine', 'moved')
    const { list } = await collect()
    expect(inShort(list.session)).toEqual(['deleted mine +0 -4', 'new moved +4 -0'])
  })
})

describe('files that are not plain text', () => {
  test('binary files, links, modes, a submodule and a nested repository are listed', async () => {
    const other = makeRepository({ o: 'o\n' })
    const folder = makeRepository({ bytes: Buffer.from([1, 0, 2]), run: 'a\n', target: 't\n' })
    folder.git('submodule', '--quiet', 'add', other.path, 'sub')
    symlinkSync('target', join(folder.path, 'link'))
    folder.git('add', '-A')
    folder.git('commit', '-qm', 'two')
    const { collect } = await begin(folder)
    folder.put({ bytes: Buffer.from([3, 0, 4]), more: Buffer.from([0]), 'own/x': 'x\n', 'sub/o': 'dirty\n' })
    rmSync(join(folder.path, 'link'))
    symlinkSync('/etc/passwd', join(folder.path, 'link'))
    symlinkSync('/etc/passwd', join(folder.path, 'fresh'))
    chmodSync(join(folder.path, 'run'), 0o755)
    folder.git('-C', 'own', 'init', '-q')
    folder.git('-C', 'sub', 'commit', '-qam', 'in the submodule')
    const found = await collect()
    expect(inShort(found.list.session)).toEqual([
      'binary bytes',
      'new link fresh +1 -0',
      'link link +1 -1',
      'new binary more',
      'new submodule own',
      'run +0 -0',
      'submodule sub +1 -1',
    ])
    expect(await linesOf(found, 'fresh')).toEqual([
      'This is a symbolic link; its target is shown.',
      'The newline at the end of the file was removed.',
      '+/etc/passwd',
    ])
    expect(await linesOf(found, 'run')).toEqual(['Mode changed from 100644 to 100755.'])
    expect((await linesOf(found, 'link')).slice(-2)).toEqual(['-target', '+/etc/passwd'])
    expect(await linesOf(found, 'sub')).toEqual([
      expect.stringMatching(/^-Subproject commit \w{40}$/),
      expect.stringMatching(/^\+Subproject commit \w{40}$/),
    ])
  })

  test('a file that became a link and one that is no longer tracked are listed', async () => {
    const folder = makeRepository({ a: 'a\n', b: 'b\n' })
    const { collect } = await begin(folder)
    rmSync(join(folder.path, 'a'))
    symlinkSync('b', join(folder.path, 'a'))
    folder.git('rm', '-q', '--cached', 'b')
    const found = await collect()
    expect(inShort(found.list.session)).toEqual(['link a +1 -1', 'b'])
    expect(await linesOf(found, 'b')).toEqual(['git no longer tracks this file; it still exists.'])
  })

  test('every file name is listed unchanged', async () => {
    const names = [
      'with blank',
      'with\nnewline',
      'with"quotes"',
      "with'quote",
      '\u001B[31mred',
      'a => b',
      ':(top)x',
      '*.txt',
      '-n',
      'ü',
      '{a,b}',
    ]
    const folder = makeRepository(Object.fromEntries(names.map(name => [name, 'one\n'])))
    const { collect } = await begin(folder)
    folder.put(
      Object.fromEntries(
        names.flatMap(name => [
          [name, 'two\n'],
          [`new ${name}`, 'n\n'],
        ]),
      ),
    )
    const found = await collect()
    expect(inShort(found.list.session).toSorted()).toEqual(
      names.flatMap(name => [`${name} +1 -1`, `new new ${name} +1 -0`]).toSorted(),
    )
    for (const name of names) expect(await linesOf(found, name)).toEqual(['-one', '+two'])
  })

  test('a conflict is listed', async () => {
    const folder = makeRepository({ a: 'one\n' })
    folder.git('checkout', '-qb', 'other')
    folder.put({ a: 'other\n' })
    folder.git('commit', '-qam', 'other')
    folder.git('checkout', '-q', '-')
    const { collect } = await begin(folder)
    folder.put({ a: 'mine\n' })
    folder.git('commit', '-qam', 'mine')
    expect(() => folder.git('merge', 'other')).toThrow('merge other')
    const found = await collect()
    expect(found.list.session.map(({ path }) => path)).toEqual(['a'])
    expect(await linesOf(found, 'a')).toContain('+<<<<<<< HEAD')
  })
})

describe('with the tool calls of the session', () => {
  test('the list says who changed a file, and includes ignored files that calls changed', async () => {
    const folder = makeRepository({ a: 'a\n', same: 's\n', '.gitignore': 'ignored\n' })
    const { collect } = await begin(folder)
    folder.put({ a: 'b\n', byCommand: 'x\n', ignored: 'i\nj\n' })
    const at = (name: string) => join(folder.path, name)
    const called = new Map([
      [at('a'), [call('edit', 'a', { text: '-a\n+b\n' })]],
      [at('same'), [call('edit', 'same', { text: '-s\n+t\n' }), call('edit', 'same', { text: '-t\n+s\n' })]],
      [at('ignored'), [call('write', 'ignored', { text: 'i\nj\n' })]],
    ])
    const found = await collect({ called })
    expect(inShort(found.list.session)).toEqual(['a +1 -1', 'new byCommand +1 -0', 'written ignored about +2 -0'])
    expect(found.list.session.map(({ calls }) => calls)).toEqual([1, 0, 1])
    const known = await collect({ called, befores: new Map([[at('ignored'), { kind: 'none' }]]) })
    expect(inShort(known.list.session)).toContain('new ignored +2 -0')
  })

  test('a resumed session lists the changes of earlier calls and the later ones', async () => {
    const folder = makeRepository({ a: 'two\nx\n', b: 'b\n' })
    const { collect } = await begin(folder)
    folder.put({ a: 'two\ny\n' })
    const called = new Map([
      [
        join(folder.path, 'a'),
        [call('edit', 'a', { text: '-one\n+two\n', at: 1 }), call('edit', 'a', { text: '-x\n+y\n', at: 9 })],
      ],
      [join(folder.path, 'b'), [call('edit', 'b', { text: '-a\n+b\n', at: 1 })]],
    ])
    const found = await collect({ called, startedAt: 5 })
    expect(inShort(found.list.session)).toEqual(['a about +2 -2', 'b +1 -1'])
    expect(await linesOf(found, 'a')).toEqual(['-one', '+two', '-x', '+y'])
  })

  test('edits outside a repository are listed', async () => {
    const folder = makeFolder()
    folder.put({ a: 'now\n', b: 'b\n' })
    const at = (name: string) => join(folder.path, name)
    const found = await collectChanges({
      folder: folder.path,
      git: null,
      called: new Map([
        [at('a'), [call('edit', 'a', { text: '-one\n+two\n' }), call('edit', 'a', { text: '-two\n+now\n' })]],
        [at('b'), [call('write', 'b', { text: 'b\n' })]],
        [at('c'), [call('edit', 'c', { text: '-one\n+two\n' }), call('edit', 'c', { text: '-two\n+one\n' })]],
        [at('e'), [call('edit', 'e', { text: '-one\n+eins\n' }), call('edit', 'e', { text: '-two\n+zwei\n' })]],
        ['/elsewhere/d', [call('write', '/elsewhere/d', { text: 'd\n' })]],
      ]),
      befores: new Map([[at('a'), { kind: 'text', text: 'one\n', isUtf8: true }]]),
      startedAt: 0,
    })
    expect(inShort(found.list.session)).toEqual([
      'written /elsewhere/d about +1 -0',
      'a +1 -1',
      'written b about +1 -0',
      'c about +2 -2',
      // No line of the one edit is one of the other.
      'e +2 -2',
    ])
    expect(await linesOf(found, 'a')).toEqual(['-one', '+now'])
  })
})

describe('an untrusted repository', () => {
  test('runs none of the programs in its configuration', async () => {
    const folder = makeRepository({ a: 'a\n', '.gitattributes': '* filter=evil diff=evil\n' })
    const mark = join(folder.path, '..', 'ran')
    const program = join(folder.path, '..', 'program')
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`)
    chmodSync(program, 0o755)
    const settings = {
      'core.fsmonitor': program,
      'core.pager': program,
      'core.hooksPath': join(folder.path, '..'),
      'diff.external': program,
      'diff.evil.command': program,
      'diff.evil.textconv': program,
      'filter.evil.clean': program,
      'filter.evil.smudge': program,
      'filter.evil.process': program,
      'filter.evil.required': 'true',
      'core.sshCommand': program,
      'pager.diff': program,
      'diff.relative': 'true',
      'diff.noprefix': 'true',
      'color.ui': 'always',
    }
    for (const [name, value] of Object.entries(settings)) folder.git('config', name, value)
    writeFileSync(join(folder.path, '..', 'post-index-change'), readFileSync(program), { mode: 0o755 })
    folder.put({ mine: 'm\n' })
    const { collect } = await begin(folder)
    folder.put({ a: 'b\n', fresh: 'f\n' })
    const found = await collect()
    expect(inShort(found.list.session)).toEqual(['a +1 -1', 'new fresh +1 -0'])
    expect(await linesOf(found, 'a')).toEqual(['-a', '+b'])
    expect(existsSync(mark)).toBe(false)
    // It would be.
    expect(() => folder.git('status')).toThrow('filter')
    expect(existsSync(mark)).toBe(true)
  })

  test('is not read by git if a filter cannot be disabled', async () => {
    const folder = makeRepository({ a: 'a\n' })
    writeFileSync(
      join(folder.path, '.git', 'config'),
      `${readFileSync(join(folder.path, '.git', 'config'), 'utf8')}\n[filter "a=b"]\n\tclean = touch ran\n`,
    )
    const { changedSince } = await opened(folder)
    expect(await changedSince('HEAD')).toMatchObject({ ok: false, words: 'a filter or a hook has a "=" in its name' })
  })

  test('is not written to, and a file that was only touched is not listed', async () => {
    const folder = makeRepository({ a: 'a\n', binary: 'a\0b', changed: 'a\0b', empty: '' })
    folder.put({ changed: 'a\0c', mine: 'm\n' })
    for (const name of ['a', 'binary', 'empty']) utimesSync(join(folder.path, name), 1, 1)
    const index = readFileSync(join(folder.path, '.git', 'index'))
    const { collect } = await begin(folder)
    const { list } = await collect()
    expect(list.before.map(({ path }) => path)).toEqual(['changed', 'mine'])
    expect(readFileSync(join(folder.path, '.git', 'index')).equals(index)).toBe(true)
  })
})

/** The result for a git that does this. */
async function ask(body: string | null, limit = 300): Promise<string> {
  const folder = makeRepository({ a: 'a\n' })
  const tools = join(folder.path, '..', 'tools')
  mkdirSync(tools)
  if (body !== null) writeFileSync(join(tools, 'git'), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  const env = { ...folder.env, PATH: tools }
  const answer = await openRepository({ folder: folder.path, env, signal: new AbortController().signal, limit })
  return answer.ok ? 'ok' : `${answer.why} ${answer.words}`.trim()
}

describe('git that gives no answer', () => {
  test.each([
    ['is not there', null, 'missing'],
    ['hangs', '/bin/sleep 60', 'slow'],
    ['fails', 'echo no such luck >&2; exit 128', 'failed no such luck'],
    ['floods', '/usr/bin/yes', /^(?:large|slow)$/],
  ])('%s', async (_, body, answer) => {
    expect(await ask(body, body === '/usr/bin/yes' ? 5000 : 300)).toMatch(answer)
  })

  test('is stopped when its result is no longer needed', async () => {
    const folder = makeRepository({ a: 'a\n' })
    const stopping = new AbortController()
    stopping.abort()
    const answer = await openRepository({ folder: folder.path, env: folder.env, signal: stopping.signal, limit: 1000 })
    expect(answer).toMatchObject({ ok: false, why: 'stopped' })
  })
})
