/** The tools that zot has, on real folders: what a model reads is what zot would answer. */
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readGlob } from '../../src/local-tools/as-zot/glob-pattern.ts'
import { goText } from '../../src/local-tools/as-zot/go-text.ts'
import { createLocalTools } from '../../src/local-tools/local-tools.ts'
import { zotTools } from '../../src/local-tools/as-zot/zot-tools.ts'
import { project } from './folder.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1')
const jpeg = Buffer.from('\xff\xd8\xff and the rest', 'latin1')

function place(files: Record<string, string | Buffer>) {
  const { folder, outside, ...rest } = project(files)
  const tools = createLocalTools({ folder, env: process.env, tools: zotTools })
  const ask = async (tool: string, args: object) => {
    const { content, isError } = await tools.run(tool, args, { mayLeaveFolder: true })
    const words = content.map(part => (part.type === 'text' ? part.text : `[${part.mimeType}, ${part.data.length}]`))
    return `${isError ? 'error: ' : ''}${words.join('')}`.replaceAll(folder, 'PROJECT')
  }
  return { ...rest, folder, outside, tools, ask, read: async (args: object) => ask('read', args) }
}

describe('read', () => {
  const odd = {
    'a.txt': 'one\ntwo\r\nthree',
    empty: '',
    binary: Buffer.from([1, 0, 2]),
    'late-binary': Buffer.concat([Buffer.alloc(9000, 'x'), Buffer.from([0])]),
    latin: Buffer.from('caf\xe9 \xe2\x82\n', 'latin1'),
    'dot.PNG': png,
    'wrong.png': jpeg,
    'none.gif': 'no image',
    'sub/b': 'b',
    'lines.txt': Array.from({ length: 3000 }, (_, at) => `${at + 1}\n`).join(''),
    'wide.txt': `${'x'.repeat(99)}\n`.repeat(3000),
    both: 'x'.repeat(20).concat('\n').repeat(3000),
  }

  test.each([
    ['a file, with a newline at its end', { path: 'a.txt' }, 'one\ntwo\r\nthree\n'],
    ['some lines', { path: 'a.txt', offset: 2, limit: 1 }, 'two\r\n'],
    ['numbers below the first line', { path: 'a.txt', offset: -3, limit: -1 }, 'one\ntwo\r\nthree\n'],
    ['arguments that are null', { path: 'a.txt', offset: null, limit: null }, 'one\ntwo\r\nthree\n'],
    ['lines behind the end', { path: 'a.txt', offset: 9 }, ''],
    ['an empty file', { path: 'empty' }, ''],
    ['bytes that are no text', { path: 'latin' }, 'caf\uFFFD \uFFFD\uFFFD\n'],
    ['an image', { path: 'dot.PNG' }, '[image/png, 28]'],
    ['an image with the name of another kind', { path: 'wrong.png' }, '[image/jpeg, 24]'],
    ['what is an image by its name only', { path: 'none.gif' }, '[image/gif, 12]'],
    ['no such file', { path: 'no' }, 'error: stat PROJECT/no: no such file or directory'],
    ['a folder', { path: 'sub' }, 'error: sub is a directory'],
    ['a binary file', { path: 'binary' }, 'error: binary looks binary; refusing to read as text'],
    ['no path', {}, 'error: invalid args: path: Invalid input: expected string, received undefined'],
    ['an empty path', { path: '' }, 'error: invalid args: path: path is required'],
    ['a pipe, which would never end', { path: 'pipe' }, 'error: PROJECT/pipe is a pipe, not a file'],
    ['a link to a device', { path: 'device' }, 'error: PROJECT/device is a device, not a file'],
  ])('%s', async (_name, args, answer) => {
    const { read, pipe, at } = place(odd)
    pipe('pipe')
    symlinkSync('/dev/zero', at('device'))
    expect(await read(args)).toBe(answer)
  })

  test.each([
    ['lines.txt', {}, '1999\n2000\n\n... [truncated at 2000 lines]\n'],
    ['lines.txt', { offset: 1001 }, '2999\n3000\n'],
    // The file is cut before its lines are counted.
    ['wide.txt', { offset: 513 }, '\n... [truncated at 51200 bytes]\n'],
    ['wide.txt', { offset: 1, limit: 1 }, 'x\n\n... [truncated at 51200 bytes]\n'],
    ['both', {}, 'x\n\n... [truncated at 2000 lines]\n... [truncated at 51200 bytes]\n'],
  ])('cuts %s with %j', async (path, args, end) => {
    const said = await place(odd).read({ path, ...args })
    expect(said.slice(-end.length)).toBe(end)
  })

  test.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
    const { read, at } = place({ closed: 'x' })
    chmodSync(at('closed'), 0)
    expect(await read({ path: 'closed' })).toBe('error: open PROJECT/closed: permission denied')
  })

  test('an image is read up to the length of line that zot takes', async () => {
    const { read } = place({ 'a.png': Buffer.alloc(3_100_000), 'b.png': Buffer.alloc(3_100_001) })
    expect(await read({ path: 'a.png' })).toBe('[image/png, 4133336]')
    expect(await read({ path: 'b.png' })).toMatch(/^error: PROJECT\/b\.png is larger than 3\.1 MB/)
  })

  test('a link that was changed after the call was allowed is not read', async () => {
    const { tools, at, outside } = place({ 'a.txt': 'mine' })
    writeFileSync(join(outside, 'secret'), 'secret')
    symlinkSync('a.txt', at('link'))
    const before = await tools.preview('read', { path: 'link' })
    const paths = before.ok ? before.paths : []
    expect(paths).toEqual([at('a.txt')])
    rmSync(at('link'))
    symlinkSync(join(outside, 'secret'), at('link'))
    const after = await tools.run('read', { path: 'link' }, { paths, mayLeaveFolder: true })
    expect(after).toMatchObject({ isError: true })
    expect(JSON.stringify(after)).toMatch(/leads to another file/)
  })
})

describe('glob', () => {
  const files = {
    '.gitignore': 'ignored/\n*.log\n!keep.log\n',
    'main.go': '',
    'README.md': '',
    'error.log': '',
    'keep.log': '',
    'pkg/.gitignore': 'cached\n',
    'pkg/util.go': '',
    'pkg/sub/deep.go': '',
    'pkg/sub/Ärger.go': '',
    'pkg/cached/temp.go': '',
    'ignored/secret.go': '',
    '.hidden/a.go': '',
    '.git/config.go': '',
  }

  test.each([
    ['a name in any folder', { pattern: '*.go' }, 'main.go\npkg/sub/deep.go\npkg/sub/Ärger.go\npkg/util.go'],
    ['a path', { pattern: 'pkg/*.go' }, 'pkg/util.go'],
    ['any folders', { pattern: './pkg/**/*.go' }, 'pkg/sub/deep.go\npkg/sub/Ärger.go\npkg/util.go'],
    ['a choice', { pattern: '*.{md,log}' }, 'README.md\nkeep.log'],
    ['another folder', { pattern: '*.go', path: 'pkg/' }, 'pkg/sub/deep.go\npkg/sub/Ärger.go\npkg/util.go'],
    ['an ignored folder', { pattern: '*', path: 'ignored' }, 'No files matched the pattern.'],
    ['hidden ones', { pattern: '**/a.go', hidden: true }, '.hidden/a.go'],
    ['the folder of git', { pattern: '**/config.go', hidden: true }, 'No files matched the pattern.'],
    ['a link to a folder', { pattern: '*.txt', path: 'link' }, 'link/far.txt'],
    ['what is behind a link', { pattern: '**/far.txt' }, 'No files matched the pattern.'],
    ['no pattern', { pattern: ' ' }, 'error: invalid args: pattern: pattern is required'],
    ['a pattern that cannot be read', { pattern: '[z-a]' }, 'error: invalid glob pattern "[z-a]"'],
    ['no such folder', { pattern: '*', path: 'none' }, 'error: stat PROJECT/none: no such file or directory'],
    ['a file', { pattern: '*', path: 'main.go' }, 'error: main.go is not a directory'],
  ])('%s', async (_name, args, answer) => {
    const { at, outside, ask } = place(files)
    writeFileSync(join(outside, 'far.txt'), '')
    symlinkSync(outside, at('link'))
    expect(await ask('glob', args)).toBe(answer)
  })

  test('lists 500 files and says that there are more', async () => {
    const { ask } = place(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`d${at % 7}/f${at}`, ''])))
    const rows = (await ask('glob', { pattern: '*' })).split('\n')
    expect(rows).toHaveLength(502)
    expect(rows.slice(-2)).toEqual(['', '(Truncated: showing first 500 matches)'])
  })

  const units = ['a', 'b', '/', '*', '**', '**/', '?', '[ab]', '[^a]', '{a,b*}', '.', '$', '\\', ',']
  const paths = array(constantFrom('a', 'b', '/', '.', '$', '\\', ','), { maxLength: 8 }).map(all => all.join(''))

  test('a pattern fits what the same regular expression fits', () => {
    assert(
      property(array(constantFrom(...units), { minLength: 1, maxLength: 6 }), paths, (parts, path) => {
        const pattern = parts.join('')
        // A dot and a slash at the beginning are left out.
        if (pattern.startsWith('./') || pattern.includes('***')) return
        expect(readGlob(pattern)?.matches(path)).toBe(asExpression(pattern).test(path))
      }),
      { numRuns: 2000 },
    )
  })

  test('a pattern with many stars is compared, too', () => {
    const glob = readGlob(`${'**/*a'.repeat(60)}b`)
    expect(glob?.matches('a'.repeat(4000))).toBe(false)
  })
})

function asExpression(pattern: string): RegExp {
  const one = pattern.includes('/') ? '[^/]' : '.'
  const parts = pattern.match(/\*\*\/|\*\*|\{a,b\*\}|\[\^?a?b?\]|./gu) ?? []
  const written = new Map([
    ['*', `${one}*`],
    ['**', '.*'],
    ['**/', '(?:.*/)?'],
    ['?', one],
    ['{a,b*}', `(?:a|b${one}*)`],
    ['[ab]', '[ab]'],
    ['[^a]', '[^a]'],
  ])
  return new RegExp(`^${parts.map(part => written.get(part) ?? `\\${part}`.replace(/^\\([ab,/])/, '$1')).join('')}$`)
}

describe('bytes as Go writes them', () => {
  const bytes = array(oneof(integer({ min: 0, max: 255 }), constantFrom(0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xed, 0xa0)))

  test('valid text is itself, and each byte of anything else is one sign', () => {
    assert(property(string({ unit: 'binary' }), words => goText(Buffer.from(words)) === words))
    assert(
      property(bytes, all => {
        const text = goText(Buffer.from(all))
        // U+FFFD may be in the bytes themselves.
        const own = Buffer.from(all).toString('latin1').split('\xef\xbf\xbd').length - 1
        const lost = text.split('\uFFFD').length - 1 - own
        expect(Buffer.byteLength(text) - 2 * lost).toBe(all.length)
      }),
    )
  })
})
