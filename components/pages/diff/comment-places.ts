/** The lines that a comment is about, and the row of the diff that it stands below. */
import { commentedLines, LONGEST_LINE, type CommentedLines, type ReviewComment } from '../../../src/review/comment.ts'
import type { DiffLine } from '../../../src/text/diff-line.ts'
import type { PaintedDiff } from './painted-diff.ts'

/** Some lines of a hunk as those of a comment: in the new file if there are any of it, and otherwise in the old one. */
export function commentedInHunk(own: readonly DiffLine[], hunk: readonly DiffLine[]): CommentedLines | null {
  const signs = new Set(own.map(({ sign }) => sign))
  const side = signs.has('-') && !signs.has('+') ? 'before' : 'after'
  const other = side === 'after' ? '-' : '+'
  const isOfSide = ({ sign }: DiffLine): boolean => sign !== other
  const chosen = own.filter(isOfSide)
  const [first, last] = [chosen[0], chosen.at(-1)]
  if (!first || !last) return null
  const above = hunk.slice(0, hunk.indexOf(first)).filter(isOfSide)
  const below = hunk.slice(hunk.indexOf(last) + 1).filter(isOfSide)
  const texts = [...above, ...chosen, ...below].map(({ text }) => text)
  const kept = commentedLines(texts, above.length, above.length + chosen.length - 1)
  return { side, from: first[side] ?? 0, to: last[side] ?? 0, ...kept }
}

function cut(text: string): string {
  return text.slice(0, LONGEST_LINE)
}

/** What has become of the lines of a comment: `stale` if they are not among those of the diff. */
export type LinesFate = 'there' | 'changed' | 'gone' | 'stale'

/** A comment, and the row of the diff that it stands below. */
export type PlacedComment = { comment: ReviewComment; below: number; fate: LinesFate }

/** Places the comments of one file. Those on the whole file, and those whose place is gone, stand above everything. */
export function placedComments(painted: PaintedDiff, comments: readonly ReviewComment[]): PlacedComment[] {
  return comments.map(comment => {
    const { lines } = comment
    if (lines === null) return { comment, below: -1, fate: 'there' }
    if (lines.from <= 0) return { comment, ...withoutNumbers(painted, lines) }
    const { side } = lines
    const found = painted.follower(side).follow(lines)
    if (found.state === 'stale') return { comment, below: painted.rowOfNumber(side, lines.to), fate: 'stale' }
    // What was deleted stands above the line that came after it.
    if (found.state === 'gone') return { comment, below: painted.rowOfNumber(side, found.at - 1), fate: 'gone' }
    const fate = found.state === 'changed' ? 'changed' : 'there'
    return { comment, below: painted.rowOfNumber(side, found.to), fate }
  })
}

/** Lines of a diff without numbers, such as one made of the agent's own edits, are found by their text alone. */
function withoutNumbers(painted: PaintedDiff, { side, excerpt }: CommentedLines): Omit<PlacedComment, 'comment'> {
  const all = painted.sideLines(side)
  const start = all.findIndex((_, from) =>
    excerpt.every((text, index) => cut(all[from + index]?.line.text ?? '') === text),
  )
  const row = start < 0 || excerpt.length === 0 ? undefined : all[start + excerpt.length - 1]?.row
  return row === undefined ? { below: -1, fate: 'stale' } : { below: row, fate: 'there' }
}
