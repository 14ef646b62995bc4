/** Where in a list that only grows the items of a name stand. */

/** What an item is found by: its own name, and that of the family that it belongs to. */
export type Names = { own: string; family: string }

/**
 * Shared by a list and those that grew out of it: what was noted for a longer one stands behind the end of a shorter one,
 * which therefore never sees it.
 */
export class Places<Item> {
  readonly own: ReadonlyMap<string, readonly number[]>
  readonly families: ReadonlyMap<string, readonly number[]>
  /** How many items have been noted. */
  #length = 0
  readonly #namesOf: (item: Item) => Names | null
  readonly #own = new Map<string, number[]>()
  readonly #families = new Map<string, number[]>()

  constructor(namesOf: (item: Item) => Names | null, items: Iterable<Item> = []) {
    this.#namesOf = namesOf
    this.own = this.#own
    this.families = this.#families
    for (const item of items) this.#note(item)
  }

  /** The places of a list of so many items with one more behind them: these same ones, unless another list took that place. */
  plus(length: number, item: Item, items: Iterable<Item>): Places<Item> {
    const places = length === this.#length ? this : new Places(this.#namesOf, items)
    places.#note(item)
    return places
  }

  #note(item: Item): void {
    const names = this.#namesOf(item)
    if (names) {
      add(this.#own, names.own, this.#length)
      add(this.#families, names.family, this.#length)
    }
    this.#length += 1
  }
}

function add(places: Map<string, number[]>, name: string, place: number): void {
  const known = places.get(name)
  if (known) known.push(place)
  else places.set(name, [place])
}
