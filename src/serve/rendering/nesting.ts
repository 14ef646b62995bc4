/** Which calls of a turn are inside of which, by their places: as in an exported page, for a turn that grows. */
import type { List } from '../../conversation/list.ts'
import type { Part } from '../../conversation/part.ts'

export class Nesting {
  /** The calls that each call made. */
  readonly #inside = new Map<number, number[]>()
  /** The outermost call that each is inside of. */
  readonly #outermost = new Map<number, number>()
  /** The newest call of each id. */
  readonly #newest = new Map<string, number>()
  #length = 0

  isInside(place: number): boolean {
    return this.#outermost.has(place)
  }

  outermost(place: number): number {
    return this.#outermost.get(place) ?? place
  }

  inside(place: number): readonly number[] {
    return this.#inside.get(place) ?? []
  }

  /** Returns the places, beside those that differ, whose calls have changed. */
  follow(parts: List<Part>, before: List<Part> | null, differing: readonly number[]): readonly number[] {
    const isGone = (place: number): boolean => {
      const part = parts.get(place)
      return part?.kind === 'tool' && part.withdrawn && before?.get(place)?.withdrawn === false
    }
    if (!differing.some(isGone)) {
      this.#add(parts)
      return []
    }
    // What a withdrawn call made is inside of an earlier one with its id, or of none.
    const former = new Map(this.#outermost)
    for (const each of [this.#inside, this.#outermost, this.#newest]) each.clear()
    this.#length = 0
    this.#add(parts)
    const places = new Set([...former.keys(), ...this.#outermost.keys()])
    return [...places].flatMap(place => {
      const was = former.get(place)
      return was === undefined ? [place] : [place, was]
    })
  }

  /** The parts that are not known yet. */
  #add(parts: List<Part>): void {
    for (; this.#length < parts.length; this.#length += 1) {
      const place = this.#length
      const part = parts.get(place)
      if (part?.kind !== 'tool' || part.withdrawn) continue
      const above = part.parent === null ? undefined : this.#newest.get(part.parent)
      if (above !== undefined) {
        this.#outermost.set(place, this.outermost(above))
        const calls = this.#inside.get(above) ?? []
        calls.push(place)
        this.#inside.set(above, calls)
      }
      this.#newest.set(part.id, place)
    }
  }
}
