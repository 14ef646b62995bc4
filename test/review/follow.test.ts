/** Comments find their lines again in a file that has changed. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommentedLines } from '../../src/review/comment.ts'
import { LineFollower, linesOfSide, linesOfText, type FollowedLines } from '../../src/review/follow.ts'

/** What a comment on these lines keeps, which are counted from 1. */
function commentOn(lines: readonly string[], from: number, to: number): CommentedLines {
  return {
    side: 'after',
    from,
    to,
    excerpt: lines.slice(from - 1, to).slice(0, 60),
    above: lines.slice(Math.max(0, from - 4), from - 1),
    below: lines.slice(to, to + 3),
  }
}

function follow(comment: CommentedLines, lines: readonly string[]): FollowedLines {
  return new LineFollower(linesOfText(lines.map(line => `${line}\n`).join(''))).follow(comment)
}

/** Lines that both sides of a diff have. */
const hunk = (from: number, ...lines: readonly string[]) => ({
  title: '',
  lines: lines.map((text, index) => ({ sign: ' ' as const, text, before: from + index, after: from + index + 2 })),
})

/** Whether an answer is a place in the text, with the lines themselves if it says so. */
function isSound(found: FollowedLines, { excerpt }: CommentedLines, now: readonly string[]): boolean {
  if (found.state === 'stale') return true
  if (found.state === 'gone') return found.at >= 1 && found.at <= now.length + 1
  const { from, to } = found
  const isThere = 1 <= from && from <= to && to <= now.length
  return isThere && (found.state === 'changed' || now.slice(from - 1, to).join('\n') === excerpt.join('\n'))
}

const code = [
  'import { a } from "a"',
  '',
  'export function first(): void {',
  '  if (a) {',
  '    begin(1)',
  '  }',
  '}',
  '',
  'export function second(): void {',
  '  if (a) {',
  '    begin(2)',
  '  }',
  '}',
]

describe('by hand', () => {
  test.each<[string, readonly [number, number], (lines: string[]) => void, FollowedLines]>([
    ['nothing changed', [5, 5], () => undefined, { state: 'same', from: 5, to: 5 }],
    ['lines were added above', [5, 5], lines => lines.unshift('// a', '// b'), { state: 'same', from: 7, to: 7 }],
    [
      'a line right above was added',
      [5, 5],
      lines => lines.splice(4, 0, '    log()'),
      { state: 'same', from: 6, to: 6 },
    ],
    [
      'lines right above and below were added',
      [5, 5],
      lines => lines.splice(4, 1, '    log()', '    begin(1)', '    end()'),
      { state: 'same', from: 6, to: 6 },
    ],
    [
      'the line was changed',
      [5, 5],
      lines => lines.splice(4, 1, '    begin(one)'),
      { state: 'changed', from: 5, to: 5 },
    ],
    [
      'the line became three',
      [5, 5],
      lines => lines.splice(4, 1, '    a()', '    b()', '    c()'),
      { state: 'changed', from: 5, to: 7 },
    ],
    ['the line was removed', [5, 5], lines => lines.splice(4, 1), { state: 'gone', at: 5 }],
    [
      'one line of a range was changed',
      [3, 6],
      lines => lines.splice(4, 1, '    begin(one)'),
      { state: 'changed', from: 3, to: 6 },
    ],
    [
      'a line was added in a range',
      [3, 6],
      lines => lines.splice(4, 0, '    log()'),
      { state: 'changed', from: 3, to: 7 },
    ],
    ['an equal block is elsewhere', [10, 12], () => undefined, { state: 'same', from: 10, to: 12 }],
    ['the function before it was removed', [11, 11], lines => lines.splice(2, 6), { state: 'same', from: 5, to: 5 }],
    [
      'a brace in another function was removed',
      [13, 13],
      lines => lines.splice(6, 1),
      { state: 'same', from: 12, to: 12 },
    ],
    ['the first line was removed', [1, 1], lines => lines.splice(0, 1), { state: 'gone', at: 1 }],
    ['the last function was removed', [9, 13], lines => lines.splice(8, 5), { state: 'stale' }],
    ['everything was rewritten', [5, 5], lines => lines.splice(0, 13, 'one', 'two', 'three'), { state: 'stale' }],
    ['the file is empty', [5, 5], lines => lines.splice(0), { state: 'stale' }],
  ])('%s', (_name, [from, to], change, expected) => {
    const now = [...code]
    change(now)
    expect(follow(commentOn(code, from, to), now)).toEqual(expected)
  })

  test('a function that was moved is found where it is', () => {
    const now = [...code.slice(0, 2), ...code.slice(8), '', ...code.slice(2, 7)]
    expect(follow(commentOn(code, 3, 7), now)).toMatchObject({ from: 9, to: 13 })
    const line = [...code.slice(0, 4), ...code.slice(5), '    begin(1)']
    const distinct = { ...commentOn(code, 5, 5), excerpt: ['    begin(1) // the only one'] }
    expect(follow(distinct, [...line.slice(0, -1), ...distinct.excerpt])).toEqual({ state: 'moved', from: 13, to: 13 })
  })

  test('line ends with a carriage return and very long lines are the same lines', () => {
    const long = 'x'.repeat(600)
    const comment = { ...commentOn(['a', long, 'b'], 2, 2), excerpt: [long.slice(0, 500)] }
    expect(follow(comment, ['a\r', `${long}\r`, 'b\r'])).toEqual({ state: 'same', from: 2, to: 2 })
  })

  test('a comment on more lines than it keeps is found by those that it keeps', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`)
    const comment = commentOn(lines, 50, 200)
    expect(follow(comment, ['new', ...lines])).toEqual({ state: 'same', from: 51, to: 201 })
    expect(follow(comment, lines.with(60, 'changed'))).toMatchObject({ state: 'changed', from: 50 })
  })

  test('lines without text say nothing about where they are', () => {
    expect(follow({ ...commentOn(['x = 1', '}', 'y = 1'], 2, 2) }, ['a', '}', 'b', '}', 'c'])).toEqual({
      state: 'stale',
    })
  })

  test('in the lines of a diff, of which only parts are known', () => {
    const hunks = [hunk(10, 'one', 'two', 'three'), hunk(50, 'seven', 'eight', 'nine')]
    const follower = new LineFollower(linesOfSide(hunks, 'after'))
    const comment = { side: 'after', from: 51, to: 51, excerpt: ['eight'], above: ['seven'], below: ['nine'] } as const
    const lines = { ...comment, excerpt: [...comment.excerpt], above: [...comment.above], below: [...comment.below] }
    expect(follower.follow(lines)).toEqual({ state: 'same', from: 53, to: 53 })
    expect(follower.follow({ ...lines, excerpt: ['gone'], above: ['three'], below: ['seven'] })).toEqual({
      state: 'stale',
    })
    expect(new LineFollower(linesOfSide(hunks, 'before')).follow({ ...lines, side: 'before' })).toEqual({
      state: 'same',
      from: 51,
      to: 51,
    })
  })
})

/** Lines that are all different, a range of them, and other lines that are in neither. */
const arranged = fc
  .record({
    count: fc.integer({ min: 12, max: 80 }),
    at: fc.nat(),
    length: fc.integer({ min: 1, max: 6 }),
    seed: fc.nat(999),
  })
  .map(({ count, at, length, seed }) => {
    const lines = Array.from({ length: count }, (_, index) => `  statement number ${index} of ${seed}`)
    const from = 4 + (at % Math.max(1, count - length - 7))
    return { lines, from, to: from + length - 1, fresh: (index: number): string => `  new line ${index} of ${seed}` }
  })
const RUNS = { numRuns: 1000 }

describe('properties', () => {
  test('lines that are added and removed anywhere else do not change it, and it moves with its lines', () => {
    fc.assert(
      fc.property(
        arranged,
        fc.array(fc.record({ at: fc.nat(), removed: fc.nat(3), added: fc.nat(4) }), { maxLength: 5 }),
        ({ lines, from, to, fresh }, edits) => {
          const before = lines.slice(0, from - 1)
          const after = lines.slice(to)
          for (const [index, { at, removed, added }] of edits.entries()) {
            const side = at % 2 === 0 ? before : after
            side.splice(
              at % (side.length + 1),
              removed,
              ...Array.from({ length: added }, (_, each) => fresh(index * 10 + each)),
            )
          }
          const now = [...before, ...lines.slice(from - 1, to), ...after]
          const found = follow(commentOn(lines, from, to), now)
          expect(found).toMatchObject({ from: before.length + 1, to: before.length + 1 + to - from })
          expect(['same', 'moved']).toContain(found.state)
        },
      ),
      RUNS,
    )
  })

  test('lines that were replaced are changed, exactly at their place', () => {
    fc.assert(
      fc.property(arranged, fc.integer({ min: 1, max: 8 }), ({ lines, from, to, fresh }, count) => {
        const now = lines.toSpliced(from - 1, to - from + 1, ...Array.from({ length: count }, (_, each) => fresh(each)))
        expect(follow(commentOn(lines, from, to), now)).toEqual({ state: 'changed', from, to: from + count - 1 })
      }),
      RUNS,
    )
  })

  test('lines that were removed are gone, at the line that came after them', () => {
    fc.assert(
      fc.property(arranged, ({ lines, from, to }) => {
        const now = lines.toSpliced(from - 1, to - from + 1)
        expect(follow(commentOn(lines, from, to), now)).toEqual({ state: 'gone', at: from })
      }),
      RUNS,
    )
  })

  test('lines that were moved to another place are found there', () => {
    fc.assert(
      fc.property(arranged, fc.nat(), ({ lines, from, to }, target) => {
        const rest = lines.toSpliced(from - 1, to - from + 1)
        const at = target % (rest.length + 1)
        const now = rest.toSpliced(at, 0, ...lines.slice(from - 1, to))
        expect(follow(commentOn(lines, from, to), now)).toMatchObject({ from: at + 1, to: at + 1 + to - from })
      }),
      RUNS,
    )
  })

  test('of lines that were copied, one of the two places is taken', () => {
    fc.assert(
      fc.property(arranged, fc.nat(), ({ lines, from, to }, target) => {
        const at = target % 2 === 0 ? 0 : lines.length
        const now = lines.toSpliced(at, 0, ...lines.slice(from - 1, to))
        const shift = at === 0 ? to - from + 1 : 0
        expect(follow(commentOn(lines, from, to), now)).toEqual({ state: 'same', from: from + shift, to: to + shift })
      }),
      RUNS,
    )
  })

  test('in texts of few different lines the answer is in the text, and the same lines are the same lines', () => {
    const few = fc.array(fc.constantFrom('', '}', 'a = 1', 'b = 2', 'return', '  x'), { maxLength: 40 })
    fc.assert(
      fc.property(few, few, fc.nat(), fc.nat(5), (lines, now, at, length) => {
        if (lines.length === 0) return
        const from = 1 + (at % lines.length)
        const to = Math.min(lines.length, from + length)
        const comment = commentOn(lines, from, to)
        const found = follow(comment, now)
        expect(isSound(found, comment, now)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  test('a hundred comments are followed in 100,000 lines at once', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => (index % 3 === 0 ? '}' : `statement ${index % 30_000}`))
    const comments = Array.from({ length: 100 }, (_, index) => commentOn(lines, 10 + index * 900, 12 + index * 900))
    const follower = new LineFollower(linesOfText(lines.join('\n')))
    const begun = performance.now()
    const found = comments.map(comment => follower.follow(comment))
    expect(found.every(({ state }) => state === 'same')).toBe(true)
    expect(performance.now() - begun).toBeLessThan(3000)
  })
})
