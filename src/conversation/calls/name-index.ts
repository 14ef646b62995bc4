/** An index by name into a list that only grows. */

/** The names that an item is found by: its own, and that of its family. */
export type Name = string | symbol
export type Names = { own: Name; family: Name }

/**
 * An index shared by a list and all lists that grew out of it: entries for a longer list lie beyond the end of a shorter
 * one, which therefore never sees them.
 */
export class NameIndex<Item> {
  readonly own: ReadonlyMap<Name, readonly number[]>
  readonly families: ReadonlyMap<Name, readonly number[]>
  /** The number of items noted. */
  #length = 0
  readonly #namesOf: (item: Item) => Names | null
  readonly #own = new Map<Name, number[]>()
  readonly #families = new Map<Name, number[]>()

  constructor(namesOf: (item: Item) => Names | null, items: Iterable<Item> = []) {
    this.#namesOf = namesOf
    this.own = this.#own
    this.families = this.#families
    for (const item of items) this.#note(item)
  }

  /** The index for a list of `length` items plus `item`: this one, unless another list has already grown past that length. */
  plus(length: number, item: Item, items: Iterable<Item>): NameIndex<Item> {
    const places = length === this.#length ? this : new NameIndex(this.#namesOf, items)
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

function add(places: Map<Name, number[]>, name: Name, place: number): void {
  const known = places.get(name)
  if (known) known.push(place)
  else places.set(name, [place])
}
