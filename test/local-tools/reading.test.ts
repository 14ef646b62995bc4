/** `read`, `list`, `search` and `bash` on real folders. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { project } from './folder.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** A project with one of everything that is no plain text file. */
function hostile() {
  const all = project({
    'a.txt': 'one\ntwo\nthree\n',
    binary: Buffer.from([1, 0, 2]),
    'dot.png': png,
    'long.txt': `${'x'.repeat(99)}\n`.repeat(3000),
    'tall.txt': 'y\n'.repeat(3000),
    'sub/b.txt': 'two\n',
    '.gitignore': 'ignored\n',
    'ignored/c.txt': 'two\n',
  })
  all.pipe('pipe')
  writeFileSync(join(all.outside, 'secret'), 'two secrets\n')
  symlinkSync('../outside/secret', all.at('out'))
  symlinkSync('../outside', all.at('outer'))
  return all
}

describe('read', () => {
  test.each([
    ['a file', { path: 'a.txt' }, 'one\ntwo\nthree\n'],
    ['some lines', { path: 'a.txt', offset: 2, limit: 1 }, 'two\n'],
    ['lines behind the end', { path: 'a.txt', offset: 9 }, ''],
    ['lines that zot cannot reach', { path: 'long.txt', offset: 3000 }, `${'x'.repeat(99)}\n`],
    ['an image', { path: 'dot.png' }, '[image/png]'],
    ['no such file', { path: 'no' }, 'error: stat PROJECT/no: no such file or directory'],
    ['a folder', { path: 'sub' }, 'error: PROJECT/sub is a directory'],
    ['a pipe', { path: 'pipe' }, 'error: PROJECT/pipe is a pipe, not a file'],
    ['a binary file', { path: 'binary' }, 'error: binary looks binary; refusing to read as text'],
    ['a link out', { path: 'out' }, 'error: PROJECT/out is outside of the working folder'],
    [
      'a file behind a link out',
      { path: 'outer/secret' },
      'error: PROJECT/outer/secret is outside of the working folder',
    ],
    ['a path out', { path: '../outside/secret' }, 'error: OUTSIDE/secret is outside of the working folder'],
  ])('%s', async (_name, args, answer) => {
    expect(await hostile().run('read', args)).toBe(answer)
  })

  test.each([
    ['long.txt', '\n\n... [truncated at 51200 bytes]\n'],
    ['tall.txt', 'y\n\n... [truncated at 2000 lines]\n'],
  ])('cuts %s', async (path, end) => {
    const answer = await hostile().run('read', { path })
    expect(answer.endsWith(end)).toBe(true)
    expect(answer.length).toBeLessThan(52_000)
  })

  test('a link out, where that is allowed', async () => {
    expect(await hostile().run('read', { path: 'out' }, { mayLeaveFolder: true })).toBe('two secrets\n')
  })
})

describe('list', () => {
  test('names what is there, and where links lead', async () => {
    const { run } = hostile()
    const answer = await run('list', {})
    expect(answer.split('\n')).toEqual(expect.arrayContaining(['a.txt', 'sub/', 'pipe', 'out -> ../outside/secret']))
    expect(await run('list', { path: 'sub' })).toBe('b.txt\n')
  })

  test.each([
    ['a file', 'a.txt', /^error: open PROJECT\/a.txt: not a directory$/],
    ['a link out', 'outer', /is outside of the working folder/],
    ['what is not there', 'no', /no such file or directory/],
  ])('%s is an error', async (_name, path, words) => {
    expect(await hostile().run('list', { path })).toMatch(words)
  })

  test('is bounded', async () => {
    const { run } = project(Object.fromEntries(Array.from({ length: 1100 }, (_, at) => [`f${at}`, ''])))
    const rows = (await run('list', {})).trimEnd().split('\n')
    expect([rows.length, rows.at(-1)]).toEqual([1001, '... [truncated at 1000 entries]'])
  })
})

describe('search', () => {
  test('finds lines, and leaves out what is ignored, binary, a pipe, or a link out', async () => {
    expect((await hostile().run('search', { pattern: '^two' })).trimEnd().split('\n').toSorted()).toEqual([
      'a.txt:2: two',
      'sub/b.txt:1: two',
    ])
  })

  test.each([
    ['one file', { pattern: 'T.o$', path: 'a.txt', ignoreCase: true }, 'a.txt:2: two\n'],
    ['nothing', { pattern: 'zzz' }, 'No matches.'],
    ['a link out', { pattern: 'two', path: 'outer' }, 'error: PROJECT/outer is outside of the working folder'],
    ['a pipe', { pattern: 'two', path: 'pipe' }, 'error: PROJECT/pipe is neither a file nor a folder'],
  ])('%s', async (_name, args, answer) => {
    expect(await hostile().run('search', args)).toBe(answer)
  })

  test('a broken pattern is an error', async () => {
    expect(await hostile().run('search', { pattern: '(' })).toMatch(/^error: invalid pattern: /)
  })

  test('a pattern that never ends is stopped, and nothing else waits for it', async () => {
    const { run } = project({ 'a.txt': `${'a'.repeat(40)}!\n` })
    const answer = run('search', { pattern: '^(a+)+$' }, { limit: 300 })
    expect(await run('list', {})).toBe('a.txt\n')
    expect(await answer).toBe('... [stopped: 0 matches, or 0.3 s]\n')
  })
})

describe('bash', () => {
  test.each([
    ['both outputs', 'echo out; echo err >&2', '$ echo out; echo err >&2\n\nout\nerr\n\n[exit 0]  Took '],
    ['no output', 'true', '$ true\n\n[exit 0]  Took '],
    ['a failure', 'exit 3', 'error: $ exit 3\n\n[exit 3]  Took '],
    ['its time limit', 'sleep 30', 'error: $ sleep 30\n\n[exit -1]  Took '],
    ['nothing to run', ' ', 'error: invalid args: command: command is required'],
    ['a NUL', 'a\0b', 'error: start: the command contains a NUL character'],
  ])('%s', async (_name, command, beginning) => {
    const answer = await project().run('bash', { command, timeout: 1 })
    expect(answer.startsWith(beginning)).toBe(true)
  })

  test('runs in the folder, reports progress, and can be stopped', async () => {
    const { run, at } = project()
    const controller = new AbortController()
    let seen = ''
    const onProgress = (chunk: string): void => {
      seen += chunk
      if (seen.includes('begun')) controller.abort()
    }
    const command = 'touch here; echo begun; sleep 30; touch never'
    const answer = await run('bash', { command }, { signal: controller.signal, onProgress })
    expect(answer).toMatch(/\nbegun\n\n\[exit -1\] {2}Took /)
    expect(existsSync(at('here'))).toBe(true)
    expect(existsSync(at('never'))).toBe(false)
  })

  test('cuts a flood', async () => {
    const answer = await project().run('bash', { command: 'yes | head -c 300000' })
    expect(answer).toContain('... [truncated at 51200 bytes]\n\n[exit 0]')
    expect(answer.length).toBeLessThan(52_000)
  })

  test('keeps what it wrote before its limit', async () => {
    const { run, at } = project()
    await run('bash', { command: 'echo kept > a; sleep 30' }, { limit: 500 })
    expect(readFileSync(at('a'), 'utf8')).toBe('kept\n')
  })
})

describe('the facts of an answer', () => {
  test.each([
    ['a command that succeeds', 'bash', { command: 'true' }, { exitCode: 0 }],
    ['a command that fails', 'bash', { command: 'exit 3' }, { exitCode: 3 }],
    ['a command that says much', 'bash', { command: 'seq 100000' }, { exitCode: 0, isCut: true }],
    [
      'a command whose child outlives it',
      'bash',
      { command: '(sleep 5; echo late) >/dev/null 2>&1 &' },
      { exitCode: 0 },
    ],
    ['a short file', 'read', { path: 'a' }, {}],
    ['a long file', 'read', { path: 'long' }, { isCut: true }],
    ['a short list', 'list', {}, {}],
    ['few matches', 'search', { pattern: 'nothing at all' }, {}],
    ['many matches', 'search', { pattern: 'x', path: 'long' }, { isCut: true }],
  ])('%s', async (_name, tool, args, facts) => {
    const { tools } = project({ a: 'x\n', long: 'x\n'.repeat(60_000) })
    const { content: _content, isError: _isError, ...told } = await tools.run(tool, args)
    expect(told).toEqual(facts)
  })

  test('a command that was stopped has no exit code', async () => {
    const { tools } = project()
    expect(await tools.run('bash', { command: 'sleep 30' }, { limit: 50 })).not.toHaveProperty('exitCode')
  })
})
