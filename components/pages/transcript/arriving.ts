/** Opens the transcript at a place, and finds the words there that are searched for. */
import { foldCase } from '../text-search.ts'
import type { ViewerBlock } from './document/block.ts'
import type { ViewerDocument } from './document/document.ts'
import { shownAt } from './moves.ts'
import type { TranscriptReading } from './reading.ts'
import type { Arrival } from './session.ts'
import type { DocumentPlace, TranscriptState } from './state.ts'

/** Blocks that are searched at most: a turn may have very many. */
const MOST_BLOCKS = 2_000

/** The view with the block at the place, opened, a third of the screen from the top. The words are searched for by `arrived`. */
export function arriving(reading: TranscriptReading, arrival: Arrival): TranscriptState {
  const { document, body } = reading
  const { words } = arrival
  const section = Math.min(arrival.entry, Math.max(0, document.sections.length - 1))
  const place = { section, block: blockOf(document, section, arrival.part), row: 0 }
  const shown = shownAt(reading, place, Math.floor(body / 3))
  const search = words === '' ? null : { query: words, from: section, shown: null, seeking: null }
  return { ...shown, follows: false, search, arrival: search && { ...arrival, entry: section } }
}

/** The view once the words were found there, or are not there; null while the rest of a long output is being loaded. */
export function arrived(reading: TranscriptReading): TranscriptState | null {
  const { document, view, body } = reading
  const { arrival, search } = view
  if (!arrival || !search) return null
  const { entry: section, part, isCall } = arrival
  const first = blockOf(document, section, part)
  const block = document.blockAt({ section, block: first })
  if (!block || block.rest === 'reading') return null
  const here = { ...view, arrival: null }
  const blocks = isCall ? ofGroup(document, section, first) : fromHereOn(document, section, first)
  for (const query of wordings(arrival.words)) {
    const found = firstMatch(document, section, blocks, query)
    if (!found) continue
    const sought = { ...here, search: { ...search, query, shown: found } }
    return shownAt({ ...reading, view: sought }, found, Math.floor(body / 3))
  }
  return here
}

/** The block at which a part begins, or the last one before it. */
function blockOf(document: ViewerDocument, section: number, part: number | null): number {
  if (part === null) return 0
  let last = 0
  for (let index = 0; index < MOST_BLOCKS; index += 1) {
    const block = document.blockAt({ section, block: index })
    const at = block?.group.part ?? null
    if (!block || (at !== null && at > part)) break
    if (at === part) return index
    if (at !== null) last = index
  }
  return last
}

type IndexedBlock = readonly [index: number, block: ViewerBlock]

function ofGroup(document: ViewerDocument, section: number, first: number): IndexedBlock[] {
  const blocks: IndexedBlock[] = []
  const key = document.blockAt({ section, block: first })?.group.key
  for (let index = first; ; index += 1) {
    const block = document.blockAt({ section, block: index })
    if (!block || block.group.key !== key) return blocks
    blocks.push([index, block])
  }
}

/** The blocks of the entry from this one on, then those before it. */
function fromHereOn(document: ViewerDocument, section: number, first: number): IndexedBlock[] {
  const after: IndexedBlock[] = []
  const before: IndexedBlock[] = []
  for (let index = 0; index < first + MOST_BLOCKS; index += 1) {
    const block = document.blockAt({ section, block: index })
    if (!block) break
    ;(index < first ? before : after).push([index, block])
  }
  return [...after, ...before]
}

/** The words as they stand, then each of them, the longest first: lines are broken between words. */
function wordings(words: string): string[] {
  const single = words.split(/\s+/).toSorted((one, other) => other.length - one.length)
  return [...new Set([words, ...single])].filter(each => each !== '')
}

function firstMatch(
  document: ViewerDocument,
  section: number,
  blocks: readonly IndexedBlock[],
  query: string,
): DocumentPlace | null {
  const needle = foldCase(query, query)
  for (const [index, block] of blocks) {
    const text = foldCase(document.text(block), query)
    const at = text.indexOf(needle)
    if (at >= 0) return { section, block: index, row: text.slice(0, at).split('\n').length - 1 }
  }
  return null
}
