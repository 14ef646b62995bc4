/** Places a picture below the panel of the call that read it. */
import type { ImageFile, ToolCall } from '../../conversation/part.ts'
import type { Size } from '../../text/lines/width.ts'

/** The picture's file, and its place and size in cells. */
export type PicturePlace = { path: string; indent: number; columns: number; rows: number }

/** The size of a picture, and the columns before it. */
const MOST_COLUMNS = 40
const MOST_ROWS = 12
const INDENT = 4
/** The pixels of a cell in most terminals, which is twice as high as wide. */
const CELL = { width: 8, height: 16 }

/** The place of a call's picture; null if it has none, or none of the `kinds` that the terminal can draw. */
export function picturePlace(tool: ToolCall, size: Size, kinds: readonly string[]): PicturePlace | null {
  const { image, state } = tool
  if (!image || state !== 'ok' || !kinds.includes(image.mimeType)) return null
  // The live zone needs room below it on the same screen.
  const most = { columns: Math.min(MOST_COLUMNS, size.columns - INDENT), rows: Math.min(MOST_ROWS, size.rows >> 1) }
  if (most.columns < 1 || most.rows < 1) return null
  return { path: image.path, indent: INDENT, ...cellsFor(image, most) }
}

/** The size of a picture in cells: scaled down to fit, with its proportions kept. */
export function cellsFor({ width, height }: Pick<ImageFile, 'width' | 'height'>, most: Size): Size {
  const scale = Math.min(1, (most.columns * CELL.width) / width, (most.rows * CELL.height) / height)
  return {
    columns: Math.max(1, Math.round((width * scale) / CELL.width)),
    rows: Math.max(1, Math.round((height * scale) / CELL.height)),
  }
}
