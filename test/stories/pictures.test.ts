/** Images that the agent reads are drawn where the terminal can draw them. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import type { Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { makePng, samples } from '../platform/images/samples.ts'
import { openZot, send } from './stage.ts'

const kitty = { KITTY_WINDOW_ID: '1' }

/** Opens an agent that reads images, and lets it read these. */
async function reading(env: Record<string, string>, files: Record<string, Buffer>): Promise<Screen> {
  const zotui = await openZot('seeing', { env, rows: 30 })
  await zotui.see('Enter sends')
  await read(zotui, files)
  return zotui
}

/** Lets the agent read these images, one after the other. */
async function read(zotui: Screen, files: Record<string, Buffer>): Promise<void> {
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(path.join(zotui.cwd, name), bytes)
    await send(zotui, name)
    await zotui.see(`That was ${name}.`)
    await zotui.see(turnEnd)
  }
}

function expectNone(zotui: Screen): void {
  expect(times(zotui, '\u001B_G') + times(zotui, '\u001B]1337')).toBe(0)
  expect(zotui.history().join('\n')).not.toMatch(/700 B\]\n\n\n/)
}

const times = (zotui: Screen, words: string): number => zotui.bytes().toString('latin1').split(words).length - 1

/** The row above the cell from which on the picture was drawn, and its column. */
async function drawnBelow(zotui: Screen): Promise<{ row: string; column: number }> {
  const bytes = zotui.bytes().toString()
  const terminal = new xterm.Terminal({ cols: 80, rows: 30, allowProposedApi: true })
  await new Promise<void>(done => {
    terminal.write(`$ zotui\r\n${bytes.slice(0, bytes.indexOf('\u001B_Ga=T'))}`, done)
  })
  const { active } = terminal.buffer
  const row = active.getLine(active.baseY + active.cursorY - 1)?.translateToString(true) ?? ''
  return { row, column: active.cursorX }
}

test('an image is drawn once below its panel, and not again after a resize or Ctrl+L, but none that kitty does not know, that is no image or too large', async () => {
  const png = makePng(160, 80)
  const zotui = await reading(kitty, {
    'photo.jpg': samples.jpegBaseline,
    'fake.png': Buffer.from('no image'),
    'large.png': makePng(160, 80, 4_000_000),
  })
  expectNone(zotui)
  zotui.forget()
  await read(zotui, { 'small.png': png })
  expect(times(zotui, '\u001B_Ga=T,f=100,c=20,r=5,C=1,q=2,m=0;')).toBe(1)
  expect(times(zotui, png.toString('base64'))).toBe(1)
  expect(await drawnBelow(zotui)).toEqual({ row: expect.stringContaining('[image: png 700 B]'), column: 4 })
  const rows = zotui.history()
  const at = rows.findIndex(row => row.includes('[image: png 700 B]'))
  expect(rows.slice(at + 1, at + 7).map(row => row.trim())).toEqual(['', '', '', '', '', ''])
  expect(rows[at + 7]).toContain('That was small.png.')
  zotui.resize(70, 26)
  await zotui.press('ctrl+l')
  await zotui.until('the screen to be drawn anew', { check: () => times(zotui, '\u001B_Ga=d,d=C') > 0 })
  await send(zotui, 'and now')
  await zotui.see('Nothing to see.')
  expect(times(zotui, '\u001B_Ga=T')).toBe(1)
})

test('the protocol of iTerm2 draws other kinds of images, too', async () => {
  const zotui = await reading({ TERM_PROGRAM: 'iTerm.app' }, { 'photo.jpg': samples.jpegBaseline })
  expect(times(zotui, '\u001B]1337;File=inline=1;')).toBe(1)
  expect(times(zotui, samples.jpegBaseline.toString('base64'))).toBe(1)
})

test.each<[what: string, env: Record<string, string>]>([
  ['in a terminal that is not known to', {}],
  ['where it is not wanted', { ...kitty, ZOTUI_IMAGES: '0' }],
])('nothing %s', async (_what, env) => {
  expectNone(await reading(env, { 'small.png': makePng(160, 80) }))
})
