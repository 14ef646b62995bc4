/** Lines as a terminal shows them: its cells for a picture, its rows for a text. */
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import xterm, { type IBufferCell } from '@xterm/headless'
import type { Cell, Color, Picture } from '../../scripts/stage.ts'

/** What these lines are in a terminal that is just as tall as they are many. No line may be wider than it. */
export async function emulated(
  lines: readonly string[],
  columns: number,
  cursor: Picture['cursor'],
): Promise<{ picture: Picture; text: string }> {
  const terminal = new xterm.Terminal({ cols: columns, rows: lines.length, scrollback: 0, allowProposedApi: true })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  await new Promise<void>(resolve => {
    terminal.write(lines.join('\r\n'), resolve)
  })
  const rows: Cell[][] = []
  const texts: string[] = []
  for (let row = 0; row < lines.length; row += 1) {
    const line = terminal.buffer.active.getLine(row)
    if (!line || line.isWrapped) throw new Error(`wider than ${columns} columns: ${lines[row - 1]}`)
    const cells: Cell[] = []
    for (let column = 0; column < columns; column += 1) {
      const cell = line.getCell(column)
      if (cell && cell.getWidth() > 0) cells.push(readCell(cell, column))
    }
    rows.push(cells)
    texts.push(line.translateToString(true).trimEnd())
  }
  terminal.dispose()
  return { picture: { columns, rows, cursor }, text: `${texts.join('\n')}\n` }
}

function readCell(cell: IBufferCell, column: number): Cell {
  return {
    text: cell.getChars() || ' ',
    width: cell.getWidth(),
    column,
    style: {
      color: colorOf(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor()),
      background: colorOf(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor()),
      bold: cell.isBold() !== 0,
      dim: cell.isDim() !== 0,
      italic: cell.isItalic() !== 0,
      underline: cell.isUnderline() !== 0,
      strike: cell.isStrikethrough() !== 0,
      inverse: cell.isInverse() !== 0,
    },
  }
}

function colorOf(isRgb: boolean, isPalette: boolean, value: number): Color {
  if (isRgb) return `#${value.toString(16).padStart(6, '0')}`
  return isPalette ? value : null
}
