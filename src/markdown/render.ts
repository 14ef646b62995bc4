import { wrapPieces } from '../text/wrap.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { truncate } from '../text/shorten.ts'
import type { MarkdownBlock, CodeLine, Span } from './block.ts'
import { createBlocks } from './blocks.ts'
import { type BlockFrame, frameOf, gapOf } from './frame.ts'
import { styled, type StyledText, inlineLines, paintLine } from './inline.ts'
import type { MarkdownDrawing, MarkdownStyle, MarkdownPaint } from './style.ts'
import { tableLines } from './table.ts'
import { WINDOW_LANGUAGE, withCells } from './window-language.ts'

/** A rule says that something ends; it does not need the whole line for that, and a narrower screen does not reflow it. */
const ruleWidth = 24

/**
 * A block as terminal lines with its look: none wider than `width`, none with blanks at its end, none with a control
 * character but our own SGR and OSC 8. The blank line before the block is the first of them. One after the other, the
 * lines of all blocks are the message.
 */
export function renderBlock(block: MarkdownBlock, drawing: MarkdownDrawing): string[] {
  const lines = block.kind === 'code' ? codeLines(block, drawing) : textLines(block, drawing)
  return block.above === null ? lines : [gapOf(block, drawing), ...lines]
}

/** A whole text as terminal lines. */
export function renderMarkdown(text: string, drawing: MarkdownDrawing): string[] {
  const blocks = createBlocks()
  return [...blocks.push(text), ...blocks.end()].flatMap(block => renderBlock(block, drawing))
}

function textLines(block: Exclude<MarkdownBlock, { kind: 'code' }>, drawing: MarkdownDrawing): string[] {
  const frame = frameOf(block, drawing)
  const { style } = drawing
  const base = block.within.some(container => container.kind === 'quote') ? [style.quote] : []
  return framed(frame, contentLines(block, style, frame.width, base))
}

function contentLines(
  block: Exclude<MarkdownBlock, { kind: 'code' }>,
  style: MarkdownStyle,
  width: number,
  base: readonly MarkdownPaint[],
): string[] {
  switch (block.kind) {
    case 'paragraph':
      return wrapped(inlineLines(block.source, block.links, style, base), width)
    case 'heading': {
      const paint: MarkdownPaint = text => style.heading(text, block.level)
      const lines = inlineLines(block.source, block.links, style, [...base, paint])
      const mark = styled(`${'#'.repeat(block.level)} `, ...base, paint)
      return wrapped(style.headingMarks ? lines.map((line, row) => (row === 0 ? [mark, ...line] : line)) : lines, width)
    }
    case 'table':
      return tableLines(block, style, width, base)
    case 'rule':
      return [style.rule((style.unicode ? '─' : '-').repeat(Math.min(ruleWidth, width)))]
    case 'html':
    case 'definition':
      return wrapped([[styled(block.source, ...base, style.dim)]], width)
  }
}

function wrapped(lines: readonly (readonly StyledText[])[], width: number): string[] {
  return lines.flatMap(pieces => wrapPieces(pieces, width).map(paintLine))
}

function codeLines(block: MarkdownBlock & CodeLine, drawing: MarkdownDrawing): string[] {
  const frame = frameOf(block, drawing)
  const hasCells = drawing.style.cells === true && block.language === WINDOW_LANGUAGE
  const spans = hasCells ? withCells(block.spans) : block.spans
  const pieces = spans.map(span => styled(span.text, ...paintsOf(span, drawing.style)))
  const label = block.begins ? codeLabel(block.language, drawing) : ''
  return framed(frame, [
    ...(label === '' ? [] : [drawing.style.dim(truncate(oneLine(sanitize(label)), frame.width))]),
    ...wrapPieces(pieces, frame.width, 'anywhere').map(paintLine),
  ])
}

/** What stands above code: its language, and from the second on how it is copied. */
function codeLabel(language: string, { code, copies }: MarkdownDrawing): string {
  if (code === undefined) return ''
  const number = code < 2 ? '' : copies ? `/copy ${code}` : `[${code}]`
  return [language, number].filter(part => part !== '').join('   ')
}

/** The paint of a part of code; none when it is nothing in particular. */
export function paintsOf(span: Span, style: Pick<MarkdownStyle, 'syntax' | 'codeBlock'>): MarkdownPaint[] {
  const paint = (span.syntax === null ? undefined : style.syntax[span.syntax]) ?? style.codeBlock
  return paint === undefined ? [] : [paint]
}

function framed(frame: BlockFrame, lines: readonly string[]): string[] {
  return lines.map((line, index) => {
    const before = index === 0 ? frame.first : frame.rest
    return line === '' ? before.trimEnd() : before + line
  })
}
