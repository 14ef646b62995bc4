/** The commit message in an answer, and the shell line that gives it to git. */
import type { Turn } from '../../conversation/state.ts'
import { textsOf } from '../../conversation/queries/answer.ts'
import { codeBlocksOf } from '../../markdown/blocks/code-blocks.ts'

/** The text of the last code block; null without one. */
export function commitMessageOf(turn: Turn): string | null {
  const text = textsOf(turn).flatMap(codeBlocksOf).at(-1)?.text.trim() ?? ''
  return text === '' ? null : text
}

/** The marks that may end the here-document, the best first. */
const MARKS = ['END', '_END', '=END']

/** A `!` command that gives git exactly this message in a here-document. */
export function commitLine(message: string): string {
  const lines = message.split('\n')
  // Dash loses a character after a line's beginning that is also the mark's, so no line should begin like the mark.
  let mark = MARKS.find(each => !lines.some(line => line.startsWith(each.charAt(0)))) ?? 'END'
  while (lines.includes(mark)) mark += '_'
  return `!git commit -F - <<'${mark}'\n${message}\n${mark}`
}
