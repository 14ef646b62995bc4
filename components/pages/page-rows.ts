/** The rows of a page: an optional title, the content, and a status line at the bottom. */
import type { AppState } from '../../src/state/state.ts'
import { factsLine, type Fact } from '../../src/style/facts-line.ts'
import { empty, fitted, indented, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { keyed, keyedLine, type KeyNames } from '../../src/text/key-hints.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import type { Size } from '../../src/text/lines/width.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'

/** The theme, the size and the keys with which a page is drawn. */
export type PageContext = {
  theme: Theme
  size: Readonly<Size>
  /** The keys of the page and their actions. */
  keys: readonly (readonly [string, string])[]
}

/** Reads a page: its state with that of the program, for a size. */
export type PageReader<State, Reading> = (state: State, app: AppState, context: PageContext) => Reading

/** A full screen: a row for each row of the terminal. */
export type PageRows = {
  /** Above the body, if there is one. */
  title?: Styled
  body: readonly Styled[]
  bottom: Styled
}

export type PageCaret = { x: number; y: number }

/** All rows of a page, from the top. */
export function rowsOfPage({ title, body, bottom }: PageRows): Styled[] {
  return [...(title === undefined ? [] : [title]), ...body, bottom]
}

/** The rows of a body of this height, none wider than the screen. */
export function bodyRows(shown: readonly Styled[], height: number, { theme, size }: PageContext): Styled[] {
  return fitted(
    Array.from({ length: height }, (_, row) => shown[row] ?? empty),
    size.columns,
    theme.signs.ellipsis,
  )
}

export function fittedRow(row: Styled, { theme, size }: PageContext): Styled {
  return fitted([row], size.columns, theme.signs.ellipsis)[0] ?? empty
}

/** Columns before the text of a page: marks stand in them. */
export const EDGE = 2

/** The line at the bottom: the hint that the program shows, or the facts that fit. */
export function statusLine(
  { hint }: Pick<AppState, 'hint'>,
  facts: () => readonly Fact[],
  context: PageContext,
): Styled {
  const { theme, size } = context
  const room = Math.max(1, size.columns - EDGE)
  const line = hint === null ? factsLine(facts(), room) : truncate(oneLine(sanitize(hint)), room, theme.signs.ellipsis)
  return fittedRow(indented(EDGE, line), context)
}

/** The hints of a page. Where room is missing, the last of `own` go first, and those that are `always` there stay. */
export function hintsFact(
  keyNames: KeyNames,
  { own, always }: { own: readonly string[]; always: readonly string[] },
  theme: Theme,
): Fact {
  const hints = own.filter(words => keyed(keyNames, words) !== '')
  const fact = (count: number): Fact => ({
    text: theme.dim(oneLine(sanitize(keyedLine(keyNames, [...hints.slice(0, count), ...always])))),
    rank: count === 0 ? 2 : 4,
    ...(count > 0 && { shorter: fact(count - 1) }),
  })
  return fact(hints.length)
}

/** The hint for Esc. Where letters can be typed, hints name keys that type none. */
export const BACK = '{viewer.leave escape} closes'

/** The hint on a page that covers a question. */
export function questionFact(theme: Theme): Fact {
  return { text: theme.warning(sanitize(`${theme.signs.waiting} a question waits`)), rank: 1 }
}
