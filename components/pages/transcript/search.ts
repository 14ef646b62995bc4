/** Searches a document step by step, including closed blocks. */
import type { Entry } from '../../../src/conversation/state.ts'
import type { DocumentPlace } from './state.ts'
import type { ViewerDocument } from './document/document.ts'
import type { ViewerSection } from './document/section.ts'
import { foldCase, rowsWith } from '../text-search.ts'
import { compare } from './walk.ts'

/** The progress within a section, searched block by block, and its entry at that time. */
type Searching = { index: number; entry: Entry; block: number; found: DocumentPlace[] }

export class DocumentSearch {
  readonly query: string
  readonly #needle: string
  /** The rows that contain the query, for each section that was searched, and their number. */
  readonly #found = new Map<number, readonly DocumentPlace[]>()
  #count = 0
  /** The last section with an entry in `#found`. */
  #last = 0
  /** The entries as they were when they were searched. */
  readonly #seen = new Map<number, Entry>()
  readonly from: number
  #searching: Searching | null = null
  /** The number of sections searched without a gap from the first one on, for that state of the document. */
  #passed = { sections: 0, changes: -1 }

  /** Begins at the section `from`, since near matches are needed first. Case matters if the query has a capital. */
  constructor(query: string, from: number) {
    this.query = query
    this.#needle = foldCase(query, query)
    this.from = from
  }

  /** Whether everything has been searched. */
  isDone(document: ViewerDocument): boolean {
    return this.#searching === null && this.#nextSection(document) === null
  }

  /** Whether all sections between these two have been searched. */
  isSure(one: number, other: number): boolean {
    for (let index = Math.min(one, other); index <= Math.max(one, other); index += 1) {
      if (!this.#seen.has(index)) return false
    }
    return true
  }

  /** Searches one more block, beginning with the first section. False if all have been searched. */
  step(document: ViewerDocument): boolean {
    const index = this.#searching?.index ?? this.#nextSection(document)
    const section = index === null ? undefined : document.sections[index]
    if (index === null || !section) {
      this.#searching = null
      return false
    }
    if (this.#searching?.entry !== section.entry) {
      this.#searching = { index, entry: section.entry, block: 0, found: [] }
    }
    this.#searchBlock(document, this.#searching)
    return true
  }

  /** Searches again the sections that have grown. */
  renew(document: ViewerDocument): void {
    for (const [index, { entry, isRead }] of document.sections.entries()) {
      if (!isRead || this.#seen.get(index) === entry || !this.#seen.has(index)) continue
      const searching = { index, entry, block: 0, found: [] }
      while (this.#searchBlock(document, searching));
    }
  }

  get count(): number {
    return this.#count
  }

  /** The number of a match, counted from 1; 0 if the place is no match. */
  numberOf(place: DocumentPlace): number {
    const places = this.#found.get(place.section) ?? []
    const index = countBefore(places, place)
    const found = places[index]
    if (!found || compare(found, place) !== 0) return 0
    let before = 0
    for (const [section, { length }] of this.#found) if (section < place.section) before += length
    return before + index + 1
  }

  /** The next or previous match; wraps around at the ends. Null without matches. */
  next(from: DocumentPlace, by: 1 | -1): DocumentPlace | null {
    if (this.#count === 0) return null
    const places = this.#found.get(from.section) ?? []
    const index = countBefore(places, from)
    const behind = places[index] && compare(places[index], from) === 0 ? index + 1 : index
    const near = by < 0 ? places[index - 1] : places[behind]
    if (near) return near
    const sections = this.#last + 1
    for (let step = 1; step <= sections; step += 1) {
      const section = (((from.section + by * step) % sections) + sections) % sections
      const match = this.#found.get(section)?.at(by < 0 ? -1 : 0)
      if (match) return match
    }
    return null
  }

  /** All matches, in order. */
  places(): DocumentPlace[] {
    return [...this.#found].toSorted(([one], [other]) => one - other).flatMap(([, places]) => places)
  }

  #nextSection(document: ViewerDocument): number | null {
    const { changes, sections } = document
    if (this.#passed.changes !== changes) this.#passed = { sections: 0, changes }
    for (; this.#passed.sections < sections.length; this.#passed.sections += 1) {
      const index = (this.from + this.#passed.sections) % sections.length
      const section = sections[index]
      if (section && !this.#isSearched(index, section)) return index
    }
    return null
  }

  /** Whether a section needs no search now: one that grows is searched again when it has ended, or by `renew`. */
  #isSearched(index: number, { entry }: ViewerSection): boolean {
    const seen = this.#seen.get(index)
    return seen === entry || (seen !== undefined && entry.kind === 'turn' && entry.endedAt === null)
  }

  /** Searches one block. False after the last one, when the section's matches are recorded. */
  #searchBlock(document: ViewerDocument, searching: Searching): boolean {
    const { index, entry, found } = searching
    const block = document.blockAt({ section: index, block: searching.block })
    if (block) {
      const text = foldCase(document.text(block), this.query)
      for (const row of rowsWith(text, this.#needle)) found.push({ section: index, block: searching.block, row })
      searching.block += 1
      return true
    }
    this.#count += found.length - (this.#found.get(index)?.length ?? 0)
    this.#found.set(index, found)
    this.#last = Math.max(this.#last, index)
    this.#seen.set(index, entry)
    this.#searching = null
    return false
  }
}

/** The number of places, which are sorted, before this one. */
function countBefore(places: readonly DocumentPlace[], place: DocumentPlace): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const found = places[middle]
    if (found && compare(found, place) < 0) low = middle + 1
    else high = middle
  }
  return low
}
