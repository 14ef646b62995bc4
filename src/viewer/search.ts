/** Finds a text in a document, bit by bit: in what is shown and in what is closed. */
import { withoutAnsi } from '../text/ansi.ts'
import type { Entry } from '../chat/state.ts'
import type { Document, Place } from './document.ts'
import type { Section } from './section.ts'
import { compare } from './walk.ts'

export class Search {
  readonly query: string
  /** The one that is shown. */
  shown: Place | null = null
  /** The rows that have it in them, of each section that was searched, in order. */
  readonly #found = new Map<number, readonly Place[]>()
  /** The entries as they were then. */
  readonly #seen = new Map<number, Entry>()
  #from: number

  /** Begins at a section, since what is near is asked for first. Capitals count where there is one in the query. */
  constructor(query: string, from: number) {
    this.query = query
    this.#from = from
  }

  /** Whether everything has been searched. */
  isDone(document: Document): boolean {
    return document.sections.every((section, index) => this.#isSearched(index, section))
  }

  /** Whether nothing can come up any more between these two sections. */
  isSure(one: number, other: number): boolean {
    for (let index = Math.min(one, other); index <= Math.max(one, other); index += 1) {
      if (!this.#seen.has(index)) return false
    }
    return true
  }

  /** Searches one more section, that at which it began first. False where all have been searched. */
  step(document: Document): boolean {
    const count = document.sections.length
    for (let offset = 0; offset < count; offset += 1) {
      const index = (this.#from + offset) % count
      const section = document.sections[index]
      if (!section || this.#isSearched(index, section)) continue
      if (section.isRead) this.#searchIn(document, index, section)
      else section.read(0)
      return true
    }
    return false
  }

  /** What grows is searched when it has ended, or when it is asked for. */
  #isSearched(index: number, { entry }: Section): boolean {
    const seen = this.#seen.get(index)
    return seen === entry || (seen !== undefined && entry.kind === 'turn' && entry.endedAt === null)
  }

  /** Searches again what has grown. */
  renew(document: Document): void {
    for (const [index, section] of document.sections.entries()) {
      if (section.isRead && this.#seen.get(index) !== section.entry) this.#searchIn(document, index, section)
    }
  }

  get count(): number {
    let sum = 0
    for (const places of this.#found.values()) sum += places.length
    return sum
  }

  /** Which of them a place is, counted from 1; 0 where it is none. */
  numberOf(place: Place): number {
    const all = this.#all()
    return all.findIndex(each => compare(each, place) === 0) + 1
  }

  /** The next one, or the one before; from the other end where there is none. */
  next(from: Place, by: 1 | -1): Place | null {
    const all = this.#all()
    if (by > 0) return all.find(each => compare(each, from) > 0) ?? all[0] ?? null
    return all.findLast(each => compare(each, from) < 0) ?? all.at(-1) ?? null
  }

  #all(): Place[] {
    return [...this.#found].toSorted(([a], [b]) => a - b).flatMap(([, places]) => places)
  }

  #searchIn(document: Document, index: number, { blocks, entry }: Section): void {
    const wanted = foldCase(this.query, this.query)
    const places = blocks.flatMap((block, at) =>
      document
        .openRows(block)
        .flatMap((text, row) =>
          foldCase(withoutAnsi(text), this.query).includes(wanted) ? [{ section: index, block: at, row }] : [],
        ),
    )
    this.#found.set(index, places)
    this.#seen.set(index, entry)
  }
}

/** In small letters, unless there is a capital in what is looked for. */
export function foldCase(text: string, query: string): string {
  return /\p{Lu}/u.test(query) ? text : text.toLowerCase()
}
