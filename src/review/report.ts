/** What `zotui review` prints. Pure. */
import * as z from 'zod'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { countsInWords } from './findings/as-markdown.ts'
import { findingLevels, placeWords, type FoundFindings } from './findings/finding.ts'

export const reviewReportSchema = z.object({
  rev: z.string().nullable().describe('what was asked for with --rev; null for what is not committed'),
  summary: z.string().describe('what the agent says about the change as a whole, in Markdown'),
  findings: z.array(
    z.object({
      level: z.enum(findingLevels),
      path: z.string().describe('relative to the folder if it is in it'),
      line: z.number().nullable().describe('counted from 1, after the change; null for the whole file'),
      endLine: z.number().nullable(),
      title: z.string(),
      text: z.string().describe('in Markdown; may be empty'),
    }),
  ),
  left: z.number().describe('how many more findings there were than are listed'),
})

export type ReviewReport = z.infer<typeof reviewReportSchema>

export function reviewReport(rev: string | null, summary: string, { findings, left }: FoundFindings): ReviewReport {
  return {
    rev,
    summary,
    findings: findings.map(({ level, path, lines, title, text }) => ({
      level,
      path,
      line: lines?.from ?? null,
      endLine: lines?.to ?? null,
      title,
      text,
    })),
    left,
  }
}

/** As compilers write it, so that editors find the lines. Control characters are made visible. */
export function reportText(summary: string, { findings, left }: FoundFindings): string {
  const pieces = [
    ...(summary === '' ? [] : [sanitize(summary)]),
    ...findings.map(finding => {
      const { level, title, text } = finding
      const head = `${oneLine(sanitize(placeWords(finding)))}: ${level}: ${oneLine(sanitize(title))}`
      return text === '' ? head : `${head}\n${indented(sanitize(text))}`
    }),
  ]
  const more = left === 0 ? '' : `, and ${left} more that are not listed`
  const count = findings.length === 0 ? 'No findings.' : `${countsInWords(findings)}${more}.`
  return `${[...pieces, count].join('\n\n')}\n`
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')
