import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createClip } from '../../../src/platform/shell/clip.ts'

const mark = /\n?\[\.\.\. (\d+) B omitted \.\.\.\]\n/

function clipped(limit: number, ...pieces: string[]) {
  const clip = createClip(limit)
  for (const piece of pieces) clip.push(piece)
  return clip.result()
}

describe('clipping to the beginning and the end', () => {
  test('keeps a short text', () => {
    expect(clipped(100, 'one\n', 'two\n')).toBe('one\ntwo\n')
    expect(clipped(100)).toBe('')
  })

  test('cuts between lines', () => {
    expect(clipped(20, 'aaaa\nbbbb\nc', 'ccc\ndddd\neeee\nffff\n')).toBe(
      'aaaa\nbbbb\n[... 10 B omitted ...]\neeee\nffff\n',
    )
  })

  test('cuts one long line between characters', () => {
    expect(clipped(10, '漢'.repeat(100))).toBe('漢\n[... 294 B omitted ...]\n漢')
  })

  test('gives the same for any chunks', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '🙂', '\n'), maxLength: 240 })
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 200 }), fc.integer({ min: 1, max: 50 }), (whole, limit, size) => {
        const clip = createClip(limit)
        const characters = Array.from(whole)
        for (let at = 0; at < characters.length; at += size) clip.push(characters.slice(at, at + size).join(''))
        const kept = clip.result()
        expect(clip.omitted()).toBe(Number(mark.exec(kept)?.[1] ?? 0))
        expect(kept).toBe(clipped(limit, whole))
        const [before = '', omitted = 0, after = ''] = kept.split(mark)
        // The newline before the mark may be a kept one.
        expect([0, 1]).toContain(Buffer.byteLength(whole) - Number(omitted) - Buffer.byteLength(before + after))
        expect(kept === whole || Buffer.byteLength(before + after) <= limit).toBe(true)
        expect(kept).not.toContain('\uFFFD')
        expect(whole.startsWith(before) && whole.endsWith(after)).toBe(true)
      }),
    )
  })
})
