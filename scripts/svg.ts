/** A screen as an SVG: each cell in its place, as a terminal with this palette would draw it. */
import type { Cell, Color, Picture, Style } from './stage.ts'

export type Palette = {
  text: string
  background: string
  frame: string
  cursor: string
  /** The sixteen colours, in the order of the escape sequences. */
  colors: readonly string[]
}

export const dark: Palette = {
  text: '#d6dae0',
  background: '#15181d',
  frame: '#343a44',
  cursor: '#d6dae0',
  colors: [
    '#2a2f38',
    '#f07178',
    '#9ccc65',
    '#e6b450',
    '#7aa2f7',
    '#c792ea',
    '#56c8d8',
    '#c8ccd4',
    '#666e7a',
    '#ff8b92',
    '#b5e07f',
    '#ffcb6b',
    '#9bbcff',
    '#ddb0ff',
    '#7fe0ee',
    '#ffffff',
  ],
}

export const light: Palette = {
  text: '#22262c',
  background: '#ffffff',
  frame: '#d0d5dc',
  cursor: '#22262c',
  colors: [
    '#22262c',
    '#b3262e',
    '#2d6e1f',
    '#8a5a00',
    '#1f55b5',
    '#8032a8',
    '#00697a',
    '#5d6670',
    '#7d8590',
    '#d1343d',
    '#3a8a28',
    '#a56d00',
    '#2f6fdf',
    '#9a45c4',
    '#00849a',
    '#22262c',
  ],
}

const CELL = { width: 8.4, height: 18 }
const FONT = { size: 14, baseline: 13.5 }
const MARGIN = 14
const STEPS = [0, 95, 135, 175, 215, 255] as const

/** How far a row is below the one before it. */
export const ROW_HEIGHT = CELL.height

export function toSvg(picture: Picture, palette: Palette, title: string): string {
  const { rows, cursor } = picture
  const drawn = rows.map((cells, row) => rowOf(cells, row, palette)).filter(row => row !== '')
  const caret = cursor ? [cursorOf(cursor, rows[cursor.row] ?? [], palette)] : []
  return sheet(picture, palette, title, [...drawn, ...caret])
}

/** The window of a terminal of that size, with `drawn` on it. */
export function sheet({ columns, rows }: Picture, palette: Palette, title: string, drawn: readonly string[]): string {
  const width = round(columns * CELL.width + 2 * MARGIN)
  const height = round(rows.length * CELL.height + 2 * MARGIN)
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect x="0.5" y="0.5" width="${round(width - 1)}" height="${round(height - 1)}" rx="8" fill="${palette.background}" stroke="${palette.frame}"/>`,
    `<g font-family="ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT.size}" fill="${palette.text}">`,
    ...drawn,
    '</g>',
    '</svg>',
  ].join('\n')}\n`
}

/** A row at the top of the screen. */
export function drawRow(cells: readonly Cell[], palette: Palette): string {
  return rowOf(cells, 0, palette)
}

function rowOf(cells: readonly Cell[], row: number, palette: Palette): string {
  return runsOf(cells)
    .map(run => runOf(run, row, palette))
    .join('')
}

/** Groups ASCII characters that look alike, so that one element draws them. All others are drawn one by one. */
function runsOf(cells: readonly Cell[]): (readonly Cell[])[] {
  const runs: Cell[][] = []
  for (const cell of cells) {
    const run = runs.at(-1)
    const last = run?.at(-1)
    if (run && last && isPlain(cell) && isPlain(last) && isAlike(cell.style, last.style)) run.push(cell)
    else runs.push([cell])
  }
  return runs
}

const isPlain = (cell: Cell): boolean => /^[ -~]$/.test(cell.text)

function isAlike(one: Style, other: Style): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function runOf(run: readonly Cell[], row: number, palette: Palette): string {
  const [first] = run
  const last = run.at(-1)
  if (!first || !last) return ''
  const { style } = first
  const { foreground, background } = colorsOf(style, palette)
  const x = round(MARGIN + first.column * CELL.width)
  const y = round(MARGIN + row * CELL.height)
  const width = round((last.column + last.width - first.column) * CELL.width)
  const box = background
    ? `<rect x="${x}" y="${y}" width="${width}" height="${CELL.height}" fill="${background}"/>`
    : ''
  const attributes = [
    foreground === palette.text ? '' : ` fill="${foreground}"`,
    style.dim ? ' opacity="0.62"' : '',
    style.bold ? ' font-weight="bold"' : '',
    style.italic ? ' font-style="italic"' : '',
    decorationOf(style),
  ].join('')
  return (
    box +
    wordsOf(run)
      .map(words => textOf(words, y, attributes))
      .join('')
  )
}

function decorationOf({ underline, strike }: Style): string {
  const lines = [underline ? 'underline' : '', strike ? 'line-through' : ''].filter(line => line !== '')
  return lines.length > 0 ? ` text-decoration="${lines.join(' ')}"` : ''
}

/**
 * The parts of a run that have one space between words, and none around them: browsers differ in whether they keep further spaces of
 * an SVG, and stretch what is left.
 */
function wordsOf(run: readonly Cell[]): (readonly Cell[])[] {
  if (run.length === 1) return run[0]?.text.trim() === '' ? [] : [run]
  const text = run.map(cell => cell.text).join('')
  return [...text.matchAll(/\S+(?: \S+)*/g)].map(({ index, 0: words }) => run.slice(index, index + words.length))
}

/** Stretched to its cells, since fonts differ in the width of characters. */
function textOf(cells: readonly Cell[], y: number, attributes: string): string {
  const [first] = cells
  const last = cells.at(-1)
  if (!first || !last) return ''
  const x = round(MARGIN + first.column * CELL.width)
  const width = round((last.column + last.width - first.column) * CELL.width)
  const text = escaped(cells.map(cell => cell.text).join(''))
  return `<text x="${x}" y="${round(y + FONT.baseline)}" textLength="${width}" lengthAdjust="spacingAndGlyphs"${attributes}>${text}</text>`
}

export function cursorOf(
  { row, column }: { row: number; column: number },
  cells: readonly Cell[],
  palette: Palette,
): string {
  const cell = cells.find(each => each.column === column)
  const x = round(MARGIN + column * CELL.width)
  const y = round(MARGIN + row * CELL.height)
  const box = `<rect x="${x}" y="${y}" width="${round((cell?.width ?? 1) * CELL.width)}" height="${CELL.height}" fill="${palette.cursor}"/>`
  if (!cell || cell.text.trim() === '') return box
  return `${box}<text x="${x}" y="${round(y + FONT.baseline)}" fill="${palette.background}">${escaped(cell.text)}</text>`
}

function colorsOf(style: Style, palette: Palette): { foreground: string; background: string | null } {
  const foreground = valueOf(style.color, palette) ?? palette.text
  const background = valueOf(style.background, palette)
  return style.inverse
    ? { foreground: background ?? palette.background, background: foreground }
    : { foreground, background }
}

function valueOf(color: Color, palette: Palette): string | null {
  if (typeof color !== 'number') return color
  if (color < 16) return palette.colors[color] ?? null
  return color < 232 ? cube(color - 16) : gray(color - 232)
}

/** Six steps of red, of green and of blue. */
function cube(index: number): string {
  return hex([Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map(step => STEPS[step] ?? 0))
}

function gray(step: number): string {
  const level = 8 + 10 * step
  return hex([level, level, level])
}

function hex(levels: readonly number[]): string {
  return `#${levels.map(level => level.toString(16).padStart(2, '0')).join('')}`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
