/** The place and the size of a picture. */
import { expect, test } from 'vitest'
import { slashCommands } from '../../../src/commands/table.ts'
import { initialState } from '../../../src/state/state.ts'
import { cellsFor, picturePlace } from '../../../src/tools/panel/picture.ts'
import { createScreen, type ScreenFrame } from '../../../components/screen/screen.ts'
import { linesOfLive } from '../../../components/regions.ts'
import { createTheme } from '../../../src/style/theme.ts'
import {
  accepted,
  calls,
  chatAfter,
  ended,
  prompt,
  started,
  step,
  stops,
  toolOf,
  turnOf,
  type Told,
} from '../../conversation/events.ts'
import type { Size } from '../../../src/text/lines/width.ts'
import { textsOf } from '../../helpers/lines.ts'

test.each([
  [8, 16, 1, 1],
  [80, 80, 10, 5],
  [320, 192, 40, 12],
  [1920, 1080, 40, 11],
  [1080, 1920, 14, 12],
  [800, 800, 24, 12],
  [100_000, 1, 40, 1],
  [1, 100_000, 1, 12],
  [1, 1, 1, 1],
  [0, 0, 1, 1],
])('%i x %i pixels take %i x %i cells', (width, height, columns, rows) => {
  expect(cellsFor({ width, height }, { columns: 40, rows: 12 })).toEqual({ columns, rows })
})

const image = { path: '/project/cat.png', mimeType: 'image/png', width: 640, height: 480 }
const read = (failed = false): Told[] => [
  step(1),
  calls('r', 'read', { path: 'cat.png' }),
  stops('tool_use'),
  { type: 'image_located', id: 'r', ...image },
  { type: 'tool_finished', id: 'r', failed, content: [{ type: 'image', mimeType: 'image/png', bytes: 700 }] },
]
const png = ['image/png']

test("an image is placed by the terminal's protocol and size", () => {
  const size = { columns: 80, rows: 24 }
  const tool = toolOf(turnOf(...read()), 'r')
  expect(picturePlace(tool, size, png)).toEqual({ path: image.path, indent: 4, columns: 32, rows: 12 })
  expect(picturePlace(tool, { columns: 20, rows: 24 }, png)).toMatchObject({ columns: 16, rows: 6 })
  expect(picturePlace(tool, { columns: 80, rows: 10 }, png)).toMatchObject({ columns: 13, rows: 5 })
  expect(picturePlace(tool, { columns: 4, rows: 24 }, png)).toBeNull()
  expect(picturePlace(tool, { columns: 80, rows: 1 }, png)).toBeNull()
  expect(picturePlace(tool, size, [])).toBeNull()
  expect(picturePlace({ ...tool, image: null }, size, png)).toBeNull()
  expect(picturePlace(toolOf(turnOf(...read(true)), 'r'), size, png)).toBeNull()
})

const size: Size = { columns: 80, rows: 24 }

function drawn(kinds: readonly string[], detail: 'short' | 'names' = 'short'): { frame: ScreenFrame; again: string[] } {
  const startup = { version: '0', folder: '~', branch: null, demo: false }
  const chat = chatAfter(started, prompt('go'), accepted, ...read(), ended)
  const state = { ...initialState(startup, 0, { used: 'auto', offered: [] }), chat, detail }
  const screen = createScreen(createTheme(0), () => slashCommands, true, kinds)
  const frame = screen.draw(state, size)
  screen.printed(frame.committed.length)
  return { frame, again: textsOf(screen.lastScreenful(size, false, 'wraps')) }
}

test('the panel describes an image and keeps blank rows for it, also when it is redrawn', () => {
  const { frame, again } = drawn(png)
  const piece = frame.committed.find(each => each.picture)
  expect(piece?.picture?.rows).toBe(12)
  expect(textsOf(piece?.lines ?? []).join('\n')).toMatch(/read +cat\.png[^\n]*\n +\[image: png 700 B\]\n{12}$/)
  expect(again.join('\n')).toMatch(/\[image: png 700 B\]\n{13}/)
  expect(textsOf(linesOfLive(frame.live)).join('\n')).not.toContain('image')
})

test('the panel keeps no rows if the terminal draws no images, or only names are shown', () => {
  expect(
    drawn([]).frame.committed.some(piece => piece.picture || textsOf(piece.lines).join('\n').includes('\n\n\n')),
  ).toBe(false)
  expect(drawn(png, 'names').frame.committed.some(piece => piece.picture)).toBe(false)
})
