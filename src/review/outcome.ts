/** What a turn did with the lines of a comment. */
import type { ReviewComment } from './comment.ts'
import { createFollower, linesOfText, type NumberedLine } from './follow.ts'

export type CommentOutcome = NonNullable<ReviewComment['outcome']>

/** Lines above and below that tell the place of others. */
const AROUND = 3

/**
 * Compares a file before and after a turn. A text is null if there was no such file; secrets must be masked in it as in comments. The outcome is
 * null if it cannot be told: the lines were not in the file before the turn either.
 */
export function outcomeOf(
  { lines }: Pick<ReviewComment, 'lines'>,
  before: string | null,
  after: string | null,
): CommentOutcome | null {
  if (before === null) return after === null ? null : 'changed'
  if (after === null) return 'gone'
  if (before === after) return 'unchanged'
  if (lines === null) return 'changed'
  const [was, is] = [linesOfText(before), linesOfText(after)]
  if (lines.side === 'before') {
    // Removed lines are changed when they come back.
    const isIn = (text: readonly NumberedLine[]): boolean =>
      ['same', 'moved'].includes(createFollower(text)(lines).state)
    return isIn(is) && !isIn(was) ? 'changed' : 'unchanged'
  }
  const place = createFollower(was)(lines)
  if (place.state === 'stale' || place.state === 'gone') return null
  const found = createFollower(is)(commentedIn(was, place.from, place.to))
  if (found.state === 'gone') return 'gone'
  return found.state === 'same' || found.state === 'moved' ? 'unchanged' : 'changed'
}

/** Lines of a text as a comment has them, however many. */
function commentedIn(text: readonly NumberedLine[], from: number, to: number) {
  const textsOf = (begin: number, end: number): string[] => text.slice(Math.max(0, begin), end).map(line => line.text)
  return {
    side: 'after' as const,
    from,
    to,
    excerpt: textsOf(from - 1, to),
    above: textsOf(from - 1 - AROUND, from - 1),
    below: textsOf(to, to + AROUND),
  }
}

/** One line about the comments of a turn, such as `The lines of your 3 comments: 2 changed, 1 unchanged. /diff shows them.` */
export function outcomeWords(outcomes: readonly CommentOutcome[]): string {
  const kinds: readonly CommentOutcome[] = ['changed', 'gone', 'unchanged']
  const counts = kinds.flatMap(kind => {
    const count = outcomes.filter(each => each === kind).length
    return count === 0 ? [] : [outcomes.length === 1 ? kind : `${count} ${kind}`]
  })
  const whose = outcomes.length === 1 ? 'The lines of your comment' : `The lines of your ${outcomes.length} comments`
  return `${whose}: ${counts.join(', ')}. /diff shows them.`
}
