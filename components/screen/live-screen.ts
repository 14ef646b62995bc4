import type { View } from './view.ts'
import type { Canvas } from './canvas.tsx'
import { oncePerTick } from '../../src/state/once-per-tick.ts'
import type { AppStore } from '../../src/state/app-store.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { PictureProtocol } from '../../src/terminal/capabilities.ts'
import type { PictureOverlay } from '../../src/terminal/output/drawing.ts'
import type { TerminalOutput } from '../../src/terminal/output/output.ts'
import { OUTPUT_BEGINS, PROMPT_BEGINS } from '../../src/terminal/osc.ts'
import { drawnKinds, drawPicture, wipePicture } from '../../src/terminal/pictures.ts'
import type { ScreenFrame, Screen } from './screen.ts'
import type { Committed } from './scrollback.ts'

/** The main screen: finished text, and the live zone below it. */
export type LiveScreen = {
  /** Writes the rows of the live zone, as its components have drawn them, and the finished text above them. */
  drawn: (zone: readonly Styled[]) => void
  /** Draws the current state at once. */
  show: () => void
  /** Draws at once everything that arrived while the alternate screen was open. */
  catchUp: () => void
  /** Redraws the whole screen. */
  repaint: () => void
}

/** Draws images of files into the scrollback. */
export type LiveScreenImages = {
  protocol: PictureProtocol
  read: (path: string) => { mimeType: string; bytes: Buffer } | null
}

export type LiveScreenOptions = {
  store: AppStore
  screen: Screen
  output: TerminalOutput
  /** The canvas of the live zone's components. */
  canvas: Pick<Canvas<View>, 'show' | 'draw'>
  /** Null while there are none, or if the terminal cannot draw them. */
  images?: () => LiveScreenImages | null
  /** Whether to mark prompts for the terminal (OSC 133). */
  marksPrompts?: (() => boolean) | undefined
}

/**
 * Draws the program's state when it changes. Changes in one turn of the event loop are drawn together. While the terminal cannot
 * take a frame (a resize, or a slow terminal), changes wait here.
 */
export function createLiveScreen({
  store,
  screen,
  output,
  canvas,
  images = () => null,
  marksPrompts = () => false,
}: LiveScreenOptions): LiveScreen {
  let frame: ScreenFrame | null = null
  /** The frame on the terminal. */
  let shown: ScreenFrame | null = null

  /** The next frame; null while the terminal cannot take one. */
  function nextFrame(): ScreenFrame | null {
    if (output.canDraw()) return (frame = screen.draw(store.get(), output))
    return null
  }

  function update(): void {
    const next = nextFrame()
    if (next) canvas.show(viewOf(next))
  }

  function show(): void {
    const next = nextFrame()
    if (next) drawn(canvas.draw(viewOf(next)))
  }

  function drawn(zone: readonly Styled[]): void {
    if (!frame || !output.canDraw()) return
    const { live } = frame
    // Finished text is printed once, however often the components change.
    const committed = frame === shown ? [] : frame.committed
    const finished = committed.flatMap(piece => piece.lines)
    const overlays = [...overlaysOf(committed, images()), ...(marksPrompts() ? marksOf(committed) : [])]
    output.draw({ finished, zone, caret: live.cursor, overlays })
    if (frame !== shown) printed(frame)
  }

  function printed(next: ScreenFrame): void {
    screen.printed(next.committed.length)
    shown = next
    // The rest of a long text follows after the keys that have arrived.
    if (next.more) setImmediate(update)
  }

  store.subscribe(oncePerTick(update))
  output.onReady = update

  return {
    drawn,
    show,
    catchUp() {
      while (output.canDraw() && screen.draw(store.get(), output).more);
      show()
    },
    repaint() {
      // A resize has taken the zone away: rows are counted from the one that is there now.
      show()
      output.repaint(() => {
        const rowsAbove = shown ? screen.rowsAboveCaret(shown.live, output, output.reflow) : 0
        frame = screen.draw(store.get(), output)
        const finished = screen.lastScreenful(output, rowsAbove !== null, output.reflow)
        printed(frame)
        return { finished, zone: canvas.draw(viewOf(frame)), caret: frame.live.cursor, rowsAbove }
      })
    },
  }
}

function viewOf({ live }: ScreenFrame): View {
  return { kind: 'live', zone: live }
}

/**
 * Marks the beginning of a prompt on the blank row above it, because the mark must not be in the prompt's own row.
 */
function marksOf(pieces: readonly Committed[]): PictureOverlay[] {
  let up = 0
  return pieces.toReversed().flatMap(({ lines, isPrompt }) => {
    const rows = lines.length
    up += rows
    const mark = (row: number, bytes: string): PictureOverlay => ({ up: up - row, x: 0, bytes, wipe: '' })
    if (!isPrompt) return []
    return rows > 1 ? [mark(0, PROMPT_BEGINS), mark(1, OUTPUT_BEGINS)] : [mark(0, PROMPT_BEGINS)]
  })
}

/** Images on the blank rows at the end of their pieces, which are written together. */
function overlaysOf(pieces: readonly Committed[], images: LiveScreenImages | null): PictureOverlay[] {
  if (!images) return []
  const { protocol, read } = images
  const overlays: PictureOverlay[] = []
  let up = 0
  for (const { lines, picture } of pieces.toReversed()) {
    const image = picture && read(picture.path)
    if (picture && image && drawnKinds[protocol].includes(image.mimeType)) {
      const bytes = drawPicture(protocol, image.bytes, picture)
      overlays.push({ up: up + picture.rows, x: picture.indent, bytes, wipe: wipePicture(protocol) })
    }
    up += lines.length
  }
  return overlays.toReversed()
}
