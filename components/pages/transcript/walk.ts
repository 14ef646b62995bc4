/** Navigation through a document by rows and by blocks. Only the blocks that it passes are drawn. */
import type { DocumentPlace } from './state.ts'
import type { ViewerDocument } from './document/document.ts'

export function compare(a: DocumentPlace, b: DocumentPlace): number {
  return a.section - b.section || a.block - b.block || a.row - b.row
}

/** The first row of the next nonempty block, or the last row of the previous one; null at the ends. */
function neighbour(document: ViewerDocument, { section, block }: DocumentPlace, by: 1 | -1): DocumentPlace | null {
  let [at, index] = [section, block + by]
  for (;;) {
    const found = document.blockAt({ section: at, block: index })
    const rows = found ? document.height(found) : 0
    if (rows > 0) return { section: at, block: index, row: by > 0 ? 0 : rows - 1 }
    if (found) index += by
    else {
      at += by
      if (at < 0 || at >= document.sections.length) return null
      index = by > 0 ? 0 : document.blocksIn(at) - 1
    }
  }
}

/** The place `by` rows further down, or up if negative, as far as there are rows. */
export function walk(document: ViewerDocument, from: DocumentPlace, by: number): DocumentPlace {
  return pass(document, from, by).place
}

/** The number of rows below a place, at most `most`. */
export function rowsBelow(document: ViewerDocument, place: DocumentPlace, most: number): number {
  return most - pass(document, place, most).left
}

/** Moves by rows; `left` is the number of rows that were missing. */
function pass(document: ViewerDocument, from: DocumentPlace, by: number): { place: DocumentPlace; left: number } {
  let { section, block, row } = settle(document, from)
  let left = Math.abs(by)
  const direction = by > 0 ? 1 : -1
  while (left > 0) {
    const found = document.blockAt({ section, block })
    const last = found ? document.height(found) - 1 : 0
    const room = Math.min(left, direction > 0 ? last - row : row)
    row += direction * room
    left -= room
    const next = left > 0 ? neighbour(document, { section, block, row }, direction) : null
    if (!next) break
    left -= 1
    ;({ section, block, row } = next)
  }
  return { place: { section, block, row }, left }
}

/** The nearest existing place: blocks may have closed, or have been drawn at another width. */
export function settle(document: ViewerDocument, place: DocumentPlace): DocumentPlace {
  const block = document.blockAt(place)
  const rows = block ? document.height(block) : 0
  if (rows > 0) return place.row < rows ? place : { ...place, row: rows - 1 }
  return neighbour(document, { ...place, row: 0 }, -1) ?? neighbour(document, { ...place, row: 0 }, 1) ?? place
}

export function firstPlace(document: ViewerDocument): DocumentPlace {
  return settle(document, { section: 0, block: 0, row: 0 })
}

export function lastPlace(document: ViewerDocument): DocumentPlace {
  const section = Math.max(0, document.sections.length - 1)
  const block = Math.max(0, document.blocksIn(section) - 1)
  return settle(document, { section, block, row: Number.MAX_SAFE_INTEGER })
}

/** The first row of the next or previous block that does not continue another one; null at the ends. */
export function nextBlock(document: ViewerDocument, from: DocumentPlace, by: 1 | -1): DocumentPlace | null {
  for (let place = neighbour(document, from, by); place; place = neighbour(document, place, by)) {
    if (document.blockAt(place)?.continues === false) return { ...place, row: 0 }
  }
  return null
}

/** The prompt after or before this place; null if there is none. */
export function nextPrompt(document: ViewerDocument, from: DocumentPlace, by: 1 | -1): DocumentPlace | null {
  for (let section = from.section + by; section >= 0 && section < document.sections.length; section += by) {
    if (document.sections[section]?.entry.kind === 'turn') return { section, block: 0, row: 0 }
  }
  return null
}
