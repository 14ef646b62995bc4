import type { AppState } from '../src/state/state.ts'
import type { Store } from '../src/state/store.ts'
import type { PictureProtocol } from '../src/terminal/capabilities.ts'
import type { PictureOverlay, TerminalOutput } from '../src/terminal/output.ts'
import { OUTPUT_BEGINS, PROMPT_BEGINS } from '../src/terminal/osc.ts'
import { drawnKinds, drawPicture, wipePicture } from '../src/terminal/pictures.ts'
import { linesOfLive } from '../src/rows/live.ts'
import type { Committed, ScreenFrame, Screen } from '../src/rows/screen.ts'

/** What React draws: the newest frame that the terminal could take. */
export type LiveScreen = {
  get: () => ScreenFrame
  subscribe: (listener: () => void) => () => void
  /** Puts a frame on the terminal, if that can take it and no newer one is there. */
  draw: (frame: ScreenFrame) => void
  /** Draws the state as it is now, at once. */
  show: () => void
  /** Draws at once all that has come while another screen was shown. */
  catchUp: () => void
  /** Draws the whole screen anew. */
  repaint: () => void
}

/** How the images of files get into the scrollback. */
export type LiveScreenImages = {
  protocol: PictureProtocol
  read: (path: string) => { mimeType: string; bytes: Buffer } | null
}

/**
 * Draws the program's state as it changes, all changes of one go together. While the terminal cannot take a frame (it is
 * being resized, or it does not keep up) the changes stay here, and what is finished waits in the frame.
 */
export function createLiveScreen(
  store: Store<AppState>,
  screen: Screen,
  output: TerminalOutput,
  images: LiveScreenImages | null = null,
  marksPrompts: () => boolean = () => false,
): LiveScreen {
  const listeners = new Set<() => void>()
  let frame = screen.draw(store.get(), output)
  /** The frame that the terminal shows. */
  let shown: ScreenFrame | null = null
  let due = false

  function update(): void {
    due = false
    if (!output.canDraw()) return
    frame = screen.draw(store.get(), output)
    for (const listener of listeners) listener()
    // The rest of much text, after the keys that have come meanwhile.
    if (frame.more) setImmediate(update)
  }

  function draw(next: ScreenFrame): void {
    if (next !== frame || next === shown || !output.canDraw()) return
    const { committed, live } = frame
    const finished = committed.flatMap(piece => piece.text.split('\n'))
    const overlays = [...(images ? overlaysOf(committed, images) : []), ...(marksPrompts() ? marksOf(committed) : [])]
    output.draw({ finished, zone: linesOfLive(live), caret: live.cursor, overlays })
    printed()
  }

  function printed(): void {
    screen.printed(frame.committed.length)
    shown = frame
  }

  function show(): void {
    update()
    draw(frame)
  }

  function catchUp(): void {
    do {
      if (!output.canDraw()) return
      frame = screen.draw(store.get(), output)
    } while (frame.more)
    show()
  }

  store.subscribe(() => {
    if (due) return
    due = true
    queueMicrotask(update)
  })
  output.onReady = show

  return {
    get: () => frame,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    draw,
    show,
    catchUp,
    repaint() {
      output.repaint(() => {
        const rowsAbove = shown ? screen.rowsAboveCaret(shown.live, output, output.reflow) : 0
        frame = screen.draw(store.get(), output)
        const finished = screen.lastScreenful(output, rowsAbove !== null, output.reflow)
        printed()
        return { finished, zone: linesOfLive(frame.live), caret: frame.live.cursor, rowsAbove }
      })
      if (frame.more) setImmediate(update)
    },
  }
}

/**
 * Marks where prompts begin: on the blank row before one, since a mark for what follows must not stand in the same row.
 */
function marksOf(pieces: readonly Committed[]): PictureOverlay[] {
  let up = 0
  return pieces.toReversed().flatMap(({ text, isPrompt }) => {
    const rows = text.split('\n').length
    up += rows
    const mark = (row: number, bytes: string): PictureOverlay => ({ up: up - row, x: 0, bytes, wipe: '' })
    if (!isPrompt) return []
    return rows > 1 ? [mark(0, PROMPT_BEGINS), mark(1, OUTPUT_BEGINS)] : [mark(0, PROMPT_BEGINS)]
  })
}

/** Images on the blank rows at the end of their pieces: all of these are written in one go. */
function overlaysOf(pieces: readonly Committed[], { protocol, read }: LiveScreenImages): PictureOverlay[] {
  const overlays: PictureOverlay[] = []
  let up = 0
  for (const { text, picture } of pieces.toReversed()) {
    const image = picture && read(picture.path)
    if (picture && image && drawnKinds[protocol].includes(image.mimeType)) {
      const bytes = drawPicture(protocol, image.bytes, picture)
      overlays.push({ up: up + picture.rows, x: picture.indent, bytes, wipe: wipePicture(protocol) })
    }
    up += text.split('\n').length
  }
  return overlays.toReversed()
}
