/** Reads the findings out of the answer of a review: from its last code block with JSON, or else from its text. */
import { FINDINGS_LANGUAGE, MOST_FINDINGS, type FoundFindings } from './finding.ts'
import { findingsInJson } from './read-json.ts'
import { findingsInText } from './read-text.ts'

export type AnswerFindings = FoundFindings & {
  /** The answer without the block that held the findings; all of it if none did. */
  prose: string
  /** Whether they were in JSON, as the prompt asks. Otherwise they were found in the text, and there is at least one. */
  isJson: boolean
}

/** Characters at the end of an answer that are read. */
const MOST_READ = 1_000_000
/** Code blocks, the last first, in which findings are looked for. */
const MOST_BLOCKS = 20

/** Null if the answer names no finding, and does not say as JSON that there is none. */
export function findingsOf(answer: string): AnswerFindings | null {
  const text = answer.slice(-MOST_READ).replaceAll('\r\n', '\n')
  for (const { from, to, code } of blocksIn(text)) {
    const found = findingsInJson(code)
    if (found) return { ...found, prose: `${text.slice(0, from)}${text.slice(to)}`.trim(), isJson: true }
  }
  const bare = /^\s*[[{]/.test(text) ? findingsInJson(text) : null
  if (bare) return { ...bare, prose: '', isJson: true }
  const findings = findingsInText(text)
  if (findings.length === 0) return null
  const left = Math.max(0, findings.length - MOST_FINDINGS)
  return { findings: findings.slice(0, MOST_FINDINGS), left, base: null, prose: text.trim(), isJson: false }
}

type Block = { from: number; to: number; code: string }

/** The code blocks that may hold findings, the last first. One that is not closed goes to the end of the text. */
function blocksIn(text: string): Block[] {
  const blocks: (Block & { isFindings: boolean })[] = []
  let open: { from: number; code: number; mark: string; isFindings: boolean } | null = null
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at)
    const next = end < 0 ? text.length : end + 1
    const [, mark = '', info = ''] =
      /^[ \t>]{0,12}(`{3,20}|~{3,20})[ \t]{0,8}([^\s`]{0,40})/.exec(text.slice(at, at + 80)) ?? []
    if (mark !== '' && open === null) {
      open = { from: at, code: next, mark, isFindings: info.toLowerCase() === FINDINGS_LANGUAGE }
    } else if (open !== null && mark.startsWith(open.mark) && info === '') {
      blocks.push({ from: open.from, to: next, code: text.slice(open.code, at), isFindings: open.isFindings })
      open = null
    }
    at = next
  }
  if (open) {
    const { from, code, isFindings } = open
    blocks.push({ from, to: text.length, code: text.slice(code), isFindings })
  }
  const latest = blocks.toReversed().slice(0, MOST_BLOCKS)
  return [...latest.filter(({ isFindings }) => isFindings), ...latest.filter(({ isFindings }) => !isFindings)]
}
