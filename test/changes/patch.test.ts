import * as fc from 'fast-check'
import { createTwoFilesPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import type { FileDiff } from '../../src/tools/diff/change.ts'
import { contentOf, type FileContent } from '../../src/changes/file-content.ts'
import { compareContents, readPatch } from '../../src/changes/patch.ts'

const text = (value: string): FileContent => contentOf(Buffer.from(value))
const none: FileContent = { kind: 'none' }

/** `8-old 8+new 9 same`: the number in its file, the sign, the text. */
const shown = ({ hunks }: FileDiff): string[] =>
  hunks.flatMap(({ lines }) =>
    lines.map(({ sign, text: line, before, after }) => `${sign === '-' ? before : after}${sign}${line}`),
  )

const side = ({ hunks }: FileDiff, sign: '-' | '+'): string[] =>
  hunks.flatMap(({ lines }) => lines.flatMap(line => (line.sign === sign || line.sign === ' ' ? [line.text] : [])))

const patch = (...lines: string[]): FileDiff => readPatch(Buffer.from(`${lines.join('\n')}\n`))

const header = ['diff --git a/f b/f', 'index 1234567..89abcde 100644', '--- a/f', '+++ b/f']

describe('a patch of git', () => {
  test('is read into lines with their numbers', () => {
    expect(shown(patch(...header, '@@ -3,3 +3,4 @@ function f() {', ' a', '-b', '+c', '+d', ' e'))).toEqual([
      '3 a',
      '4-b',
      '4+c',
      '5+d',
      '6 e',
    ])
  })

  test.each([
    [
      'a line that looks like a header',
      ['@@ -1,1 +1,1 @@', '---- a/x', '+diff --git a/b b/c'],
      ['1---- a/x'.replace('1-', '1-'), '1+diff --git a/b b/c'],
    ],
    ['an empty line', ['@@ -1,2 +1,2 @@', ' ', '-a', '+b'], ['1 ', '2-a', '2+b']],
  ])('%s', (_, lines, expected) => {
    expect(shown(patch(...header, ...lines))).toEqual(expected)
  })

  test.each([
    ['a new mode', ['diff --git a/f b/f', 'old mode 100644', 'new mode 100755'], 'Mode changed from 100644 to 100755.'],
    [
      'bytes',
      ['diff --git a/f b/f', 'index 1..2 100644', 'Binary files a/f and b/f differ'],
      'This file is binary, or git is configured not to compare it.',
    ],
    ['an empty file', ['diff --git a/f b/f', 'new file mode 100644', 'index 0000000..e69de29'], 'The file is empty.'],
    [
      'another name',
      ['diff --git a/f b/g', 'similarity index 100%', 'rename from f', 'rename to g'],
      'Only the name changed.',
    ],
    ['line ends', [...header, '@@ -1,2 +1,2 @@', '-a\r', '-b\r', '+a', '+b'], 'Line endings changed from CRLF to LF.'],
    [
      'a newline that went',
      [...header, '@@ -1,1 +1,1 @@', '-a', '+a', '\\ No newline at end of file'],
      'The newline at the end of the file was removed.',
    ],
    [
      'a newline that came',
      [...header, '@@ -1,1 +1,1 @@', '-a', '\\ No newline at end of file', '+a'],
      'A newline was added at the end of the file.',
    ],
  ])('%s is said', (_, lines, note) => {
    expect(patch(...lines).notes).toEqual([note])
  })

  test('with invalid UTF-8 is shown as Latin-1, with a note', () => {
    const bytes = Buffer.concat([
      Buffer.from(`${header.join('\n')}\n@@ -1,1 +1,1 @@\n-a\n+`),
      Buffer.from([0xe4, 0x0a]),
    ])
    expect(shown(readPatch(bytes))).toEqual(['1-a', '1+ä'])
    expect(readPatch(bytes).notes).toEqual(['This file is not UTF-8: its bytes are shown as Latin-1.'])
  })

  test('that is not one gives a note and does not throw', () => {
    expect(patch(...header, '@@ -1,3 +1,1 @@', 'nonsense')).toEqual({
      hunks: [],
      notes: ["git's output for this file could not be read."],
    })
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), bytes => void readPatch(Buffer.from(bytes))))
  })

  test('of any two texts gives both sides back', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', '', '-x', '+y', '@@ -1 +1 @@', '--- a/f', '\\ x'), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const made = createTwoFilesPatch('a/f', 'b/f', `${before.join('\n')}\n`, `${after.join('\n')}\n`, '', '', {
          context: 100,
        })
        const read = readPatch(Buffer.from(made))
        const isSame = before.join('\n') === after.join('\n')
        expect([side(read, '-'), side(read, '+')]).toEqual(isSame ? [[], []] : [before, after])
      }),
    )
  })
})

describe('a diff of two contents', () => {
  test.each<[string, FileContent, FileContent, string[], string[]]>([
    ['texts', text('a\nb\n'), text('a\nc\n'), ['1 a', '2-b', '2+c'], []],
    ['a new file', none, text('a\n'), ['1+a'], []],
    ['a file that is gone', text('a\n'), none, ['1-a'], []],
    ['an empty one', none, text(''), [], ['The file is empty.']],
    ['bytes', text('a'), contentOf(Buffer.from([1, 0, 2])), [], ['The file is binary.']],
    [
      'a link',
      none,
      { kind: 'link', text: '/etc/passwd' },
      ['1+/etc/passwd'],
      ['This is a symbolic link; its target is shown.', 'The newline at the end of the file was removed.'],
    ],
    ['what was not read', { kind: 'unread', why: 'is larger than 4 MB' }, text('a'), [], ['It is larger than 4 MB.']],
  ])('%s', (_, before, after, lines, notes) => {
    const diff = compareContents(before, after)
    expect([shown(diff), diff.notes]).toEqual([lines, notes])
  })

  test('that are too different removes all of one and adds all of the other', () => {
    const [before, after] = ['a', 'b'].map(letter =>
      Array.from({ length: 4000 }, (_, at) => `${letter}${at}\n`).join(''),
    )
    const diff = compareContents(text(before ?? ''), text(after ?? ''))
    expect(shown(diff).slice(3999, 4001)).toEqual(['4000-a3999', '1+b0'])
    expect(shown(diff)).toHaveLength(8000)
  })
})
