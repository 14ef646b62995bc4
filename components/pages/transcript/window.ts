/** The visible part of a document: its first row, the selected block, and whether it follows the end. */
import type { DocumentPlace, TranscriptState } from './state.ts'
import type { ViewerBlock } from './document/block.ts'
import type { ViewerDocument } from './document/document.ts'
import { compare, firstPlace, lastPlace, nextBlock, nextPrompt, rowsBelow, settle, walk } from './walk.ts'

/** A row on the screen and its place in the document. */
export type VisibleRow = { place: DocumentPlace; block: ViewerBlock }

export type TranscriptWindow = Pick<TranscriptState, 'top' | 'chosen' | 'follows'>

/** The window at the end, with the last block that is not a note selected. */
export function windowAtEnd(document: ViewerDocument, size: number): TranscriptWindow {
  const last = lastPlace(document)
  const isNote = document.blockAt(last)?.group.kind === 'note'
  const chosen = (isNote ? nextBlock(document, last, -1) : null) ?? last
  return { follows: true, top: lastTop(document, size), chosen: blockStart(document, chosen) }
}

/** The window after blocks have appeared, vanished or changed their height. */
export function arranged(
  document: ViewerDocument,
  { top, chosen, follows }: TranscriptWindow,
  size: number,
): TranscriptWindow {
  const place = settle(document, top)
  return {
    follows,
    // Near the end, the last row is kept at the bottom.
    top: follows || isLast(document, place, size) ? lastTop(document, size) : place,
    chosen: { ...settle(document, chosen), row: 0 },
  }
}

/** The visible rows from the top; fewer if there are no more. Omitted output of visible blocks is loaded. */
export function seenRows(document: ViewerDocument, top: DocumentPlace, size: number): VisibleRow[] {
  const seen: VisibleRow[] = []
  for (let place = top; seen.length < size;) {
    const block = document.blockAt(place)
    if (!block || document.height(block) === 0) break
    document.lookAt(place.section, block)
    seen.push({ place, block })
    const next = walk(document, place, 1)
    if (compare(next, place) === 0) break
    place = next
  }
  return seen
}

export function scrolled(
  document: ViewerDocument,
  window: TranscriptWindow,
  by: number,
  size: number,
): TranscriptWindow {
  const moved = movedTo(document, window, { place: walk(document, window.top, by), by, size })
  const seen = seenRows(document, moved.top, size)
  const key = document.blockAt(window.chosen)?.group.key
  const [first, last] = [seen[0]?.place, seen.at(-1)?.place]
  if (!first || !last || seen.some(({ block }) => block.group.key === key)) return moved
  // The selection stays on the screen.
  const chosen = compare(window.chosen, first) < 0 ? first : last
  return { ...moved, chosen: blockStart(document, chosen) }
}

export function toEnd(document: ViewerDocument, size: number): TranscriptWindow {
  return { follows: true, top: lastTop(document, size), chosen: blockStart(document, lastPlace(document)) }
}

export function toStart(document: ViewerDocument, size: number): TranscriptWindow {
  return showing(document, firstPlace(document), 0, size)
}

/** Selects the next or previous block and shows its beginning. */
export function toBlock(
  document: ViewerDocument,
  window: TranscriptWindow,
  by: 1 | -1,
  size: number,
): TranscriptWindow {
  const next = nextBlock(document, window.chosen, by)
  if (!next) return by > 0 ? toEnd(document, size) : toStart(document, size)
  const moved = { top: window.top, follows: window.follows, chosen: blockStart(document, next) }
  const block = document.blockAt(next)
  const rows = Math.min(size, block ? document.height(block) : 1)
  if (compare(next, window.top) < 0) return movedTo(document, moved, { place: next, by: -1, size })
  if (compare(next, walk(document, window.top, size - rows)) <= 0) return moved
  return movedTo(document, moved, { place: walk(document, next, rows - size), by: 1, size })
}

export function toPrompt(
  document: ViewerDocument,
  { chosen }: TranscriptWindow,
  by: 1 | -1,
  size: number,
): TranscriptWindow {
  const start = { ...chosen, block: 0, row: 0 }
  const isWithin = chosen.block > 0 && document.sections[start.section]?.entry.kind === 'turn'
  const place = by < 0 && isWithin ? start : nextPrompt(document, chosen, by)
  if (place) return showing(document, place, 0, size)
  return by > 0 ? toEnd(document, size) : toStart(document, size)
}

/** Selects the block at a place and shows it with `above` rows above it. */
export function showing(document: ViewerDocument, place: DocumentPlace, above: number, size: number): TranscriptWindow {
  const window = { top: place, chosen: blockStart(document, place), follows: false }
  return movedTo(document, window, { place: walk(document, place, -above), by: -1, size })
}

/** Keeps the first row in place after blocks have opened or closed. */
export function staying(document: ViewerDocument, window: TranscriptWindow, size: number): TranscriptWindow {
  return movedTo(document, window, { place: settle(document, window.top), by: 1, size })
}

/** The first row of the group of blocks at a place. */
export function blockStart(document: ViewerDocument, place: DocumentPlace): DocumentPlace {
  let { section, block } = settle(document, place)
  while (block > 0 && document.blockAt({ section, block })?.continues) block -= 1
  return { section, block, row: 0 }
}

function movedTo(
  document: ViewerDocument,
  window: TranscriptWindow,
  { place, by, size }: { place: DocumentPlace; by: number; size: number },
): TranscriptWindow {
  const isBehind = isLast(document, place, size)
  return { top: isBehind ? lastTop(document, size) : place, chosen: window.chosen, follows: isBehind && by > 0 }
}

/** Whether everything from there on fits on the screen. */
export function isLast(document: ViewerDocument, place: DocumentPlace, size: number): boolean {
  return rowsBelow(document, place, size) < size
}

function lastTop(document: ViewerDocument, size: number): DocumentPlace {
  return walk(document, lastPlace(document), 1 - size)
}
