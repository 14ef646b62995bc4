/** Turns a theme, which gives each meaning a style, into paints for a terminal's number of colours. */
import type { MarkdownStyle } from '../markdown/style.ts'
import type { Ellipsis } from '../text/lines/shorten.ts'
import { inStyle, plainStyle, styleWithin, textStyle, type TextStyle } from '../text/styled.ts'
import { builtinTheme } from './builtin.ts'
import { emptyTheme, type Meaning, type ThemeDefinition } from './definition.ts'
import { luminance, mixed, rgb, type Rgb } from './color.ts'
import { plainLook, type Style } from './text-style.ts'
import { GAP, SPOKEN_GAP } from './facts-line.ts'
import { lookOf, type ColorLevel } from './paint.ts'
import { filled, type Paint, type Styled } from './styled.ts'

/** Paints a line; a background extends to `width`. */
export type PaintBand = (line: Styled, width: number) => Styled

export type Theme = {
  /** The user's own marks and the caret. */
  accent: Paint
  strong: Paint
  dim: Paint
  /** The user's prompts, and the band behind them. */
  prompt: Paint
  promptBand: PaintBand
  /** The chosen row of a list. */
  selected: Paint
  /** The letters in a row that match the typed text. */
  matched: Paint
  /** Text that is selected in the composer; without colours, too. */
  selection: Paint
  running: Paint
  ok: Paint
  failed: Paint
  warning: Paint
  /** Counts and signs of what changed. */
  added: Paint
  removed: Paint
  /** The lines of a diff: a background up to the right edge, on which code keeps its colours. */
  addedLine: PaintBand
  removedLine: PaintBand
  /** The words in them that changed. */
  addedWord: Paint
  removedWord: Paint
  /** Paints for the sixteen colours of program output, by number, that are readable in this theme. */
  printed: readonly Paint[]
  markdown: MarkdownStyle
  signs: Glyphs
  /** The separator of facts on a line. */
  gap: string
  /** Whether lines are read aloud: then nothing is aligned in columns. */
  isSpoken: boolean
  /** How many colours the terminal has, for the few that no theme may change. */
  level: ColorLevel
}

/** One column wide in every terminal, except for `up`, `down`, `newline`, `atLeast` and `ellipsis`. */
type Glyphs = {
  /** Before the first row of a prompt of the user, and before the others. */
  prompt: string
  promptRest: string
  /** Before the chosen row of a list. */
  chosen: string
  done: string
  failed: string
  waiting: string
  /** Before an item of a to-do list that is in progress. */
  begun: string
  stopped: string
  spinner: readonly string[]
  /** Tokens sent to the model and received from it, directly before a number. */
  up: string
  down: string
  /** Points to text above. */
  above: string
  /** Before what belongs below the line above. */
  branch: string
  /** For a line break, and before a number that may be larger. */
  newline: '⏎' | '\\n'
  atLeast: string
  /** The mark of omitted text. */
  ellipsis: Ellipsis
}

const unicodeSigns: Glyphs = {
  prompt: '>',
  promptRest: ' ',
  chosen: '›',
  done: '●',
  failed: '✗',
  waiting: '○',
  begun: '◐',
  stopped: '⊘',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
  up: '↑',
  down: '↓',
  above: '↑',
  branch: '└',
  newline: '⏎',
  atLeast: '≥ ',
  ellipsis: '…',
}

/** With colours, a bar marks the user's prompts. */
const bar: Partial<Glyphs> = { prompt: '▌', promptRest: '▌' }

const asciiSigns: Glyphs = {
  prompt: '>',
  promptRest: ' ',
  chosen: '>',
  done: '*',
  failed: 'x',
  waiting: 'o',
  begun: '~',
  stopped: '!',
  spinner: ['-', '\\', '|', '/'],
  up: 'in ',
  down: 'out ',
  above: '^',
  branch: '+',
  newline: '\\n',
  atLeast: '>= ',
  ellipsis: '...',
}

export type ThemeOptions = {
  /** Default: `ansi`, the sixteen colours as the user set them up, which are readable on any background. */
  definition?: ThemeDefinition | null
  /** The terminal's own background, if known. */
  background?: Rgb | null
  /** Whether text without colours is bold, dim or underlined. A terminal that knows no sequences shows none of that. */
  attributes?: boolean
  /** False draws signs in ASCII. */
  unicode?: boolean
  /** Whether the terminal opens OSC 8 links. */
  hyperlinks?: boolean
  /** False for a spinner that does not move. */
  motion?: boolean
  /** Whether lines are read aloud. */
  isSpoken?: boolean
}

/** The paints of a theme. Without colours and attributes only a selection is painted: signs and words say everything else. */
export function createTheme(level: ColorLevel, options: ThemeOptions = {}): Theme {
  const { unicode = true, hyperlinks = false, motion = true, isSpoken = false, background = null } = options
  const hasAttributes = level > 0 || options.attributes === true
  const definition = options.definition ?? builtinTheme('ansi') ?? emptyTheme
  const look = (meaning: Meaning): TextStyle => lookOf(definition.styles.get(meaning), level, hasAttributes)
  const paint = (meaning: Meaning): Paint => painting(look(meaning))
  const band = (style: Style | undefined): PaintBand => {
    const own = lookOf(style, level, hasAttributes)
    return (line, width) => inStyle(own, own.background ? filled(line, width) : line)
  }
  const prompt = definition.styles.get('prompt')
  const signs = !unicode ? asciiSigns : level === 0 ? unicodeSigns : { ...unicodeSigns, ...bar }
  const spinner = (unicode && definition.spinner) || signs.spinner
  return {
    accent: paint('accent'),
    strong: paint('strong'),
    dim: paint('dim'),
    prompt: painting(lookOf(prompt && withoutBackground(prompt), level, hasAttributes)),
    promptBand: band(prompt && onlyBackground(suited(prompt, background))),
    selected: paint('selected'),
    matched: paint('matched'),
    selection: level === 0 ? painting(textStyle({ attributes: ['inverse'] })) : paint('selection'),
    running: paint('running'),
    ok: paint('ok'),
    failed: paint('failed'),
    warning: paint('warning'),
    added: paint('added'),
    removed: paint('removed'),
    addedLine: band(definition.styles.get('added.line')),
    removedLine: band(definition.styles.get('removed.line')),
    addedWord: paint('added.word'),
    removedWord: paint('removed.word'),
    printed: printedPaints(paint),
    markdown: {
      ...markdownStyle(look, hasAttributes),
      hyperlinks,
      unicode,
      tablesByRow: isSpoken,
      cells: unicode && level > 0,
    },
    signs: { ...signs, spinner: motion ? spinner : spinner.slice(0, 1) },
    gap: isSpoken ? SPOKEN_GAP : GAP,
    isSpoken,
    level,
  }
}

function withoutBackground({ look, sixteen }: Style): Style {
  return { look: { ...look, background: null }, sixteen: sixteen && { ...sixteen, background: null } }
}

function onlyBackground({ look, sixteen }: Style): Style {
  return {
    look: { ...plainLook, background: look.background },
    sixteen: sixteen && { ...plainLook, background: sixteen.background },
  }
}

/** The share of white or black in a band on the terminal's own background. */
const TINT = { onDark: 0.1, onLight: 0.07 }

/** A band is a tint of the terminal's background, if known, so that text of any colour is readable. */
function suited(style: Style, background: Rgb | null): Style {
  const { look } = style
  if (!background || !look.background || look.color) return style
  const tint =
    luminance(background) < 0.2 ? mixed(background, white, TINT.onDark) : mixed(background, black, TINT.onLight)
  return { ...style, look: { ...look, background: tint } }
}

const white = rgb(255, 255, 255)
const black = rgb(0, 0, 0)

/**
 * Black and white become the colour of the text, since they are unreadable on the wrong background. The others become
 * similar colours of the theme.
 */
function printedPaints(paint: (meaning: Meaning) => Paint): Paint[] {
  const hues = (
    ['removed', 'added', 'warning', 'syntax.title', 'syntax.keyword', 'syntax.type'] as const satisfies Meaning[]
  ).map(paint)
  return [asText, ...hues, asText, paint('dim'), ...hues, asText]
}

function painting(style: TextStyle): Paint {
  return text => inStyle(style, text)
}

const asText = painting(plainStyle)

/** The look of a heading. Level 1 is also underlined, and levels from 3 on are italic. */
function headingLook(look: TextStyle, hasAttributes: boolean): MarkdownStyle['heading'] {
  const attribute = (name: 'underline' | 'italic'): TextStyle =>
    hasAttributes ? styleWithin(look, textStyle({ attributes: [name] })) : look
  const [underlined, leaning] = [attribute('underline'), attribute('italic')]
  return level => (level === 1 ? underlined : level === 2 ? look : leaning)
}

function markdownStyle(
  look: (meaning: Meaning) => TextStyle,
  hasAttributes: boolean,
): Omit<MarkdownStyle, 'hyperlinks' | 'unicode'> {
  return {
    heading: headingLook(look('markdown.heading'), hasAttributes),
    headingMarks: !hasAttributes,
    strong: look('markdown.strong'),
    emphasis: look('markdown.emphasis'),
    strike: look('markdown.strike'),
    code: look('markdown.code'),
    codeBlock: look('markdown.codeBlock'),
    link: look('markdown.link'),
    quote: look('markdown.quote'),
    rule: look('markdown.rule'),
    listMark: look('markdown.listMark'),
    tableHeader: look('markdown.tableHeader'),
    tableRule: look('markdown.tableRule'),
    dim: look('markdown.dim'),
    syntax: {
      keyword: look('syntax.keyword'),
      string: look('syntax.string'),
      number: look('syntax.number'),
      literal: look('syntax.literal'),
      comment: look('syntax.comment'),
      title: look('syntax.title'),
      type: look('syntax.type'),
      variable: look('syntax.variable'),
      attribute: look('syntax.attribute'),
      tag: look('syntax.tag'),
      meta: look('syntax.meta'),
      added: look('syntax.added'),
      removed: look('syntax.removed'),
    },
  }
}
