import { expect, test } from 'vitest'
import { numberOf } from '../../../src/text/diff-line.ts'
import { readPatch } from '../../../src/tools/diff/patch.ts'

const rowsOf = (...lines: string[]): string[] =>
  readPatch(lines.join('\n')).flatMap(hunk => hunk.map(line => `${numberOf(line) ?? '?'}${line.sign}${line.text}`))

test('has the lines of every hunk with their numbers', () => {
  expect(
    rowsOf('--- a/x', '+++ b/x', '@@ -3,3 +3,3 @@ fn', ' a', '-b', '+c', ' d', '@@ -9 +9,2 @@', ' e', '+f'),
  ).toEqual(['3 a', '4-b', '4+c', '5 d', '9 e', '10+f'])
})

test('has every line that its head counts, also those that look like a header', () => {
  const lines = ['--- a/x', '+++ b/x', '@@ -1,2 +1,2 @@', '--- a/evil', '-@@ -1 +1 @@', '+++ b/evil', '+@@ -1 +1 @@']
  expect(rowsOf(...lines)).toEqual(['1--- a/evil', '2-@@ -1 +1 @@', '1+++ b/evil', '2+@@ -1 +1 @@'])
})

test('has the files of a patch one after the other, and no header of the second', () => {
  const patch = ['--- a/x', '+++ b/x', '@@ -1 +1 @@', '-a', '+b', '--- a/y', '+++ b/y', '@@ -1 +1 @@', '-c', '+d']
  expect(rowsOf(...patch)).toEqual(['1-a', '1+b', '1-c', '1+d'])
})

test('without numbers has none, and without hunks nothing', () => {
  expect(rowsOf('--- a/x', '+++ b/x', '@@ @@', '-a', '+b')).toEqual(['?-a', '?+b'])
  expect(rowsOf('Binary files differ')).toEqual([])
})
