/** A piece of the conversation as it is shown. */
import type { Markup } from '../../export/markup.ts'
import { Cuts, type RestPiece } from './cuts.ts'

/** It is drawn when its HTML is asked for, since most of a long conversation never is. */
export class ShownBlock {
  readonly id: string
  readonly #draw: (cuts: Cuts) => Markup
  #drawn: { html: string; hasMore: boolean } | null = null

  constructor(id: string, draw: (cuts: Cuts) => Markup) {
    this.id = id
    this.#draw = draw
  }

  drawn(): { html: string; hasMore: boolean } {
    if (this.#drawn) return this.#drawn
    const cuts = new Cuts()
    const html = this.#draw(cuts).source
    this.#drawn = { html, hasMore: !cuts.isEmpty }
    return this.#drawn
  }

  /** Forgets the HTML until it is asked for again. */
  forget(): void {
    this.#drawn = null
  }

  /** Whether `next` in its place shows the same, as far as that is known: what was never drawn was never shown. */
  isShownBy(next: ShownBlock): boolean {
    return next === this || (next.id === this.id && this.#drawn !== null && next.drawn().html === this.#drawn.html)
  }

  rest(piece: number): RestPiece | null {
    const cuts = new Cuts()
    this.#draw(cuts)
    return cuts.piece(piece)
  }
}

/** At `at`, `removed` blocks went, and `added` came in their place. */
export type Edit = { at: number; removed: number; added: number }

/** The change from blocks that began at `at` to others in their place; null for none. */
export function editOf(at: number, before: readonly ShownBlock[], after: readonly ShownBlock[]): Edit | null {
  const most = Math.min(before.length, after.length)
  let [head, tail] = [0, 0]
  const isSame = (one: ShownBlock | undefined, other: ShownBlock | undefined): boolean =>
    one !== undefined && other !== undefined && one.isShownBy(other)
  while (head < most && isSame(before[head], after[head])) head += 1
  while (tail < most - head && isSame(before.at(-1 - tail), after.at(-1 - tail))) tail += 1
  const [removed, added] = [before.length - head - tail, after.length - head - tail]
  return removed + added === 0 ? null : { at: at + head, removed, added }
}

/** Groups of blocks, one after the other: a group may change without a look at the others. */
export class Groups {
  readonly #groups: (readonly ShownBlock[])[] = []
  /** The index of the first block of each group, and the number of all at the end. */
  readonly #starts: number[] = [0]

  get length(): number {
    return this.#groups.length
  }

  /** The number of all blocks. */
  get total(): number {
    return this.#starts.at(-1) ?? 0
  }

  /** Puts blocks in the place of a group, or adds a group at the end. Null if nothing of it can be seen. */
  set(at: number, blocks: readonly ShownBlock[]): Edit | null {
    const before = this.#groups[at] ?? []
    const start = this.#starts[at] ?? this.total
    if (at >= this.length) {
      this.#groups.push(blocks)
      this.#starts.push(start + blocks.length)
    } else {
      this.#groups[at] = blocks
      const by = blocks.length - before.length
      if (by !== 0)
        for (let next = at + 1; next < this.#starts.length; next += 1)
          this.#starts[next] = (this.#starts[next] ?? 0) + by
    }
    return editOf(start, before, blocks)
  }

  /** Removes the groups from `length` on. */
  cut(length: number): Edit | null {
    const at = this.#starts[length] ?? this.total
    const removed = this.total - at
    this.#groups.length = Math.min(this.length, length)
    this.#starts.length = this.length + 1
    return removed === 0 ? null : { at, removed, added: 0 }
  }

  at(index: number): ShownBlock | undefined {
    let [from, to] = [0, this.length]
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if ((this.#starts[middle + 1] ?? 0) <= index) from = middle + 1
      else to = middle
    }
    return this.#groups[from]?.[index - (this.#starts[from] ?? 0)]
  }
}
