/** Lines as a terminal shows them: its rows as text, and its cells by what their colours mean. */
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import xterm, { type IBufferCell, type IBufferLine } from '@xterm/headless'
import { meanings, type ThemeDefinition } from '../../src/style/definition.ts'
import { rgb } from '../../src/style/color.ts'
import type { StyleSpec } from '../../src/style/text-style.ts'

/** A caret by its place in the lines, from 0. */
export type Caret = { row: number; column: number }

export type EmulatedRow = {
  text: string
  /** The text with tags around what is styled: `<dim bold>text</>`. */
  tagged: string
  /** The style of each cell, empty for the terminal's own. */
  styles: readonly string[]
}

type Run = { style: string; text: string }

/** Green and blue of the colours that stand for meanings: no theme has them. */
const markOfMeaning = [0xfe, 0x01] as const
const hexOfMark = 'fe01'

/**
 * The theme with another colour for each meaning in place of each colour: what is drawn with it can be read back. Where
 * it has no colour there is none either, so that styles combine as in the theme itself.
 */
export function colorsByMeaning(theme: ThemeDefinition): ThemeDefinition {
  const styles = [...theme.styles].map(
    ([meaning, { look }]) => [meaning, { look: replaced(look, meanings.indexOf(meaning) + 1), sixteen: null }] as const,
  )
  return { ...theme, styles: new Map(styles) }
}

/** These lines in a terminal that is just as tall as they are many. No line may be wider than it. */
export async function emulated(
  lines: readonly string[],
  columns: number,
  carets: readonly Caret[] = [],
): Promise<EmulatedRow[]> {
  const terminal = new xterm.Terminal({ cols: columns, rows: lines.length, scrollback: 0, allowProposedApi: true })
  terminal.loadAddon(new UnicodeGraphemesAddon())
  await new Promise<void>(resolve => {
    terminal.write(lines.join('\r\n'), resolve)
  })
  const rows = lines.map((_, row) => {
    const line = terminal.buffer.active.getLine(row)
    if (!line || line.isWrapped) throw new Error(`wider than ${columns} columns: ${lines[row - 1]}`)
    const caret = carets.find(each => each.row === row)?.column ?? -1
    const cells = readCells(line, columns)
    const styles = cells.map(({ style }) => style)
    return { text: line.translateToString(true).trimEnd(), tagged: tagged(cells, caret), styles }
  })
  terminal.dispose()
  return rows
}

function readCells(line: IBufferLine, columns: number): (Run & { column: number })[] {
  const cells: (Run & { column: number })[] = []
  let cell: IBufferCell | undefined
  for (let column = 0; column < columns; column += 1) {
    cell = line.getCell(column, cell)
    if (cell && cell.getWidth() > 0) cells.push({ column, style: styleOf(cell), text: cell.getChars() || ' ' })
  }
  return cells
}

function tagged(cells: readonly (Run & { column: number })[], caret: number): string {
  const runs: Run[] = []
  for (const { column, style: plain, text } of cells) {
    const style = column === caret ? `${plain} caret`.trim() : plain
    const last = runs.at(-1)
    if (last?.style === style) last.text += text
    else runs.push({ style, text })
  }
  const end = runs.at(-1)
  // A band ends where the terminal does, at any width.
  if (end && end.style !== '') end.text = end.text.replace(/ {2,}$/, ' →')
  return runs
    .map(({ style, text }) => (style === '' ? text : `<${style}>${text}</>`))
    .join('')
    .trimEnd()
}

function styleOf(cell: IBufferCell): string {
  if (cell.isAttributeDefault()) return ''
  const background = cell.isBgRGB() ? `on ${meaningOf(cell.getBgColor())}` : ''
  return [
    cell.isFgRGB() ? meaningOf(cell.getFgColor()) : '',
    cell.isFgPalette() ? `color ${cell.getFgColor()}` : '',
    cell.isBold() ? 'bold' : '',
    cell.isDim() ? 'dimmed' : '',
    cell.isItalic() ? 'italic' : '',
    cell.isUnderline() ? 'underline' : '',
    cell.isStrikethrough() ? 'strike' : '',
    cell.isInverse() ? 'inverse' : '',
    cell.isBgPalette() ? `on color ${cell.getBgColor()}` : background,
  ]
    .filter(word => word !== '')
    .join(' ')
}

/** The meaning behind a colour of `colorsByMeaning`; any other colour in digits. */
function meaningOf(color: number): string {
  const hex = color.toString(16).padStart(6, '0')
  const meaning = hex.endsWith(hexOfMark) ? meanings[(color >> 16) - 1] : undefined
  return meaning ?? `#${hex}`
}

function replaced({ color, background, attributes }: StyleSpec, index: number): StyleSpec {
  const stand = rgb(index, ...markOfMeaning)
  return { color: color && stand, background: background && stand, attributes }
}
