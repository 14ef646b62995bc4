/** Markdown as HTML. It uses the parser of the screen, so that both show the same. */
import type { MarkdownBlock, Container } from '../markdown/block.ts'
import { createBlocks } from '../markdown/blocks/blocks.ts'
import { inlineLines, type InlineSpan } from '../markdown/inline.ts'
import { cellsOf } from '../markdown/blocks/line.ts'
import type { MarkdownStyle } from '../markdown/style.ts'
import { plainStyle, type TextStyle } from '../text/styled.ts'
import { span } from './html-code.ts'
import { joined, markup, type Markup } from './markup.ts'

/** A Markdown text as HTML. */
export function richText(text: string): Markup {
  const blocks = createBlocks()
  return markdownHtml([...blocks.push(text), ...blocks.end()])
}

/** Blocks of Markdown as HTML. */
export function markdownHtml(blocks: readonly MarkdownBlock[]): Markup {
  return within(blocks, 0)
}

/** Whether the next block is one element with the first one and those between them: of one list, quote or fence. */
export function isOneElement(first: MarkdownBlock, next: MarkdownBlock): boolean {
  return endOfRun([first, next], 0, 0) === 2
}

/** These looks only mark a style; each is a separate object. */
const marking = (): TextStyle => ({ ...plainStyle })
const looks = {
  strong: marking(),
  emphasis: marking(),
  strike: marking(),
  code: marking(),
  dim: marking(),
}
/** For text that is styled by its block. */
const asItIs = plainStyle
const style: MarkdownStyle = {
  ...looks,
  heading: () => asItIs,
  link: asItIs,
  quote: asItIs,
  rule: asItIs,
  listMark: asItIs,
  tableHeader: asItIs,
  tableRule: asItIs,
  syntax: {},
  hyperlinks: true,
  unicode: true,
}

const wrappers = new Map<TextStyle, (inner: Markup) => Markup>([
  [looks.strong, inner => markup`<strong>${inner}</strong>`],
  [looks.emphasis, inner => markup`<em>${inner}</em>`],
  [looks.strike, inner => markup`<s>${inner}</s>`],
  [looks.code, inner => markup`<code>${inner}</code>`],
  [looks.dim, inner => markup`<span class="dim">${inner}</span>`],
])

/** Blocks that share their first `depth` containers. */
function within(blocks: readonly MarkdownBlock[], depth: number): Markup {
  const pieces: Markup[] = []
  for (let at = 0; at < blocks.length;) {
    const end = endOfRun(blocks, at, depth)
    pieces.push(runOf(blocks.slice(at, end), depth))
    at = end
  }
  return joined(pieces, '\n')
}

/** The end of the run that begins at `from`: a list or a quote with its content, a fence with its lines, or one block. */
function endOfRun(blocks: readonly MarkdownBlock[], from: number, depth: number): number {
  const first = blocks[from]
  const container = first?.within[depth]
  let end = from + 1
  for (; end < blocks.length; end += 1) {
    const next = blocks[end]
    const other = next?.within[depth]
    if (container ? !goesOn(container, other) : other !== undefined || !isSameFence(first, next)) break
  }
  return end
}

function goesOn(container: Container, next: Container | undefined): boolean {
  if (next === undefined || container.kind !== next.kind) return false
  if (container.kind === 'quote' || next.kind === 'quote') return true
  return (container.ordinal === null) === (next.ordinal === null) && container.delimiter === next.delimiter
}

/** A fence comes line by line. A blank line above begins another fence. */
function isSameFence(first: MarkdownBlock | undefined, next: MarkdownBlock | undefined): boolean {
  return first?.kind === 'code' && next?.kind === 'code' && next.above === null && first.language === next.language
}

function runOf(blocks: readonly MarkdownBlock[], depth: number): Markup {
  const [first] = blocks
  if (!first) return markup``
  const container = first.within[depth]
  if (container?.kind === 'quote') return markup`<blockquote>${within(blocks, depth + 1)}</blockquote>`
  if (container) return list(blocks, container, depth)
  if (first.kind !== 'code') return leaf(first)
  const lines = blocks.map(block => (block.kind === 'code' ? joined(block.spans.map(span)) : markup``))
  return markup`<pre><code>${joined(lines, '\n')}</code></pre>`
}

function list(
  blocks: readonly MarkdownBlock[],
  container: Extract<Container, { kind: 'item' }>,
  depth: number,
): Markup {
  const items: MarkdownBlock[][] = []
  for (const block of blocks) {
    const own = block.within[depth]
    if (items.length === 0 || (own?.kind === 'item' && own.opens)) items.push([block])
    else items.at(-1)?.push(block)
  }
  const rows = items.map(item => markup`<li>${task(item, depth)}${within(item, depth + 1)}</li>`)
  if (container.ordinal === null)
    return markup`<ul>
      ${rows}
    </ul>`
  return markup`<ol start="${String(container.ordinal)}">
    ${rows}
  </ol>`
}

function task([first]: readonly MarkdownBlock[], depth: number): Markup {
  const item = first?.within[depth]
  if (item?.kind !== 'item' || item.task === null) return markup``
  return markup`<span class="task">${item.task ? '☑' : '☐'}</span> `
}

function leaf(block: Exclude<MarkdownBlock, { kind: 'code' }>): Markup {
  switch (block.kind) {
    case 'paragraph':
      return markup`<p>${inline(block.source, block.links)}</p>`
    case 'heading':
      // The page itself uses the first two levels. An agent's headings all get the third, since they may skip some.
      return markup`<h3 class="h${String(block.level)}">${inline(block.source, block.links)}</h3>`
    case 'table':
      return table(block)
    case 'rule':
      return markup`<hr />`
    case 'html':
    case 'definition':
      return markup`<p class="dim">${block.source}</p>`
  }
}

function table({ rows, aligns, links }: Extract<MarkdownBlock, { kind: 'table' }>): Markup {
  const [header = [], ...body] = rows.map(row => {
    const cells = cellsOf(row)
    // Cells beyond the header are joined in the last column.
    const last = cells.slice(aligns.length - 1).join(' | ')
    return aligns.map(
      (align, at) => [align, inline(at === aligns.length - 1 ? last : (cells[at] ?? ''), links)] as const,
    )
  })
  const headCells = header.map(([align, cell]) => markup`<th class="${align}">${cell}</th>`)
  const bodyRows = body.map(row => {
    const cells = row.map(([align, cell]) => markup`<td class="${align}">${cell}</td>`)
    return markup`<tr>
      ${cells}
    </tr>`
  })
  return markup`<div class="table">
    <table>
      <thead>
        <tr>
          ${headCells}
        </tr>
      </thead>
      <tbody>
        ${bodyRows}
      </tbody>
    </table>
  </div>`
}

function inline(source: string, links: ReadonlyMap<string, string>): Markup {
  const lines = inlineLines(source, links, style, []).map(line => joined(line.map(piece)))
  return joined(lines, '<br>\n')
}

function piece({ text, style: { looks, link } }: InlineSpan): Markup {
  const inner = looks.reduceRight((made, look) => wrappers.get(look)?.(made) ?? made, markup`${text}`)
  if (!/^(?:https?|mailto):/i.test(link)) return inner
  return markup`<a href="${link}" rel="noopener noreferrer">${inner}</a>`
}
