/** The blocks of code in a message, exactly as they were written: for whoever copies one. */
import type { MarkdownBlock, CodeLine } from './block.ts'
import { createBlocks, lineEnd } from './blocks.ts'

export type CodeBlock = {
  language: string
  /** The code, without its fences and without what stands before each of its lines. */
  text: string
  /** Its lines in the message, with its fences: from `from` up to `to`, which is not its own any more. */
  from: number
  to: number
}

/** In the order in which they stand; what is drawn counts them alike (see `beginsCode`). */
export function codeBlocksOf(message: string): CodeBlock[] {
  const blocks = createBlocks()
  const raw = message.split(lineEnd)
  const found: CodeLine[][] = []
  for (const block of [...blocks.push(message), ...blocks.end()]) {
    if (beginsCode(block)) found.push([])
    if (block.kind === 'code') found.at(-1)?.push(block)
  }
  return found.map(lines => codeBlock(lines, raw))
}

/** Whether a block is the first line of its code: the next ones go on right below it. */
export function beginsCode(block: MarkdownBlock): boolean {
  return block.kind === 'code' && block.begins
}

function codeBlock(lines: readonly CodeLine[], raw: readonly string[]): CodeBlock {
  const first = lines[0]?.source ?? { line: 0, column: 0, fenced: false }
  const last = lines.at(-1)?.source ?? first
  // A very long line comes in parts.
  const whole = lines.filter((line, index) => line.source.line !== lines[index - 1]?.source.line)
  const text = whole.map(({ source }) => withoutColumns(raw[source.line] ?? '', source.column)).join('\n')
  const closes = first.fenced && /^[\s>]*(?:`{3,}|~{3,})\s*$/.test(raw[last.line + 1] ?? '')
  return {
    language: lines[0]?.language ?? '',
    text,
    from: first.fenced ? first.line - 1 : first.line,
    to: last.line + (closes ? 2 : 1),
  }
}

/** Of a tab that reaches over the last of them, blanks stay. */
function withoutColumns(line: string, columns: number): string {
  let column = 0
  let at = 0
  for (; column < columns && at < line.length; at += 1)
    column = line[at] === '\t' ? column + TAB - (column % TAB) : column + 1
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(at)
}

/** As wide as a tab is where Markdown is read. */
const TAB = 4
