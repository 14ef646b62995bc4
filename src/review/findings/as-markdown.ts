/** Findings as Markdown, for people: how many there are, and a list of them. */
import { counted } from '../../text/counted.ts'
import { inlineCode } from '../../text/fence.ts'
import {
  findingLevels,
  MOST_FINDINGS,
  placeWords,
  type ReviewFinding,
  type FindingLevel,
  type FoundFindings,
} from './finding.ts'

/** Lines of Markdown, without newlines; at most the last `most` findings are listed. */
export function findingsAsMarkdown(
  { findings, left }: Pick<FoundFindings, 'findings' | 'left'>,
  most = Infinity,
): string[] {
  if (findings.length === 0) return ['No findings.']
  const more = left === 0 ? '' : ` (the first ${MOST_FINDINGS} of ${findings.length + left})`
  return [`${countsInWords(findings)}${more}:`, '', ...findings.slice(-most).flatMap(itemLines)]
}

/** `2 errors, 1 note`. */
export function countsInWords(findings: readonly { level: FindingLevel }[]): string {
  return findingLevels
    .flatMap(level => {
      const count = findings.filter(each => each.level === level).length
      return count === 0 ? [] : [counted(count, level)]
    })
    .join(', ')
}

/** An item of a list: its level, its place and its title, and below that the rest. */
function itemLines(finding: ReviewFinding): string[] {
  const { level, title, text } = finding
  const head = `- **${level}** ${inlineCode(placeWords(finding))} ${title}`
  return [head, ...(text === '' ? [] : ['', ...text.split('\n').map(line => (line === '' ? '' : `  ${line}`)), ''])]
}
