/** Findings as comments on the lines that they name. */
import { AROUND, commentedLines, type CommentedLines, type ReviewComment } from './comment.ts'
import { wordsOf, type ReviewFinding } from './findings/finding.ts'

/** A line of a file, counted from 1, without its end; undefined where there is none, or where it is not known. */
export type LineAt = (line: number) => string | undefined

/** The lines with what stands around them; null if the first of them is not known. Those that are not known end them early. */
export function linesAt(lineAt: LineAt, { from, to }: { from: number; to: number }): CommentedLines | null {
  if (lineAt(from) === undefined) return null
  let last = from
  while (last < to && lineAt(last + 1) !== undefined) last += 1
  const some = (first: number, end: number): string[] =>
    Array.from({ length: end - first + 1 }, (_, index) => lineAt(first + index)).filter(line => line !== undefined)
  const above = some(from - AROUND, from - 1)
  const text = [...above, ...some(from, last + AROUND)]
  return { side: 'after', from, to: last, ...commentedLines(text, above.length, above.length + last - from) }
}

export type OfferedFinding = {
  finding: ReviewFinding
  /** The file as the diff shows its path. */
  path: string
  lineAt: LineAt
}

/** An offered comment. A finding whose lines are not there is one on the whole file, and its words name the line. */
export function offeredComment(
  { finding, path, lineAt }: OfferedFinding,
  { id, subject, now }: { id: string; subject: string; now: number },
): ReviewComment {
  const lines = finding.lines && linesAt(lineAt, finding.lines)
  const place = finding.lines !== null && lines === null ? `${lineWords(finding.lines)}: ` : ''
  const text = `${place}${wordsOf(finding)}`
  return {
    id,
    subject,
    path,
    lines,
    text,
    by: 'review',
    level: finding.level,
    state: 'offered',
    madeAt: now,
    changedAt: now,
  }
}

const lineWords = ({ from, to }: { from: number; to: number }): string =>
  from === to ? `Line ${from}` : `Lines ${from}-${to}`
