/** Turns a theme's styles into looks for a terminal's number of colours. */
import { textStyle, type Color, type TextStyle } from '../text/styled.ts'
import { to16, to256 } from './color.ts'
import { plainLook, type StyleSpec, type Style } from './text-style.ts'

/** 0 is no colour, 1 sixteen colours, 2 the 256, 3 all. */
export type ColorLevel = 0 | 1 | 2 | 3

/** The look of a style. Without colours it is that of the terminal, or has the attributes of the style, such as bold. */
export function lookOf(style: Style | undefined, level: ColorLevel, hasAttributes = false): TextStyle {
  if (!style) return textStyle(plainLook)
  if (level > 0) return textStyle(specAt(style, level))
  // With few colours, attributes say more than with many.
  return textStyle(hasAttributes ? { attributes: (style.sixteen ?? style.look).attributes } : plainLook)
}

function specAt({ look, sixteen }: Style, level: ColorLevel): StyleSpec {
  if (level === 1 && sixteen) return sixteen
  return { ...look, color: shown(look.color, level), background: shownBehind(look.background, level) }
}

function shown(color: Color | null, level: ColorLevel): Color | null {
  if (!color || level === 3) return color
  if (level === 1) return { kind: 'palette', index: to16(color) }
  return color.kind === 'rgb' ? { kind: 'palette', index: to256(color) } : color
}

/** Only named backgrounds are kept with sixteen colours: even the nearest of them would be too loud. */
function shownBehind(color: Color | null, level: ColorLevel): Color | null {
  const named = color?.kind === 'palette' && color.index < 16
  return level === 1 && !named ? null : shown(color, level)
}
