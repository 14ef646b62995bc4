/**
 * zot's own theme files, whose meanings differ from ours. Everything in them is optional; values under `colors.dark` or
 * `colors.light` override those under `colors`, which override the top level. A file for only one kind of background is
 * used for the other, too, as in zot.
 *
 * Fields without a counterpart here are ignored: `fg`, `background` and `tool_out`, because text and output keep the
 * terminal's own colours, and the spinner's messages and pace.
 */
import { isPlainObject, listKind, stringKind } from '../text/json-kinds.ts'
import type { Attribute, Color } from '../text/styled.ts'
import { colorNames, parseColor, rgb } from './color.ts'
import { emptyTheme, isSpinner, type FindBaseTheme, type Meaning, type ReadTheme } from './definition.ts'
import { plainLook, type StyleSpec, type Style } from './text-style.ts'
import { lookup } from '../text/lookup.ts'

/** Top-level fields that identify a theme of zot. */
const marks = ['colors', 'accent', 'muted', 'assistant', 'tool', 'user_bubble_bg', 'spinner_frames', 'spinner_messages']

export function isZotTheme(content: unknown): boolean {
  return isPlainObject(content) && !('styles' in content) && marks.some(mark => Object.hasOwn(content, mark))
}

/** Reads a theme for a background. Mistakes are reported and ignored; unknown fields may belong to another version. */
export function readZotTheme(
  content: unknown,
  name: string,
  appearance: 'dark' | 'light',
  bases: FindBaseTheme,
): ReadTheme {
  const base = bases(appearance) ?? emptyTheme
  if (!isPlainObject(content)) return { theme: { ...base, name }, problems: ['the file: expected an object'] }
  const file: Section = content
  const problems: string[] = []
  const values = new Values([file, ...colorSections(file['colors'], appearance)], problems)
  const styles = new Map(base.styles)
  for (const [meaning, style] of [...values.styles(), ...values.syntax()]) styles.set(meaning, style)
  const description = typeof file['description'] === 'string' ? file['description'] : ''
  const spinner = values.spinner() ?? base.spinner
  return { theme: { name, description, appearance, styles, spinner }, problems }
}

type Section = Readonly<Record<string, unknown>>

function colorSections(colors: unknown, appearance: 'dark' | 'light'): Section[] {
  if (!isPlainObject(colors)) return []
  const own = colors[appearance] ?? colors[appearance === 'dark' ? 'light' : 'dark']
  return isPlainObject(own) ? [colors, own] : [colors]
}

class Values {
  readonly #sections: readonly Section[]
  readonly #problems: string[]

  constructor(sections: readonly Section[], problems: string[]) {
    this.#sections = sections
    this.#problems = problems
  }

  styles(): [Meaning, Style][] {
    const found: [Meaning, Style][] = []
    const set = (color: Color | null, ...targets: [Meaning, ...Attribute[]][]): void => {
      if (color) for (const [meaning, ...attributes] of targets) found.push([meaning, styled({ color, attributes })])
    }
    const muted = this.#color('muted')
    const tool = this.#color('tool')
    const error = this.#color('error')
    set(this.#color('accent'), ['accent'], ['markdown.heading', 'bold'], ['markdown.link', 'underline'])
    set(muted, ['dim'], ['markdown.dim'], ['markdown.quote'], ['markdown.rule'], ['markdown.listMark'])
    set(muted, ['markdown.tableRule'], ['syntax.comment'], ['syntax.meta'])
    set(this.#color('assistant') ?? this.#color('spinner'), ['running'])
    set(tool, ['ok'], ['added'], ['syntax.added'])
    set(error, ['failed'], ['removed'], ['syntax.removed'])
    set(this.#color('warning'), ['warning'])
    for (const [meaning, name] of [
      ['prompt', 'user_bubble'],
      ['selected', 'selection'],
    ] as const) {
      const [color, background] = [this.#color(`${name}_fg`), this.#color(`${name}_bg`)]
      // Each was chosen for the other.
      if (color && background) found.push([meaning, styled({ color, background })])
    }
    return found
  }

  syntax(): [Meaning, Style][] {
    const parts = this.#sections.map(each => (isPlainObject(each['syntax']) ? each['syntax'] : {}))
    const merged: Section = Object.fromEntries(parts.flatMap(part => Object.entries(part)))
    return syntaxMeanings.flatMap(([meaning, ...names]) => {
      const name = names.find(each => lookup(merged, each) !== undefined)
      const look = name === undefined ? null : this.#syntaxLook(lookup(merged, name), name)
      return look ? [[meaning, { look, sixteen: null }] as [Meaning, Style]] : []
    })
  }

  spinner(): readonly string[] | null {
    const frames = this.#last('spinner_frames')
    // zot also draws wider frames; here the spinner stands in the column of the signs.
    return texts.accepts(frames) && isSpinner(frames) ? frames : null
  }

  #last(name: string): unknown {
    return this.#sections.map(each => lookup(each, name)).findLast(value => value !== undefined)
  }

  #color(name: string): Color | null {
    const value = this.#last(name)
    if (value === undefined) return null
    const color = readColor(value)
    if (!color) this.#problems.push(`${name}: a colour is 0 to 255, #rrggbb, or an object with a mode`)
    return color
  }

  /** Reads `#rrggbb bold italic`; other words, such as `noinherit` and borders, are ignored. */
  #syntaxLook(value: unknown, name: string): StyleSpec | null {
    if (typeof value !== 'string') {
      this.#problems.push(`syntax.${name}: expected text such as "#81a1c1 bold"`)
      return null
    }
    const words = value.trim().split(/\s+/)
    const color = words.map(word => (word.startsWith('#') ? parseColor(word) : chromaName(word))).find(each => each)
    const attributes = (['bold', 'italic', 'underline'] as const).filter(each => words.includes(each))
    if (!color && attributes.length === 0) {
      this.#problems.push(`syntax.${name}: expected text such as "#81a1c1 bold"`)
      return null
    }
    return { ...plainLook, color: color ?? null, attributes }
  }
}

const syntaxMeanings: readonly (readonly [Meaning, ...string[]])[] = [
  ['markdown.codeBlock', 'text'],
  ['syntax.keyword', 'keyword', 'keyword_declaration', 'keyword_reserved'],
  ['syntax.literal', 'keyword_constant', 'literal_number'],
  ['syntax.type', 'keyword_type', 'name_class', 'name_builtin'],
  ['syntax.title', 'name_function'],
  ['syntax.attribute', 'name_decorator'],
  ['syntax.tag', 'name_class', 'keyword'],
  ['syntax.string', 'literal_string'],
  ['syntax.number', 'literal_number'],
  ['syntax.comment', 'comment'],
  ['syntax.meta', 'comment_preproc'],
]

const texts = listKind(stringKind(), '')

function readColor(value: unknown): Color | null {
  if (typeof value === 'string') return value.startsWith('#') ? parseColor(value) : null
  if (isByte(value)) return { kind: 'palette', index: value }
  if (!isPlainObject(value)) return null
  const { mode = '', index, r, g, b } = value
  if (mode === 'rgb' || mode === 'truecolor') return isByte(r) && isByte(g) && isByte(b) ? rgb(r, g, b) : null
  if (mode === 'ansi') return typeof index === 'number' ? ofSgr(index) : null
  const isIndexed = ['', '256', 'color256', 'xterm256'].some(each => each === mode)
  return isIndexed && isByte(index) ? { kind: 'palette', index } : null
}

function isByte(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255
}

/** The colour that an SGR parameter sets: 30 to 37 and 90 to 97, backgrounds 10 more. */
function ofSgr(code: number): Color | null {
  const foreground = (code >= 40 && code <= 47) || (code >= 100 && code <= 107) ? code - 10 : code
  if (foreground >= 30 && foreground <= 37) return { kind: 'palette', index: foreground - 30 }
  return foreground >= 90 && foreground <= 97 ? { kind: 'palette', index: foreground - 82 } : null
}

/** Chroma's names of the sixteen colours: `ansired`, `ansibrightred`. */
function chromaName(word: string): Color | null {
  const name = /^ansi(bright)?([a-z]+)$/.exec(word)
  if (!name) return null
  const known = colorNames.find(each => each === `${name[1] ? 'bright-' : ''}${name[2]}`)
  return known === undefined ? null : parseColor(known)
}

function styled(look: Partial<StyleSpec>): Style {
  return { look: { ...plainLook, ...look }, sixteen: null }
}
