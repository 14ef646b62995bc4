/**
 * A text of Markdown in chunks: so that one that grows is not drawn again from its beginning, and a browser need not have all of a long one.
 * However the text has come, its chunks are the same. Together they are what an exported page shows, but that a very long list, quote or code
 * is cut into several.
 */
import { textSince } from '../../conversation/queries/text-growth.ts'
import type { TextPart } from '../../conversation/part.ts'
import { isOneElement, markdownHtml } from '../../export/html-text.ts'
import type { Markup } from '../../export/markup.ts'
import type { MarkdownBlock } from '../../markdown/block.ts'
import { createBlocks, type Blocks } from '../../markdown/blocks/blocks.ts'

/** Characters after which a chunk ends with its element, and after which it ends wherever it is. */
const LONG = 4000
const LONGEST = 16_000
/** What each block counts beside its characters. */
const BLOCK = 40

export type Chunk = () => Markup

export function chunksOf(text: string): Chunk[] {
  if (text.trim() === '') return []
  const growing = new Chunks()
  growing.push(text)
  return growing.end()
}

/** The chunks of a part while it grows. */
export class GrowingChunks {
  #length = 0
  #chunks = new Chunks()
  #known: { part: TextPart; chunks: readonly Chunk[] } | null = null

  /** The finished ones are the same objects each time. */
  of(part: TextPart): readonly Chunk[] {
    if (this.#known?.part === part) return this.#known.chunks
    const isOver = this.#known?.part.final === true
    // What is over can be another text only if it was replaced.
    if (isOver && this.#known?.part.text === part.text) return this.#known.chunks
    if (isOver || part.text.length < this.#length) {
      this.#chunks = new Chunks()
      this.#length = 0
    }
    this.#chunks.push(textSince(part, this.#length))
    this.#length = part.text.length
    const chunks = part.text.trim() === '' ? [] : part.final ? this.#chunks.end() : this.#chunks.soFar()
    this.#known = { part, chunks }
    return chunks
  }
}

class Chunks {
  readonly #blocks: Blocks = createBlocks()
  readonly #closed: Chunk[] = []
  /** The blocks of the chunk that is not over. */
  #open: MarkdownBlock[] = []
  #length = 0

  push(text: string): void {
    this.#add(this.#blocks.push(text))
  }

  end(): Chunk[] {
    this.#add(this.#blocks.end())
    return this.#with(this.#open)
  }

  soFar(): Chunk[] {
    return this.#with([...this.#open, ...this.#blocks.open()])
  }

  #with(last: readonly MarkdownBlock[]): Chunk[] {
    return last.length === 0 ? [...this.#closed] : [...this.#closed, () => markdownHtml(last)]
  }

  #add(blocks: readonly MarkdownBlock[]): void {
    for (const block of blocks) {
      const last = this.#open.at(-1)
      if (last && (this.#length >= LONGEST || (this.#length >= LONG && !isOneElement(last, block)))) this.#close()
      this.#open.push(block)
      this.#length += lengthOf(block)
    }
  }

  #close(): void {
    const blocks = this.#open
    this.#closed.push(() => markdownHtml(blocks))
    this.#open = []
    this.#length = 0
  }
}

function lengthOf(block: MarkdownBlock): number {
  if (block.kind === 'code') return block.spans.reduce((sum, { text }) => sum + text.length, BLOCK)
  if (block.kind === 'table') return block.rows.reduce((sum, row) => sum + row.length, BLOCK)
  return block.kind === 'rule' ? BLOCK : BLOCK + block.source.length
}
