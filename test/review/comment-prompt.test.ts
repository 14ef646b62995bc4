import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { commentMark, commentsIn, placeOf, promptOfComments } from '../../src/review/comment-prompt.ts'
import type { ReviewComment } from '../../src/review/comment.ts'
import { aPartOf } from '../helpers/length.ts'
import { commentOf, linesOf } from './comments.ts'

describe('the prompt', () => {
  test('has a section for each comment, with its file, its lines, what stands there, and the words', () => {
    const one = commentOf({ id: 'a', path: 'src/a.ts', lines: linesOf(3, ['let x = 1']), text: 'Why?\n' })
    const other = commentOf({ id: 'b', path: 'b.md', lines: null, text: 'Too long.' })
    expect(promptOfComments([one, other])).toBe(
      [
        'Here are 2 comments on the changes:',
        `## src/a.ts, line 3 (comment ${commentMark('a')})`,
        '```\nlet x = 1\n```',
        'Why?',
        `## b.md, the whole file (comment ${commentMark('b')})`,
        'Too long.',
      ].join('\n\n'),
    )
  })

  test('names removed lines, ranges, and no lines without numbers', () => {
    expect(placeOf({ side: 'before', from: 4, to: 4 })).toBe('removed line 4')
    expect(placeOf({ side: 'after', from: 4, to: 9 })).toBe('lines 4 to 9')
    expect(placeOf({ side: 'after', from: 0, to: 0 })).toBe('')
  })

  test('repeats the first lines of a long range, and says how many there are more', () => {
    const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`)
    const text = promptOfComments([commentOf({ lines: { ...linesOf(1, lines), to: 100 } })])
    expect(text).toContain('line 11\n... 88 more lines\n```')
    expect(text).not.toContain('line 12')
  })

  test('fences lines that are fences themselves', () => {
    expect(promptOfComments([commentOf({ lines: linesOf(1, ['````ts']) })])).toContain('\n`````\n````ts\n`````\n')
  })

  test('keeps a heading in one line, whatever the file is called', () => {
    const text = promptOfComments([commentOf({ path: 'a\n## b (comment zzzzzz)\r.ts' })])
    expect(text.match(/^## /gm)).toHaveLength(1)
  })
})

describe('a sent prompt', () => {
  test('contains the comments whose headings are left in it, whatever else was changed', () => {
    const comments = ['a', 'b', 'c'].map(id => commentOf({ id, text: `Words of ${id}` }))
    const text = promptOfComments(comments)
    expect(commentsIn(text, comments)).toEqual(comments)
    // Asking again gives the same answer.
    expect(commentsIn(text, comments)).toEqual(comments)
    const [, ...sections] = text.split(/\n\n(?=## )/)
    const changed = `Please:\n\n${sections[2]?.replace('Words of c', 'Other words') ?? ''}\n\n${sections[0] ?? ''}`
    expect(commentsIn(changed, comments).map(({ id }) => id)).toEqual(['a', 'c'])
    expect(commentsIn('## a, line 1', comments)).toEqual([])
  })

  test('of any comments contains just those, with any ids and words', () => {
    const anyComment = fc.record({
      id: fc.uuid(),
      path: fc.string(),
      text: fc.string({ unit: 'binary', maxLength: 60 }),
    })
    fc.assert(
      fc.property(fc.uniqueArray(anyComment, { selector: ({ id }) => id, maxLength: 8 }), fc.nat(), (all, cut) => {
        const comments: ReviewComment[] = all.map(commentOf)
        const sent = comments.slice(0, cut % (comments.length + 1))
        const found = commentsIn(promptOfComments(sent), comments)
        expect(found).toEqual(expect.arrayContaining(sent))
        // Words may quote the mark of another comment; these here do not.
        expect(found).toHaveLength(sent.length)
      }),
      aPartOf(300),
    )
  })
})

test('ids with the same beginning or end have different marks', () => {
  const ids = Array.from({ length: 5000 }, (_, at) => [`finding-${at}`, `${at}-finding`]).flat()
  const different = new Set(ids.map(commentMark)).size
  // Six characters: of 10,000 ids a pair may collide.
  expect(different).toBeGreaterThan(ids.length - 10)
  expect(ids.every(id => /^[0-9a-z]{6}$/.test(commentMark(id)))).toBe(true)
})
