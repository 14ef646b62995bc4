/** Colour values: their notation, and their nearest match on terminals with fewer colours. */
import type { Color } from '../text/styled.ts'

export type Rgb = Extract<Color, { kind: 'rgb' }>

/** The names of the sixteen colours, in the order of their numbers. */
export const colorNames: readonly string[] = `
  black red green yellow blue magenta cyan white gray bright-red bright-green bright-yellow
  bright-blue bright-magenta bright-cyan bright-white`
  .trim()
  .split(/\s+/)

/** Reads `#79b8ff`, `#7bf`, a name, or a number from 0 to 255; null if it is none of these. */
export function parseColor(word: string): Color | null {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(word)?.[1]
  if (hex !== undefined) {
    return fromHex(hex.length === 6 ? hex : hex.replace(/./g, '$&$&'))
  }
  if (/^\d{1,3}$/.test(word)) return Number(word) <= 255 ? { kind: 'palette', index: Number(word) } : null
  const index = colorNames.indexOf(word.toLowerCase().replace('grey', 'gray').replace('bright-black', 'gray'))
  return index < 0 ? null : { kind: 'palette', index }
}

export function rgb(red: number, green: number, blue: number): Rgb {
  return { kind: 'rgb', red, green, blue }
}

/** A colour mixed with a share of another, from 0 to 1. */
export function mixed(one: Rgb, other: Rgb, share: number): Rgb {
  const channel = (name: 'red' | 'green' | 'blue'): number => Math.round(one[name] + (other[name] - one[name]) * share)
  return rgb(channel('red'), channel('green'), channel('blue'))
}

function fromHex(digits: string): Rgb {
  const value = Number.parseInt(digits, 16)
  return rgb(value >> 16, (value >> 8) & 0xff, value & 0xff)
}

/** The nearest of the 240 fixed colours among the 256. */
export function to256(color: Rgb): number {
  return 16 + nearest(color, fixed)
}

/** The nearest of the sixteen colours, whose look is assumed to be that of xterm. */
export function to16(color: Color): number {
  if (color.kind === 'palette' && color.index < 16) return color.index
  return nearest(toRgb(color), sixteen)
}

/** The red, green and blue of a colour; for the sixteen, those of xterm. */
export function toRgb(color: Color): Rgb {
  if (color.kind === 'rgb') return color
  return (color.index < 16 ? sixteen[color.index] : fixed[color.index - 16]) ?? rgb(0, 0, 0)
}

/** The relative luminance of a colour after WCAG 2, from 0 to 1. */
export function luminance({ red, green, blue }: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

function linear(channel: number): number {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** The sixteen colours of xterm. */
const sixteen: readonly Rgb[] = `
  000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5
  7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff`
  .trim()
  .split(/\s+/)
  .map(fromHex)

const steps = [0, 95, 135, 175, 215, 255]

/** Six steps of red, green and blue, and 24 greys. */
const fixed: readonly Rgb[] = [
  ...steps.flatMap(red => steps.flatMap(green => steps.map(blue => rgb(red, green, blue)))),
  ...Array.from({ length: 24 }, (_, step) => rgb(8 + 10 * step, 8 + 10 * step, 8 + 10 * step)),
]

/** The index of the colour that looks nearest. */
function nearest(color: Rgb, among: readonly Rgb[]): number {
  const places = placesOf.get(among) ?? among.map(toLab)
  placesOf.set(among, places)
  const wanted = toLab(color)
  let best = { index: 0, distance: Number.POSITIVE_INFINITY }
  for (const [index, place] of places.entries()) {
    const distance = wanted.reduce((sum, value, axis) => sum + (value - (place[axis] ?? 0)) ** 2, 0)
    if (distance < best.distance) best = { index, distance }
  }
  return best.index
}

type LabColor = readonly [number, number, number]

/** Computed once, and only on terminals with fewer colours. */
const placesOf = new Map<readonly Rgb[], readonly LabColor[]>()

/** The colour in Oklab, where distances match perception. */
function toLab({ red, green, blue }: Rgb): LabColor {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}
