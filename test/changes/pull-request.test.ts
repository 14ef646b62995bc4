/** The patch of a pull request, and a `gh` that gives it. */
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { changesOfPatch } from '../../src/changes/patch-files.ts'
import { pullRequestOf, pullRequestPatch, repositoryOf } from '../../src/changes/pull-request.ts'
import { inShort, linesOf, makeRepository, type Folder } from './repositories.ts'

const plain = (top: string) => (file: string) => file.slice(top.length + 1)

describe('a patch of many files', () => {
  test('has the same files, counts and lines as git says, whatever their names', async () => {
    const names = [
      'plain.txt',
      'with blank.txt',
      'größe.txt',
      'quote".txt',
      'tab\t.txt',
      'back\\slash',
      'new\nline',
      'a b/c d.txt',
      'b/b b/b',
    ]
    const folder = makeRepository(Object.fromEntries(names.map(name => [name, `${name.length}\none\ntwo\nthree\n`])))
    folder.put(Object.fromEntries(names.map(name => [name, `${name.length}\nONE\ntwo\nthree\n--- four\n+++ five\n`])))
    const patch = folder.git('diff', '--no-ext-diff')
    const found = changesOfPatch(Buffer.from(patch), folder.path, plain(folder.path))
    expect(found.list.notes).toEqual([])
    expect(inShort(found.list.session).toSorted()).toEqual(names.map(name => `${name} +3 -1`).toSorted())
    for (const name of names) expect(await linesOf(found, name)).toEqual(['-one', '+ONE', '+--- four', '++++ five'])
  })

  test('knows new, deleted, renamed and binary files, links, submodules and modes', () => {
    const folder = makeRepository({
      'gone.txt': 'something else\n',
      'old name.txt': 'a\nb\nc\nd\ne\n',
      'binary.bin': Buffer.from([0, 1]),
      'tool.sh': 'x\n',
    })
    folder.put({ 'made.txt': 'one\ntwo\n', 'binary.bin': Buffer.from([0, 2]), 'made empty.txt': '' })
    folder.git('mv', 'old name.txt', 'new name.txt')
    folder.git('rm', '-q', 'gone.txt')
    chmodSync(join(folder.path, 'tool.sh'), 0o755)
    symlinkSync('made.txt', join(folder.path, 'link'))
    folder.git('add', '-A')
    folder.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`)
    const { list } = changesOfPatch(Buffer.from(folder.git('diff', '--cached', '-M')), folder.path, plain(folder.path))
    const facts = list.session.map(({ path, from, kind, form, added, removed }) => [
      path,
      from,
      kind,
      form,
      added,
      removed,
    ])
    expect(facts).toEqual([
      ['binary.bin', null, 'changed', 'binary', null, null],
      ['gone.txt', null, 'deleted', 'text', 0, 1],
      ['link', null, 'new', 'link', null, null],
      ['made empty.txt', null, 'new', 'text', 0, 0],
      ['made.txt', null, 'new', 'text', 2, 0],
      ['new name.txt', 'old name.txt', 'renamed', 'text', 0, 0],
      ['sub', null, 'new', 'submodule', null, null],
      ['tool.sh', null, 'changed', 'text', 0, 0],
    ])
  })

  test('names that lead out of the project are left out, with one line', () => {
    const patch = ['../../etc/passwd', '/etc/passwd', 'a/../../b', 'C:\\x', 'fine.txt']
      .map(name => `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`)
      .join('')
    const { list } = changesOfPatch(Buffer.from(patch), '/work', plain('/work'))
    expect(inShort(list.session)).toEqual(['fine.txt +1 -1'])
    expect(list.notes).toEqual(['4 changed files have names that cannot be a path here.'])
  })

  test('anything else is no patch, and more files than fit are counted', () => {
    for (const text of ['', 'nonsense\n', 'diff --git \n', 'diff --git a/x\n@@', '\0\0\0'])
      expect(changesOfPatch(Buffer.from(text), '/work', plain('/work')).list.session).toEqual([])
    const many = Array.from(
      { length: 2003 },
      (_, index) => `diff --git a/${index} b/${index}\nnew file mode 100644\n`,
    ).join('')
    const { list } = changesOfPatch(Buffer.from(many), '/work', plain('/work'))
    expect([list.session.length, list.notes]).toEqual([2000, ['3 more changed files are not listed.']])
  })
})

describe('an argument and an address', () => {
  test.each([
    ['#12', { number: 12, repo: null }],
    ['https://github.com/o/r.x/pull/3', { number: 3, repo: 'o/r.x' }],
    ['https://github.com/o/r/pull/3/files#diff-1', { number: 3, repo: 'o/r' }],
    ['https://ghe.example.com/o/r/pull/3', { number: 3, repo: 'ghe.example.com/o/r' }],
    ['12', null],
    ['#', null],
    ['#-1', null],
    ['#1 --repo x', null],
    ['https://github.com/--help/r/pull/3x', null],
    ['http://github.com/o/r/pull/3', null],
    ['https://github.com/o/r/issues/3', null],
  ])('%s', (text, expected) => expect(pullRequestOf(text)).toEqual(expected))

  test.each([
    ['https://github.com/o/r.git', 'o/r'],
    ['https://token@github.com/o/r', 'o/r'],
    ['git@github.com:o/r.git', 'o/r'],
    ['ssh://git@ghe.example.com:22/o/r.git', 'ghe.example.com/o/r'],
    ['/srv/git/r.git', null],
    ['../r', null],
    ['file:///srv/r', null],
    ['ext::sh -c x', null],
  ])('of the remote %s', (url, expected) => expect(repositoryOf(url)).toBe(expected))
})

/** A `gh` in a folder of PATH. */
function withGh(body: string): Folder & { arguments: () => string } {
  const folder = makeRepository({ 'a.txt': 'one\n' })
  const bin = join(folder.path, '../bin')
  mkdirSync(bin)
  const said = join(bin, 'said')
  writeFileSync(join(bin, 'gh'), `#!/bin/sh\nprintf '%s\\n' "$@" "$GH_PROMPT_DISABLED$GH_REPO" >'${said}'\n${body}\n`, {
    mode: 0o755,
  })
  const env = { ...folder.env, PATH: `${bin}:${folder.env['PATH'] ?? ''}`, GH_REPO: 'evil/repo' }
  return { ...folder, env, arguments: () => readFileSync(said, 'utf8') }
}

const ask = ({ path, env }: Folder, more: { limit?: number; most?: number } = {}, repo: string | null = null) =>
  pullRequestPatch({ number: 12, repo }, { folder: path, env, ...more })

describe('gh', () => {
  test('is asked for the diff, without a shell and without questions', async () => {
    const folder = withGh('echo patch')
    expect(await ask(folder)).toEqual({ ok: true, bytes: Buffer.from('patch\n') })
    expect(folder.arguments()).toBe('pr\ndiff\n12\n--color\nnever\n1\n')
    await ask(folder, {}, 'o/r')
    expect(folder.arguments()).toBe('pr\ndiff\n12\n--color\nnever\n--repo\no/r\n1\n')
  })

  test.each<[string, string, { limit?: number; most?: number }, string]>([
    [
      'that fails says why, without codes for the terminal',
      `printf '\\033[31mno such\\npull request\\033[0m\\n' >&2; exit 1`,
      {},
      'gh failed: no such pull request',
    ],
    ['that says nothing', 'exit 4', {}, 'gh failed, and did not say why.'],
    ['that never ends', 'sleep 60', { limit: 300 }, 'gh did not answer in time.'],
    [
      'whose diff never ends',
      'while :; do echo xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done',
      { most: 50_000 },
      'The diff of pull request #12 is too large to show.',
    ],
  ])('%s', async (_name, body, limits, why) => {
    expect(await ask(withGh(body), limits)).toEqual({ ok: false, why })
  })

  test('of the project is not run', async () => {
    const folder = makeRepository({ 'a.txt': 'one\n' })
    const bin = join(folder.path, 'node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'gh'), `#!/bin/sh\necho ran >'${folder.path}/ran'\n`, { mode: 0o755 })
    const answer = await ask({ ...folder, env: { ...folder.env, PATH: `${bin}:/usr/bin:/bin` } })
    expect(answer.ok ? '' : answer.why).toMatch(/^A pull request is read by gh, which was not found/)
    expect(existsSync(join(folder.path, 'ran'))).toBe(false)
  })
})
