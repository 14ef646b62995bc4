/** /find for a state and a size: which passages are seen, and in how many rows. */
import type { FoundPassage } from '../../../src/app/pages/pages.ts'
import type { AppState } from '../../../src/state/state.ts'
import type { Styled } from '../../../src/style/styled.ts'
import type { PageContext, PageReader } from '../page-rows.ts'
import { excerptRows } from './excerpt.ts'
import { searchKey, searchOf, selectedIndex, type FindState } from './state.ts'

/** Rows above the passages: what is searched, and a blank one. */
export const ABOVE = 2
/** The most rows of an excerpt: of the selected passage, and of the others. */
const ROWS_SELECTED = 5
const ROWS_OTHERS = 1

/** A passage on the screen. Its first row has its title. */
export type SeenPassage = { index: number; passage: FoundPassage; excerpt: readonly Styled[] }

export type FindReading = {
  app: AppState
  view: FindState
  seen: readonly SeenPassage[]
  /** The passages that a page of keys goes by. */
  each: number
  /** Whether the answer to what was typed last is still to come. */
  isAsking: boolean
  /** The folder of the conversation. */
  folder: string
  /** Rows between the title and the line at the bottom. */
  body: number
  context: PageContext
}

export function createFindReader(folder: string): PageReader<FindState, FindReading> {
  return (view, app, context) => {
    const body = Math.max(1, context.size.rows - 2)
    const room = Math.max(1, body - ABOVE)
    const each = Math.max(1, Math.floor((room - ROWS_SELECTED + ROWS_OTHERS) / (1 + ROWS_OTHERS)))
    const isAsking = view.found.of !== searchKey(searchOf(view))
    return { app, view, seen: seenPassages(view, room, context), each, isAsking, folder, body, context }
  }
}

/** The passages around the selected one, all of which is seen. */
function seenPassages(view: FindState, room: number, context: PageContext): SeenPassage[] {
  const { passages } = view.found
  const selected = selectedIndex(view)
  const read = (index: number): SeenPassage | null => {
    const passage = passages[index]
    const most = Math.max(1, Math.min(room - 1, index === selected ? ROWS_SELECTED : ROWS_OTHERS))
    return passage ? { index, passage, excerpt: excerptRows(passage, most, context) } : null
  }
  const first = read(selected)
  if (!first) return []
  const seen = [first]
  let left = room - heightOf(first)
  // Half of the rows above it, if there are enough below; all passages fit from the first one on.
  const above = Math.floor(left / 2)
  let before = 0
  for (let index = selected - 1; index >= 0; index -= 1) {
    const next = read(index)
    const isRoom =
      next && (before + heightOf(next) <= above || !hasRowsBelow(passages.length - selected - 1, left - before))
    if (!isRoom || before + heightOf(next) > left) break
    before += heightOf(next)
    seen.unshift(next)
  }
  left -= before
  for (let index = selected + 1; left > 0; index += 1) {
    const next = read(index)
    if (!next) break
    left -= heightOf(next)
    seen.push(next)
  }
  return seen
}

/** Whether the passages below fill the rows that are left. */
function hasRowsBelow(count: number, rows: number): boolean {
  return count * (1 + ROWS_OTHERS) >= rows
}

function heightOf({ excerpt }: SeenPassage): number {
  return 1 + excerpt.length
}

/** The index of the passage in a row of the screen; null if there is none. */
export function passageAtRow({ seen }: FindReading, row: number): number | null {
  let top = 1 + ABOVE
  for (const passage of seen) {
    if (row >= top && row < top + heightOf(passage)) return passage.index
    top += heightOf(passage)
  }
  return null
}
