/** Turns lines into escape sequences. Nothing else in the program writes or reads those for colours and links. */
import { Chalk, type ChalkInstance } from 'chalk'
import { plainStyle, type Attribute, type Color, type Span, type Styled, type TextStyle } from '../../text/styled.ts'

/** The sequences that switch a style on and off. */
type Switch = { readonly on: string; readonly off: string }

/** Paints always: the theme has already decided which colours the terminal can show. */
const chalk = new Chalk({ level: 3 })

const painted = new WeakMap<Styled, string>()

/** The line with its looks, with no more sequences than needed. Everything is switched off at its end. */
export function paintLine(line: Styled): string {
  const known = painted.get(line)
  if (known !== undefined) return known
  const made = paintSpans(line.spans)
  painted.set(line, made)
  return made
}

/** The spans as escape sequences. */
export function paintSpans(spans: readonly Span<TextStyle, string>[]): string {
  let line = ''
  let style = plainStyle
  for (const span of spans) {
    if (span.style !== style) line += change(style, span.style)
    line += span.text
    style = span.style
  }
  return style === plainStyle ? line : line + change(style, plainStyle)
}

/** The sequence that erases or fills with this background, and the one that ends it. */
export function backgroundSwitch(style: TextStyle): Switch | null {
  return style.background && switchOf(background(style.background))
}

const changes = new WeakMap<TextStyle, WeakMap<TextStyle, string>>()

function change(from: TextStyle, to: TextStyle): string {
  const own = changes.get(from) ?? new WeakMap<TextStyle, string>()
  changes.set(from, own)
  const made = own.get(to) ?? newChange(from, to)
  own.set(to, made)
  return made
}

function newChange(from: TextStyle, to: TextStyle): string {
  const [before, after] = [switchesOf(from), switchesOf(to)]
  const off = new Set(before.flatMap(old => (after.includes(old) ? [] : old.off)))
  // Bold and dim share an end, so the one that stays is switched on again.
  const on = after.filter(each => !before.includes(each) || off.has(each.off))
  const link = from.link === to.link ? '' : `\u001B]8;;${to.link}\u001B\\`
  const looks = [...off].toReversed().join('') + on.map(each => each.on).join('')
  return to.link === '' ? link + looks : looks + link
}

const switches = new WeakMap<TextStyle, readonly Switch[]>()

function switchesOf(style: TextStyle): readonly Switch[] {
  const known = switches.get(style)
  if (known) return known
  const made = [
    ...style.attributes.map(attribute => switchOf(withAttribute(attribute))),
    ...(style.color ? [switchOf(foreground(style.color))] : []),
    ...(style.background ? [switchOf(background(style.background))] : []),
  ]
  switches.set(style, made)
  return made
}

const named = new Map<string, Switch>()

/** The two sequences between which chalk puts a text: the same object for the same ones. */
function switchOf(paint: ChalkInstance): Switch {
  const [on = '', off = ''] = paint(' ').split(' ')
  const known = named.get(on) ?? { on, off }
  named.set(on, known)
  return known
}

function withAttribute(attribute: Attribute): ChalkInstance {
  return attribute === 'strike' ? chalk.strikethrough : chalk[attribute]
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

function foreground(color: Color): ChalkInstance {
  if (color.kind === 'rgb') return chalk.rgb(color.red, color.green, color.blue)
  const name = names[color.index]
  return name ? chalk[name] : chalk.ansi256(color.index)
}

function background(color: Color): ChalkInstance {
  if (color.kind === 'rgb') return chalk.bgRgb(color.red, color.green, color.blue)
  const name = backgroundNames[color.index]
  return name ? chalk[name] : chalk.bgAnsi256(color.index)
}
