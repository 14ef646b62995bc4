/** When each block last changed, by its place. */
import type { Edit } from '../rendering/block.ts'

/** Places whose newest change is noted together: so that few need to be looked at. */
const PIECE = 256

export class Stamps {
  #stamps: number[] = []
  /** The newest of each piece. */
  #newest: number[] = []

  get length(): number {
    return this.#stamps.length
  }

  at(place: number): number {
    return this.#stamps[place] ?? 0
  }

  /** Notes edits of the moment `n`, which never falls. */
  note(edits: readonly Edit[], n: number): void {
    for (const { at, removed, added } of edits) {
      const isMoved = removed !== added && at + removed < this.length
      const fresh = Array.from({ length: added }, () => n)
      if (removed === added) for (const index of fresh.keys()) this.#stamps[at + index] = n
      // Many at once are too many for a call.
      else this.#stamps = [...this.#stamps.slice(0, at), ...fresh, ...this.#stamps.slice(at + removed)]
      if (isMoved) this.#stamps.fill(n, at)
      this.#noteNewest(at, isMoved || removed !== added ? this.length : at + added, n)
    }
  }

  #noteNewest(from: number, to: number, n: number): void {
    this.#newest.length = Math.ceil(this.length / PIECE)
    for (let piece = Math.floor(from / PIECE); piece * PIECE < to; piece += 1) this.#newest[piece] = n
  }

  /** The last places that changed after `n`, in their order. Null if there are more than `most`. */
  since(n: number, most: number): number[] | null {
    const found: number[] = []
    for (let piece = this.#newest.length - 1; piece >= 0; piece -= 1) {
      if ((this.#newest[piece] ?? 0) <= n) continue
      for (let at = Math.min(this.length, (piece + 1) * PIECE) - 1; at >= piece * PIECE; at -= 1) {
        if ((this.#stamps[at] ?? 0) <= n) continue
        if (found.length === most) return null
        found.push(at)
      }
    }
    return found.toReversed()
  }
}
