/** What a turn did with the lines of a comment. */
import { commentedLines, type ReviewComment } from './comment.ts'
import { LineFollower, linesOfText, type NumberedLine } from './follow.ts'

export type CommentOutcome = NonNullable<ReviewComment['outcome']>

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
      ['same', 'moved'].includes(new LineFollower(text).follow(lines).state)
    return isIn(is) && !isIn(was) ? 'changed' : 'unchanged'
  }
  const place = new LineFollower(was).follow(lines)
  if (place.state === 'stale' || place.state === 'gone') return null
  const { from, to } = place
  const texts = was.map(({ text }) => text)
  const found = new LineFollower(is).follow({ side: 'after', from, to, ...commentedLines(texts, from - 1, to - 1) })
  if (found.state === 'gone') return 'gone'
  if (found.state !== 'same' && found.state !== 'moved') return 'changed'
  // Of many lines only the first were looked for.
  const isSame = texts.slice(from - 1, to).every((text, index) => isAlike(text, is[found.from - 1 + index]?.text))
  return isSame ? 'unchanged' : 'changed'
}

/** Whether they are the same but for the way the line ends. */
function isAlike(one: string, other: string | undefined): boolean {
  return one === other || (other !== undefined && one.replace(/\r$/, '') === other.replace(/\r$/, ''))
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
