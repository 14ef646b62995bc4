/** Reads the findings out of the answer of a review: from its last code block with JSON, or else from its text. */
import { FINDINGS_LANGUAGE, type FoundFindings } from './finding.ts'
import { bounded, findingsInJson } from './read-json.ts'
import { findingsInText } from './read-text.ts'

export type AnswerFindings = FoundFindings & {
  /** The answer without the block that held the findings; all of it if none did. */
  prose: string
  /** Whether they were in JSON, as the prompt asks. Otherwise they were found in the text, and there is at least one. */
  isJson: boolean
}

/** Characters at the end of an answer that are read: enough for 100,000 findings. */
const MOST_READ = 16_000_000
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
  return { ...bounded(findings, null), prose: text.trim(), isJson: false }
}

const FENCE = /^[ \t>]{0,12}(`{3,20}|~{3,20})[ \t]{0,8}([^\s`]{0,40})/gm

type Block = { from: number; to: number; code: string }

/** The code blocks that may hold findings, the last first. One that is not closed goes to the end of the text. */
function blocksIn(text: string): Block[] {
  const blocks: (Block & { isFindings: boolean })[] = []
  let open: { from: number; code: number; mark: string; isFindings: boolean } | null = null
  for (const { 0: fence, 1: mark = '', 2: info = '', index: at } of text.matchAll(FENCE)) {
    const end = text.indexOf('\n', at + fence.length)
    const next = end < 0 ? text.length : end + 1
    if (open === null) {
      open = { from: at, code: next, mark, isFindings: info.toLowerCase() === FINDINGS_LANGUAGE }
    } else if (mark.startsWith(open.mark) && info === '') {
      blocks.push({ from: open.from, to: next, code: text.slice(open.code, at), isFindings: open.isFindings })
      open = null
    }
  }
  if (open) {
    const { from, code, isFindings } = open
    blocks.push({ from, to: text.length, code: text.slice(code), isFindings })
  }
  const latest = blocks.toReversed().slice(0, MOST_BLOCKS)
  return [...latest.filter(({ isFindings }) => isFindings), ...latest.filter(({ isFindings }) => !isFindings)]
}
