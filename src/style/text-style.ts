/**
 * The notation of a look in a theme file: `#79b8ff bold`, `$blue on #12261a underline`, `none`. The part after a bar is
 * for terminals with sixteen colours: `$gray | dim`.
 */
import { attributes, type Attribute, type Color } from '../text/styled.ts'
import { parseColor } from './color.ts'

export type StyleSpec = {
  /** Null for the terminal's own. */
  readonly color: Color | null
  readonly background: Color | null
  readonly attributes: readonly Attribute[]
}

export type Style = {
  readonly look: StyleSpec
  /** The look with sixteen colours; null takes the nearest to `look`. */
  readonly sixteen: StyleSpec | null
}

export type Palette = ReadonlyMap<string, Color>

/** A mistake in a style, in words. */
export type StyleProblem = { readonly problem: string }

export const plainLook: StyleSpec = { color: null, background: null, attributes: [] }

export function parseStyle(text: string, palette: Palette): Style | StyleProblem {
  const [full = '', sixteen, ...rest] = text.split('|')
  if (rest.length > 0) return { problem: 'it has more than one |' }
  const look = parseLook(full, palette)
  if ('problem' in look) return look
  if (sixteen === undefined) return { look, sixteen: null }
  const few = parseLook(sixteen, palette)
  if ('problem' in few) return few
  const wrong = [few.color, few.background].some(color => color && (color.kind === 'rgb' || color.index > 15))
  return wrong ? { problem: 'after the | only the sixteen named colours are allowed' } : { look, sixteen: few }
}

function parseLook(text: string, palette: Palette): StyleSpec | StyleProblem {
  const words = text.split(/\s+/).filter(word => word !== '')
  if (words.length === 0) return { problem: 'it is empty; "none" means the colours of the terminal' }
  if (words.join(' ') === 'none') return plainLook
  let color: Color | null = null
  let background: Color | null = null
  const found: Attribute[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const attribute = attributes.find(each => each === word)
    if (attribute) found.push(attribute)
    else if (word === 'on') {
      if (background) return { problem: 'it has two backgrounds' }
      const value = colorOf(words[(at += 1)] ?? '', palette)
      if ('problem' in value) return value
      background = value
    } else {
      const value = colorOf(word, palette)
      if ('problem' in value) return value
      if (color) return { problem: `it has two colours; a background is written "on ${word}"` }
      color = value
    }
  }
  return { color, background, attributes: found }
}

function colorOf(word: string, palette: Palette): Color | StyleProblem {
  if (word === '') return { problem: 'a colour is missing after "on"' }
  if (word.startsWith('$')) {
    return palette.get(word.slice(1)) ?? { problem: `the palette has no ${word}; ${namesIn(palette)}` }
  }
  return parseColor(word) ?? { problem: `"${word}" is neither a colour nor an attribute; ${allowed}` }
}

function namesIn(palette: Palette): string {
  const names = [...palette.keys()].map(name => `$${name}`)
  return names.length === 0 ? 'it is empty' : `it has ${names.join(', ')}`
}

const allowed = `allowed are #rrggbb, 0 to 255, names such as red or bright-red, $name from the palette, "on" and a colour for the background, and ${attributes.join(', ')}`
