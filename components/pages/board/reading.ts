/** The board for a state and a size: its rows in order, and how the list and what is said of the selected row share the screen. */
import type { AppState } from '../../../src/state/state.ts'
import type { Styled } from '../../../src/style/styled.ts'
import type { PageContext, PageReader } from '../page-rows.ts'
import { aboutLines } from './about-rows.ts'
import { askOf, boardEntries, selectedEntry, type BoardAsk, type BoardEntry } from './entries.ts'
import { doubtLines } from './doubt-rows.ts'
import { createBoardList, type BoardList, type FolderLabel } from './list-rows.ts'
import type { BoardState } from './state.ts'

export type BoardReading = {
  app: AppState
  view: BoardState
  context: PageContext
  /** False where there is no list of conversations to go back to. */
  hasBack: boolean
  entries: readonly BoardEntry[]
  /** How many there are without the filter. */
  all: number
  /** The index of the selected row; -1 if there is none. */
  selected: number
  entry: BoardEntry | null
  /** What a yes or no answers. */
  ask: BoardAsk | null
  list: BoardList
  /** All lines about the selected row, or the question before something that cannot be taken back, and the first one that is shown. */
  about: readonly Styled[]
  /** Whose lines they are, for the place of scrolling. */
  aboutKey: string
  from: number
  /** Rows between the title and the line at the bottom. */
  body: number
  /** The part of the screen for each. `isBeside`: the second one is on the right. */
  area: BoardArea
}

export type BoardArea = {
  isBeside: boolean
  listWidth: number
  listRows: number
  aboutWidth: number
  /** Rows of what can be scrolled. The line with the answers is below them. */
  aboutRows: number
}

/** From this width on, the two stand side by side. */
const BESIDE = 120
/** The share of the columns that the list has beside the question. */
const LIST_SHARE = 0.55
/** The share of the rows that it has above what is said of the selected row. */
const ABOVE_SHARE = 0.5
/** Blanks between the two. */
export const GUTTER = 2
/** Rows of a screen below which only the list is shown. */
const LEAST_ROWS = 8
/** Rows that the list keeps, so that little moves when a row comes. */
const LEAST_LIST = 5
/** Rows that it keeps above the question before something that cannot be taken back: a heading, and the row. */
const LEAST_BESIDE_DOUBT = 2

export function createBoardReader(label: FolderLabel, hasBack: boolean): PageReader<BoardState, BoardReading> {
  const entriesOf = remembered(boardEntries)
  const listOf = rememberedList(createBoardList(label))
  return (view, app, context) => {
    const { hosts, filter } = view
    const entries = entriesOf(hosts, filter)
    const body = Math.max(1, context.size.rows - 2)
    const selected = selectedEntry(entries, view.selected)
    const entry = entries[selected] ?? null
    const ask = askOf(entry)
    const listWidth = listWidthOf(context)
    const list = listOf(entries, hosts, { now: view.now, theme: context.theme, width: listWidth })
    const { doubt } = view
    const look = { now: view.now, label, theme: context.theme, width: aboutWidthOf(context, listWidth) }
    const about = doubt
      ? doubtLines(doubt, entries.find(({ key }) => key === doubt.key) ?? null, look)
      : aboutLines(entry, look)
    const aboutKey = doubt ? `${doubt.kind}\n${doubt.key}` : (ask?.key ?? entry?.key ?? '')
    const area = areaOf(context, body, {
      width: listWidth,
      lines: list.lines.length,
      // What is asked before a yes is read whole: the list gives it room.
      most: doubt ? Math.max(LEAST_BESIDE_DOUBT, body - 2 - about.length) : body,
    })
    const last = Math.max(0, about.length - area.aboutRows)
    return {
      app,
      view,
      context,
      hasBack,
      entries,
      all: hosts.reduce((sum, { rows }) => sum + rows.length, 0),
      selected,
      entry,
      ask,
      list,
      about,
      aboutKey,
      from: view.scroll.ask === aboutKey ? Math.min(view.scroll.from, last) : 0,
      body,
      area,
    }
  }
}

/** True if the last line about the selected row is on the screen. */
export function isEndShown({ about, from, area, view }: BoardReading): boolean {
  return view.help === null && !view.showsHosts && area.aboutRows > 0 && from + area.aboutRows >= about.length
}

function listWidthOf({ size: { columns } }: PageContext): number {
  return columns >= BESIDE ? Math.floor(columns * LIST_SHARE) : columns
}

function aboutWidthOf({ size: { columns } }: PageContext, listWidth: number): number {
  return listWidth < columns ? columns - listWidth - GUTTER - 1 : columns - 2
}

/** What a short list does not need belongs to what is said of the selected row. `most`: the rows that it may have at most. */
function areaOf(context: PageContext, body: number, list: { width: number; lines: number; most: number }): BoardArea {
  const { columns } = context.size
  const listWidth = list.width
  const aboutWidth = aboutWidthOf(context, listWidth)
  if (listWidth < columns) {
    return {
      isBeside: true,
      listWidth,
      // A row below a longer list says how many there are above and below.
      listRows: list.lines > body ? body - 1 : body,
      aboutWidth,
      aboutRows: body - 1,
    }
  }
  const most = body < LEAST_ROWS ? body : Math.floor(body * ABOVE_SHARE)
  const listRows = Math.min(most, list.most, Math.max(LEAST_LIST, list.lines))
  // One row between the two, and one with the answers.
  return { isBeside: false, listWidth, listRows, aboutWidth, aboutRows: body - listRows - 2 }
}

/** Keeps the last list: a key changes none of its rows, and its columns are measured over all of them. */
function rememberedList(make: ReturnType<typeof createBoardList>): typeof make {
  let last: { of: readonly unknown[]; list: BoardList } | null = null
  return (entries, hosts, look) => {
    const of = [entries, hosts, look.now, look.theme, look.width]
    if (!last?.of.every((each, at) => each === of[at])) last = { of, list: make(entries, hosts, look) }
    return last.list
  }
}

/** Keeps the last result: most frames have the same rows as the one before. */
function remembered<One, Other, Value>(make: (one: One, other: Other) => Value): (one: One, other: Other) => Value {
  let last: { one: One; other: Other; value: Value } | null = null
  return (one, other) => {
    if (!last || last.one !== one || last.other !== other) last = { one, other, value: make(one, other) }
    return last.value
  }
}
