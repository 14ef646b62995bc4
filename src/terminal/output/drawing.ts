import type { Styled } from '../../text/styled.ts'
import type { CursorPlace } from './frames.ts'

/** A frame for the terminal. */
export type ScreenDrawing = {
  /** Rows that are printed above the live zone, for good. One that is too wide is wrapped by the terminal. */
  finished: readonly Styled[]
  /** The live zone. No row of it is wider than the terminal. */
  zone: readonly Styled[]
  /** The caret's place in the live zone. */
  caret: CursorPlace
  overlays?: readonly PictureOverlay[]
}

/** A picture over finished rows as they are written; omitted when the rows scroll away at once. */
export type PictureOverlay = {
  /** Its first row, counted up from the end of the finished rows. */
  up: number
  x: number
  bytes: string
  /** Removes the picture at the cursor, for terminals in which erasing the rows does not. */
  wipe: string
}
