/** The place of a frame in a terminal that has another size since it was drawn: held against an emulator. */
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import xterm from '@xterm/headless'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameEncoder } from '../../../src/terminal/output/frames.ts'
import { keptBelow, reflowByAnswer, rowsAboveCursor } from '../../../src/terminal/output/reflow.ts'
import type { Reflow } from '../../../src/text/lines/reflow.ts'
import { type Size } from '../../../src/text/lines/width.ts'
import { cutLines, cutting } from '../../helpers/cutting.ts'
import { lineFrom, linesFrom } from '../../helpers/lines.ts'
import { aPartOf } from '../../helpers/length.ts'

type Emulated = InstanceType<typeof xterm.Terminal>

function terminalOf({ columns, rows }: Size, reflow: Reflow): Emulated {
  const kept = { scrollback: 2000, allowProposedApi: true, convertEol: true }
  const terminal = new xterm.Terminal({ cols: columns, rows, ...kept, ...(reflow === 'cuts' && cutting) })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  return terminal
}

const write = (terminal: Emulated, bytes: string): Promise<void> =>
  new Promise(resolve => {
    terminal.write(bytes, resolve)
  })

function resize(terminal: Emulated, { columns, rows }: Size, reflow: Reflow): void {
  terminal.resize(columns, rows)
  if (reflow === 'cuts') cutLines(terminal)
}

/** All that stands there, without blanks: what a reflow leaves as it was. */
function textOf(terminal: Emulated): string {
  const { active } = terminal.buffer
  const rows = Array.from({ length: active.length }, (_, y) => active.getLine(y)?.translateToString(true) ?? '')
  return rows.join('').replaceAll(' ', '')
}

const word = fc.constantFrom('alpha', 'be', '漢字', '\u001B[31mred\u001B[39m', '👍🏽', 'é', '●', 'x'.repeat(17))
const rowUpTo = (columns: number): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('', 'y'.repeat(columns), 'y'.repeat(columns - 1), `left${'right'.padStart(columns - 4)}`),
    fc
      .array(word, { maxLength: 12 })
      .map(words => words.join(' '))
      .filter(text => lineFrom(text).width <= columns),
  )

const from = fc.record({ columns: fc.integer({ min: 24, max: 60 }), rows: fc.integer({ min: 10, max: 24 }) })
const example = from.chain(size =>
  fc.record({
    size: fc.constant(size),
    above: fc.array(rowUpTo(size.columns), { maxLength: 30 }),
    zone: fc.array(rowUpTo(size.columns), { minLength: 1, maxLength: 6 }),
    caret: fc.record({ x: fc.nat(3), y: fc.nat(5) }),
  }),
)

describe('a resize keeps printed lines and leaves no rows of the frame', () => {
  const path = fc.array(
    fc.record({ columns: fc.integer({ min: 12, max: 80 }), rows: fc.integer({ min: 10, max: 30 }) }),
    { minLength: 1, maxLength: 5 },
  )

  const step = path.map(sizes => sizes.slice(0, 1))

  test.each([
    ['sinks', 'any drag', path],
    ['cuts', 'any drag', path],
    ['sinks', 'one step', step],
  ] as const)('in a terminal that %s, after %s', async (reflow, _how, steps) => {
    await fc.assert(
      fc.asyncProperty(example, steps, async ({ size, above, zone, caret }, sizes) => {
        // A frame that does not fit any more has partly scrolled away.
        const least = Math.min(...sizes.map(({ columns }) => columns), size.columns)
        const lowest = Math.min(...sizes.map(({ rows }) => rows), size.rows)
        const room = zone.reduce((sum, row) => sum + Math.ceil(lineFrom(row).width / least) + 1, 2)
        fc.pre(room < Math.min(lowest, size.rows))
        const to = sizes.at(-1) ?? size
        const terminal = terminalOf(size, reflow)
        const expected = terminalOf(size, reflow)
        const encoder = new FrameEncoder()
        const printed = ['$ ls', 'README', '$ zotui', ...above]
        const rows = ['', ...zone, '']
        const place = { x: caret.x, y: Math.min(caret.y, zone.length) }
        await write(expected, `${printed.join('\n')}\n`)
        await write(terminal, encoder.draw(linesFrom(...printed), linesFrom(...rows), place, size.rows))
        const free = size.rows - 1 - terminal.buffer.active.cursorY - encoder.below
        const before = { free, scrolled: terminal.buffer.active.baseY }
        for (const next of sizes) {
          for (const one of [terminal, expected]) resize(one, next, reflow)
        }
        const kept = keptBelow(encoder.below, before, size, {
          columns: least,
          rows: lowest,
          isOneStep: sizes.length === 1,
        })
        const isWhole = kept === encoder.below
        await write(terminal, encoder.eraseResized({ columns: to.columns, kept, reflow }, to.rows))
        const wanted = textOf(expected)
        const left = textOf(terminal)
        // Some rows of ours may stay if such a terminal has taken something off, but nothing else goes.
        const isExact = reflow !== 'sinks' || isWhole || sizes.length === 1
        expect(isExact ? left : left.slice(0, wanted.length)).toBe(wanted)
      }),
      aPartOf(120),
    )
  })
})

test.each([
  ['xterm', '\u001B[>41;379;0c', 'cuts'],
  ['xterm', '\u001BP>|XTerm(379)\u001B\\', 'cuts'],
  ['GNU screen', '\u001B[>83;40900;0c', 'cuts'],
  ['PuTTY', '\u001B[>0;136;0c', 'cuts'],
  ['xterm.js', '\u001B[>0;276;0c', 'sinks'],
  ['xterm.js', '\u001BP>|xterm.js(6.1.0)\u001B\\', 'sinks'],
  ['tmux', '\u001B[>84;0;0c', 'wraps'],
  ['tmux', '\u001BP>|tmux 3.3a\u001B\\', 'wraps'],
  ['VTE', '\u001B[>65;7006;1c', 'wraps'],
  ['VTE', '\u001BP>|VTE(7006)\u001B\\', 'wraps'],
  ['kitty', '\u001B[>1;4000;26c', 'wraps'],
  ['kitty', '\u001BP>|kitty(0.26.5)\u001B\\', 'wraps'],
  ['foot', '\u001B[>1;011301;0c', 'wraps'],
  ['Alacritty', '\u001B[>0;1100;1c', 'wraps'],
  ['Ghostty', '\u001B[>1;10;0c', 'wraps'],
  ['WezTerm', '\u001BP>|WezTerm 20240203-110809-5046fc22\u001B\\', 'wraps'],
  ['iTerm2', '\u001B[>64;2500;0c', 'wraps'],
  ['Windows Terminal', '\u001B[>0;10;1c', 'wraps'],
  ['Konsole', '\u001BP>|Konsole 22.12.3\u001B\\', 'wraps'],
  ['mintty', '\u001B[>77;30604;0c', 'wraps'],
  ['an unknown one', '\u001B[>1;2;0c', null],
  ['an unknown one', '\u001BP>|somewhat 1.0\u001B\\', null],
  ['another answer', '\u001B[?62;4c', null],
])('the behaviour of %s is known by %j', (_, answer, reflow) => expect(reflowByAnswer(answer)).toBe(reflow))

test('a cursor after a full row does not shift the start of the frame', () => {
  const resize = { columns: 30, kept: 0, reflow: 'wraps' } as const
  expect(rowsAboveCursor(linesFrom('a', 'b'.repeat(60), ''), { x: 30, y: 1 }, resize)).toBe(2)
  expect(rowsAboveCursor(linesFrom('a', 'b'.repeat(30), ''), { x: 30, y: 1 }, resize)).toBe(1)
  expect(rowsAboveCursor(linesFrom('c'.repeat(31), 'b'.repeat(40), ''), { x: 35, y: 1 }, resize)).toBe(3)
  expect(rowsAboveCursor(linesFrom('', '漢'.repeat(15), 'c'), { x: 1, y: 2 }, { ...resize, columns: 15 })).toBe(4)
})

test.each([
  ['nobody has said how much room there is', { free: null, scrolled: 30 }, 30, 0],
  ['a screenful has scrolled away', { free: 0, scrolled: 30 }, 30, 8],
  ['the same, and it became lower', { free: 0, scrolled: 30 }, 24, 2],
  ['the same, and rows were free', { free: 4, scrolled: 30 }, 24, 6],
])(
  'of eight rows below the cursor xterm.js surely keeps, where %s: in %j, at least %i rows',
  (_, room, lowest, kept) => {
    expect(keptBelow(8, room, { columns: 100, rows: 30 }, { columns: 60, rows: lowest, isOneStep: false })).toBe(kept)
  },
)
