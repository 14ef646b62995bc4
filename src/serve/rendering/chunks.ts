/**
 * A text of Markdown in chunks: so that one that grows is not drawn again from its beginning, and a browser need not have all of a long one.
 * However the text has come, its chunks are the same. Together they are what an exported page shows, but that a very long list, quote or code
 * is cut into several.
 */
import { textSince } from '../../conversation/queries/text-growth.ts'
import type { TextPart } from '../../conversation/part.ts'
import { isOneElement, markdownHtml, richText } from '../../export/html-text.ts'
import type { Markup } from '../../export/markup.ts'
import type { MarkdownBlock } from '../../markdown/block.ts'
import { createBlocks, type Blocks } from '../../markdown/blocks/blocks.ts'

/** Characters of the text after which a chunk ends with its element, and after which it ends wherever it is. */
const LONG = 4000
const LONGEST = 16_000
/** Characters of one that is a single line. What the sanitiser shows of a text of `LONG` characters is never longer. */
const LONGEST_LINE = 10 * LONG

export type Chunk = () => Markup

export function chunksOf(text: string): Chunk[] {
  if (text.trim() === '') return []
  if (text.length <= LONG) return [() => richText(text)]
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
  /** The blocks of the chunk that is not over, and where it begins in the text. */
  #open: MarkdownBlock[] = []
  #begun = 0
  #shown = 0
  readonly #lines = new LineStarts()

  push(text: string): void {
    this.#lines.push(text)
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
    // A text that is nothing but marks is still one chunk.
    if (last.length === 0 && this.#closed.length > 0) return [...this.#closed]
    return [...this.#closed, () => markdownHtml(last)]
  }

  #add(blocks: readonly MarkdownBlock[]): void {
    for (const block of blocks) {
      const last = this.#open.at(-1)
      if (last && this.#isFull(last, block)) this.#close(this.#lines.at(last.to))
      this.#open.push(block)
      this.#shown += lengthOf(block)
    }
  }

  #isFull(last: MarkdownBlock, next: MarkdownBlock): boolean {
    const length = this.#lines.at(last.to) - this.#begun
    return this.#shown >= LONGEST_LINE || length >= LONGEST || (length >= LONG && !isOneElement(last, next))
  }

  #close(at: number): void {
    const blocks = this.#open
    this.#closed.push(() => markdownHtml(blocks))
    this.#open = []
    this.#begun = at
    this.#shown = 0
  }
}

/** Where the lines of a growing text begin. */
class LineStarts {
  readonly #starts = [0]
  #length = 0
  #endsWithReturn = false

  push(text: string): void {
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
      const start = this.#length + index + end.length
      // Both halves of one end.
      if (index === 0 && end === '\n' && this.#endsWithReturn) this.#starts.pop()
      this.#starts.push(start)
    }
    this.#length += text.length
    this.#endsWithReturn = text === '' ? this.#endsWithReturn : text.endsWith('\r')
  }

  /** The beginning of a line, counted from 0; the end of the text for one that is not there. */
  at(line: number): number {
    return this.#starts[line] ?? this.#length
  }
}

function lengthOf(block: MarkdownBlock): number {
  if (block.kind === 'code') return block.spans.reduce((sum, { text }) => sum + text.length, 0)
  if (block.kind === 'table') return block.rows.reduce((sum, row) => sum + row.length, 0)
  return block.kind === 'rule' ? 0 : block.source.length
}
