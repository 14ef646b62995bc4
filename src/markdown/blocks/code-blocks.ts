/** The code blocks of a message, exactly as they were written, for copying. */
import type { MarkdownBlock, CodeLine } from '../block.ts'
import { createBlocks, lineEnd } from './blocks.ts'

export type CodeBlock = {
  language: string
  /** The code, without its fences and without the marks and indentation of its containers. */
  text: string
  /** Its lines in the message, with its fences: from `from` up to and not including `to`. */
  from: number
  to: number
}

/** Code blocks in the order of the message. Drawing counts them the same way (see `beginsCode`). */
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

/** Whether a block is the first line of a code block; the next lines follow without a gap. */
export function beginsCode(block: MarkdownBlock): boolean {
  return block.kind === 'code' && block.begins
}

function codeBlock(lines: readonly CodeLine[], raw: readonly string[]): CodeBlock {
  const first = lines[0]?.source ?? { line: 0, column: 0, fenced: false }
  const last = lines.at(-1)?.source ?? first
  // A very long line comes in parts.
  const whole = lines.filter(
    ({ source }, index) => source.made !== undefined || source.line !== lines[index - 1]?.source.line,
  )
  const text = whole
    .map(({ source }) => source.made ?? withoutColumns(raw[source.line] ?? '', source.column))
    .join('\n')
  const closes = first.fenced && /^[\s>]*(?:`{3,}|~{3,})\s*$/.test(raw[last.line + 1] ?? '')
  return {
    language: lines[0]?.language ?? '',
    text,
    from: first.fenced ? first.line - 1 : first.line,
    to: last.line + (closes ? 2 : 1),
  }
}

/** The line without its first columns. A tab that reaches past them leaves spaces. */
function withoutColumns(line: string, columns: number): string {
  let column = 0
  let at = 0
  for (; column < columns && at < line.length; at += 1)
    column = line[at] === '\t' ? column + TAB - (column % TAB) : column + 1
  return ' '.repeat(Math.max(0, column - columns)) + line.slice(at)
}

/** Columns of a tab in Markdown. */
const TAB = 4
