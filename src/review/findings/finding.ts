/** A finding of a review as an agent reports it. Its texts are not sanitised. */

export const findingLevels = ['error', 'warning', 'note'] as const
export type FindingLevel = (typeof findingLevels)[number]

export type ReviewFinding = {
  level: FindingLevel
  /** The path as the agent wrote it; never ''. */
  path: string
  /** Counted from 1, both included; null for a finding about the whole file. */
  lines: { from: number; to: number } | null
  /** One line; never ''. */
  title: string
  /** More about it, in Markdown; '' for none. */
  text: string
}

/** What a review found. */
export type FoundFindings = {
  findings: readonly ReviewFinding[]
  /** How many more there were than `MOST_FINDINGS`. */
  left: number
  /** The branch, tag or commit that the change was compared with, as the agent wrote it; null if it named none. */
  base: string | null
}

/** The language of the code block that holds the findings of an answer. */
export const FINDINGS_LANGUAGE = 'findings'

export const MOST_FINDINGS = 500

/** Whether a level is as bad as another, or worse. */
export function isAtLeast(level: FindingLevel, limit: FindingLevel): boolean {
  return findingLevels.indexOf(level) <= findingLevels.indexOf(limit)
}

/** A finding as a comment says it: its title, and below it the rest. */
export function wordsOf({ title, text }: ReviewFinding): string {
  return text === '' ? title : `${title}\n\n${text}`
}

/** The place of a finding as people write it: `src/a.ts:12-14`. */
export function placeWords({ path, lines }: Pick<ReviewFinding, 'path' | 'lines'>): string {
  if (lines === null) return path
  return `${path}:${lines.from}${lines.to === lines.from ? '' : `-${lines.to}`}`
}
