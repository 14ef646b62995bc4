/** The lines that a comment is about, and the row of the diff that it stands below. */
import { LONGEST_LINE, MOST_EXCERPT, type CommentedLines, type ReviewComment } from '../../../src/review/comment.ts'
import type { DiffLine } from '../../../src/text/diff-line.ts'
import type { PaintedDiff, SideLine } from './painted-diff.ts'

/** Lines above and below a comment's own that are kept with it. */
const AROUND = 3

/** Some lines of a hunk as those of a comment: in the new file if there are any of it, and otherwise in the old one. */
export function commentedLines(own: readonly DiffLine[], hunk: readonly DiffLine[]): CommentedLines | null {
  const signs = new Set(own.map(({ sign }) => sign))
  const side = signs.has('-') && !signs.has('+') ? 'before' : 'after'
  const other = side === 'after' ? '-' : '+'
  const isOfSide = ({ sign }: DiffLine): boolean => sign !== other
  const chosen = own.filter(isOfSide)
  const [first, last] = [chosen[0], chosen.at(-1)]
  if (!first || !last) return null
  const texts = (lines: readonly DiffLine[]): string[] => lines.filter(isOfSide).map(({ text }) => cut(text))
  return {
    side,
    from: first[side] ?? 0,
    to: last[side] ?? 0,
    excerpt: texts(chosen).slice(0, MOST_EXCERPT),
    above: texts(hunk.slice(0, hunk.indexOf(first))).slice(-AROUND),
    below: texts(hunk.slice(hunk.indexOf(last) + 1)).slice(0, AROUND),
  }
}

function cut(text: string): string {
  return text.slice(0, LONGEST_LINE)
}

/** A comment and the row of the diff that it stands below; `isStale` if its lines are not among those of the diff. */
export type PlacedComment = { comment: ReviewComment; below: number; isStale: boolean }

/** Places the comments of one file. Those on the whole file, and those whose place is gone, stand above everything. */
export function placedComments(painted: PaintedDiff, comments: readonly ReviewComment[]): PlacedComment[] {
  return comments.map(comment => {
    const { lines } = comment
    if (lines === null) return { comment, below: -1, isStale: false }
    const row = rowOfLines(painted, lines)
    if (row !== null) return { comment, below: row, isStale: false }
    return { comment, below: painted.rowOfNumber(lines.side, lines.to), isStale: true }
  })
}

/** The row of the last line of a comment, which is found by its text: at its number, or else at the nearest place. */
export function rowOfLines(painted: PaintedDiff, lines: CommentedLines): number | null {
  const { side, from, to, excerpt } = lines
  const all = painted.sideLines(side)
  const isSame = (start: number): boolean =>
    excerpt.every((text, index) => {
      const line = all[start + index]?.line
      return line !== undefined && cut(line.text) === text
    })
  const numbered = from > 0 ? all.findIndex(({ line }) => line[side] === from) : -1
  const start = numbered >= 0 && isSame(numbered) ? numbered : nearest(all, lines, isSame)
  if (start === null) return null
  const length = Math.max(to - from + 1, excerpt.length)
  const { hunk } = all[start] ?? {}
  for (let last = start + length - 1; last > start; last -= 1) {
    const found = all[last]
    if (found && found.hunk === hunk) return found.row
  }
  return all[start]?.row ?? null
}

/** Where the same lines are now: between the same neighbours, and nearest to where they were. */
function nearest(
  all: readonly SideLine[],
  { side, from, excerpt, above, below }: CommentedLines,
  isSame: (start: number) => boolean,
): number | null {
  let best: { start: number; worth: number; distance: number } | null = null
  for (let start = 0; start < all.length; start += 1) {
    const line = all[start]?.line
    if (!line || cut(line.text) !== excerpt[0] || !isSame(start)) continue
    const neighbours = [
      [all[start - 1], above.at(-1)],
      [all[start + excerpt.length], below[0]],
    ] as const
    const worth = neighbours.filter(([now, then]) => now && cut(now.line.text) === then).length
    const distance = Math.abs((line[side] ?? 0) - from)
    const isBetter = !best || worth > best.worth || (worth === best.worth && distance < best.distance)
    if (isBetter) best = { start, worth, distance }
  }
  // A brace or a blank line is everywhere: it is the same one only beside one of its neighbours.
  const isTelling = excerpt.join('').trim().length >= LEAST_TELLING
  return best && (best.worth > 0 || isTelling) ? best.start : null
}

/** Characters that say enough about lines to find them without their neighbours. */
const LEAST_TELLING = 8
