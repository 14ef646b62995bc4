/** What keys and typed text do in the search of /diff. */
import { previousBoundary } from '../../../src/composer/graphemes.ts'
import type { FileDiff } from '../../../src/tools/diff/change.ts'
import type { DiffReading } from './reading.ts'
import type { FeatureAfter } from './feature.ts'
import { indexOfLine, lineAt, PATH, type SearchPlace } from './search.ts'
import { startOfHunk, type DiffPlace, type DiffState, type SearchState } from './state.ts'

export const afterSearching: FeatureAfter = (reading, input) => {
  const { view } = reading
  const { search, help } = view
  if (search?.isTyping) {
    if (input.kind === 'text') return asking(view, search.query + input.text)
    return input.kind === 'move' ? inTyping(reading, search, input.move) : view
  }
  if (input.kind !== 'move' || help !== null) return undefined
  if (input.move === 'search') return { ...view, search: { query: '', isTyping: true, shown: null, seeking: null } }
  if (!search) return undefined
  if (input.move === 'next' || input.move === 'previous')
    return seeking(reading, search, input.move === 'next' ? 1 : -1)
  // A range ends first, as everywhere.
  return input.move === 'leave' && !view.anchor ? { ...view, search: null } : undefined
}

function inTyping(reading: DiffReading, search: SearchState, move: string): DiffState {
  const { view } = reading
  const { query } = search
  if (move === 'erase' && query !== '') return asking(view, query.slice(0, previousBoundary(query, query.length)))
  if (move === 'leave' || move === 'erase' || (move === 'show' && query === '')) return { ...view, search: null }
  return move === 'show' ? seeking(reading, { ...search, isTyping: false }, 1, true) : view
}

function asking(view: DiffState, query: string): DiffState {
  return { ...view, search: { query, isTyping: true, shown: null, seeking: null } }
}

/** Seeks the next match. The first one may be where the cursor is. */
function seeking(reading: DiffReading, search: SearchState, by: 1 | -1, isFirst = false): DiffState {
  const here = placeOf(reading)
  const from = isFirst ? { ...here, line: here.line - 1 } : here
  const sought = { ...reading.view, search: { ...search, seeking: { by, from } } }
  return afterSeeking({ ...reading, view: sought }) ?? sought
}

/** The place of the cursor; in the list, that of the selected file. */
function placeOf({ view, files, selected, shown, diff, window }: DiffReading): SearchPlace {
  const found = view.search?.shown
  const file = shown?.file ?? files[selected]?.file ?? ''
  // A match in the path is at the beginning of the file; so are all rows above its first line.
  if (!shown || !diff || !window) return found?.file === file ? found : { file, line: PATH - 1 }
  const { left = null, right = null } = window.rows.row(window.cursor) ?? {}
  const lines = [left, right].flatMap(line => (line ? [indexOfLine(diff, line)] : []))
  if (lines.length === 0) return { file, line: PATH }
  if (found?.file === file && (lines.includes(found.line) || found.line === PATH)) return found
  return { file, line: Math.min(...lines) }
}

/** The view once the search for the next match has ended; null while it continues. */
export function afterSeeking(reading: DiffReading): DiffState | null {
  const { found, files, view } = reading
  const { search } = view
  if (!found || !search?.seeking) return null
  const { by, from } = search.seeking
  const { place, isSure } = found.next(files, from, by)
  if (!isSure && !found.isDone(files)) return null
  const ended = { ...view, search: { ...search, seeking: null, shown: place ?? search.shown } }
  return place ? shownAt({ ...reading, view: ended }, place) : ended
}

/** Shows a match, with rows above it if there are any. */
function shownAt({ view, files, texts, body }: DiffReading, { file, line }: SearchPlace): DiffState {
  const index = files.findIndex(each => each.file === file)
  const diff = view.changes.diffs.get(file) ?? texts.get(file)?.diff ?? null
  const at = { ...view, file, selected: { index, file }, tree: { ...view.tree, folder: null }, anchor: null }
  const cursor = diff && placeInDiff(diff, line)
  if (!diff || !cursor) return { ...at, ...startOfHunk(0) }
  const above = placeInDiff(diff, Math.max(0, line - Math.floor(body / 3)))
  return { ...at, cursor, top: above ?? cursor }
}

function placeInDiff(diff: FileDiff, line: number): DiffPlace | null {
  const found = lineAt(diff, line)
  return found && { ...found, note: null, row: 0 }
}
