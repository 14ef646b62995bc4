/** The viewer for a state and a size. Drawn rows and matches are cached outside the state. */
import { answerOf } from '../../../src/conversation/queries/answer.ts'
import type { Entry } from '../../../src/conversation/state.ts'
import type { AppState } from '../../../src/state/state.ts'
import { initialViewer, type ViewerView } from '../../../src/state/screens/viewer-screen.ts'
import type { ViewerBlock } from './document/block.ts'
import { ViewerDocument } from './document/document.ts'
import { Outline, type OutlineRow } from './document/outline.ts'
import type { ReadCall } from './document/output-loader.ts'
import type { PageContext } from '../page.ts'
import { DocumentSearch } from './search.ts'
import { fileOf, sourceOf, type BlockSource } from './document/source.ts'
import { arranged, isLast, windowAtEnd } from './window.ts'

/** Columns of the mark at the selected block, including its blank. */
export const MARGIN = 2

/** The drawn rows, the headings and the matches of a conversation. */
export type ViewerCache = { document: ViewerDocument; outline: Outline; search: DocumentSearch | null }

export type ViewerReading = {
  cache: ViewerCache
  document: ViewerDocument
  /** The matches of the open search. */
  search: DocumentSearch | null
  /** The view, at places that exist. */
  view: ViewerView
  /** Rows above the line at the bottom. */
  body: number
  context: PageContext
}

/** `read` loads the full output of a shortened call. */
export function createViewerCache({ theme, size }: PageContext, read: ReadCall): ViewerCache {
  const document = new ViewerDocument({ theme, width: contentWidth(size.columns), raw: false }, read)
  return { document, outline: new Outline(), search: null }
}

export function readViewer(state: AppState, context: PageContext, cache: ViewerCache): ViewerReading {
  const { chat, restored, now, raw, viewer } = state
  const { theme, size } = context
  const { document } = cache
  const body = Math.max(1, size.rows - 1)
  const isOther = document.setLook({ theme, width: contentWidth(size.columns), raw })
  document.setFolds(viewer.folds)
  document.follow(chat, restored.times, now)
  // The matches are those of other rows.
  if (isOther) cache.search = null
  const search = searchFor(cache, viewer.search)
  return { cache, document, search, view: { ...viewer, ...arranged(document, viewer, body) }, body, context }
}

function searchFor(cache: ViewerCache, wanted: ViewerView['search']): DocumentSearch | null {
  const { search } = cache
  if (search && search.query === wanted?.query && search.from === wanted.from) return search
  return (cache.search = wanted && new DocumentSearch(wanted.query, wanted.from))
}

/** The view when the viewer opens: at the end of the conversation. */
export function openedView(state: AppState, { document, body }: ViewerReading): ViewerView {
  document.setFolds(initialViewer.folds)
  const seenEnd = lastEntry(document)
  return { ...initialViewer, ...windowAtEnd(document, body), seenEnd, endedBefore: endings(state) }
}

/** Whether an agent has ended since the viewer was opened. */
export function hasEnded(state: AppState): boolean {
  return endings(state) > state.viewer.endedBefore
}

export function lastEntry(document: ViewerDocument): Entry | null {
  return document.sections.at(-1)?.entry ?? null
}

/** Whether the last row is visible. */
export function seesEnd({ document, view, body }: ViewerReading): boolean {
  return view.follows || isLast(document, view.top, body)
}

export function outlineOf({ cache, view: { overlay } }: ViewerReading): readonly OutlineRow[] {
  return cache.outline.rows(cache.document, overlay?.kind === 'turns' ? overlay.filter : '')
}

/** The first visible row of the list of turns. */
export function firstTurn(reading: ViewerReading, selected: number): number {
  const room = reading.body - 1
  return Math.max(0, Math.min(selected - Math.floor(room / 2), outlineOf(reading).length - room))
}

/** The source of the selected block. */
export function chosenSource(reading: ViewerReading): BlockSource | null {
  const chosen = chosenBlock(reading)
  return chosen && sourceOf(chosen.entry, chosen.block.group, tool => reading.document.whole(tool))
}

/** The agent's whole answer in the selected turn. */
export function chosenAnswer(reading: ViewerReading): BlockSource | null {
  const entry = chosenBlock(reading)?.entry
  const text = entry?.kind === 'turn' ? answerOf(entry) : ''
  return text === '' ? null : { text, what: 'the answer', extension: 'md' }
}

/** The file that the selected block is about. */
export function chosenFile(reading: ViewerReading): { path: string; line: number | null } | null {
  const chosen = chosenBlock(reading)
  return chosen && fileOf(chosen.entry, chosen.block.group)
}

export function chosenBlock({ document, view }: ViewerReading): { block: ViewerBlock; entry: Entry } | null {
  const block = document.blockAt(view.chosen)
  const entry = document.sections[view.chosen.section]?.entry
  return block && entry ? { block, entry } : null
}

function contentWidth(columns: number): number {
  return Math.max(1, columns - MARGIN)
}

function endings({ chat }: AppState): number {
  return chat.entries.filter(entry => entry.kind === 'agent_ended').length
}
