/** The themes that can be chosen: the built-in ones, the user's own, and zot's. */
import { basename, extname, join } from 'node:path'
import envPaths from 'env-paths'
import { codeOf, messageOf, UserError } from '../platform/errors.ts'
import { readableNamesIn } from '../platform/folders.ts'
import { nearest } from '../text/spelling/nearest.ts'
import { readTextSync, UnreadableFile } from '../platform/regular-file.ts'
import { oneLine, sanitizeExact } from '../text/sanitize.ts'
import { builtinDescription, builtinNames, builtinTheme } from '../style/builtin.ts'
import { readTheme, type ThemeDefinition } from '../style/definition.ts'
import { isThemeFile } from '../style/file-name.ts'
import { isZotTheme, readZotTheme } from '../style/zot-format.ts'
import { textAt } from '../text/member.ts'

/** A row of the list of themes. */
type FoundThemeRow = { name: string; detail: string }

export type FoundTheme = {
  theme: ThemeDefinition
  /** Whether another background would give another theme. */
  dependsOnBackground: boolean
  /** The parts of it that are ignored, and why. */
  warnings: readonly string[]
}

export type Themes = {
  list(): FoundThemeRow[]
  /**
   * The theme with a name or in a file. `auto` picks one for the background; `name` picks `name-dark` or `name-light` for it.
   * A null background is unknown.
   *
   * @throws UserError where there is none, or it cannot be read.
   */
  find(theme: string, background: 'dark' | 'light' | null): FoundTheme
}

/** Folders with theme files; they need not exist. */
export type ThemeFolders = { own: string; zot: string }

export const AUTO = 'auto'

/** In bytes. A larger file is not a theme. */
const LARGEST = 1_000_000
const SHOWN_PROBLEMS = 3

export function ownThemesFolder(): string {
  return join(envPaths('zotui', { suffix: '' }).config, 'themes')
}

export function createThemes(folders: ThemeFolders): Themes {
  return { list, find }

  function list(): FoundThemeRow[] {
    const own = namesIn(folders.own).map(name => row(name, 'yours', join(folders.own, `${name}.json`)))
    const zots = namesIn(folders.zot).map(name => row(zotName(name), 'zot', join(folders.zot, `${name}.json`)))
    const builtin = builtinNames.map(name => ({ name, detail: builtinDescription(name) }))
    const taken = new Set(own.map(each => each.name))
    const all = [...builtin.filter(each => !taken.has(each.name)), ...own, ...zots]
    return [{ name: AUTO, detail: 'dark or light, as the terminal is' }, ...families(all)]
  }

  function find(theme: string, background: 'dark' | 'light' | null): FoundTheme {
    if (isThemeFile(theme)) return fromFile(theme, basename(theme, extname(theme)), background)
    // On an unknown background only the terminal's own colours are sure to be readable.
    if (theme === AUTO) return { ...named(background ?? 'ansi', background), dependsOnBackground: true }
    if (exists(theme)) return named(theme, background)
    const suited = `${theme}-${background ?? 'dark'}`
    if (exists(suited)) return { ...named(suited, background), dependsOnBackground: true }
    throw new UserError(`There is no theme "${theme}".`, whatThereIs(theme), 2)
  }

  function exists(name: string): boolean {
    return builtinNames.includes(name) || pathOf(name) !== null
  }

  /** The path of a theme that is not built in; null where there is none. */
  function pathOf(name: string): string | null {
    if (namesIn(folders.own).includes(name)) return join(folders.own, `${name}.json`)
    const bare = name.replace(/^zot:/, '')
    if (namesIn(folders.zot).includes(bare) && (bare !== name || zotName(bare) === name))
      return join(folders.zot, `${bare}.json`)
    return null
  }

  /** A zot theme gets a prefix where its name is already taken. */
  function zotName(name: string): string {
    const isTaken = name === AUTO || builtinNames.includes(name) || namesIn(folders.own).includes(name)
    return isTaken ? `zot:${name}` : name
  }

  function named(name: string, background: 'dark' | 'light' | null): FoundTheme {
    const path = pathOf(name)
    const builtin = path === null ? builtinTheme(name) : null
    if (builtin) return { theme: builtin, dependsOnBackground: false, warnings: [] }
    return fromFile(path ?? name, name, background)
  }

  function whatThereIs(theme: string): string {
    const names = list().map(each => each.name)
    const near = nearest(theme, [...names, ...builtinNames])
    return near === null ? `The themes are ${names.join(', ')}; or pass the path of a file.` : `Did you mean ${near}?`
  }
}

function row(name: string, from: string, path: string): FoundThemeRow {
  try {
    const description = textAt(readContent(path), 'description') ?? ''
    return { name, detail: description === '' ? from : `${from}: ${description}` }
  } catch (error) {
    return { name, detail: `${from}: ${error instanceof UserError ? error.message : 'cannot be read'}` }
  }
}

/** Lists a dark and a light variant of a theme as one. */
function families(rows: readonly FoundThemeRow[]): FoundThemeRow[] {
  const names = new Set(rows.map(each => each.name))
  return rows.flatMap(each => {
    const family = /^(.+)-(dark|light)$/.exec(each.name)
    if (!family || !names.has(`${family[1]}-dark`) || !names.has(`${family[1]}-light`)) return [each]
    const detail = each.detail.replace(/,? on an? (?:dark|light) background$| on (?:black|white)$/, '')
    return family[2] === 'dark' ? [{ name: family[1] ?? each.name, detail }] : []
  })
}

function namesIn(folder: string): string[] {
  return readableNamesIn(folder)
    .filter(name => /^[\p{L}\p{N}][\p{L}\p{N} ._-]*\.json$/iu.test(name))
    .map(name => name.slice(0, -'.json'.length))
    .toSorted()
}

function fromFile(path: string, name: string, background: 'dark' | 'light' | null): FoundTheme {
  const content = readContent(path)
  if (isZotTheme(content)) {
    const { theme, problems } = readZotTheme(content, name, background ?? 'dark', builtinTheme)
    return { theme, dependsOnBackground: true, warnings: problems }
  }
  const { theme, problems } = readTheme(content, name, builtinTheme)
  if (problems.length === 0) return { theme, dependsOnBackground: false, warnings: [] }
  const more = problems.length - SHOWN_PROBLEMS
  const shown = [...problems.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])]
  throw new UserError(`The theme in ${path} has mistakes: ${shown.join('; ')}`)
}

/** @throws UserError where it cannot be read. */
function readContent(path: string): unknown {
  let text: string
  try {
    text = readTextSync(path, LARGEST).replace(/^\uFEFF/, '')
  } catch (error) {
    const why = codeOf(error) === 'ENOENT' ? 'There is no file' : 'This file cannot be read:'
    const words = error instanceof UnreadableFile ? error.message : `${why} ${path}`
    throw new UserError(`${words}.`, 'A theme is a name or the path of a JSON file.', 2)
  }
  try {
    const content: unknown = JSON.parse(text)
    return content
  } catch (error) {
    // The message quotes the file.
    const why = oneLine(sanitizeExact(messageOf(error))).replace(/ is not valid JSON$/, '')
    throw new UserError(`The theme in ${path} is not valid JSON.`, why)
  }
}
