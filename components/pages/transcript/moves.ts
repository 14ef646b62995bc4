/** What keys, typed text and the mouse do in the transcript. Nothing here changes the conversation. */
import { previousBoundary } from '../../../src/composer/graphemes.ts'
import { keyListAfter } from '../key-list.ts'
import type { PageInput } from '../page-input.ts'
import { WHEEL_ROWS } from '../scroll.ts'
import type { OutlineRow } from './document/outline.ts'
import { chosenBlock, firstTurn, lastEntry, outlineOf, seesEnd, type TranscriptReading } from './reading.ts'
import type {
  DocumentPlace,
  Folds,
  TranscriptMove,
  TranscriptOverlay,
  TranscriptSearch,
  TranscriptState,
} from './state.ts'
import { compare } from './walk.ts'
import { blockStart, scrolled, seenRows, showing, staying, toBlock, toEnd, toPrompt, toStart } from './window.ts'

/** The next state; null closes the page. */
export function transcriptAfter(reading: TranscriptReading, input: PageInput<TranscriptMove>): TranscriptState | null {
  switch (input.kind) {
    case 'move':
      return afterMove(reading, input.move)
    case 'text':
      return afterText(reading, input.text)
    case 'wheel':
      return afterWheel(reading, input.by)
    case 'click':
      return afterClick(reading, input.y)
  }
}

/** Esc: out of the list or the text field, then out of the search, then out of the page. */
function left(reading: TranscriptReading): TranscriptState | null {
  const { overlay, search } = reading.view
  if (overlay) return { ...reading.view, overlay: null, search: overlay.kind === 'typing' ? null : search }
  return search ? seeing(reading, { search: null }) : null
}

function afterMove(reading: TranscriptReading, move: TranscriptMove): TranscriptState | null {
  const { overlay } = reading.view
  if (move === 'leave' || (move === 'close' && overlay)) return left(reading)
  if (move === 'close') return null
  if (overlay?.kind === 'help') return inHelp(reading, overlay.from, move)
  if (overlay?.kind === 'turns') return inTurns(reading, overlay, move)
  if (overlay?.kind === 'typing') return inTyping(reading, overlay.query, move)
  if (overlay?.kind === 'marking') return inMarking(reading.view, overlay.word, move)
  return seeing(reading, inText(reading, move))
}

/** Whether an overlay has a text field. */
export function takesText({ overlay }: TranscriptState): boolean {
  return overlay?.kind === 'typing' || overlay?.kind === 'turns' || overlay?.kind === 'marking'
}

function afterText({ view }: TranscriptReading, text: string): TranscriptState {
  const { overlay } = view
  if (overlay?.kind === 'typing') return asking(view, overlay.query + text)
  if (overlay?.kind === 'marking') return { ...view, overlay: { ...overlay, word: overlay.word + text } }
  if (overlay?.kind !== 'turns') return view
  return { ...view, overlay: { ...overlay, filter: overlay.filter + text, selected: 0 } }
}

function afterWheel(reading: TranscriptReading, by: 1 | -1): TranscriptState | null {
  const { view, document, body } = reading
  const kind = view.overlay?.kind
  if (kind === 'turns' || kind === 'help') return afterMove(reading, by > 0 ? 'down' : 'up')
  return kind ? view : seeing(reading, scrolled(document, view, by * WHEEL_ROWS, body))
}

/** A click selects the block of its row; a second one opens or closes that. */
function afterClick(reading: TranscriptReading, row: number): TranscriptState {
  const { view, document, body } = reading
  if (view.overlay?.kind === 'turns') return clickedTurn(reading, view.overlay, row)
  const seen = view.overlay || row >= body ? undefined : seenRows(document, view.top, body)[row]
  if (!seen) return view
  if (seen.block.group.key === document.blockAt(view.chosen)?.group.key) return toggled(reading)
  return { ...view, chosen: blockStart(document, seen.place) }
}

/** The view once the search for the next match has ended; null while it continues. */
export function afterSeeking(reading: TranscriptReading): TranscriptState | null {
  const { search: found, view, document, body } = reading
  const { search } = view
  if (!found || !search?.seeking) return null
  const { by, from } = search.seeking
  const place = found.next(from, by)
  const isNear = place !== null && compare(place, from) > 0 === by > 0 && found.isSure(from.section, place.section)
  if (!isNear && !found.isDone(document)) return null
  const shown = place && document.blockAt(place) ? place : null
  const ended = { ...view, search: { ...search, seeking: null, shown: shown ?? search.shown } }
  return shown ? shownAt({ ...reading, view: ended }, shown, Math.floor(body / 3)) : ended
}

/** The changed view, with the last entry noted if the end is or was visible. */
function seeing(reading: TranscriptReading, change: Partial<TranscriptState>): TranscriptState {
  const view = { ...reading.view, ...change }
  const isSeen = seesEnd(reading) || seesEnd({ ...reading, view })
  return isSeen ? { ...view, seenEnd: lastEntry(reading.document) } : view
}

function inText(
  reading: TranscriptReading,
  move: Exclude<TranscriptMove, 'close' | 'leave'>,
): Partial<TranscriptState> {
  const { view, document, body } = reading
  switch (move) {
    case 'up':
    case 'down':
      return scrolled(document, view, move === 'up' ? -1 : 1, body)
    case 'page_up':
    case 'page_down':
      return scrolled(document, view, (move === 'page_up' ? -1 : 1) * Math.max(1, body - 1), body)
    case 'half_up':
    case 'half_down':
      return scrolled(document, view, (move === 'half_up' ? -1 : 1) * Math.max(1, Math.floor(body / 2)), body)
    case 'top':
      return toStart(document, body)
    case 'bottom':
      return toEnd(document, body)
    case 'next_block':
    case 'previous_block':
      return toBlock(document, view, move === 'next_block' ? 1 : -1, body)
    case 'next_prompt':
    case 'previous_prompt':
      return toPrompt(document, view, move === 'next_prompt' ? 1 : -1, body)
    case 'toggle':
      return toggled(reading)
    case 'toggle_all':
      return folded(reading, { isAllOpen: !view.folds.isAllOpen, changed: new Map() })
    case 'next_match':
    case 'previous_match':
      return view.search ? seeking(reading, view.search, move === 'next_match' ? 1 : -1) : view
    case 'search':
      return { overlay: { kind: 'typing', query: '' } }
    case 'mark':
      return chosenBlock(reading) ? { overlay: { kind: 'marking', word: '' }, follows: false } : view
    case 'turns': {
      const here = outlineOf(reading).findLastIndex(({ place }) => compare(place, view.chosen) <= 0)
      return { overlay: { kind: 'turns', filter: '', selected: Math.max(0, here) } }
    }
    case 'help':
      return { overlay: { kind: 'help', from: 0 } }
    case 'erase':
      return view
  }
}

function toggled(reading: TranscriptReading): TranscriptState {
  const group = chosenBlock(reading)?.block.group
  if (!group) return reading.view
  const isOpen = reading.document.isOpen(group)
  return folded(reading, withFold(reading.view.folds, group.key, !isOpen))
}

function withFold({ isAllOpen, changed }: Folds, key: string, isOpen: boolean): Folds {
  return { isAllOpen, changed: new Map(changed).set(key, isOpen) }
}

function folded({ view, document, body }: TranscriptReading, folds: Folds): TranscriptState {
  document.setFolds(folds)
  return { ...view, ...staying(document, view, body), folds }
}

/** Opens the block at a place and shows it with `above` rows above it. */
export function shownAt(reading: TranscriptReading, place: DocumentPlace, above: number): TranscriptState {
  const { view, document, body } = reading
  const group = document.blockAt(place)?.group
  const folds = group && !document.isOpen(group) ? withFold(view.folds, group.key, true) : view.folds
  document.setFolds(folds)
  return seeing(reading, { ...view, folds, ...showing(document, place, above, body) })
}

function inHelp(reading: TranscriptReading, former: number, move: TranscriptMove): TranscriptState {
  const from = keyListAfter(reading, former, move)
  return { ...reading.view, overlay: from === null ? null : { kind: 'help', from } }
}

/** Enter keeps the mark, with or without words. */
function inMarking(view: TranscriptState, word: string, move: TranscriptMove): TranscriptState {
  if (move === 'toggle') return { ...view, overlay: null, marking: word }
  if (move !== 'erase' || word === '') return view
  return { ...view, overlay: { kind: 'marking', word: word.slice(0, previousBoundary(word, word.length)) } }
}

function inTyping(reading: TranscriptReading, query: string, move: TranscriptMove): TranscriptState {
  const { view } = reading
  if (move === 'erase' && query !== '') return asking(view, query.slice(0, previousBoundary(query, query.length)))
  if (move !== 'toggle' && move !== 'erase') return view
  const closed = { ...view, overlay: null }
  if (move !== 'toggle' || !view.search) return { ...closed, search: null }
  return seeking({ ...reading, view: closed }, view.search, 1, true)
}

function asking(view: TranscriptState, query: string): TranscriptState {
  const search = query === '' ? null : { query, from: view.top.section, shown: null, seeking: null }
  return { ...view, overlay: { kind: 'typing', query }, search }
}

/** The view with a search for these words, at the same place. */
export function searching(view: TranscriptState, query: string): TranscriptState {
  return { ...asking(view, query), overlay: null }
}

/** Seeks the next match. The first one may be in the first visible row. */
function seeking(reading: TranscriptReading, search: TranscriptSearch, by: 1 | -1, isFirst = false): TranscriptState {
  const { view, document } = reading
  reading.search?.renew(document)
  const from = search.shown ?? { ...view.top, row: view.top.row - (isFirst ? 1 : 0) }
  const sought = { ...view, search: { ...search, seeking: { by, from } } }
  return afterSeeking({ ...reading, view: sought }) ?? sought
}

type TurnsOverlay = Extract<TranscriptOverlay, { kind: 'turns' }>

function inTurns(reading: TranscriptReading, overlay: TurnsOverlay, move: TranscriptMove): TranscriptState {
  const { view, body } = reading
  const { filter, selected } = overlay
  const outline = outlineOf(reading)
  const count = outline.length
  const steps: Partial<Record<TranscriptMove, number>> = {
    up: -1,
    down: 1,
    page_up: -body,
    page_down: body,
    top: -count,
    bottom: count,
  }
  const by = steps[move]
  if (by !== undefined) return selecting(view, overlay, Math.min(count - 1, selected + by))
  if (move === 'erase' && filter !== '') {
    const shorter = filter.slice(0, previousBoundary(filter, filter.length))
    return { ...view, overlay: { ...overlay, filter: shorter, selected: 0 } }
  }
  return move === 'toggle' ? atTurn(reading, outline[selected]) : view
}

function selecting(view: TranscriptState, overlay: TurnsOverlay, selected: number): TranscriptState {
  return { ...view, overlay: { ...overlay, selected: Math.max(0, selected) } }
}

function clickedTurn(reading: TranscriptReading, overlay: TurnsOverlay, row: number): TranscriptState {
  const selected = firstTurn(reading, overlay.selected) + row - 1
  const outline = outlineOf(reading)
  if (row < 1 || selected >= outline.length) return reading.view
  return selected === overlay.selected ? atTurn(reading, outline[selected]) : selecting(reading.view, overlay, selected)
}

function atTurn(reading: TranscriptReading, row: OutlineRow | undefined): TranscriptState {
  const { document, view } = reading
  const block = row && document.blockAt(row.place)
  if (!row || !block) return view
  const place = { ...row.place, row: document.rowOf(block, row.piece) }
  return shownAt({ ...reading, view: { ...view, overlay: null } }, place, 0)
}
