/** Open comments as one prompt for the agent, and which of them a sent prompt contains. */
import type { CommentedLines, ReviewComment } from './comment.ts'

/** Lines of a comment that are repeated in the prompt; the agent can read the rest. */
const MOST_LINES = 12

/**
 * A section for each comment: the file and the lines, what stands there, and the words. Each heading has the mark of its comment, by
 * which it is recognised when the prompt is sent, whatever the user has changed in it, and wherever it was kept meanwhile.
 */
export function promptOfComments(comments: readonly ReviewComment[]): string {
  const count = comments.length === 1 ? 'a comment' : `${comments.length} comments`
  return [`Here ${comments.length === 1 ? 'is' : 'are'} ${count} on the changes:`, ...comments.map(section)].join(
    '\n\n',
  )
}

function section({ id, path, lines, text }: ReviewComment): string {
  const place = lines === null ? 'the whole file' : placeOf(lines)
  const heading = `## ${pathInHeading(path)}${place === '' ? '' : `, ${place}`} (comment ${commentMark(id)})`
  return [heading, ...(lines === null ? [] : [excerptOf(lines)]), text.trim()].join('\n\n')
}

/** The lines of a comment in words: `line 12`, `lines 12 to 14`, with `removed` for lines of the file before. '' if they have no numbers. */
export function placeOf({ side, from, to }: Pick<CommentedLines, 'side' | 'from' | 'to'>): string {
  if (from <= 0) return ''
  const removed = side === 'before' ? 'removed ' : ''
  return from === to ? `${removed}line ${from}` : `${removed}lines ${from} to ${to}`
}

function excerptOf({ excerpt, from, to }: CommentedLines): string {
  const shown = excerpt.slice(0, MOST_LINES)
  const left = Math.max(excerpt.length, to - from + 1) - shown.length
  const lines = [...shown, ...(left > 0 ? [`... ${left} more ${left === 1 ? 'line' : 'lines'}`] : [])]
  const longest = Math.max(2, ...shown.flatMap(line => (line.match(/`+/g) ?? []).map(run => run.length)))
  const fence = '`'.repeat(longest + 1)
  return [fence, ...lines, fence].join('\n')
}

/** A path in one line: a newline in it would end the heading. */
function pathInHeading(path: string): string {
  return path.replaceAll(/[\n\r]/g, ' ')
}

/** Six characters for a comment: the same in each program. */
export function commentMark(id: string): string {
  // FNV-1a, twice: ids may have the same beginning.
  let [one, other] = [0x81_1c_9d_c5, 0x01_00_01_93]
  for (let at = 0; at < id.length; at += 1) {
    one = Math.imul(one ^ id.charCodeAt(at), 0x01_00_01_93)
    other = Math.imul(other ^ id.charCodeAt(id.length - 1 - at), 0x01_00_01_93)
  }
  return threeOf(one) + threeOf(other)
}

function threeOf(hash: number): string {
  return (hash >>> 0).toString(36).padStart(3, '0').slice(-3)
}

const MARKS = /\(comment ([0-9a-z]{6})\)[ \t]*$/gm

/** The comments that a sent prompt contains. */
export function commentsIn<Comment extends Pick<ReviewComment, 'id'>>(
  text: string,
  comments: readonly Comment[],
): Comment[] {
  const marks = new Set([...text.matchAll(MARKS)].map(([, mark]) => mark))
  return comments.filter(({ id }) => marks.has(commentMark(id)))
}
