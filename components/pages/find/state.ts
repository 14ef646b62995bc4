/** What /find remembers while it is open. */
import type { FoundPassage, PassageKind, TypedSearch } from '../../../src/app/pages/pages.ts'
import { createEditor, type EditCommand, type Editor } from '../../../src/composer/editor.ts'
import { lookup } from '../../../src/text/lookup.ts'
import type { ScrollMove } from '../scroll.ts'

export type FindEdit =
  | 'erase'
  | 'erase_right'
  | 'erase_word'
  | 'erase_line'
  | 'erase_rest'
  | 'left'
  | 'right'
  | 'word_left'
  | 'word_right'
  | 'line_start'
  | 'line_end'
  | 'undo'
  | 'redo'

export type FindMove =
  | Exclude<ScrollMove, 'half_up' | 'half_down'>
  | FindEdit
  | 'next_kind'
  | 'previous_kind'
  | 'here'
  | 'leave'

/** The actions that do more than move. */
export type FindWork = 'open' | 'go_on' | 'quote'

/** In the order in which Tab goes through them. */
export const kinds = [
  null,
  'prompt',
  'answer',
  'command',
  'result',
  'diff',
  'file',
] as const satisfies readonly (PassageKind | null)[]

export type FoundPassages = {
  /** Best first. */
  passages: readonly FoundPassage[]
  /** Whether there are more than these. */
  isCut: boolean
  /** How much of all sessions was searched, from 0 to 1. */
  share: number
  /** One line if it did not work; unsanitised. */
  problem: string | null
  /** What they are the answer to; null before the first answer. */
  of: string | null
}

export type FindState = {
  editor: Editor
  kind: PassageKind | null
  /** Whether only this folder is searched. */
  isHere: boolean
  found: FoundPassages
  /** Null until the user chooses one: then the first is selected, whatever is found later. */
  selected: number | null
}

export const nothingFound: FoundPassages = { passages: [], isCut: false, share: 1, problem: null, of: null }

export function initialFind(words: string, kept: Partial<FindState>): FindState {
  const state = { editor: createEditor(), kind: null, isHere: false, found: nothingFound, selected: null }
  return words === '' ? { ...state, ...kept } : { ...state, editor: createEditor(words) }
}

export function searchOf({ editor, kind, isHere }: FindState): TypedSearch {
  return { typed: editor.text, kind, isHere }
}

/** A key by which an answer is known to be that of the present search. */
export function searchKey({ typed, kind, isHere }: TypedSearch): string {
  return `${kind ?? ''} ${isHere} ${typed.trim()}`
}

/** The same for the same passage in two answers. */
export function passageKey({ place, kind }: FoundPassage): string {
  return `${place.session} ${place.at} ${place.call ?? ''} ${kind}`
}

/** The index of the selected passage; -1 if there is none. */
export function selectedIndex({ found, selected }: Pick<FindState, 'found' | 'selected'>): number {
  return Math.min(selected ?? 0, found.passages.length - 1)
}

export function selectedPassage(state: FindState): FoundPassage | null {
  return state.found.passages[selectedIndex(state)] ?? null
}

const edits: Readonly<Record<FindEdit, EditCommand>> = {
  erase: { kind: 'deleteLeft' },
  erase_right: { kind: 'deleteRight' },
  erase_word: { kind: 'deleteWordLeft' },
  erase_line: { kind: 'killToLineStart' },
  erase_rest: { kind: 'killToLineEnd' },
  left: { kind: 'move', to: 'left' },
  right: { kind: 'move', to: 'right' },
  word_left: { kind: 'move', to: 'wordLeft' },
  word_right: { kind: 'move', to: 'wordRight' },
  line_start: { kind: 'move', to: 'lineStart' },
  line_end: { kind: 'move', to: 'lineEnd' },
  undo: { kind: 'undo' },
  redo: { kind: 'redo' },
}

export function editOf(move: string): EditCommand | undefined {
  const table: Partial<Record<string, EditCommand>> = edits
  return lookup(table, move)
}
