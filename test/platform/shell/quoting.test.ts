import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quotedWord, splitWords } from '../../../src/platform/shell/quoting.ts'

describe('the words of a command line', () => {
  test.each<[string, string[] | null]>([
    ['vim', ['vim']],
    ['  vim   -f ', ['vim', '-f']],
    [`emacsclient -a "" -c`, ['emacsclient', '-a', '', '-c']],
    [`/opt/'my editor'/bin/ed`, ['/opt/my editor/bin/ed']],
    [String.raw`my\ ed "a \"b\" \n" 'c\d'`, ['my ed', String.raw`a "b" \n`, String.raw`c\d`]],
    ['', []],
    [`vim "x`, null],
    [`vim 'x`, null],
    ['vim \\', null],
  ])('%s', (line, words) => {
    expect(splitWords(line)).toEqual(words)
  })

  test.each<[string, string[] | null]>([
    [String.raw`"C:\Program Files\Ed\ed.exe" --wait`, [String.raw`C:\Program Files\Ed\ed.exe`, '--wait']],
    [String.raw`C:\ed.exe it's`, [String.raw`C:\ed.exe`, `it's`]],
    [`"C:`, null],
  ])('on Windows: %s', (line, words) => {
    expect(splitWords(line, true)).toEqual(words)
  })

  test('round-trip through quoting', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), words => {
        expect(splitWords(words.map(word => quotedWord(word)).join(' '))).toEqual(words)
      }),
    )
  })
})
