import type { Leaf, MarkdownBlock } from '../block.ts'
import { containerOf, needsAir, type OpenContainer } from './open-blocks.ts'

/** The line that is being read: its number, its length, and whether more of it follows. */
export type ReadLine = { readonly number: number; readonly length: number; readonly goesOn: boolean }

/** Collects the blocks that the scanner finishes, with their ends and the blank lines above them. */
export class FinishedBlocks {
  #blocks: MarkdownBlock[] = []
  /** Whether a blank line was seen since the last block. */
  #blank = false
  /** The last block's kind and containers; null before the first. */
  #last: { kind: Leaf['kind']; within: readonly number[]; outer: OpenContainer['kind'] | undefined } | null = null

  /** Adds a block inside all open containers. `goesOn` if it continues the last one. */
  add(leaf: Leaf, { open, line, goesOn }: { open: readonly OpenContainer[]; line: ReadLine; goesOn: boolean }): void {
    const ids = open.map(({ id }) => id)
    const above = goesOn ? null : this.#above(leaf.kind, ids, open[0]?.kind)
    this.#blocks.push({ ...leaf, within: open.map(containerOf), above, to: endOf(leaf, line) })
    for (const each of open) if (each.kind === 'item') each.unseen = false
    this.#last = { kind: leaf.kind, within: ids, outer: open[0]?.kind }
    this.#blank = false
  }

  /** Notes a blank line. */
  blank(): void {
    this.#blank = true
  }

  /** Returns the blocks since the last call. */
  take(): MarkdownBlock[] {
    const blocks = this.#blocks
    this.#blocks = []
    return blocks
  }

  /** A copy of the state, without the blocks. */
  clone(): FinishedBlocks {
    const copy = new FinishedBlocks()
    copy.#blank = this.#blank
    copy.#last = this.#last
    return copy
  }

  #above(kind: Leaf['kind'], within: readonly number[], outer: OpenContainer['kind'] | undefined): number | null {
    const last = this.#last
    if (last === null) return null
    const differs = within.findIndex((id, depth) => last.within[depth] !== id)
    // A quote below a list, or a list below a quote, needs a blank line.
    const other = outer !== undefined && last.outer !== undefined && outer !== last.outer
    if (!this.#blank && !other && !needsAir(last.kind, last.within.length, kind, within.length)) return null
    return differs < 0 ? within.length : differs
  }
}

/** A paragraph or a table is closed by the next line, which is not part of it. */
function endOf(leaf: Leaf, { number, goesOn }: ReadLine): number {
  if (leaf.kind === 'code' && leaf.source.line < number) return leaf.source.line + 1
  return number + (goesOn || leaf.kind === 'paragraph' || leaf.kind === 'table' ? 0 : 1)
}
