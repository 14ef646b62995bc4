import type { PictureOverlay } from './drawing.ts'
import type { FrameEncoder } from './frames.ts'

/** The pictures on the screen: drawn over finished rows, and wiped before these are drawn again. */
export class PictureOverlays {
  /** The sequences that wipe a picture from the screen. */
  #wipe = ''

  /** Bytes that draw pictures above the frame, right after `finished` rows were printed. */
  draw(
    overlays: readonly PictureOverlay[],
    { encoder, finished, rows }: { encoder: FrameEncoder; finished: number; rows: number },
  ): string {
    return overlays
      .filter(({ up }) => up <= finished)
      .map(({ up, x, bytes, wipe }) => {
        const drawn = encoder.drawAbove({ up, x, bytes }, rows)
        if (drawn !== '' && wipe !== '') this.#wipe = `\u001B[${x + 1}G${wipe}`
        return drawn
      })
      .join('')
  }

  /** Bytes that wipe the pictures from `rows` rows, from the cursor on. */
  wipe(rows: number): string {
    const wipe = this.#wipe
    this.#wipe = ''
    if (wipe === '') return ''
    return `\u001B7${Array.from({ length: rows }, () => wipe).join('\u001B[B')}\u001B8`
  }
}
