/** Limits how much the viewer keeps of a long conversation. */
import type { Styled } from '../../../../src/style/styled.ts'
import type { ViewerBlock } from './block.ts'

/** Drawn rows, and characters of text for the search. */
const KEPT_ROWS = 10_000
const KEPT_TEXT = 32 * 1024 * 1024

export class KeptRows {
  /** The blocks with drawn rows, oldest first, and the number of their rows. */
  #drawn: ViewerBlock[] = []
  #rows = 0
  #text = 0

  /** Keeps the rows of a block. If there are too many, the rows of the older half of the blocks are released. */
  keep(block: ViewerBlock): void {
    this.#drawn.push(block)
    this.#rows += block.height ?? 0
    if (this.#rows <= KEPT_ROWS) return
    const half = Math.ceil(this.#drawn.length / 2)
    for (const old of this.#drawn.slice(0, half)) if (old !== block) old.rows = null
    this.#drawn = this.#drawn.slice(half)
    this.#rows = this.#drawn.reduce((sum, each) => sum + (each.height ?? 0), 0)
  }

  /** The plain text of a block, kept for the next search if there is room. */
  textOf(block: ViewerBlock, rows: readonly Styled[]): string {
    if (block.text !== null) return block.text
    const text = rows.map(row => row.text).join('\n')
    if (this.#text + text.length > KEPT_TEXT || block.live) return text
    this.#text += text.length
    block.text = text
    return text
  }

  /** Resets the amount of kept text, after all blocks have dropped theirs. */
  forgetText(): void {
    this.#text = 0
  }
}
