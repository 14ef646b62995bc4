/** The visible part of a document: its first row, the selected block, and whether it follows the end. */
import type { ViewerBlock } from './block.ts'
import type { Document, DocumentPlace } from './document.ts'
import { compare, firstPlace, lastPlace, nextBlock, nextPrompt, rowsBelow, settle, walk } from './walk.ts'

/** A row on the screen and its place in the document. */
export type Seen = { place: DocumentPlace; block: ViewerBlock }

export class Window {
  readonly #document: Document
  /** Rows visible at once. */
  #size = 1
  #top: DocumentPlace = { section: 0, block: 0, row: 0 }
  #chosen: DocumentPlace = { section: 0, block: 0, row: 0 }
  #follows = true
  /** The last entry when the end was last visible. */
  #seenEnd: unknown = null

  constructor(document: Document) {
    this.#document = document
  }

  get top(): DocumentPlace {
    return this.#top
  }

  /** The first row of the selected block. */
  get chosen(): DocumentPlace {
    return this.#chosen
  }

  get chosenBlock(): ViewerBlock | undefined {
    return this.#document.blockAt(this.#chosen)
  }

  get follows(): boolean {
    return this.#follows
  }

  /** Whether something new has arrived below. */
  get hasNewBelow(): boolean {
    return !this.#follows && this.#end() !== this.#seenEnd
  }

  /** Starts at the end, with the last block that is not a note selected. */
  begin(size: number): void {
    this.#size = size
    this.#follows = true
    this.#arrange()
    const last = lastPlace(this.#document)
    const isNote = this.#document.blockAt(last)?.group.kind === 'note'
    this.#choose((isNote ? nextBlock(this.#document, last, -1) : null) ?? last)
  }

  /** The visible rows from the top; fewer if there are no more. */
  rows(size: number): Seen[] {
    this.#size = size
    this.#arrange()
    const seen: Seen[] = []
    for (let place = this.#top; seen.length < size;) {
      const block = this.#document.blockAt(place)
      if (!block || this.#document.height(block) === 0) break
      this.#document.lookAt(place.section, block)
      seen.push({ place, block })
      const next = walk(this.#document, place, 1)
      if (compare(next, place) === 0) break
      place = next
    }
    const last = seen.at(-1)?.place
    if (!last || rowsBelow(this.#document, last, 1) === 0) this.#seenEnd = this.#end()
    return seen
  }

  #end(): unknown {
    return this.#document.sections.at(-1)?.entry
  }

  scroll(by: number): void {
    this.#moveTo(walk(this.#document, this.#top, by), by)
    this.#keepChosen()
  }

  toEnd(): void {
    this.#follows = true
    this.#arrange()
    this.#choose(lastPlace(this.#document))
  }

  toStart(): void {
    this.show(firstPlace(this.#document), 0)
  }

  /** Selects the next or previous block and shows its beginning. */
  chooseNext(by: 1 | -1): void {
    const next = nextBlock(this.#document, this.#chosen, by)
    if (!next) return by > 0 ? this.toEnd() : this.toStart()
    this.#choose(next)
    const block = this.#document.blockAt(next)
    const rows = Math.min(this.#size, block ? this.#document.height(block) : 1)
    if (compare(next, this.#top) < 0) this.#moveTo(next, -1)
    else if (compare(next, walk(this.#document, this.#top, this.#size - rows)) > 0) {
      this.#moveTo(walk(this.#document, next, rows - this.#size), 1)
    }
  }

  toPrompt(by: 1 | -1): void {
    const start = { ...this.#chosen, block: 0, row: 0 }
    const isWithin = this.#chosen.block > 0 && this.#document.sections[start.section]?.entry.kind === 'turn'
    const place = by < 0 && isWithin ? start : nextPrompt(this.#document, this.#chosen, by)
    if (place) this.show(place, 0)
    else if (by > 0) this.toEnd()
    else this.toStart()
  }

  /** Selects the block at a place and shows it with `above` rows above it. */
  show(place: DocumentPlace, above: number): void {
    this.#choose(place)
    this.#follows = false
    this.#moveTo(walk(this.#document, place, -above), -1)
  }

  /** Keeps the first row in place after blocks have opened or closed. */
  stay(): void {
    this.#moveTo(settle(this.#document, this.#top), 1)
  }

  /** Selects the block of a row on the screen. False if it is selected already, null if there is none. */
  chooseSeen(row: number): boolean | null {
    const seen = this.rows(this.#size)[row]
    if (!seen) return null
    if (seen.block.group.key === this.chosenBlock?.group.key) return false
    this.#choose(seen.place)
    return true
  }

  #choose(place: DocumentPlace): void {
    let { section, block } = settle(this.#document, place)
    while (block > 0 && this.#document.blockAt({ section, block })?.continues) block -= 1
    this.#chosen = { section, block, row: 0 }
  }

  /** Repairs the position after blocks have appeared, vanished or changed their height. */
  #arrange(): void {
    const top = settle(this.#document, this.#top)
    // The position of the end matters only near it.
    this.#top = this.#follows || this.#isLast(top) ? this.#lastTop() : top
    this.#chosen = { ...settle(this.#document, this.#chosen), row: 0 }
  }

  #moveTo(place: DocumentPlace, by: number): void {
    const isBehind = this.#isLast(place)
    this.#top = isBehind ? this.#lastTop() : place
    this.#follows = isBehind && by > 0
  }

  /** Whether everything from there on fits on the screen. */
  #isLast(place: DocumentPlace): boolean {
    return rowsBelow(this.#document, place, this.#size) < this.#size
  }

  #lastTop(): DocumentPlace {
    return walk(this.#document, lastPlace(this.#document), 1 - this.#size)
  }

  /** Keeps the selection on the screen. */
  #keepChosen(): void {
    const seen = this.rows(this.#size)
    const key = this.chosenBlock?.group.key
    if (seen.some(({ block }) => block.group.key === key)) return
    const first = seen[0]?.place
    const last = seen.at(-1)?.place
    if (first && compare(this.#chosen, first) < 0) this.#choose(first)
    else if (last) this.#choose(last)
  }
}
