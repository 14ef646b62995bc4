/** A run of the program as one moving SVG: rows that are shown and hidden by CSS, without a script. */
import type { Picture } from './stage.ts'
import { cursorOf, drawRow, ROW_HEIGHT, sheet, type Palette } from './svg.ts'

/** What is on the screen, and for how long. */
export type Frame = { picture: Picture; ms: number }

/** Something that is drawn at a place, from one frame up to another. */
type Layer = { drawn: string; from: number; to: number }

/**
 * The frames one after the other, again and again. Who asked for less motion sees the frame `still` alone. A row is drawn once, however
 * often it is on the screen.
 */
export function toFilm(frames: readonly Frame[], palette: Palette, title: string, still: number): string {
  const rows = new Map<string, string>()
  const layers = layersOf(frames, palette, rows)
  const starts = startsOf(frames)
  const total = starts.at(-1) ?? 0
  const spans = new Map<string, string>()
  const shown = layers.map(({ drawn, from, to }) => {
    const span = `${from} ${to}`
    const name = spans.get(span) ?? `t${spans.size}`
    spans.set(span, name)
    return `<g class="${name}${from <= still && still < to ? ' s' : ''}">${drawn}</g>`
  })
  const style = [...spans].map(([span, name]) => {
    const [from = 0, to = 0] = span.split(' ').map(frame => starts[Number(frame)])
    return `@keyframes ${name}{${keyframes(from / total, to / total)}}.${name}{animation-name:${name}}`
  })
  const first = frames[0]?.picture
  if (!first) throw new Error('a film needs a frame')
  return sheet(first, palette, title, [
    '<style>',
    `:where(g[class]){visibility:hidden;animation:${total / 1000}s step-end infinite}`,
    ...style,
    '@media(prefers-reduced-motion:reduce){g[class]{animation:none}g.s{visibility:visible}}',
    '</style>',
    '<defs>',
    ...[...rows].map(([drawn, name]) => `<g id="${name}">${drawn}</g>`),
    '</defs>',
    ...shown,
  ])
}

/** The rows and carets of all frames. What stays for several frames is one layer. */
function layersOf(frames: readonly Frame[], palette: Palette, rows: Map<string, string>): Layer[] {
  const layers: Layer[] = []
  const open = new Map<string, Layer>()
  frames.forEach(({ picture }, at) => {
    const drawn = picture.rows.flatMap((cells, row) => {
      const content = drawRow(cells, palette)
      if (content === '') return []
      const name = rows.get(content) ?? `r${rows.size}`
      rows.set(content, name)
      return [`<use href="#${name}" y="${row * ROW_HEIGHT}"/>`]
    })
    const { cursor } = picture
    const caret = cursor ? [cursorOf(cursor, picture.rows[cursor.row] ?? [], palette)] : []
    for (const each of [...drawn, ...caret]) {
      const layer = open.get(each)
      if (layer?.to === at) layer.to = at + 1
      else {
        const next = { drawn: each, from: at, to: at + 1 }
        open.set(each, next)
        layers.push(next)
      }
    }
  })
  return layers
}

/** When each frame begins, in milliseconds, and when the last one ends. */
function startsOf(frames: readonly Frame[]): number[] {
  const starts = [0]
  for (const { ms } of frames) starts.push((starts.at(-1) ?? 0) + ms)
  return starts
}

const percent = (part: number): string => `${Math.round(part * 100_000) / 1000}%`

/** Visible from one part of the whole up to another. */
function keyframes(from: number, to: number): string {
  const shown = `${percent(from)}{visibility:visible}`
  return to < 1 ? `${shown}${percent(to)}{visibility:hidden}` : shown
}
