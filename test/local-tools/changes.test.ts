/** `write` and `edit` on real folders. */
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { project } from './folder.ts'

const edit = (path: string, ...pairs: [string, string][]) => ({
  path,
  edits: pairs.map(([oldText, newText]) => ({ oldText, newText })),
})

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `l${from + at}\n`).join('')

describe('an edit answers as zot does', () => {
  test.each([
    ['one line', 'alpha\nbeta\ngamma\n', [['beta', 'BETA']], ' alpha\n-beta\n+BETA\n gamma\n \n'],
    [
      'far apart',
      lines(1, 20),
      [
        ['l2\n', 'X\n'],
        ['l18\n', 'Y\n'],
      ],
      ' l1\n-l2\n+X\n l3\n l4\n l5\n...\n...\n l15\n l16\n l17\n-l18\n+Y\n l19\n l20\n \n',
    ],
    ['at the beginning of many', lines(1, 9), [['l1\n', '']], '-l1\n l2\n l3\n l4\n...\n'],
    ['a line that repeats its neighbour', 'x\ny\n', [['x\n', 'x\nx\n']], '+x\n x\n y\n \n'],
    ['windows lines', 'a\r\nb\r\nc\r\n', [['b', 'B']], ' a\n-b\n+B\n c\n \n'],
  ] as [string, string, [string, string][], string][])('%s', async (_name, before, pairs, answer) => {
    const { run } = project({ 'a.txt': before })
    expect(await run('edit', edit('a.txt', ...pairs))).toBe(answer)
  })

  test.each([
    ['no such text', edit('a.txt', ['nope', 'x']), 'edit 1: oldText not found in a.txt'],
    [
      'a text that is there twice',
      edit('a.txt', ['beta', 'x'], ['a', 'b']),
      'edit 2: oldText matches 5 times (must be unique) in a.txt',
    ],
    ['an empty text', edit('a.txt', ['', 'x']), 'edit 1: oldText must not be empty'],
    ['the same text', edit('a.txt', ['beta', 'beta']), 'edit 1: oldText equals newText'],
    ['edits that overlap', edit('a.txt', ['alpha\nbe', 'x'], ['beta', 'y']), 'edits overlap; merge them into one edit'],
    ['no edits', edit('a.txt'), 'at least one edit is required'],
    ['no path', edit('', ['a', 'b']), 'path is required'],
    ['other arguments', { path: 3 }, 'invalid args: path'],
    ['no arguments', null, 'invalid args: '],
    ['a file that is not there', edit('no.txt', ['a', 'b']), 'open PROJECT/no.txt: no such file or directory'],
    ['a folder', edit('sub', ['a', 'b']), 'open PROJECT/sub: is a directory'],
    ['a pipe', edit('pipe', ['a', 'b']), 'PROJECT/pipe is a pipe, not a file'],
    ['a link to itself', edit('loop', ['a', 'b']), 'too many levels of symbolic links'],
    ['a file below a file', edit('a.txt/b', ['a', 'b']), 'open PROJECT/a.txt/b: no such file or directory'],
    ['a NUL', edit('a\0b', ['a', 'b']), 'the path contains a NUL character'],
    ['a name that is too long', edit('n'.repeat(300), ['a', 'b']), 'name too long'],
  ])('error: %s', async (_name, args, words) => {
    const { run, tools, at, pipe } = project({ 'a.txt': 'alpha\nbeta\ngamma\n', 'sub/b': '' })
    pipe('pipe')
    symlinkSync('loop', at('loop'))
    const answer = await run('edit', args)
    expect(answer).toContain('error: ')
    expect(answer).toContain(words)
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('alpha\nbeta\ngamma\n')
    // The preview says the same, so that nobody is asked in vain.
    expect(await tools.preview('edit', args)).toEqual({ ok: false, outcome: await tools.run('edit', args) })
  })
})

describe('an edit keeps', () => {
  test.each([
    [
      'the ends of lines, the byte order mark, and the missing last newline',
      '\uFEFFa\r\nb\r\nc',
      'b',
      'B\nB',
      '\uFEFFa\r\nB\r\nB\r\nc',
    ],
    ['mixed ends of lines', 'a\r\nb\nc\r\nd\n', 'c', 'C', 'a\r\nb\nC\r\nd\n'],
    ['a lone carriage return', 'a\rb\nc\n', 'c', 'C', 'a\rb\nC\n'],
  ])('%s', async (_name, before, oldText, newText, after) => {
    const { run, at } = project({ 'a.txt': before })
    await run('edit', edit('a.txt', [oldText, newText]))
    expect(readFileSync(at('a.txt'), 'utf8')).toBe(after)
  })

  test('bytes that are not UTF-8', async () => {
    const { run, at } = project({ 'a.txt': Buffer.from([0xff, 0xe9, 0x0a, 0x62, 0x0a]) })
    await run('edit', edit('a.txt', ['b', 'é']))
    expect([...readFileSync(at('a.txt'))]).toEqual([0xff, 0xe9, 0x0a, 0xc3, 0xa9, 0x0a])
  })

  test('the mode', async () => {
    const { run, at } = project({ run: 'old\n' })
    chmodSync(at('run'), 0o750)
    await run('edit', edit('run', ['old', 'new']))
    expect(statSync(at('run')).mode & 0o7777).toBe(0o750)
  })

  test('a link to a file of the folder', async () => {
    const { run, at } = project({ 'real.txt': 'old\n' })
    symlinkSync('real.txt', at('link.txt'))
    await run('edit', edit('link.txt', ['old', 'new']))
    expect(lstatSync(at('link.txt')).isSymbolicLink()).toBe(true)
    expect(readFileSync(at('real.txt'), 'utf8')).toBe('new\n')
  })

  test('the other name of a file', async () => {
    const { run, at } = project({ 'one.txt': 'old\n' })
    linkSync(at('one.txt'), at('two.txt'))
    await run('edit', edit('one.txt', ['old', 'new']))
    expect(readFileSync(at('two.txt'), 'utf8')).toBe('new\n')
  })

  test('a folder free of unfinished files', async () => {
    const { run, folder } = project({ 'a.txt': 'old\n' })
    await run('edit', edit('a.txt', ['old', 'new']))
    expect(readdirSync(folder)).toEqual(['a.txt'])
  })
})

describe('a write', () => {
  test('makes a file, its folders, and answers with the content', async () => {
    const { run, at } = project()
    expect(await run('write', { path: 'new/deep/a.txt', content: 'one\r\ntwo' })).toBe('one\r\ntwo')
    expect(readFileSync(at('new/deep/a.txt'), 'utf8')).toBe('one\r\ntwo')
    expect(statSync(at('new/deep')).mode & 0o700).toBe(0o700)
    expect(statSync(at('new/deep/a.txt')).mode & 0o600).toBe(0o600)
  })

  test.each([
    ['a folder', 'sub', 'open PROJECT/sub: is a directory'],
    ['the project itself', '.', 'is a directory'],
    ['a pipe', 'pipe', 'PROJECT/pipe is a pipe, not a file'],
    ['a device', '/dev/null', '/dev/null is a device, not a file'],
    ['a path below a file', 'a.txt/b', 'PROJECT/a.txt'],
  ])('is refused: %s', async (_name, path, words) => {
    const { run, pipe } = project({ 'a.txt': 'kept', 'sub/b': '' })
    pipe('pipe')
    expect(await run('write', { path, content: 'x' }, { mayLeaveFolder: true })).toContain(words)
  })

  test('replaces a file that is too long to compare', async () => {
    const { run, tools, at } = project({ huge: Buffer.alloc(17 * 1024 * 1024, 'x') })
    const preview = await tools.preview('write', { path: 'huge', content: 'small\n' })
    expect(preview).toMatchObject({ ok: true, diff: expect.stringContaining('too long to be compared') })
    expect(await run('edit', edit('huge', ['x', 'y']))).toContain('change it with bash')
    expect(await run('write', { path: 'huge', content: 'small\n' }, expectedOf(preview))).toBe('small\n')
    expect(readFileSync(at('huge'), 'utf8')).toBe('small\n')
  })
})

describe('a change outside of the folder', () => {
  test.each([
    ['by its name', '../outside/a.txt'],
    ['by a link to the file', 'file-link'],
    ['by a link to a folder', 'folder-link/a.txt'],
    ['by a link to a file that does not exist yet', 'dangling'],
    ['by links that lead to each other', 'far/a.txt'],
  ])('%s is refused unless it is allowed', async (_name, path) => {
    const { run, tools, at, outside } = project()
    writeFileSync(join(outside, 'a.txt'), 'secret\n')
    symlinkSync(join(outside, 'a.txt'), at('file-link'))
    symlinkSync('../outside', at('folder-link'))
    symlinkSync('../outside/later.txt', at('dangling'))
    symlinkSync('folder-link/../outside', at('far'))
    const call = { path, content: 'changed\n' }
    const preview = await tools.preview('write', call)
    const end = join(outside, path === 'dangling' ? 'later.txt' : 'a.txt')
    expect(preview).toMatchObject({ ok: true, paths: [end] })
    expect(await run('write', call)).toMatch(/^error: .* is outside of the working folder$/)
    expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('secret\n')
    expect(existsSync(join(outside, 'later.txt'))).toBe(false)
    expect(await run('write', call, { mayLeaveFolder: true })).toBe('changed\n')
    expect(readFileSync(end, 'utf8')).toBe('changed\n')
  })
})

describe('a preview', () => {
  test('is the unified diff, and changes nothing', async () => {
    const { tools, at } = project({ 'sub/a.txt': 'one\ntwo\n' })
    expect(await tools.preview('edit', edit('sub/a.txt', ['two', 'TWO']))).toMatchObject({
      ok: true,
      paths: [at('sub/a.txt')],
      diff: '--- a/sub/a.txt\n+++ b/sub/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n',
    })
    expect(readFileSync(at('sub/a.txt'), 'utf8')).toBe('one\ntwo\n')
  })

  test.each([
    ['a new file', null, 'a\n', '--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n'],
    ['a new empty file', null, '', '--- /dev/null\n+++ b/f\n'],
    ['no last newline', 'a\n', 'a', '--- a/f\n+++ b/f\n@@ -1,1 +1,1 @@\n-a\n+a\n\\ No newline at end of file\n'],
    ['nothing new', 'a\n', 'a\n', ''],
    ['a line behind a NUL', 'a\n', 'a\0\nrm -rf /\n', '--- a/f\n+++ b/f\n@@ -1,1 +1,2 @@\n-a\n+a\0\n+rm -rf /\n'],
    [
      'a binary file',
      'a\0b',
      'text\n',
      'a/f is binary. It is replaced by:\n--- a/f\n+++ b/f\n@@ -0,0 +1,1 @@\n+text\n',
    ],
  ])('%s', async (_name, before, content, diff) => {
    const { tools } = project(before === null ? {} : { f: before })
    expect(await tools.preview('write', { path: 'f', content })).toMatchObject({ ok: true, diff })
  })

  test('of a name with a newline stays one diff', async () => {
    const { tools } = project()
    const preview = await tools.preview('write', { path: 'a\n+++ b/c', content: 'x\n' })
    expect(preview).toMatchObject({ ok: true, diff: expect.stringContaining('+++ b/"a\\n+++ b/c"\n@@') })
  })

  test.each([
    ['changes', (file: string) => writeFileSync(file, 'other\n')],
    ['becomes a link', replaceByLink],
  ])('holds the run if the file %s after it', async (_name, happen) => {
    const { run, tools, at } = project({ 'a.txt': 'old\n' })
    const call = { path: 'a.txt', content: 'new\n' }
    const preview = await tools.preview('write', call)
    happen(at('a.txt'))
    const before = readFileSync(at('a.txt'), 'utf8')
    expect(await run('write', call, expectedOf(preview))).toMatch(/has changed since this call was shown/)
    expect(readFileSync(at('a.txt'), 'utf8')).toBe(before)
  })

  test('holds the run if the file appears after it, and lets it run if nothing happens', async () => {
    const { run, tools, at } = project()
    const call = { path: 'a.txt', content: 'new\n' }
    const preview = await tools.preview('write', call)
    writeFileSync(at('a.txt'), 'appeared\n')
    expect(await run('write', call, expectedOf(preview))).toMatch(/has changed since/)
    expect(await run('write', call, expectedOf(await tools.preview('write', call)))).toBe('new\n')
  })
})

describe('several changes', () => {
  test('of one file wait for each other', async () => {
    const { run, at } = project({ 'a.txt': 'one\ntwo\nthree\n' })
    await Promise.all([
      run('edit', edit('a.txt', ['one', '1'])),
      run('edit', edit('a.txt', ['two', '2'])),
      run('edit', edit('a.txt', ['three', '3'])),
    ])
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('1\n2\n3\n')
  })

  test('an aborted one changes nothing', async () => {
    const { run, folder } = project()
    const signal = AbortSignal.abort()
    expect(await run('write', { path: 'a', content: 'x' }, { signal })).toBe('error: aborted: context canceled')
    expect(readdirSync(folder)).toEqual([])
  })
})

test.runIf(process.getuid?.() !== 0)('a file that may not be written is not replaced', async () => {
  const { run, at } = project({ 'a.txt': 'old\n' })
  chmodSync(at('a.txt'), 0o444)
  expect(await run('write', { path: 'a.txt', content: 'new' })).toBe('error: open PROJECT/a.txt: permission denied')
})

test('an unknown tool is an error', async () => {
  expect(await project().run('nope', {})).toBe('error: unknown tool "nope"')
})

type Seen = Awaited<ReturnType<ReturnType<typeof project>['tools']['preview']>>
const expectedOf = (preview: Seen) => ({ expected: preview.ok ? preview.state : null })

/** Puts a link to another file with the same content in its place. */
function replaceByLink(file: string): void {
  writeFileSync(`${file}.2`, readFileSync(file))
  symlinkSync(`${file}.2`, `${file}.link`)
  renameSync(`${file}.link`, file)
}
