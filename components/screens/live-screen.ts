import type { View } from '../App.tsx'
import type { Canvas } from '../canvas.tsx'
import type { AppState } from '../../src/state/state.ts'
import type { Store } from '../../src/state/store.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { PictureProtocol } from '../../src/terminal/capabilities.ts'
import type { PictureOverlay, TerminalOutput } from '../../src/terminal/output.ts'
import { OUTPUT_BEGINS, PROMPT_BEGINS } from '../../src/terminal/osc.ts'
import { drawnKinds, drawPicture, wipePicture } from '../../src/terminal/pictures.ts'
import type { Committed, ScreenFrame, Screen } from '../../src/rows/screen.ts'

/** The shell's screen: what is finished, and the live zone below it. */
export type LiveScreen = {
  /** Puts the rows of the live zone on the terminal, as its components have drawn them, and what is finished above them. */
  drawn: (zone: readonly Styled[]) => void
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

export type LiveScreenOptions = {
  store: Store<AppState>
  screen: Screen
  output: TerminalOutput
  /** What the components of the live zone are drawn on. */
  canvas: Pick<Canvas<View>, 'show' | 'draw'>
  /** Null where the terminal draws none. */
  images?: LiveScreenImages | null
  /** Whether the terminal is told where prompts begin. */
  marksPrompts?: (() => boolean) | undefined
}

/**
 * Draws the program's state as it changes, all changes of one go together. While the terminal cannot take a frame (it is
 * being resized, or it does not keep up) the changes stay here, and what is finished waits in the frame.
 */
export function createLiveScreen({
  store,
  screen,
  output,
  canvas,
  images = null,
  marksPrompts = () => false,
}: LiveScreenOptions): LiveScreen {
  let frame: ScreenFrame | null = null
  /** The frame that the terminal shows. */
  let shown: ScreenFrame | null = null
  let due = false

  /** Null while the terminal takes none. */
  function nextFrame(): ScreenFrame | null {
    due = false
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
    // What is finished is printed once, however often its components change.
    const committed = frame === shown ? [] : frame.committed
    const finished = committed.flatMap(piece => piece.lines)
    const overlays = [...(images ? overlaysOf(committed, images) : []), ...(marksPrompts() ? marksOf(committed) : [])]
    output.draw({ finished, zone, caret: live.cursor, overlays })
    if (frame !== shown) printed(frame)
  }

  function printed(next: ScreenFrame): void {
    screen.printed(next.committed.length)
    shown = next
    // The rest of much text, after the keys that have come meanwhile.
    if (next.more) setImmediate(update)
  }

  store.subscribe(() => {
    if (due) return
    due = true
    queueMicrotask(update)
  })
  output.onReady = update

  return {
    drawn,
    show,
    catchUp() {
      while (output.canDraw() && screen.draw(store.get(), output).more);
      show()
    },
    repaint() {
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
 * Marks where prompts begin: on the blank row before one, since a mark for what follows must not stand in the same row.
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

/** Images on the blank rows at the end of their pieces: all of these are written in one go. */
function overlaysOf(pieces: readonly Committed[], { protocol, read }: LiveScreenImages): PictureOverlay[] {
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
