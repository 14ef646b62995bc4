/** Where in a list that only grows the items of a name stand. */

/**
 * Shared by a list and those that grew out of it: what was noted for a longer one stands behind the end of a shorter one,
 * which therefore never sees it.
 */
export class Places<Item> {
  /** How many items have been noted. */
  #length = 0
  readonly #namesOf: (item: Item) => readonly string[]
  readonly #places = new Map<string, number[]>()

  constructor(namesOf: (item: Item) => readonly string[], items: Iterable<Item> = []) {
    this.#namesOf = namesOf
    for (const item of items) this.#note(item)
  }

  /** The places of a list of so many items with one more behind them: these same ones, unless another list took that place. */
  plus(length: number, item: Item, items: Iterable<Item>): Places<Item> {
    const places = length === this.#length ? this : new Places(this.#namesOf, items)
    places.#note(item)
    return places
  }

  /** From the first to the last. */
  of(name: string): readonly number[] {
    return this.#places.get(name) ?? []
  }

  #note(item: Item): void {
    for (const name of this.#namesOf(item)) {
      const places = this.#places.get(name)
      if (places) places.push(this.#length)
      else this.#places.set(name, [this.#length])
    }
    this.#length += 1
  }
}
