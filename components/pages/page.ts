import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { Size } from '../../src/text/lines/width.ts'

/** The theme, the size and the keys with which a page is drawn. */
export type PageContext = {
  theme: Theme
  size: Size
  /** The keys of the viewer and their actions. */
  keys: readonly (readonly [string, string])[]
}

/** A full screen: a row for each row of the terminal. */
export type ViewerPage = {
  /** Above the body, if there is one. */
  title?: Styled
  body: readonly Styled[]
  bottom: Styled
  /** The caret in a text field; null without one. */
  caret: { x: number; y: number } | null
}

/** All rows of a page, from the top. */
export function rowsOfPage({ title, body, bottom }: ViewerPage): Styled[] {
  return [...(title === undefined ? [] : [title]), ...body, bottom]
}
