import { describe, expect, test } from 'vitest'
import { positionsLeft, withMatches } from '../../src/style/matched.ts'
import { sanitize } from '../../src/text/sanitize.ts'
import { drawn, type Paint } from '../../src/style/styled.ts'

const plain: Paint = text => drawn`${text}`
const matched: Paint = text => drawn`<${text}>`

describe('the matching letters', () => {
  test.each<[text: string, positions: number[], drawn: string]>([
    ['compact', [], 'compact'],
    ['compact', [0, 1, 4], '<co>mp<a>ct'],
    ['compact', [9], 'compact'],
    ['e\u0301a', [0], '<e\u0301>a'],
    ['👩‍👩‍👧x', [3], '<👩‍👩‍👧>x'],
  ])('of %s at %j are marked: %s', (text, positions, shown) => {
    expect(withMatches(sanitize(text), positions, { plain, matched }).text).toBe(shown)
  })

  test.each<[whole: string, shown: string, positions: number[], left: number[]]>([
    ['src/a.ts', 'src/a.ts', [0, 4], [0, 4]],
    ['src/deep/down/a.ts', 'src/…/a.ts', [0, 4, 14, 16], [0, 6, 8]],
    ['/compact', '/com…', [1, 5], [1]],
    ['a-long-name.ts', '…name.ts', [0, 7, 12], [1, 6]],
  ])('of %s are marked as %s', (whole, shown, positions, left) => {
    expect(positionsLeft(positions, { whole, shown, mark: '…' })).toEqual(left)
  })
})
