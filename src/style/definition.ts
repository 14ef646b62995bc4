/** A theme as data: the style of each meaning. */
import {
  eitherKind,
  filledListKind,
  isPlainObject,
  numberKind,
  objectKind,
  recordKind,
  stringKind,
  wordKind,
  type Kind,
  type ValueProblem,
} from '../text/json-kinds.ts'
import { nearest } from '../text/spelling/nearest.ts'
import { oneLine, sanitizeExact } from '../text/sanitize.ts'
import { displayWidth } from '../text/lines/width.ts'
import { parseColor } from './color.ts'
import { parseStyle, type Palette, type Style } from './text-style.ts'
import { lookup } from '../text/lookup.ts'

export const meanings = [
  // The user's own marks and the caret; names and titles; facts; prompts; the chosen row of a list.
  'accent',
  'strong',
  'dim',
  'prompt',
  'selected',
  // The letters in a row that match the typed text; text that is selected in the composer.
  'matched',
  'selection',
  // States, and nothing else.
  'running',
  'ok',
  'failed',
  'warning',
  // Counts and signs of what changed; the lines of a diff; the words in them that changed.
  'added',
  'removed',
  'added.line',
  'removed.line',
  'added.word',
  'removed.word',
  'markdown.heading',
  'markdown.strong',
  'markdown.emphasis',
  'markdown.strike',
  'markdown.code',
  'markdown.codeBlock',
  'markdown.link',
  'markdown.quote',
  'markdown.rule',
  'markdown.listMark',
  'markdown.tableHeader',
  'markdown.tableRule',
  'markdown.dim',
  'syntax.keyword',
  'syntax.string',
  'syntax.number',
  'syntax.literal',
  'syntax.comment',
  'syntax.title',
  'syntax.type',
  'syntax.variable',
  'syntax.attribute',
  'syntax.tag',
  'syntax.meta',
  'syntax.added',
  'syntax.removed',
] as const

export type Meaning = (typeof meanings)[number]

/** The backgrounds that a theme is made for. */
type Appearance = 'dark' | 'light' | 'any'

export type ThemeDefinition = {
  readonly name: string
  readonly description: string
  readonly appearance: Appearance
  readonly styles: ReadonlyMap<Meaning, Style>
  /** The spinner's frames, each one column wide; null for the usual ones. */
  readonly spinner: readonly string[] | null
}

/** A theme as far as it could be read, and the mistakes in the rest, each with its place. */
export type ReadTheme = { readonly theme: ThemeDefinition; readonly problems: readonly string[] }

/** A theme that others are built on, by name; null if there is none. */
export type FindBaseTheme = (name: string) => ThemeDefinition | null

const appearances = ['dark', 'light', 'any'] as const
const palette = recordKind(stringKind(), eitherKind(stringKind(), numberKind(), 'invalid input'), 'expected object')
const styles = Object.fromEntries(meanings.map(meaning => [meaning, stringKind()]))

const members = {
  $schema: stringKind().describe('The location of the schema of this file.'),
  name: stringKind().describe('The name to show; themes are selected by the name of their file.'),
  description: stringKind().describe('One line about it, for the list of themes.'),
  appearance: wordKind(appearances, `allowed are ${appearances.join(', ')}`).describe(
    'The backgrounds that it is made for.',
  ),
  extends: stringKind().describe('The built-in theme that supplies what this one omits.'),
  palette: palette.describe('Colours with your own names, used in the styles as $name.'),
  styles: objectKind({}, styles, 'expected object', key => suggestion(key, meanings)).describe(
    'What each meaning looks like, such as "$blue bold" or "#8b949e | dim".',
  ),
  spinner: filledListKind(stringKind(), 'expected array').describe('The frames of the spinner, each one column wide.'),
}

/** The format of theme files. */
export const themeKind = objectKind({}, members, 'expected object', key => suggestion(key, Object.keys(members)))

/** The content of a theme file as far as it has the right types. */
export type ThemeFile = {
  description?: string | undefined
  appearance?: Appearance | undefined
  extends?: string | undefined
  palette?: Readonly<Record<string, string | number>> | undefined
  styles?: Readonly<Record<string, unknown>> | undefined
  spinner?: readonly string[] | undefined
}

/** The readable parts of a file with mistakes, so that all mistakes are reported at once. */
function readable(content: unknown): ThemeFile {
  if (!isPlainObject(content)) return {}
  const read = <Value>(name: string, kind: Kind<Value>): Value | undefined => {
    const value = lookup(content, name)
    return kind.accepts(value) ? value : undefined
  }
  return {
    description: read('description', members.description),
    appearance: read('appearance', members.appearance),
    extends: read('extends', members.extends),
    palette: read('palette', members.palette),
    styles: isPlainObject(content['styles']) ? content['styles'] : undefined,
    spinner: read('spinner', members.spinner),
  }
}

/** A theme without any styles. */
export const emptyTheme: ThemeDefinition = {
  name: '',
  description: '',
  appearance: 'any',
  styles: new Map(),
  spinner: null,
}

/** Reads the content of a theme file. `name` is the name of the theme. */
export function readTheme(content: unknown, name: string, bases: FindBaseTheme): ReadTheme {
  const wrong = themeKind.problems(content).map(sayProblem)
  const { theme, problems } = resolveTheme(readable(content), name, bases)
  return { theme, problems: [...wrong, ...problems] }
}

/** Like `readTheme`, for content known to have the right types, such as built-in themes: checking takes longest. */
export function resolveTheme(file: ThemeFile, name: string, bases: FindBaseTheme): ReadTheme {
  const problems: string[] = []
  const base = baseOf(file.extends ?? defaultBase(file.appearance), bases, problems)
  const palette = readPalette(file.palette ?? {}, problems)
  const styles = new Map(base.styles)
  for (const meaning of meanings) {
    const text = file.styles?.[meaning]
    if (typeof text !== 'string') continue
    const style = parseStyle(text, palette)
    if ('problem' in style) problems.push(`styles.${meaning} is "${shown(text)}": ${shown(style.problem)}`)
    else styles.set(meaning, style)
  }
  const spinner = file.spinner ?? base.spinner
  if (spinner && !isSpinner(spinner)) problems.push('spinner: each frame must be one column wide')
  const description = file.description ?? ''
  const appearance = file.appearance ?? base.appearance
  return { theme: { name, description, appearance, styles, spinner }, problems }
}

/** Whether these can be a spinner's frames. */
export function isSpinner(frames: readonly string[]): boolean {
  return frames.length > 0 && frames.every(frame => displayWidth(frame) === 1 && sanitizeExact(frame) === frame)
}

function defaultBase(appearance: Appearance | undefined): string {
  return appearance === 'dark' || appearance === 'light' ? appearance : 'ansi'
}

function baseOf(name: string, bases: FindBaseTheme, problems: string[]): ThemeDefinition {
  const base = bases(name)
  if (!base) problems.push(`extends is "${shown(name)}": there is no built-in theme of that name`)
  return base ?? emptyTheme
}

function readPalette(entries: Readonly<Record<string, string | number>>, problems: string[]): Palette {
  const palette = new Map()
  for (const [name, value] of Object.entries(entries)) {
    const color = parseColor(String(value))
    if (color && /^[\w-]+$/.test(name)) palette.set(name, color)
    else if (color) problems.push(`palette has "${shown(name)}": names are letters, digits, - and _`)
    else problems.push(`palette.${shown(name)} is "${shown(String(value))}": a colour is #rrggbb, 0 to 255 or a name`)
  }
  return palette
}

function sayProblem({ path, words }: ValueProblem): string {
  return `${path.length === 0 ? 'the file' : shown(path.join('.'))}: ${words}`
}

function suggestion(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  return near === null
    ? `there is no such key; the keys are ${known.join(', ')}`
    : `there is no such key. Did you mean ${near}?`
}

/** Text from a file, made safe and short for a message. */
function shown(text: string): string {
  const line = oneLine(sanitizeExact(text))
  return line.length > 200 ? `${line.slice(0, 200)}...` : line
}
