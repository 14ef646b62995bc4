import { NameIndex, type Name, type Names } from './calls/name-index.ts'

/** Items in one piece: a change copies at most this many. */
const PIECE = 256

/**
 * An immutable list that does not copy all items to add one: a turn may have very many parts, and each event makes a new
 * list of them.
 */
export class List<Item> implements Iterable<Item> {
  readonly length: number
  /** All but the last are full. */
  readonly #pieces: readonly (readonly Item[])[]
  readonly #places: NameIndex<Item>

  private constructor(pieces: readonly (readonly Item[])[], length: number, places: NameIndex<Item>) {
    this.#pieces = pieces
    this.length = length
    this.#places = places
  }

  /** `namesOf` must give the same names for an item after it has changed. */
  static of<Item>(items: readonly Item[], namesOf: (item: Item) => Names | null = () => null): List<Item> {
    const pieces: Item[][] = []
    for (let from = 0; from < items.length; from += PIECE) pieces.push(items.slice(from, from + PIECE))
    return new List(pieces, items.length, new NameIndex(namesOf, items))
  }

  /** Undefined if out of range; a negative index does not count from the end. */
  get(index: number): Item | undefined {
    return this.#pieces[Math.floor(index / PIECE)]?.[index % PIECE]
  }

  plus(item: Item): List<Item> {
    const last = this.#pieces.at(-1) ?? []
    const pieces =
      last.length % PIECE === 0 ? [...this.#pieces, [item]] : [...this.#pieces.slice(0, -1), [...last, item]]
    return new List(pieces, this.length + 1, this.#places.plus(this.length, item, this))
  }

  /** Copies the last piece once, while a `plus` for each item would copy it every time. */
  plusAll(items: readonly Item[]): List<Item> {
    if (items.length === 0) return this
    const places = items.reduce((known, item, at) => known.plus(this.length + at, item, this), this.#places)
    const pieces = this.#pieces.slice(0, -1)
    const last = [...(this.#pieces.at(-1) ?? []), ...items]
    for (let from = 0; from < last.length; from += PIECE) pieces.push(last.slice(from, from + PIECE))
    return new List(pieces, this.length + items.length, places)
  }

  /** @throws RangeError if there is no item at that index. */
  with(index: number, item: Item): List<Item> {
    const at = Math.floor(index / PIECE)
    const pieces = this.#pieces.with(at, (this.#pieces[at] ?? []).with(index % PIECE, item))
    return new List(pieces, this.length, this.#places)
  }

  /** Applies `change` to the items in the range; the same list if it changes none of them. */
  changed(from: number, to: number, change: (item: Item) => Item): List<Item> {
    let pieces: (readonly Item[])[] | null = null
    for (let at = Math.floor(Math.max(0, from) / PIECE); at * PIECE < Math.min(to, this.length); at += 1) {
      const piece = this.#pieces[at] ?? []
      const next = changeRange(piece, from - at * PIECE, to - at * PIECE, change)
      if (next === piece) continue
      pieces ??= [...this.#pieces]
      pieces[at] = next
    }
    return pieces === null ? this : new List(pieces, this.length, this.#places)
  }

  *[Symbol.iterator](): IterableIterator<Item> {
    for (const piece of this.#pieces) yield* piece
  }

  /** The items from an index on, as an array. */
  slice(from = 0): Item[] {
    const first = Math.floor(from / PIECE)
    return this.#pieces
      .slice(first)
      .flat()
      .slice(from - first * PIECE)
  }

  /** The indices at which this list has another item than `before`; quick where this one grew out of that. */
  *differences(before: List<Item> | null): Generator<number> {
    const known = before === null ? [] : before.#pieces
    for (const [at, piece] of this.#pieces.entries()) {
      const former = known[at] ?? []
      if (piece === former) continue
      for (const [place, item] of piece.entries()) if (item !== former[place]) yield at * PIECE + place
    }
  }

  /** An array in JSON, which would otherwise silently omit the private fields. */
  toJSON(): Item[] {
    return this.slice()
  }

  /** The indices of a family's items after `after`, in order; lazy, so that reading only some is cheap. */
  *placesOf(family: string, after: number): Generator<number> {
    const places = this.#places.families.get(family) ?? []
    for (let at = firstBehind(places, after); at < places.length; at += 1) {
      const place = places[at] ?? this.length
      if (place >= this.length) return
      yield place
    }
  }

  /** The index of the last item with this name, from `from` on and before `before`; -1 if there is none. */
  lastPlaceOf(name: Name, from = 0, before = this.length): number {
    const places = this.#places.own.get(name) ?? []
    const place = places[firstBehind(places, before - 1) - 1] ?? -1
    return place >= from ? place : -1
  }

  /** Searches forward from `from`; -1 for none. */
  findIndex(test: (item: Item) => boolean, from = 0): number {
    for (let index = from; index < this.length; index += 1) {
      const item = this.get(index)
      if (item !== undefined && test(item)) return index
    }
    return -1
  }

  /** Searches from the end back to `from`; -1 for none. */
  findLastIndex(test: (item: Item) => boolean, from = 0): number {
    for (let index = this.length - 1; index >= from; index -= 1) {
      const item = this.get(index)
      if (item !== undefined && test(item)) return index
    }
    return -1
  }

  findLast(test: (item: Item) => boolean): Item | undefined {
    return this.get(this.findLastIndex(test))
  }
}

/** The index of the first larger number in a sorted list, by binary search. */
function firstBehind(places: readonly number[], place: number): number {
  let [from, to] = [0, places.length]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if ((places[middle] ?? 0) <= place) from = middle + 1
    else to = middle
  }
  return from
}

/** Applies `change` to the items in the range; the same array if it changes none of them. */
export function changeRange<Item>(
  piece: readonly Item[],
  from: number,
  to: number,
  change: (item: Item) => Item,
): readonly Item[] {
  let changed: Item[] | null = null
  for (let index = Math.max(0, from); index < Math.min(to, piece.length); index += 1) {
    const item = piece[index]
    const next = item === undefined ? item : change(item)
    if (next === undefined || next === item) continue
    changed ??= [...piece]
    changed[index] = next
  }
  return changed ?? piece
}
