/** Frames drawn as changes end up as the same screen and the same scrollback as frames drawn whole. */
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import xterm from '@xterm/headless'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FrameEncoder } from '../../../src/terminal/output/frames.ts'
import { paintLine } from '../../../src/terminal/output/paint.ts'
import type { Styled } from '../../../src/text/styled.ts'
import { lineFrom, linesFrom } from '../../helpers/lines.ts'
import { aPartOf } from '../../helpers/length.ts'

const COLUMNS = 30

function terminalOf(rows: number): InstanceType<typeof xterm.Terminal> {
  const terminal = new xterm.Terminal({
    cols: COLUMNS,
    rows,
    scrollback: 2000,
    allowProposedApi: true,
    convertEol: true,
  })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  return terminal
}

/** All rows with their colours, from the first of the scrollback to the last that holds anything. */
function rowsOf(terminal: InstanceType<typeof xterm.Terminal>): string[] {
  const buffer = terminal.buffer.active
  const rows = Array.from({ length: buffer.length }, (_, y) => {
    const line = buffer.getLine(y)
    const cells = Array.from({ length: COLUMNS }, (_, x) => {
      const cell = line?.getCell(x)
      const text = cell?.getChars() || (cell?.getWidth() === 0 ? '' : ' ')
      return cell && (cell.getFgColor() !== -1 || cell.isBold()) && text !== ' '
        ? `<${cell.getFgColor()}${cell.isBold() ? 'b' : ''}${text}>`
        : text
    })
    return cells.join('').trimEnd()
  })
  while (rows.at(-1) === '') rows.pop()
  return rows
}

const write = (terminal: InstanceType<typeof xterm.Terminal>, bytes: string): Promise<void> =>
  new Promise(resolve => {
    terminal.write(bytes, resolve)
  })

type Step = { finished: Styled[]; zone: Styled[]; caret: { x: number; y: number } }

/** The screen of a terminal after all of the steps, drawn whole. */
async function whole(steps: readonly Step[], rows: number): Promise<string[]> {
  const terminal = terminalOf(rows)
  const finished = steps.flatMap(step => step.finished)
  const zone = steps.at(-1)?.zone ?? []
  await write(terminal, [...finished, ...zone].map(paintLine).join('\n'))
  return rowsOf(terminal)
}

const word = fc.constantFrom(
  'alpha',
  'be',
  '漢字',
  '\u001B[1mbold\u001B[22m',
  '\u001B[31mred\u001B[39m',
  '👍🏽',
  'é',
  '  ',
  '●',
  '⠙',
)
const row = fc
  .array(word, { maxLength: 6 })
  .map(words => lineFrom(words.join(' ')))
  .filter(({ width }) => width <= COLUMNS)

function stepsFor(rows: number): fc.Arbitrary<Step[]> {
  const zone = fc.array(row, { minLength: 1, maxLength: rows - 1 }).map(lines => lines.concat(linesFrom('')))
  const step = fc.record({
    finished: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Styled[]>([]) },
      { weight: 2, arbitrary: fc.array(row, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.array(row, { maxLength: 25 }) },
    ),
    zone,
    caret: fc.record({ x: fc.nat(COLUMNS - 1), y: fc.nat(rows - 1) }),
  })
  return fc.array(step, { minLength: 1, maxLength: 12 })
}

describe('a frame', () => {
  test.each([4, 6, 12])('is drawn correctly in a terminal of %i rows', async rows => {
    await fc.assert(
      fc.asyncProperty(stepsFor(rows), async steps => {
        const terminal = terminalOf(rows)
        const encoder = new FrameEncoder()
        for (const { finished, zone, caret } of steps) await write(terminal, encoder.draw(finished, zone, caret, rows))
        expect(rowsOf(terminal)).toEqual(await whole(steps, rows))
        const last = steps.at(-1)
        const buffer = terminal.buffer.active
        const top = buffer.baseY + buffer.cursorY - Math.min(last?.caret.y ?? 0, (last?.zone.length ?? 1) - 1)
        expect(top).toBe(steps.flatMap(step => step.finished).length)
        expect(buffer.cursorX).toBe(last?.caret.x)
        terminal.dispose()
      }),
      aPartOf(150),
    )
  })

  test('writes little more than a new word', () => {
    const encoder = new FrameEncoder()
    const chrome = linesFrom('', '⠙ answering   1.0s   Esc stops', '', '›', '  demo', '')
    encoder.draw([], [lineFrom('one two'), ...chrome], { x: 2, y: 4 }, 40)
    const bytes = encoder.draw([], [lineFrom('one two three'), ...chrome], { x: 2, y: 4 }, 40)
    expect(bytes).toContain('three')
    expect(bytes.length).toBeLessThan(25)
  })

  test('moves the rows below a finished line instead of writing them again', () => {
    const encoder = new FrameEncoder()
    const chrome = linesFrom('', '⠙ answering   1.0s   Esc stops', '', '› the draft', '  demo', '')
    encoder.draw([], [lineFrom('one'), ...chrome], { x: 2, y: 4 }, 40)
    const bytes = encoder.draw(linesFrom('one'), [lineFrom('two'), ...chrome], { x: 2, y: 4 }, 40)
    expect(bytes).toContain('two')
    expect(bytes).not.toContain('draft')
    expect(bytes.length).toBeLessThan(30)
  })

  test('writes nothing without changes', () => {
    const encoder = new FrameEncoder()
    encoder.draw([], linesFrom('one', ''), { x: 0, y: 0 }, 40)
    expect(encoder.draw([], linesFrom('one', ''), { x: 0, y: 0 }, 40)).toBe('')
  })

  test('a frame higher than the screen does not erase all of it at once, which tmux would keep in its scrollback', () => {
    const encoder = new FrameEncoder()
    encoder.draw([], linesFrom('1', '2', '3', ''), { x: 0, y: 0 }, 4)
    const bytes = encoder.draw(linesFrom('a', 'b'), linesFrom('1', '2', '3', ''), { x: 0, y: 0 }, 4)
    const [before] = bytes.split('\u001B[J')
    expect(bytes).toContain('\u001B[J')
    expect(before?.endsWith('\u001B[K\u001B[B')).toBe(true)
  })

  test('can be removed completely, or left completely', async () => {
    const terminal = terminalOf(10)
    const encoder = new FrameEncoder()
    await write(terminal, encoder.draw(linesFrom('kept'), linesFrom('a', 'b', 'c', ''), { x: 1, y: 0 }, 10))
    await write(terminal, encoder.erase())
    expect(rowsOf(terminal)).toEqual(['kept'])
    await write(terminal, encoder.draw([], linesFrom('d', ''), { x: 0, y: 0 }, 10))
    await write(terminal, `${encoder.leave()}after`)
    expect(rowsOf(terminal)).toEqual(['kept', 'd', 'after'])
  })
})

const band = (text: string): Styled => lineFrom(`\u001B[48;5;236m${text.padEnd(COLUMNS)}\u001B[49m`)
const backgrounds = (terminal: InstanceType<typeof xterm.Terminal>, y: number): number[] =>
  Array.from({ length: COLUMNS }, (_, x) => terminal.buffer.active.getLine(y)?.getCell(x)?.getBgColor() ?? -1)

describe('a band that ends a row', () => {
  test.each([
    ['where it changes the screen', 24],
    ['where more comes than the screen holds', 2],
    ['where rows are wrapped', 0],
  ])('is filled by the terminal, %s', async (_name, rows) => {
    const terminal = terminalOf(rows || 24)
    const encoder = new FrameEncoder()
    await write(terminal, encoder.draw([], linesFrom('zone that is long before', ''), { x: 0, y: 0 }, rows, COLUMNS))
    const finished = [band('漢字 👍🏽 hello'), lineFrom('plain'), band('')]
    const bytes = encoder.draw(finished, linesFrom('zone', ''), { x: 1, y: 0 }, rows, COLUMNS)
    expect(bytes).not.toContain('     ')
    await write(terminal, bytes)
    expect(backgrounds(terminal, 0)).toEqual(Array.from({ length: COLUMNS }, () => 236))
    expect(backgrounds(terminal, 1)).toEqual(Array.from({ length: COLUMNS }, () => -1))
    expect(backgrounds(terminal, 2)).toEqual(Array.from({ length: COLUMNS }, () => 236))
    expect(rowsOf(terminal).map(text => text.trimEnd())).toEqual(['漢字 👍🏽 hello', 'plain', '', 'zone'])
  })

  test('is filled by the terminal in the zone too, however its text changes', async () => {
    const terminal = terminalOf(24)
    const encoder = new FrameEncoder()
    const all = Array.from({ length: COLUMNS }, () => 236)
    for (const text of ['', 'a', 'a long text, nearly whole', '漢字 👍🏽', 'ab', 'ab  d', '', 'x'.repeat(COLUMNS), 'x']) {
      const bytes = encoder.draw([], [band(text), lineFrom('status')], { x: 0, y: 0 }, 24, COLUMNS)
      expect(bytes).not.toContain('     ')
      await write(terminal, bytes)
      expect(backgrounds(terminal, 0)).toEqual(all)
      expect(rowsOf(terminal)).toEqual([text, 'status'])
    }
    await write(terminal, encoder.draw([], linesFrom('plain', 'status'), { x: 0, y: 0 }, 24, COLUMNS))
    expect(backgrounds(terminal, 0)).toEqual(Array.from({ length: COLUMNS }, () => -1))
  })

  test('is written where the terminal does not fill it', () => {
    const bytes = new FrameEncoder().draw([band('hello')], linesFrom('zone'), { x: 0, y: 0 }, 24)
    expect(bytes).toContain(' '.repeat(COLUMNS - 5))
  })
})
