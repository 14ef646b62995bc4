/** Comments for tests. */
import type { CommentedLines, ReviewComment } from '../../src/review/comment.ts'

export function commentOf(part: Partial<ReviewComment> = {}): ReviewComment {
  return {
    id: 'one',
    subject: 'session',
    path: 'a',
    lines: null,
    text: 'Why?',
    by: 'user',
    state: 'open',
    madeAt: 1,
    changedAt: 1,
    ...part,
  }
}

export function linesOf(
  from: number,
  excerpt: readonly string[],
  side: CommentedLines['side'] = 'after',
): CommentedLines {
  return { side, from, to: from + excerpt.length - 1, excerpt: [...excerpt], above: [], below: [] }
}
