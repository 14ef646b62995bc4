/** Plots as SVG: without a script, in the colours of the page, and with words for people who do not see them. */
import { Markup, markup } from './markup.ts'

export type PlotBar = {
  /** Shown when a pointer rests on the bar. */
  words: string
  size: number
  /** The part of the size that is drawn lighter. */
  lighter: number
}

export type BarPlot = {
  /** Unique in the page, of letters and hyphens. */
  id: string
  title: string
  /** What the plot shows, in a sentence or two. */
  about: string
  bars: readonly PlotBar[]
  /** The words for the longest bar, and below the first and the last one. */
  most: string
  ends: readonly [string, string]
  /** What the two parts of the bars are; null if they have one. */
  parts: readonly [string, string] | null
}

/** The height of the longest bar. A bar takes one unit of the width, whatever there is on the screen. */
const HEIGHT = 100
/** The share of its unit that a bar fills. */
const FILLED = 0.78
/** More bars than a screen has room for are joined. */
const MOST_BARS = 400

export function barPlot({ id, title, about, bars, most, ends, parts }: BarPlot): Markup {
  const shown = joinedBars(bars)
  const largest = Math.max(Number.MIN_VALUE, ...shown.map(({ size }) => size))
  const drawn = shown.map(({ words, size, lighter }, index) => {
    const height = (Math.max(0, size) / largest) * HEIGHT
    const light = size > 0 ? (Math.min(lighter, size) / size) * height : 0
    const rects = [rect('bar', index, HEIGHT - height, height - light), rect('light', index, HEIGHT - light, light)]
    // The whole column answers to the pointer, since a low bar is hard to meet.
    return markup`<g><title>${words}</title>${rect('all', index, 0, HEIGHT)}${rects}</g>`
  })
  const [whole, light] = parts ?? []
  const legend =
    whole === undefined || light === undefined
      ? markup``
      : markup`<span class="key">${whole}</span><span class="key second">${light}</span>`
  return markup`<figure class="plot"><figcaption><b>${title}</b>${legend}<span class="most">${most}</span></figcaption>
<svg role="img" aria-labelledby="${id}-title ${id}-about" viewBox="0 0 ${String(Math.max(1, shown.length))} ${String(HEIGHT)}" preserveAspectRatio="none"><title id="${id}-title">${title}</title><desc id="${id}-about">${about}</desc>${drawn}</svg>
<p class="axis"><span>${ends[0]}</span><span>${ends[1]}</span></p></figure>`
}

/** A bar for a share from 0 to 1, beside numbers that say the same. */
export function shareBar(share: number): Markup {
  const width = Math.max(0, Math.min(1, share)) * HEIGHT
  const box = new Markup(`viewBox="0 0 ${HEIGHT} 1"`)
  return markup`<svg class="share" aria-hidden="true" ${box} preserveAspectRatio="none"><rect class="bar" width="${number(width)}" height="1"/></svg>`
}

function rect(name: 'bar' | 'light' | 'all', index: number, y: number, height: number): Markup {
  if (height <= 0) return markup``
  const [x, width] = name === 'all' ? [index, 1] : [index + (1 - FILLED) / 2, FILLED]
  return markup`<rect class="${name}" x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"/>`
}

/** Two decimals are finer than a screen. */
const number = (value: number): string => String(Math.round(value * 100) / 100)

function joinedBars(bars: readonly PlotBar[]): readonly PlotBar[] {
  const each = Math.ceil(bars.length / MOST_BARS)
  if (each <= 1) return bars
  return Array.from({ length: Math.ceil(bars.length / each) }, (_, index) => {
    const some = bars.slice(index * each, (index + 1) * each)
    return {
      words: [...new Set([some[0]?.words ?? '', some.at(-1)?.words ?? ''])].join(' … '),
      size: some.reduce((sum, { size }) => sum + size, 0),
      lighter: some.reduce((sum, { lighter }) => sum + lighter, 0),
    }
  })
}
