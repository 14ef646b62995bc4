/**
 * The patterns of a .gitignore, as git reads them: `*.log`, `/build/`, `docs/**`, `[a-z]?`. Without a regular expression, because
 * projects write them: see stars.ts. A path is a list of names, so a star never leaves its name.
 */
import { foldedName } from './folded-name.ts'
import { readNamePatterns, type CharacterTest, type NamePattern } from './name-pattern.ts'
import { matchStars, type Starred } from './stars.ts'

export type IgnorePattern = {
  /** Null stands for any number of folders. */
  names: Starred<NamePattern>
  /** `names`, and whatever is in a folder that they match. */
  covered: Starred<NamePattern>
  /** Whether it matches only folders: `build/`. */
  isForFolders: boolean
  isFolded: boolean
}

/** The names that it begins with, up to the first that is a pattern, and the pattern of what follows them. */
export function fixedStart(pattern: IgnorePattern): { start: readonly string[]; rest: IgnorePattern } {
  const { names, covered } = pattern
  const end = names.findIndex(name => typeof name !== 'string')
  const start = names.slice(0, end < 0 ? undefined : end).filter(name => typeof name === 'string')
  return { start, rest: { ...pattern, names: names.slice(start.length), covered: covered.slice(start.length) } }
}

/** The same pattern without the folders before a single name, where it is one that matches in every folder. */
export function atTheTop(pattern: IgnorePattern): IgnorePattern {
  const { names, covered } = pattern
  return names.length === 2 && names[0] === null
    ? { ...pattern, names: names.slice(1), covered: covered.slice(1) }
    : pattern
}

/** Any one name. */
const SOME: NamePattern = [null]

/**
 * Reads a pattern, without the `!` and `#` of a file. Null if it can match nothing: an open bracket, a backslash at the end. One
 * without a slash, or with one at its end only, matches in every folder. `isFolded` compares all spellings of a name as one.
 */
export function readIgnorePattern(written: string, isFolded: boolean): IgnorePattern | null {
  const isForFolders = written.endsWith('/')
  const body = written.slice(0, isForFolders ? -1 : undefined)
  const read = readNamePatterns((isFolded ? foldedName(body) : body).replace(/^\//, ''), isFolded)
  if (read === null) return null
  const names = body.includes('/') ? read.map(name => (isGlobstar(name) ? null : name)) : [null, ...read]
  // `a/**` is what the folder holds, without the folder.
  if (names.at(-1) === null) names.splice(-1, 1, SOME, null)
  const covered = [...names, ...(isForFolders ? [SOME, null] : [null])]
  return { names, covered, isForFolders, isFolded }
}

function isGlobstar(name: NamePattern): boolean {
  return typeof name !== 'string' && name.length > 1 && name.every(part => part === null)
}

/** Whether it matches this path itself. The path is relative and has no `.` and `..`. */
export function matchesPath(pattern: IgnorePattern, path: string, isFolder: boolean): boolean {
  return (isFolder || !pattern.isForFolders) && matchStars(pattern.names, namesOf(pattern, path), fitsName)
}

/** Whether it matches this path or a folder above it. The path is relative and has no `.` and `..`. */
export function coversPath(pattern: IgnorePattern, path: string): boolean {
  return matchStars(pattern.covered, namesOf(pattern, path), fitsName)
}

function namesOf({ isFolded }: IgnorePattern, path: string): string[] {
  return (isFolded ? foldedName(path) : path).split('/')
}

function fitsName(pattern: NamePattern, name: string): boolean {
  if (typeof pattern === 'string') return pattern === name
  // Few names have a character of two units.
  return matchStars(pattern, /[\ud800-\udfff]/.test(name) ? Array.from(name) : name, fitsCharacter)
}

function fitsCharacter(test: CharacterTest, character: string): boolean {
  if (typeof test === 'string') return test === character
  return test.ranges.some(([from, to]) => from <= character && character <= to) !== test.isNegated
}
