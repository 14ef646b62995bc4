import type { Styled } from '../text/styled.ts'
import type { MarkdownBlock } from './block.ts'
import { beginsCode } from './blocks/code-blocks.ts'
import { cellsOf } from './blocks/line.ts'
import { createGrowingParagraph, type GrowingParagraph } from './growing.ts'
import { heal } from './heal.ts'
import { belowGap, renderBlock } from './render.ts'
import type { MarkdownDrawing } from './style.ts'

type OpenDrawing = MarkdownDrawing & { readonly maxRows: number }

/** Draws the open end of one text repeatedly, as it grows: see `renderOpen`. While nothing changes its rows are the same array. */
export type OpenEnd = (open: readonly MarkdownBlock[], drawing: OpenDrawing) => readonly Styled[]

export function createOpenEnd(): OpenEnd {
  const paragraph = createGrowingParagraph()
  let last: { open: readonly MarkdownBlock[]; drawing: OpenDrawing; rows: readonly Styled[] } | null = null
  return (open, drawing) => {
    if (last?.open !== open || !isSame(last.drawing, drawing))
      last = { open, drawing, rows: renderOpen(open, drawing, paragraph) }
    return last.rows
  }
}

function isSame(one: OpenDrawing, other: OpenDrawing): boolean {
  return (
    one.width === other.width &&
    one.style === other.style &&
    one.maxRows === other.maxRows &&
    one.indent === other.indent &&
    one.code === other.code &&
    one.copies === other.copies
  )
}

/**
 * The open end of a message (`Blocks.open`), for the live zone: its last `maxRows` lines. Marks that are not closed yet
 * count as closed. The work is bounded by the shown rows; `paragraph` is the one that drew this text before.
 */
export function renderOpen(
  open: readonly MarkdownBlock[],
  drawing: OpenDrawing,
  paragraph: GrowingParagraph = createGrowingParagraph(),
): Styled[] {
  const { maxRows, width, code: first } = drawing
  if (maxRows < 1) return []
  const lines: Styled[] = []
  let codes = 0
  const shown = open.slice(-maxRows)
  const tail = shown.pop()
  if (tail) shown.push(...withTable(tail))
  for (const [index, block] of shown.entries()) {
    const last = index === shown.length - 1
    const short = shortened(block, maxRows, Math.max(2, width))
    const own = { ...drawing, ...(first && { code: first + codes }) }
    for (const line of last ? renderLast(short, own, paragraph) : renderBlock(short, own)) lines.push(line)
    if (beginsCode(block)) codes += 1
  }
  return lines.slice(-maxRows)
}

/**
 * The open block, or what it will be if its last lines are the beginning of a table: a first row that begins with a bar, and what is
 * written so far of the row of dashes below it. The text above the table is a block of its own.
 */
function withTable(block: MarkdownBlock): MarkdownBlock[] {
  if (block.kind !== 'paragraph') return [block]
  const lines = block.source.split('\n')
  const dashes = /^ {0,3}[|:][ |:-]*$/.test(lines.at(-1) ?? '') ? 1 : 0
  const header = lines.at(-1 - dashes) ?? ''
  const before = lines.slice(0, -1 - dashes)
  if (!isTableRow(header) || isTableRow(before.at(-1) ?? '')) return [block]
  const { links, within, to } = block
  const aligns = cellsOf(header).map(() => 'left' as const)
  const table = { kind: 'table', rows: [heal(header)], aligns, links, to } as const
  if (before.length === 0) return [{ ...table, within, above: block.above }]
  const inside = within.map(container => (container.kind === 'item' ? { ...container, opens: false } : container))
  return [
    { ...block, source: before.join('\n') },
    { ...table, within: inside, above: within.length },
  ]
}

const isTableRow = (line: string): boolean => /^ {0,3}\|/.test(line)

/** The part of a block that can fill the rows. Its beginning is cut at a place that stays for a while as it grows. */
function shortened(block: MarkdownBlock, maxRows: number, width: number): MarkdownBlock {
  if (block.kind === 'table') {
    const [header = '', ...rows] = block.rows
    return { ...block, rows: [header, ...rows.slice(-maxRows)] }
  }
  if (block.kind !== 'paragraph' && block.kind !== 'heading') return block
  const step = maxRows * width
  if (block.source.length <= step * 2) return block
  const from = Math.floor(block.source.length / step - 1) * step
  const source = block.source.slice(cutBehind(block.source, from))
  return { ...block, source, above: null, within: block.within.map(container => ({ ...container, opens: false })) }
}

function cutBehind(source: string, from: number): number {
  const blank = source.slice(from, from + 200).search(/\s/)
  return blank < 0 ? from : from + blank + 1
}

function renderLast(block: MarkdownBlock, drawing: MarkdownDrawing, paragraph: GrowingParagraph): Styled[] {
  if (block.kind !== 'paragraph') return renderBlock(healed(block), drawing)
  return belowGap(block, drawing, paragraph(block, drawing))
}

function healed(block: MarkdownBlock): MarkdownBlock {
  if (block.kind === 'heading') return { ...block, source: heal(block.source) }
  if (block.kind !== 'table') return block
  return { ...block, rows: [...block.rows.slice(0, -1), heal(block.rows.at(-1) ?? '')] }
}
