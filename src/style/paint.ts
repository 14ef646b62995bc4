/** From a theme's style to escape sequences, for terminals with more and with fewer colours. */
import { Chalk, type ChalkInstance } from 'chalk'
import { to16, to256, type Color } from './color.ts'
import { plainLook, type StyleSpec, type Style } from './text-style.ts'

/** 0 is no colour, 1 sixteen colours, 2 the 256, 3 all. */
export type ColorLevel = 0 | 1 | 2 | 3

/** The function that paints a text in a style; without colours it changes nothing. */
export function painter(style: Style | undefined, level: ColorLevel): (text: string) => string {
  const { color, background, attributes } = lookAt(style, level)
  // Its level says only that it paints: what a terminal can show was decided above.
  let chalk: ChalkInstance = new Chalk({ level: level === 0 ? 0 : 3 })
  for (const attribute of attributes) chalk = attribute === 'strike' ? chalk.strikethrough : chalk[attribute]
  if (color) chalk = foreground(chalk, color)
  if (background) chalk = behind(chalk, background)
  return text => chalk(text)
}

/** Whether a style puts a background behind its text there. */
export function hasBackground(style: Style | undefined, level: ColorLevel): boolean {
  return level > 0 && lookAt(style, level).background !== null
}

function lookAt(style: Style | undefined, level: ColorLevel): StyleSpec {
  if (!style) return plainLook
  const { look, sixteen } = style
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

const names = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
  'blackBright',
  'redBright',
  'greenBright',
  'yellowBright',
  'blueBright',
  'magentaBright',
  'cyanBright',
  'whiteBright',
] as const

const backgroundNames = [
  'bgBlack',
  'bgRed',
  'bgGreen',
  'bgYellow',
  'bgBlue',
  'bgMagenta',
  'bgCyan',
  'bgWhite',
  'bgBlackBright',
  'bgRedBright',
  'bgGreenBright',
  'bgYellowBright',
  'bgBlueBright',
  'bgMagentaBright',
  'bgCyanBright',
  'bgWhiteBright',
] as const

function foreground(chalk: ChalkInstance, color: Color): ChalkInstance {
  if (color.kind === 'rgb') return chalk.rgb(color.red, color.green, color.blue)
  const name = names[color.index]
  return name ? chalk[name] : chalk.ansi256(color.index)
}

function behind(chalk: ChalkInstance, color: Color): ChalkInstance {
  if (color.kind === 'rgb') return chalk.bgRgb(color.red, color.green, color.blue)
  const name = backgroundNames[color.index]
  return name ? chalk[name] : chalk.bgAnsi256(color.index)
}
