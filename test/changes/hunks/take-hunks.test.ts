import { describe, expect, test } from 'vitest'
import { contentOf, type FileContent } from '../../../src/changes/file-content.ts'
import { takeHunks } from '../../../src/changes/hunks/take-hunks.ts'
import { compareContents } from '../../../src/changes/patch.ts'

const BASE = `${Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n')}\n`
const changed = BASE.replace('line 2\n', 'LINE 2\n').replace('line 18\n', 'LINE 18\nand more\n')

const contentIn = (text: string | null): FileContent =>
  text === null ? { kind: 'none' } : contentOf(Buffer.from(text))
const bytesOf = (text: string | null): Buffer | null => (text === null ? null : Buffer.from(text))

/** Takes hunks of `other`, which began as `base`, into `own`. A list of numbers names hunks; null stands for no file. */
function taken(own: string | null, other: string | null, hunks: readonly number[], base: string | null = BASE): string {
  const diff = compareContents(contentIn(base), contentIn(other))
  const chosen = new Map(
    hunks.map(at => {
      const lines = diff.hunks[at]?.lines ?? []
      return [at, new Set([...lines.keys()].filter(index => lines[index]?.sign !== ' '))] as const
    }),
  )
  return takeHunks(bytesOf(own), bytesOf(other), { diff, chosen, path: 'a.txt' }).bytes.toString()
}

describe('changes of a worktree in the own file', () => {
  test('only the chosen hunk is taken, and what the own file has elsewhere stays', () => {
    const own = BASE.replace('line 10\n', 'mine\n')
    expect(taken(own, changed, [1])).toBe(own.replace('line 18\n', 'LINE 18\nand more\n'))
    expect(taken(own, changed, [0, 1])).toBe(changed.replace('line 10\n', 'mine\n'))
  })

  test('hunks of two worktrees come together in one file', () => {
    const first = taken(BASE, changed, [0])
    const second = taken(first, BASE.replace('line 18\n', 'other 18\n'), [0])
    expect(second).toBe(BASE.replace('line 2\n', 'LINE 2\n').replace('line 18\n', 'other 18\n'))
  })

  test('where the own file has other lines, nothing is taken, and it is said', () => {
    expect(() => taken(BASE.replace('line 2\n', 'mine\n'), changed, [0])).toThrow(/has other lines in this place/)
    expect(() => taken('something else\n', changed, [0])).toThrow(/has other lines in this place/)
    expect(() => taken(null, changed, [0])).toThrow(/has other lines in this place/)
  })

  test('what is there already is not taken again', () => {
    expect(() => taken(changed, changed, [0])).toThrow(/has this already/)
  })

  test('a new file is made, and a deleted one loses its lines only where they are as they were', () => {
    expect(taken(null, 'new\nfile\n', [0], null)).toBe('new\nfile\n')
    expect(() => taken('mine\n', 'new\nfile\n', [0], null)).toThrow(/has other lines in this place/)
    expect(taken(BASE, null, [0])).toBe('')
    expect(() => taken(`${BASE}mine\n`, null, [0])).toThrow(/has other lines in this place/)
  })

  test('a line without an end gets one if another follows', () => {
    expect(taken('a\nb', 'a\nb\nc', [0], 'a\nb')).toBe('a\nb\nc')
  })
})
