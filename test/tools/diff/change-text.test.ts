import { applyPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { changeWords, countText, diffText, originText, patchText } from '../../../src/tools/diff/change-text.ts'
import type { FileChange } from '../../../src/tools/diff/change.ts'
import { contentOf } from '../../../src/changes/file-content.ts'
import { compareContents } from '../../../src/changes/patch.ts'

const compared = (before: string, after: string) =>
  compareContents(contentOf(Buffer.from(before)), contentOf(Buffer.from(after)))

const file: FileChange = {
  file: '/p/a',
  path: 'a',
  from: null,
  kind: 'changed',
  form: 'text',
  added: 1,
  removed: 1,
  isEstimate: false,
  calls: 0,
}

describe('the description of a changed file', () => {
  test.each([
    [{ kind: 'changed', form: 'text' } as const, ''],
    [{ kind: 'new', form: 'binary' } as const, 'new binary'],
    [{ kind: 'renamed', form: 'link' } as const, 'renamed link'],
  ])('%j', (change, words) => expect(changeWords(change)).toBe(words))

  test.each([
    [{ added: 1, removed: 2, isEstimate: false }, '+1 -2'],
    [{ added: 1, removed: 2, isEstimate: true }, 'about +1 -2'],
    [{ added: null, removed: null, isEstimate: false }, ''],
  ])('%j', (change, words) => expect(countText(change)).toBe(words))

  test.each([
    [{ calls: 0, kind: 'changed' } as const, 'Changed by a command or by someone else.'],
    [{ calls: 1, kind: 'changed' } as const, 'Edited once by the agent.'],
    [{ calls: 3, kind: 'written' } as const, 'Written 3 times by the agent.'],
  ])('%j', (facts, words) => expect(originText({ ...file, ...facts }, { before: [] })).toBe(words))

  test('names nobody for a change from before the session', () => {
    expect(originText(file, { before: [file] })).toBe('Changed before this session.')
  })
})

describe('a change as text', () => {
  const before = Array.from({ length: 30 }, (_, at) => `line ${at}\n`).join('')
  const after = before.replace('line 3\n', 'three\n').replace('line 20\n', '')

  test('is a patch that can be applied', () => {
    const patch = patchText({ path: 'a', from: null, kind: 'changed' }, compared(before, after))
    expect(patch.split('\n').slice(0, 3)).toEqual(['--- a/a', '+++ b/a', '@@ -1,7 +1,7 @@'])
    expect(applyPatch(before, patch)).toBe(after)
  })

  test('is a patch of a new file, too', () => {
    const patch = patchText({ path: 'a', from: null, kind: 'new' }, compared('', 'one\ntwo\n'))
    expect(patch).toBe('--- /dev/null\n+++ b/a\n@@ -0,0 +1,2 @@\n+one\n+two\n')
  })

  test('names a file outside of the folder by its whole path', () => {
    const patch = patchText({ path: '/tmp/a', from: null, kind: 'changed' }, compared(before, after))
    expect(patch.split('\n').slice(0, 2)).toEqual(['--- /tmp/a', '+++ /tmp/a'])
  })

  test('has line numbers in words for a screen reader', () => {
    expect(diffText({ path: 'a', from: 'b' }, { ...compared('one\n', 'two\n'), notes: ['A note.'] })).toBe(
      'a (was b)\nA note.\nline 1:\n-one\n+two',
    )
  })
})
