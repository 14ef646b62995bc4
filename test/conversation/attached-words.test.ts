import { expect, test } from 'vitest'
import type { AttachedFile } from '../../src/agent/attached-file.ts'
import { attachedWords, missingWords, unattachedWords } from '../../src/conversation/queries/attached-words.ts'

const missing = (path: string): AttachedFile => ({ path, sent: 'missing', because: 'names no file here' })

test.each([['src/mian.ts'], ['notes.md'], ['./bin'], ['~/x'], ['/etc/hots'], ['src/']])(
  'a path that names no file gets a warning: @%s',
  path => {
    expect(unattachedWords([missing(path)])).toEqual([`@${path} names no file here.`])
    expect(missingWords([missing(path)])).toBe('')
  },
)

test.each([['media'], ['Override'], ['types/node'], ['alice']])('a word that may be no path gets a note: @%s', word => {
  expect(unattachedWords([missing(word)])).toEqual([])
  expect(missingWords([missing(word)])).toBe(`@${word} is no file here`)
})

test('many such words are one short note, and none of them counts as sent', () => {
  const files = ['a', 'b', 'c', 'd', 'e'].map(missing)
  expect(missingWords(files)).toBe('@a, @b, @c and 2 more are no files here')
  expect(attachedWords(files)).toBe('')
})
