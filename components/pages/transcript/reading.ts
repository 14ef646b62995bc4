/** The transcript for a state and a size. Drawn rows and matches are cached outside the state. */
import { answerOf } from '../../../src/conversation/queries/answer.ts'
import type { Entry } from '../../../src/conversation/state.ts'
import type { AppState } from '../../../src/state/state.ts'
import { initialTranscript, noFolds, type TranscriptState } from './state.ts'
import type { ViewerBlock } from './document/block.ts'
import { ViewerDocument } from './document/document.ts'
import { Outline, type OutlineRow } from './document/outline.ts'
import type { ReadCall } from './document/output-loader.ts'
import type { PageContext, PageReader } from '../page-rows.ts'
import { DocumentSearch } from './search.ts'
import { fileOf, sourceOf, type BlockSource } from './document/source.ts'
import { arranged, isLast, windowAtEnd } from './window.ts'

/** Columns of the mark at the selected block, including its blank. */
export const MARGIN = 2

/** The drawn rows, the headings and the matches of a conversation. */
export type TranscriptCache = { document: ViewerDocument; outline: Outline; search: DocumentSearch | null }

export type TranscriptReading = {
  app: AppState
  cache: TranscriptCache
  document: ViewerDocument
  /** The matches of the open search. */
  search: DocumentSearch | null
  /** The state, at places that exist. */
  view: TranscriptState
  /** Rows above the line at the bottom. */
  body: number
  context: PageContext
  /** The subagent whose conversation it is, or the stored session; absent for the whole one. Unsanitised. */
  whose?: string
}

/** `readCall` loads the full output of a shortened call. */
export function createTranscriptReader(readCall: ReadCall): PageReader<TranscriptState, TranscriptReading> {
  let cache: TranscriptCache | null = null
  return (state, app, context) => {
    const { theme, size } = context
    const look = { theme, width: contentWidth(size.columns), raw: app.raw }
    cache ??= { document: new ViewerDocument(look, readCall), outline: new Outline(), search: null }
    const { document } = cache
    const body = Math.max(1, size.rows - 1)
    const isOther = document.setLook(look)
    const { times } = app.restored
    const view = state.restored === times ? state : { ...state, folds: noFolds, restored: times }
    document.setFolds(view.folds)
    document.follow(app.chat, times, app.now)
    // The matches are those of other rows.
    if (isOther) cache.search = null
    const search = searchFor(cache, view.search)
    return { app, cache, document, search, view: { ...view, ...arranged(document, view, body) }, body, context }
  }
}

function searchFor(cache: TranscriptCache, next: TranscriptState['search']): DocumentSearch | null {
  const { search } = cache
  if (search && search.query === next?.query && search.from === next.from) return search
  return (cache.search = next && new DocumentSearch(next.query, next.from))
}

/** The state when the page has opened: at the end of the conversation. */
export function atEnd({ app, document, view, body }: TranscriptReading): TranscriptState {
  const seenEnd = lastEntry(document)
  const restored = app.restored.times
  const end = { ...windowAtEnd(document, body), restored, seenEnd, endedBefore: endings(app) }
  return { ...initialTranscript, session: view.session, ...end }
}

/** Whether an agent has ended since the page was opened. */
export function hasEnded({ app, view }: TranscriptReading): boolean {
  return endings(app) > view.endedBefore
}

export function lastEntry(document: ViewerDocument): Entry | null {
  return document.sections.at(-1)?.entry ?? null
}

/** Whether the last row is visible. */
export function seesEnd({ document, view, body }: TranscriptReading): boolean {
  return view.follows || isLast(document, view.top, body)
}

export function outlineOf({ cache, view: { overlay } }: TranscriptReading): readonly OutlineRow[] {
  return cache.outline.rows(cache.document, overlay?.kind === 'turns' ? overlay.filter : '')
}

/** The first visible row of the list of turns. */
export function firstTurn(reading: TranscriptReading, selected: number): number {
  const room = reading.body - 1
  return Math.max(0, Math.min(selected - Math.floor(room / 2), outlineOf(reading).length - room))
}

/** The source of the selected block. */
export function chosenSource(reading: TranscriptReading): BlockSource | null {
  const chosen = chosenBlock(reading)
  return chosen && sourceOf(chosen.entry, chosen.block.group, tool => reading.document.whole(tool))
}

/** The agent's whole answer in the selected turn. */
export function chosenAnswer(reading: TranscriptReading): BlockSource | null {
  const entry = chosenBlock(reading)?.entry
  const text = entry?.kind === 'turn' ? answerOf(entry) : ''
  return text === '' ? null : { text, what: 'the answer', extension: 'md' }
}

/** The file that the selected block is about. */
export function chosenFile(reading: TranscriptReading): { path: string; line: number | null } | null {
  const chosen = chosenBlock(reading)
  return chosen && fileOf(chosen.entry, chosen.block.group)
}

export function chosenBlock({ document, view }: TranscriptReading): { block: ViewerBlock; entry: Entry } | null {
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
