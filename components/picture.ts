import type { AppState } from '../src/app/state.ts'
import type { Store } from '../src/app/store.ts'
import type { PictureProtocol } from '../src/terminal/capabilities.ts'
import type { TerminalOutput } from '../src/terminal/output.ts'
import { drawnKinds, drawPicture, wipePicture } from '../src/terminal/pictures.ts'
import type { Committed, Frame, Screen } from '../src/view/screen.ts'

/** What React draws: the newest frame that the terminal could take. */
export type Picture = {
  get: () => Frame
  subscribe: (listener: () => void) => () => void
  printed: (count: number) => void
  /** Draws the state as it is now. */
  show: () => void
  /** Draws the whole screen anew; `clear` makes Ink forget its frame. */
  repaint: (clear: () => void) => void
}

/** How the images of files get into the scrollback. */
export type Images = {
  protocol: PictureProtocol
  read: (path: string) => { mimeType: string; bytes: Buffer } | null
}

/**
 * Draws the program's state as it changes. While the terminal cannot take a frame (it is being resized, or it does not
 * keep up) the changes stay here: Ink must never be made to draw what is then not shown.
 */
export function createPicture(
  store: Store<AppState>,
  screen: Screen,
  output: TerminalOutput,
  images: Images | null = null,
): Picture {
  const listeners = new Set<() => void>()
  let printedCount = 0
  let frame = screen.draw(store.get(), output)

  function show(): void {
    frame = screen.draw(store.get(), output)
    for (const listener of listeners) listener()
  }

  /** Draws images on the blank rows at the end of their pieces: all of these were written in one go. */
  function drawImages(pieces: readonly Committed[]): void {
    let up = 0
    for (const { text, picture } of pieces.toReversed()) {
      const image = picture && images ? images.read(picture.path) : null
      if (picture && images && image && drawnKinds[images.protocol].includes(image.mimeType)) {
        const bytes = drawPicture(images.protocol, image.bytes, picture)
        output.overlay({ up: up + picture.rows, x: picture.indent, bytes, wipe: wipePicture(images.protocol) })
      }
      up += text.split('\n').length
    }
  }

  store.subscribe(() => {
    if (output.canDraw()) show()
  })
  output.onReady = show

  return {
    get: () => frame,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    printed(count) {
      if (images) drawImages(frame.committed.slice(printedCount, count))
      printedCount = count
      screen.printed(count)
    },
    show,
    repaint(clear) {
      const drawn = { live: frame.live, count: frame.committed.length, columns: output.columns }
      output.repaint(() => {
        const rows = screen.rowsAboveCaret(drawn, output)
        // At the new size, and with what was held back; Ink's own writing of it is discarded.
        show()
        clear()
        return { above: screen.lastScreenful(output, rows === null ? drawn.count : 0), rows }
      })
    },
  }
}
