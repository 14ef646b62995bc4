import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { looksLikeImage, readDroppedPaths, type DropOptions } from '../../../src/platform/images/paths.ts'

/** The readings, by their paths alone. */
function read(pasted: string, options?: DropOptions): string[][] {
  return readDroppedPaths(pasted, options).map(paths => paths.map(({ path }) => path))
}

describe('a dropped path', () => {
  test.each<[string, string]>([
    ['/home/me/a.png', '/home/me/a.png'],
    ["'/home/me/my photo.png'", '/home/me/my photo.png'],
    ['"/home/me/my photo.png" ', '/home/me/my photo.png'],
    [String.raw`/home/me/my\ photo\ \(1\).png`, '/home/me/my photo (1).png'],
    [String.raw`'/home/me/it'\''s.png'`, "/home/me/it's.png"],
    ['file:///home/me/my%20photo.png', '/home/me/my photo.png'],
    ['file://localhost/home/me/%C3%A9.png\r\n', '/home/me/é.png'],
    ['./a.png', './a.png'],
    ['../notes.md', '../notes.md'],
    ['photo.PNG', 'photo.PNG'],
    ['~/a.png', '/home/me/a.png'],
    ['/home/me/漢字 🙂.png', '/home/me/漢字 🙂.png'],
  ])('%s', (pasted, path) => {
    expect(read(pasted, { home: '/home/me' })).toContainEqual([path])
  })

  test('may be one of several', () => {
    expect(read(String.raw`/a/b.png '/c/d e.jpg' /f/g\ h.txt`)[0]).toEqual(['/a/b.png', '/c/d e.jpg', '/f/g h.txt'])
    expect(read('/a/b.png\n/c/d.png\n')[0]).toEqual(['/a/b.png', '/c/d.png'])
    expect(read('file:///a.png\r\nfile:///b%20c.png')).toEqual([['/a.png', '/b c.png']])
  })

  test('with unquoted blanks is one or several, as the files say', () => {
    expect(read('/tmp/Screen shot.png')).toEqual([['/tmp/Screen', 'shot.png'], ['/tmp/Screen shot.png']])
    expect(read('/tmp/My screen shot.png')).toEqual([['/tmp/My screen shot.png']])
    expect(read('/tmp/a /tmp/b.png')).toEqual([['/tmp/a', '/tmp/b.png'], ['/tmp/a /tmp/b.png']])
    expect(read("/tmp/it's.png")).toEqual([["/tmp/it's.png"]])
  })

  test('with a backslash in its name is still found', () => {
    expect(read(String.raw`/tmp/a\b.png`)).toEqual([['/tmp/ab.png'], [String.raw`/tmp/a\b.png`]])
  })

  test('is recognised as an image by its name', () => {
    expect(readDroppedPaths('/a/b.png /c.txt')[0]).toEqual([
      { path: '/a/b.png', image: true },
      { path: '/c.txt', image: false },
    ])
    for (const name of ['a.png', 'a.JPG', '/x/a.jpeg', 'a.b.webp', String.raw`C:\a.gif`]) {
      expect(looksLikeImage(name)).toBe(true)
    }
    for (const name of ['png', '.png', '/x/.png', 'a.png/b', 'a.svg', 'a.png '])
      expect(looksLikeImage(name)).toBe(false)
  })
})

describe('under Windows', () => {
  const [windows, wsl] = [{ system: 'windows' }, { system: 'wsl' }] as const

  test.each<[string, string, string]>([
    [String.raw`C:\Users\me\a.png`, String.raw`C:\Users\me\a.png`, '/mnt/c/Users/me/a.png'],
    [
      String.raw`"C:\Users\O'Neil\my photo.png"`,
      String.raw`C:\Users\O'Neil\my photo.png`,
      "/mnt/c/Users/O'Neil/my photo.png",
    ],
    ['file:///D:/my%20photo.png', String.raw`D:\my photo.png`, '/mnt/d/my photo.png'],
    [String.raw`C:\my photo.png`, String.raw`C:\my photo.png`, '/mnt/c/my photo.png'],
  ])('%s', (pasted, onWindows, onWsl) => {
    expect(read(pasted, windows)).toContainEqual([onWindows])
    expect(read(pasted, wsl)).toContainEqual([onWsl])
  })

  test('but not at other places', () => {
    expect(read(String.raw`C:\a.png`)).toEqual([])
    expect(read(String.raw`\\server\a`)).toEqual([])
  })

  test('several, and shares', () => {
    expect(read(String.raw`"C:\a b.png" C:\c.png`, windows)[0]).toEqual([String.raw`C:\a b.png`, String.raw`C:\c.png`])
    expect(read(String.raw`\\server\share\a.png`, windows)[0]).toEqual([String.raw`\\server\share\a.png`])
    expect(read(String.raw`/home/me/a\ b.png`, wsl)[0]).toEqual(['/home/me/a b.png'])
  })
})

describe('text that is not a path', () => {
  test.each([
    '',
    '  ',
    'hello',
    'look at /etc/hosts',
    'fix ./a.png and ./b.png',
    'https://example.com/a.png',
    'file://elsewhere/a.png',
    'file:///a%2Fb.png',
    'file:///%ZZ',
    '/',
    '// a comment',
    '/a\0b.png',
    '/a\u001B[0m.png',
    `/${'x'.repeat(20_000)}`,
    '/a '.repeat(200).trim(),
  ])('%o', pasted => {
    const readings = read(pasted).filter(paths => !paths.includes(pasted))
    expect(readings).toEqual([])
  })
})

describe('any file name', () => {
  const name = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter(each => !/[\p{Cc}/]|^\.+$/u.test(each) && each.trim() === each)

  test('is read back from its quoted path', () => {
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), names => {
        const paths = names.map(each => `/tmp/${each}`)
        const quoted = paths.map(path => `'${path.replaceAll("'", String.raw`'\''`)}'`)
        const escaped = paths.map(path => path.replaceAll(/[^\w/]/gu, String.raw`\$&`))
        const urls = paths.map(path => `file://${path.split('/').map(encodeURIComponent).join('/')}`)
        for (const drop of [quoted, escaped, urls]) expect(read(drop.join(' '))).toContainEqual(paths)
      }),
    )
  })

  test('never makes the parser throw', () => {
    const piece = fc.constantFrom(`'`, '"', '\\', ' ', '\n', '/', 'a', 'file://', 'C:', '~', '.png', '%', '%20')
    fc.assert(
      fc.property(fc.array(piece), fc.constantFrom('posix', 'windows', 'wsl'), (pieces, system) => {
        for (const paths of read(pieces.join(''), { system })) expect(paths.length).toBeGreaterThan(0)
      }),
      { numRuns: 2000 },
    )
  })
})
