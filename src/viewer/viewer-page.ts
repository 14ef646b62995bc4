import type { Styled } from '../style/styled.ts'

/** A row for each of the terminal. */
export type ViewerPage = {
  /** Above the body, where there is one. */
  title?: Styled
  body: readonly Styled[]
  bottom: Styled
  /** The caret of the line in which something is typed. */
  caret: { x: number; y: number } | null
}

/** All rows of a page, from the top: what its component draws. */
export function rowsOfPage({ title, body, bottom }: ViewerPage): Styled[] {
  return [...(title === undefined ? [] : [title]), ...body, bottom]
}
