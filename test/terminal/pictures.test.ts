/** Pictures as bytes, and their place in a frame: once, over rows that stand, and without a change to the text. */
import { EventEmitter } from 'node:events'
import type { WriteStream } from 'node:tty'
import xterm from '@xterm/headless'
import { describe, expect, test } from 'vitest'
import type { PictureOverlay, ScreenDrawing } from '../../src/terminal/output/drawing.ts'
import { TerminalOutput } from '../../src/terminal/output/output.ts'
import type { TerminalStream } from '../../src/terminal/output/terminal-writer.ts'
import { drawnKinds, drawPicture, wipePicture } from '../../src/terminal/pictures.ts'
import { linesFrom } from '../helpers/lines.ts'

const cells = { columns: 20, rows: 5 }

describe('the bytes of an image', () => {
  test('are sent to kitty in pieces of its size', () => {
    const picture = Buffer.alloc(7000, 'picture')
    const drawn = drawPicture('kitty', picture, cells)
    const pieces = [...drawn.matchAll(/\u001B_G([^;]*);([^\u001B]*)\u001B\\/g)]
    expect(pieces.map(piece => piece[0]).join('')).toBe(drawn)
    expect(pieces.map(piece => piece[1])).toEqual(['a=T,f=100,c=20,r=5,C=1,q=2,m=1', 'q=2,m=1', 'q=2,m=0'])
    expect(pieces.every(piece => (piece[2] ?? '').length <= 4096)).toBe(true)
    expect(Buffer.from(pieces.map(piece => piece[2]).join(''), 'base64')).toEqual(picture)
    expect(drawPicture('kitty', Buffer.from('x'), cells)).toContain('m=0;eA==')
  })

  test('are sent to iTerm2 in its form', () => {
    expect(drawPicture('iterm2', Buffer.from('x'), cells)).toBe(
      '\u001B]1337;File=inline=1;size=1;width=20;height=5;preserveAspectRatio=1;doNotMoveCursor=1:eA==\u0007',
    )
    expect(wipePicture('iterm2')).toBe('')
  })

  test('are sent only in formats that the terminal reads', () => {
    expect(drawnKinds.kitty).toEqual(['image/png'])
    expect(drawnKinds.iterm2).not.toContain('image/webp')
  })
})

const overlay: PictureOverlay = {
  up: 5,
  x: 4,
  bytes: drawPicture('kitty', Buffer.from('x'), cells),
  wipe: '\u001B_Gwipe\u001B\\',
}
const frame = (...zone: string[]): ScreenDrawing => ({
  finished: [],
  zone: linesFrom(...zone),
  caret: { x: 2, y: zone.length - 1 },
})

/** The bytes for a terminal of so many rows. */
function facade(rows: number): { output: TerminalOutput; bytes: () => string } {
  let written = ''
  const write = (data: string): boolean => {
    written += data
    return true
  }
  const target = Object.assign(new EventEmitter(), { columns: 60, rows, fd: -1, write })
  const stream: WriteStream = target as unknown as TerminalStream
  return { output: new TerminalOutput(stream as TerminalStream), bytes: () => written }
}

/** The terminal's text, where the cursor is, and where each picture was drawn. */
async function shown(bytes: string, rows: number): Promise<{ text: string[]; cursor: number[]; pictures: number[][] }> {
  const terminal = new xterm.Terminal({ cols: 60, rows, scrollback: 100, allowProposedApi: true })
  const pictures: number[][] = []
  const marked = bytes.replaceAll(/\u001B_Ga=T.*?\u001B\\/g, '\u001B]7777;\u0007')
  terminal.parser.registerOscHandler(7777, () => {
    const { active } = terminal.buffer
    pictures.push([active.cursorX, active.baseY + active.cursorY])
    return true
  })
  await new Promise<void>(done => {
    terminal.write(marked, done)
  })
  const { active } = terminal.buffer
  const text = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? '')
  return { text, cursor: [active.cursorX, active.cursorY], pictures }
}

const blank = ['', '', '', '', '']

/** Draws a zone, then a panel with room for a picture and rows after it, then the zone once more. */
function drawnIn(rows: number, over: PictureOverlay | null, after: readonly string[] = []): string {
  const { output, bytes } = facade(rows)
  output.draw(frame('before', '› draft'))
  const finished = linesFrom('● read', ...blank, ...after)
  output.draw({ ...frame('● reading', '› draft'), finished, overlays: over ? [over] : [] })
  output.draw(frame('later', '› draft'))
  return bytes()
}

describe('an image in a frame', () => {
  test.each([30, 10])('is drawn over its rows once, without moving text or cursor, in %i rows', async rows => {
    const bytes = drawnIn(rows, overlay)
    expect(bytes.split('\u001B_Ga=T').length - 1).toBe(1)
    expect(bytes).toMatch(/\u001B7[^\n]*\u001B_Ga=T[^\u001B]*\u001B\\\u001B8\u001B\[\?2026l/)
    const drawn = await shown(bytes, rows)
    const without = await shown(drawnIn(rows, null), rows)
    expect(drawn.pictures).toEqual([[4, drawn.text.indexOf('● read') + 1]])
    expect(drawn.text).toEqual(without.text)
    expect(drawn.cursor).toEqual(without.cursor)
  })

  test('is drawn with more rows below it', async () => {
    const bytes = drawnIn(24, { ...overlay, up: 8 }, ['a', 'b', 'c'])
    const { pictures, text } = await shown(bytes, 24)
    expect(pictures).toEqual([[4, text.indexOf('● read') + 1]])
  })

  test('is not drawn if its rows have scrolled away', () => {
    const after = Array.from({ length: 20 }, (_, row) => `row ${row}`)
    expect(drawnIn(12, { ...overlay, up: 25 }, after)).not.toContain('\u001B_G')
    expect(drawnIn(8, overlay)).not.toContain('\u001B_G')
    expect(drawnIn(9, overlay)).toContain('\u001B_G')
  })

  test('is not drawn if its rows are not written', () => {
    expect(drawnIn(24, { ...overlay, up: 7 })).not.toContain('\u001B_G')
  })

  test('is removed before the screen is redrawn, and only then', () => {
    const { output, bytes } = facade(24)
    const finished = linesFrom('● read', ...blank)
    output.draw({ ...frame('zone'), finished, overlays: [overlay] })
    expect(bytes()).not.toContain('wipe')
    const repaint = (): string => {
      const before = bytes().length
      output.repaint(() => ({ ...frame('zone'), finished, rowsAbove: null }))
      return bytes().slice(before)
    }
    const first = repaint()
    expect(first).toMatch(/\u001B\[H\u001B7\u001B\[5G\u001B_Gwipe\u001B\\\u001B\[B/)
    expect(first.split('wipe').length - 1).toBe(24)
    // Erased in two steps: of one that begins at the first cell tmux keeps a copy.
    expect(first).toContain('\u001B8\u001B7\u001B[K\u001B[B\u001B[J\u001B8')
    expect(repaint()).not.toContain('wipe')
  })
})
