/** The shape of a page on the alternate screen. All about one page is in its folder; `table.ts` lists the pages. */
import type { ComponentType, ReactNode } from 'react'
import type { OpenPageNamed, PageParts } from '../../src/app/pages/pages.ts'
import type { Store } from '../../src/state/store.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { PageInput } from './page-input.ts'
import type { PageKeys } from './page-keys.ts'
import type { PageCaret, PageRows, PageReader } from './page-rows.ts'

/**
 * `State` is what the page remembers while it is open. `Move` are the actions of its keys that change only that, `Work` those that do
 * something else. `Reading` is the page for a state and a size. `Request` is what it is opened with.
 */
export type Page<State, Move extends string, Work extends string, Reading, Request> = {
  keys: PageKeys<Move | Work>
  /** A text field with keys of its own, and with those of the composer that edit. While it is open, `takesText` is true as well. */
  field?: { keys: PageKeys<Move | Work>; isOpen: (state: State) => boolean }
  /** The state when it opens. `kept` is from the last time. */
  initial: (request: Request, kept: Partial<State>) => State
  /** The part of the state that stays when it closes; nothing by default. */
  kept?: (state: State) => Partial<State>
  /** Makes the function that reads the page. What that has drawn is kept until the page closes. */
  reader: (parts: PageParts, request: Request) => PageReader<State, Reading>
  /** True if typed letters go into a text field instead of being keys. */
  takesText?: (state: State) => boolean
  /** The next state; null closes the page. Nothing else decides what a key, a letter or the mouse does to it. */
  after: (reading: Reading, input: PageInput<Move>) => State | null
  rows: (reading: Reading) => PageRows
  /** The place of the caret in a text field; without it, there is none. */
  caret?: (reading: Reading) => PageCaret | null
  effects: (page: OpenPage<State, Reading>, parts: PageParts, request: Request) => PageEffects<Work>
  /** What people who use a screen reader get instead: a list of answers, or a printed text. */
  spoken: (request: Request, parts: PageParts, look: SpokenLook) => void
  /** Loads the component, which draws what `rows` returns. */
  load: () => Promise<PageComponent<Reading>>
}

/** An open page, for its effects. */
export type OpenPage<State, Reading> = {
  state: () => State
  /** The page as it is now. */
  reading: () => Reading
  /** The page as it was drawn last, which costs nothing. */
  shown: () => Reading
  set: (state: State) => void
  close: () => void
  /** Opens another page over this one; closing that returns here. */
  openOver: OpenPageNamed
}

export type SpokenLook = { theme: () => Theme; columns: () => number }

export type PageEffects<Work extends string> = {
  works: Readonly<Record<Work, () => void>>
  /** Called before the page is shown. */
  opened?: () => void
  /** Called after each input. */
  moved?: () => void
  /** Does a little background work; false if nothing is left. It is called between two keys, again and again. */
  work?: () => boolean
  closed?: () => void
}

/** The component takes what it shows by `useSlice`. */
export type PageComponent<Reading> = ComponentType<{ reading: Store<Reading> }>

/** An open page as the screen draws it. */
export type PageView = {
  /** Its rows from the top, as its component draws them. */
  rows: () => readonly Styled[]
  caret: PageCaret | null
  /** Its component; null until that is loaded. */
  element: (make: MakeElement) => ReactNode
}

export type MakeElement = <Reading>(Component: PageComponent<Reading>, reading: Store<Reading>) => ReactNode
