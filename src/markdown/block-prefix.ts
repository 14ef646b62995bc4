import { sanitize } from '../text/sanitize.ts'
import { blanks, empty, inStyle, joinStyled, trimEndOf, type Styled } from '../text/styled.ts'
import { displayWidth } from '../text/lines/width.ts'
import type { MarkdownBlock, Container } from './block.ts'
import type { MarkdownDrawing, MarkdownStyle } from './style.ts'

/** The text before the lines of a block, and the columns left for the lines. */
export type BlockPrefix = { readonly first: Styled; readonly rest: Styled; readonly width: number }

/** Text narrower than this cannot be read: containers are dropped first. */
const narrowest = 16

/** Bars of quotes, marks and indentation of lists, and the caller's indentation. */
export function prefixOf(block: MarkdownBlock, { width, style, indent = 0 }: MarkdownDrawing): BlockPrefix {
  return joined(
    block.within.map(container => partOf(container, style)),
    Math.max(2, width),
    indent,
  )
}

/** The blank line before a block, with only the bars of quotes that continue. */
export function gapOf(block: MarkdownBlock, { width, style, indent = 0 }: MarkdownDrawing): Styled {
  const shared = block.within.slice(0, block.above ?? 0)
  if (!shared.some(container => container.kind === 'quote')) return empty
  const parts = shared.map(container => partOf(container, style))
  return trimEndOf(joined(parts, Math.max(2, width), indent).rest)
}

/** The mark before an item: its bullet, its number, its box. */
function markOf(item: Extract<Container, { kind: 'item' }>, unicode: boolean): string {
  const number = item.ordinal === null ? '' : `${item.ordinal}${item.delimiter}`
  const box = item.task === null ? '' : item.task ? '[x]' : '[ ]'
  if (number !== '' && box !== '') return `${number} ${box}`
  return number + box || (unicode ? '•' : '-')
}

function partOf(container: Container, style: MarkdownStyle): BlockPrefix {
  if (container.kind === 'quote') {
    const bar = joinStyled([inStyle(style.quote, sanitize(style.unicode ? '│' : '|')), blanks(1)])
    return { first: bar, rest: bar, width: 2 }
  }
  const mark = markOf(container, style.unicode)
  const width = displayWidth(mark) + 1
  const rest = joinStyled([blanks(width)])
  const first = container.opens ? joinStyled([inStyle(style.listMark, sanitize(mark)), blanks(1)]) : rest
  return { first, rest, width }
}

function joined(all: readonly BlockPrefix[], width: number, indent: number): BlockPrefix {
  const left = joinStyled([blanks(indent)])
  const parts = [{ first: left, rest: left, width: indent }, ...all]
  const room = Math.min(Math.ceil(width * 0.6), narrowest)
  // The outermost containers say least about the line.
  while (parts.length > 0 && columns(parts) > width - room) parts.shift()
  return {
    first: joinStyled(parts.map(part => part.first)),
    rest: joinStyled(parts.map(part => part.rest)),
    width: width - columns(parts),
  }
}

function columns(parts: readonly BlockPrefix[]): number {
  return parts.reduce((sum, part) => sum + part.width, 0)
}
