/** What became of the lines of a comment. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commentedLines, type CommentedLines } from '../../src/review/comment.ts'
import { outcomeOf, outcomeWords } from '../../src/review/outcome.ts'

const before = ['import a', 'first(1)', 'second(2)', 'third(3)', 'fourth(4)', 'fifth(5)']
  .map(line => `${line}\n`)
  .join('')
const third: CommentedLines = {
  side: 'after',
  from: 4,
  to: 4,
  excerpt: ['third(3)'],
  above: ['import a', 'first(1)', 'second(2)'],
  below: ['fourth(4)', 'fifth(5)'],
}

describe('the outcome', () => {
  test.each<[string, CommentedLines | null, string | null, string | null, string | null]>([
    ['of the same file', third, before, before, 'unchanged'],
    ['of other lines that changed', third, before, before.replace('first(1)', 'first(one)'), 'unchanged'],
    ['of lines that moved down', third, before, `new\n${before}`, 'unchanged'],
    ['of a changed line', third, before, before.replace('third(3)', 'third(three)'), 'changed'],
    ['of a removed line', third, before, before.replace('third(3)\n', ''), 'gone'],
    ['of a rewritten file', third, before, 'all\nnew\n', 'changed'],
    ['of a deleted file', third, before, null, 'gone'],
    ['of a deleted file as a whole', null, before, null, 'gone'],
    ['of a file as a whole', null, before, `${before}more\n`, 'changed'],
    ['of a file that was not there and came back', third, null, before, 'changed'],
    ['of a file that never was there', third, null, null, null],
    ['of lines that were gone before the turn', third, 'all\nnew\n', 'all\nnewer\n', null],
    [
      'of removed lines that stay removed',
      { ...third, side: 'before' },
      before.replace('third(3)\n', ''),
      before.replace('third(3)\n', 'x\n'),
      'unchanged',
    ],
    [
      'of removed lines that come back',
      { ...third, side: 'before' },
      before.replace('third(3)\n', ''),
      before,
      'changed',
    ],
  ])('%s', (_name, lines, was, is, expected) => {
    expect(outcomeOf({ lines }, was, is)).toBe(expected)
  })

  test('is found also for lines that had changed between the comment and the turn', () => {
    const was = before.replace('third(3)', 'third(III)')
    expect(outcomeOf({ lines: third }, was, was.replace('third(III)', 'third(3.0)'))).toBe('changed')
    expect(outcomeOf({ lines: third }, was, was.replace('first(1)', 'first(one)'))).toBe('unchanged')
  })

  test('of very many lines is told soon, wherever in them something changed', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `statement number ${index}`)
    const comment: CommentedLines = { side: 'after', from: 1001, to: 19_000, ...commentedLines(lines, 1000, 18_999) }
    const outcomeIn = (now: readonly string[]) => outcomeOf({ lines: comment }, lines.join('\n'), now.join('\n'))
    const begun = performance.now()
    expect(outcomeIn(lines.with(1010, 'else'))).toBe('changed')
    expect(outcomeIn(lines.with(17_000, 'else'))).toBe('changed')
    expect(outcomeIn(lines.toSpliced(10_000, 0, 'more'))).toBe('changed')
    expect(outcomeIn(lines.toSpliced(0, 0, 'more').with(19_500, 'else'))).toBe('unchanged')
    expect(outcomeIn(lines.toSpliced(1000, 18_000))).toBe('gone')
    expect(performance.now() - begun).toBeLessThan(5000)
  })

  test('is unchanged exactly if the lines are still there, whatever changes elsewhere', () => {
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 40 }), fc.nat(), fc.nat(), fc.boolean(), (count, at, elsewhere, isOwn) => {
        const lines = Array.from({ length: count }, (_, index) => `statement number ${index}`)
        const own = at % count
        const other = (own + 1 + (elsewhere % (count - 1))) % count
        const comment: CommentedLines = {
          side: 'after',
          from: own + 1,
          to: own + 1,
          excerpt: lines.slice(own, own + 1),
          above: lines.slice(Math.max(0, own - 3), own),
          below: lines.slice(own + 1, own + 4),
        }
        const now = lines.with(isOwn ? own : other, 'something else')
        expect(outcomeOf({ lines: comment }, lines.join('\n'), now.join('\n'))).toBe(isOwn ? 'changed' : 'unchanged')
      }),
      { numRuns: 1000 },
    )
  })
})

test('one line says what became of all of them', () => {
  expect(outcomeWords(['changed', 'unchanged', 'changed'])).toBe(
    'The lines of your 3 comments: 2 changed, 1 unchanged. /diff shows them.',
  )
  expect(outcomeWords(['gone'])).toBe('The lines of your comment: gone. /diff shows them.')
})
