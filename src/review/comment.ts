/** A comment on lines of a diff: written by the user, or a finding of a review. */
import * as z from 'zod'
import { findingLevels } from './findings/finding.ts'

/** The longest text of a comment, in characters. A longer one is refused with words, and stays in its text field. */
export const LONGEST_COMMENT = 100_000

/** Lines of a file, with what stood around them, so that they are found again when the file has changed. */
export const commentedLinesSchema = z.object({
  /** `before` for lines that the change removed. */
  side: z.enum(['before', 'after']),
  /** Counted from 1, both included. */
  from: z.number().int(),
  to: z.number().int(),
  /** The lines themselves, at most `MOST_EXCERPT`, each cut at `LONGEST_LINE` characters; secrets are masked. */
  excerpt: z.array(z.string()),
  /** Up to three lines above and below them. */
  above: z.array(z.string()),
  below: z.array(z.string()),
})
export type CommentedLines = z.infer<typeof commentedLinesSchema>

export const MOST_EXCERPT = 60
export const LONGEST_LINE = 500
/** How many lines above and below are kept and compared. */
export const AROUND = 3

/** The lines from index `first` to `last` of a text as a comment keeps them. */
export function commentedLines(
  text: readonly string[],
  first: number,
  last: number,
): Pick<CommentedLines, 'excerpt' | 'above' | 'below'> {
  const some = (begin: number, end: number): string[] =>
    text.slice(Math.max(0, begin), end).map(line => line.slice(0, LONGEST_LINE))
  return {
    excerpt: some(first, Math.min(last + 1, first + MOST_EXCERPT)),
    above: some(first - AROUND, first),
    below: some(last + 1, last + 1 + AROUND),
  }
}

export const commentSchema = z.object({
  /** Unique within a session, whatever programs write its comments. A fork has the same ones. */
  id: z.string(),
  /** What was compared: `subjectKey` of the diff. */
  subject: z.string(),
  /** The file as the diff shows its path: relative to the project's folder if it is in it. */
  path: z.string(),
  /** Null for a comment on the whole file. */
  lines: commentedLinesSchema.nullable(),
  /** What was kept last; '' if it never was. */
  text: z.string(),
  /** What was being written when its text field was closed; absent if it was kept. Nothing typed is lost. */
  draft: z.string().optional(),
  by: z.enum(['user', 'review']),
  /** Absent for a comment of the user. */
  level: z.enum(findingLevels).optional(),
  /**
   * `draft`: it was never kept, and has only a draft. `offered`: a finding that the user has not kept yet. Only `open` comments are sent.
   * `dropped` ones are not shown.
   */
  state: z.enum(['draft', 'offered', 'open', 'sent', 'dropped']),
  /** Milliseconds since the Unix epoch. Of two versions with the same id the one that was changed later counts. */
  madeAt: z.number(),
  changedAt: z.number(),
  /** When it was last sent to the agent; absent if it never was. */
  sentAt: z.number().optional(),
  /** What the turn after that did with its lines; absent until it has ended. */
  outcome: z.enum(['changed', 'unchanged', 'gone']).optional(),
})
export type ReviewComment = z.infer<typeof commentSchema>

/** What can change in a comment. An undefined field is taken away. */
export type CommentFields = {
  text?: string
  state?: ReviewComment['state']
  draft?: string | undefined
  sentAt?: number | undefined
  outcome?: ReviewComment['outcome'] | undefined
}

export function changedComment(comment: ReviewComment, fields: CommentFields, changedAt: number): ReviewComment {
  const { draft, sentAt, outcome, ...rest } = { ...comment, ...fields }
  return {
    ...rest,
    ...(draft !== undefined && { draft }),
    ...(sentAt !== undefined && { sentAt }),
    ...(outcome !== undefined && { outcome }),
    changedAt,
  }
}

/** A file that the user has read, as it was then. */
export const readMarkSchema = z.object({
  subject: z.string(),
  path: z.string(),
  /** A digest of what was shown; '' if the mark was taken away. */
  digest: z.string(),
  changedAt: z.number(),
})
export type ReadMark = z.infer<typeof readMarkSchema>
