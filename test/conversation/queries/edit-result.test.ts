/** The line numbers of changes that an agent tells as parts of a file. */
import { expect, test } from 'vitest'
import { locateChanges } from '../../../src/conversation/queries/edit-result.ts'

const file = 'one\ntwo\nthree\nfour\nfive\n'
type Change = { before: string | null; after: string }

test.each<[what: string, file: string, changes: Change[], lines: (number | null)[]]>([
  ['a part that is not changed yet', file, [{ before: 'three', after: 'THREE' }], [3]],
  ['a part of a line', file, [{ before: 'hre', after: 'HRE' }], [3]],
  ['a part that is changed', file.replace('three', 'THREE'), [{ before: 'three', after: 'THREE' }], [3]],
  ['a whole file', file, [{ before: file, after: file.replace('four', 'FOUR') }], [1]],
  ['a new file', 'one', [{ before: null, after: 'one' }], [1]],
  ['an insertion that is not made yet', file, [{ before: 'three', after: 'more\nthree' }], [3]],
  ['an insertion that is made', file.replace('three', 'more\nthree'), [{ before: 'three', after: 'more\nthree' }], [3]],
  ['a deletion that is made', file.replace('two\n', ''), [{ before: 'two\nthree', after: 'three' }], [2]],
  ['CRLF', file.replaceAll('\n', '\r\n'), [{ before: 'two\nthree\n', after: 'x\n' }], [2]],
  [
    'two parts, of which the first adds lines',
    file,
    [
      { before: 'two', after: 'two\nand\nmore' },
      { before: 'five', after: 'FIVE' },
    ],
    [2, 7],
  ],
  ['what stands twice', 'a\nb\na\n', [{ before: 'a', after: 'c' }], [null]],
  ['what is there before and after', 'a\nc\n', [{ before: 'a', after: 'c' }], [null]],
  ['what is not there', file, [{ before: 'six', after: 'seven' }], [null]],
])('%s is found, or nothing is said', (_what, text, changes, lines) => {
  expect(locateChanges(text, changes)).toEqual(lines)
})
