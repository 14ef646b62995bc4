import type { Styled } from '../style/styled.ts'

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
