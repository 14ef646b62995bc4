/** A window that is resized: what was printed stands there once, the shell's lines stay, and one live zone is left. */
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { expectDraft, openQuickDemo, openZot, send } from './stage.ts'

const shell = ['$ ls', 'README.md', '$ zotui']
const words = Array.from({ length: 800 }, (_, index) => `w${String(index + 1).padStart(4, '0')}`)
const ended = /^ {2}(anthropic\/)?sonnet/m

/** Four sizes, one at a time, and a drag of forty steps. */
const four = [
  [100, 30],
  [64, 30],
  [90, 24],
  [72, 36],
  [110, 30],
] as const
const drag = Array.from({ length: 40 }, (_, step) => {
  const swing = Math.sin((step / 40) * Math.PI * 5)
  return [90 + Math.round(20 * swing), 30 + Math.round(6 * swing)] as const
})

async function resizeFourTimes(zotui: Screen): Promise<void> {
  for (const [columns, rows] of four) {
    await zotui.resizeBetweenFrames(columns, rows)
    await pause(200)
  }
}

/** The number of occurrences of each text that is not there once. Blanks are not looked at: a word may stand in two rows. */
function wrong(zotui: Screen, wanted: readonly string[]): Record<string, number> {
  const text = zotui
    .history()
    .map(row => row.trim())
    .join('')
    .replaceAll(' ', '')
  const times = wanted.map(word => [word, text.split(word.replaceAll(' ', '')).length - 1] as const)
  return Object.fromEntries(times.filter(([, count]) => count !== 1))
}

async function expectWhole(zotui: Screen, draft: string): Promise<void> {
  await zotui.seeInHistory('That was all.')
  // The status line stands there during the turn as well: its end is that of the working line.
  await zotui.gone('Enter queues')
  await zotui.see(ended)
  await expectDraft(zotui, draft)
  expect(wrong(zotui, [...shell, ...words, 'That was all.'])).toEqual({})
  const rows = zotui.history()
  expect(rows.filter(row => row.startsWith(`▌ ${draft}`))).toHaveLength(1)
  expect(rows.filter(row => /Enter queues/.test(row))).toEqual([])
  expect(rows.filter(row => ended.test(row))).toHaveLength(1)
}

describe.each([
  { kind: 'wraps lines', terminal: {}, length: 40 },
  { kind: 'cuts lines', terminal: { reflows: false }, length: 8 },
  { kind: 'cuts lines and never answers', terminal: { reflows: false, answers: false }, length: 8 },
])('while an answer comes, in a terminal that $kind', ({ terminal, length }) => {
  test('resizes one at a time, in a picker, in a drag of forty steps and in the viewer neither duplicate nor lose a line', async () => {
    const zotui = await openZot('streaming', { columns: 100, rows: 30, shell, terminal })
    await zotui.see(ended)
    await send(zotui, `${length} 15`)
    await zotui.type('a draft')
    await resizeFourTimes(zotui)
    await zotui.press('alt+p')
    await zotui.see('haiku')
    await resizeFourTimes(zotui)
    await zotui.see('haiku')
    await zotui.press('esc')
    await zotui.gone('haiku')
    for (const [columns, rows] of drag) {
      await zotui.resizeBetweenFrames(columns, rows)
      await pause(20)
    }
    await zotui.resizeBetweenFrames(90, 30)
    await zotui.press('ctrl+o')
    await zotui.see('q closes')
    for (const [columns, rows] of [
      [70, 36],
      [120, 36],
      [80, 40],
    ] as const) {
      await zotui.resizeBetweenFrames(columns, rows)
      await zotui.until('a page of the new size', {
        check: () => zotui.screen()[rows - 1]?.endsWith('closes') === true,
      })
    }
    await zotui.type('q')
    await expectWhole(zotui, 'a draft')
  })
})

test('Ctrl+L restores the last screenful in a terminal that cuts lines', async () => {
  const zotui = await openZot('streaming', { columns: 100, rows: 30, shell, terminal: { reflows: false } })
  await zotui.see(ended)
  await send(zotui, '40 1')
  await zotui.see('That was all.')
  const seen = words.filter(word => zotui.screen().some(row => row.includes(word)))
  expect(seen.length).toBeGreaterThan(150)
  zotui.resize(60, 30)
  await zotui.until('the new width', { check: () => zotui.screen().some(row => ended.test(row) && row.length === 60) })
  const isWhole = (): boolean => seen.every(word => zotui.history().some(row => row.includes(word)))
  expect(isWhole()).toBe(false)
  await zotui.press('ctrl+l')
  await zotui.until('all that stood on the screen', { check: isWhole })
})

test.each([
  {
    from: 100,
    steps: [
      [40, '  Welcome to zotui in ~/project. This'],
      [15, '  zotui in'],
    ],
  },
  {
    from: 46,
    steps: [
      [23, '  ~/project. This demo'],
      [16, '  reads, changes'],
    ],
  },
] as const)('in steps from $from columns each row of the first screen stays there once', async ({ from, steps }) => {
  const zotui = await openQuickDemo({ columns: from, rows: 30, shell })
  await zotui.type('a draft for a narrow window')
  await zotui.see('window')
  for (const [columns, row] of steps) {
    zotui.resize(columns, 30)
    await zotui.until('the new width', { check: () => zotui.screen().includes(row) })
    expect(wrong(zotui, [...shell, 'Welcome to', 'tour', 'permissions', 'a draft', 'narrow', 'window'])).toEqual({})
  }
})

test('late replies of the terminal between letters are not taken for keys', async () => {
  const zotui = await openQuickDemo({ columns: 100, rows: 30, terminal: { reflows: false, answers: false } })
  await zotui.type('a dra')
  await zotui.raw('\x1b[>1;')
  await zotui.raw('2;0cf\x1b[12;')
  await zotui.raw('3Rt\x1bP>|some name\x1b\\')
  zotui.resize(70, 30)
  await zotui.raw('\x1b[9;3R ')
  await zotui.type('goes on')
  await expectDraft(zotui, 'a draft goes on')
  expect(zotui.history().filter(row => row.startsWith('▌ a draft'))).toEqual(['▌ a draft goes on'])
})

test('an unknown terminal neither duplicates nor loses printed lines', async () => {
  const zotui = await openZot('streaming', { columns: 100, rows: 30, shell, terminal: { kind: '1;2;0' } })
  await zotui.see(ended)
  await send(zotui, '8 1')
  await zotui.see('That was all.')
  for (const columns of [90, 80, 70, 60]) {
    zotui.resize(columns, 30)
    const isDrawn = (row: string): boolean => ended.test(row) && row.length === columns
    await zotui.until('the new width', { check: () => zotui.screen().some(isDrawn) })
  }
  expect(wrong(zotui, [...shell, ...words])).toEqual({})
})

test('Ctrl+L redraws and deletes nothing, and a prompt on its band stays one row in a window that becomes narrower', async () => {
  const zotui = await openQuickDemo({ columns: 100, rows: 30 })
  // The terminal's answer may come after the header, and only then there is a band.
  await zotui.until('the colours of the terminal', { check: () => zotui.drawn('▌')?.color.startsWith('#') === true })
  await send(zotui, 'thanks')
  await zotui.see(turnEnd)
  await zotui.type('draft')
  await expectDraft(zotui, 'draft')
  const before = zotui.screen()
  const written = zotui.bytes().length
  await zotui.press('ctrl+l')
  await zotui.until('the screen drawn anew', { check: () => zotui.bytes().length > written + 200 })
  expect(zotui.screen()).toEqual(before)
  expect(before[0]).toBe('$ zotui')
  await zotui.press('ctrl+u')
  await send(zotui, '/context')
  await zotui.see(/context: \d/)
  expect(zotui.drawn('thanks')?.background).not.toBe('default')
  zotui.resize(60, 30)
  await zotui.see(/^ {2}demo .{0,45}ctx 3 %.{0,20}$/m)
  expect(zotui.history().join('\n')).toMatch(/^▌ thanks\n\n {2}You are welcome/m)
  expect(zotui.history().join('\n')).toMatch(/^▌ \/context\n {2}context: /m)
})

test('a prompt on the band of a theme stays one row, also where the terminal has not said how it wraps', async () => {
  const terminal = { answers: false }
  const zotui = await openQuickDemo({
    columns: 100,
    rows: 30,
    terminal,
    env: { ZOTUI_THEME: 'dark', COLORTERM: 'truecolor' },
  })
  await send(zotui, 'thanks')
  await zotui.see(turnEnd)
  expect(zotui.drawn('thanks')?.background).toBe('#262b33')
  await zotui.type('draft')
  await zotui.until('the draft on the same band', { check: () => zotui.drawn('draft')?.background === '#262b33' })
  zotui.resize(60, 30)
  await zotui.see(/^ {2}demo .{0,45}ctx 3 %.{0,20}$/m)
  expect(zotui.history().join('\n')).toMatch(/^▌ thanks\n\n {2}You are welcome/m)
  // The composer leaves no copy of itself, and nothing behind its text.
  expect(zotui.history().filter(row => row.startsWith('▌'))).toEqual(['▌ thanks', '▌ draft'])
})
