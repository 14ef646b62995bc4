import { oneLine, sanitize } from '../text/sanitize.ts'
import { truncate } from '../text/lines/shorten.ts'
import { empty, inStyle, joinStyled, plainStyle, Styled, trimEndOf, type TextStyle } from '../text/styled.ts'
import { wrap, wrapSpans } from '../text/lines/wrap.ts'
import type { MarkdownBlock, CodeLine, CodeSpan } from './block.ts'
import { createBlocks } from './blocks/blocks.ts'
import { type BlockPrefix, prefixOf, gapOf } from './block-prefix.ts'
import { inlineSpan, type InlineSpan, inlineLines, lineOf } from './inline.ts'
import type { MarkdownDrawing, MarkdownStyle } from './style.ts'
import { tableLines } from './table.ts'
import { WINDOW_LANGUAGE, withCells } from './code/window-language.ts'

/** A rule does not need the whole line, and a narrower screen does not wrap a short one. */
const ruleWidth = 24

/**
 * The styled lines of a block: none is wider than `width`, has blanks at its end or contains a control character. The
 * blank line before the block comes first. The lines of all blocks, in order, are the message.
 */
export function renderBlock(block: MarkdownBlock, drawing: MarkdownDrawing): Styled[] {
  return belowGap(block, drawing, block.kind === 'code' ? codeLines(block, drawing) : textLines(block, drawing))
}

/** The lines of a block, below the blank line before it. */
export function belowGap(block: MarkdownBlock, drawing: MarkdownDrawing, lines: Styled[]): Styled[] {
  return block.above === null ? lines : [gapOf(block, drawing), ...lines]
}

/** A whole text as terminal lines. */
export function renderMarkdown(text: string, drawing: MarkdownDrawing): Styled[] {
  const blocks = createBlocks()
  return [...blocks.push(text), ...blocks.end()].flatMap(block => renderBlock(block, drawing))
}

function textLines(block: Exclude<MarkdownBlock, { kind: 'code' }>, drawing: MarkdownDrawing): Styled[] {
  const frame = prefixOf(block, drawing)
  const { style } = drawing
  return framed(frame, contentLines(block, style, frame.width, quoteLooks(block, style)))
}

/** The looks of all text of a block: those of the quote that it stands in. */
export function quoteLooks(block: MarkdownBlock, style: MarkdownStyle): readonly TextStyle[] {
  return block.within.some(container => container.kind === 'quote') ? [style.quote] : []
}

function contentLines(
  block: Exclude<MarkdownBlock, { kind: 'code' }>,
  style: MarkdownStyle,
  width: number,
  base: readonly TextStyle[],
): Styled[] {
  switch (block.kind) {
    case 'paragraph':
      return wrapped(inlineLines(block.source, block.links, style, base), width)
    case 'heading': {
      const look = style.heading(block.level)
      const lines = inlineLines(block.source, block.links, style, [...base, look])
      const mark = inlineSpan(`${'#'.repeat(block.level)} `, ...base, look)
      return wrapped(style.headingMarks ? lines.map((line, row) => (row === 0 ? [mark, ...line] : line)) : lines, width)
    }
    case 'table':
      return tableLines(block, style, width, base)
    case 'rule':
      return [inStyle(style.rule, sanitize((style.unicode ? '─' : '-').repeat(Math.min(ruleWidth, width))))]
    case 'html':
    case 'definition':
      return wrapped([[inlineSpan(block.source, ...base, style.dim)]], width)
  }
}

export function wrapped(lines: readonly (readonly InlineSpan[])[], width: number): Styled[] {
  return lines.flatMap(spans => wrapSpans(spans, width).map(lineOf))
}

function codeLines(block: MarkdownBlock & CodeLine, drawing: MarkdownDrawing): Styled[] {
  const frame = prefixOf(block, drawing)
  const hasCells = drawing.style.cells === true && block.language === WINDOW_LANGUAGE
  const spans = hasCells ? withCells(block.spans) : block.spans
  const label = block.begins ? codeLabel(block.language, drawing) : ''
  return framed(frame, [
    ...(label === '' ? [] : [inStyle(drawing.style.dim, truncate(oneLine(sanitize(label)), frame.width))]),
    ...wrap(codeLine(spans, drawing.style), frame.width, 'anywhere'),
  ])
}

/** The line above code: its language, and from the second block on its number or the command that copies it. */
function codeLabel(language: string, { code, copies }: MarkdownDrawing): string {
  if (code === undefined) return ''
  const number = code < 2 ? '' : copies ? `/copy ${code}` : `[${code}]`
  return [language, number].filter(part => part !== '').join('   ')
}

export function codeLine(spans: readonly CodeSpan[], style: Pick<MarkdownStyle, 'syntax' | 'codeBlock'>): Styled {
  const { syntax, codeBlock = plainStyle } = style
  return Styled.of(
    spans.map(({ text, style: kind }) => ({
      text: sanitize(text),
      style: (kind === null ? undefined : syntax[kind]) ?? codeBlock,
    })),
  )
}

/** Rows in their frame; `continues` if there are rows of the same block above them. */
export function framed(frame: BlockPrefix, lines: readonly Styled[], continues = false): Styled[] {
  return lines.map((line, index) => {
    const before = index === 0 && !continues ? frame.first : frame.rest
    return line === empty ? trimEndOf(before) : joinStyled([before, line])
  })
}
