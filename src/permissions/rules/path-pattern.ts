/**
 * Path patterns, as in a .gitignore: `src/**`, `*.pem`, `~/.ssh/**`, `/etc/**`. Relative patterns start at the session's folder.
 */
import { absolutePath, pathInside } from '../paths.ts'
import { foldedName } from '../../text/patterns/folded-name.ts'
import {
  atTheTop,
  coversPath,
  fixedStart,
  readIgnorePattern,
  type IgnorePattern,
} from '../../text/patterns/ignore-pattern.ts'

/** The folder of the session and the user's home folder: absolute paths, with their links resolved. */
type Base = { folder: string; more?: readonly string[]; home: string }
/** On another machine, where no folder is listed, the targets of rules are not looked up. */
type BaseOfLinks = Base & { resolve: (path: string) => string; list?: unknown }

export type PathPattern = {
  /** As an allow rule means it. */
  own: PathReading
  /** The ways in which a deny or ask rule may be meant, too. */
  others: readonly PathReading[]
}

/** One way to read a pattern. */
type PathReading = {
  /** The folder where it starts. */
  root: (base: Base) => string
  /** Whether it matches this folder itself. */
  hasRoot: boolean
  /** Matches the names as they are written; null for all that is in the folder. */
  exact: IgnorePattern | null
  /** Matches all spellings of the names; null for all that is in the folder. */
  folded: IgnorePattern | null
  /** The names that it begins with, and how it is read from there on, below the file or folder that they lead to. */
  below: { start: readonly string[]; reading: Omit<PathReading, 'root' | 'below'> } | null
}

/** Null for a pattern that can match nothing: an open bracket, a backslash at the end. */
export function readPathPattern(text: string): PathPattern | null {
  const own = ownReading(text)
  // In other programs a leading slash starts at the folder. A name alone is meant anywhere.
  const inFolder = text.startsWith('/') ? [readingFrom(({ folder }) => folder, text)] : []
  const anywhere = text.includes('/') ? [] : [readingFrom(() => '/', text)]
  const others = [...inFolder, ...anywhere].filter(reading => reading !== null)
  return own && { own, others }
}

function ownReading(text: string): PathReading | null {
  if (/^[A-Za-z]:\//.test(text)) return readingFrom(() => text.slice(0, 2), text.slice(2))
  if (text.startsWith('/')) return readingFrom(() => '/', text.replace(/^\/+/, '/'))
  if (/^~(?:\/|$)/.test(text)) return readingFrom(({ home }) => home, text.slice(1) || '/**')
  // Each leading `..` is one folder up.
  const ups = /^(?:\.\.\/)*/.exec(text)?.[0] ?? ''
  if (ups === '') return readingFrom(({ folder }) => folder, text.replace(/^(?:\.\/)+/, '/'))
  return readingFrom(base => absolutePath(ups, base), `/${text.slice(ups.length)}`)
}

function readingFrom(root: PathReading['root'], glob: string): PathReading | null {
  if (glob === '.' || glob === '/') return { root, hasRoot: true, exact: null, folded: null, below: null }
  const [exact, folded] = [readIgnorePattern(glob, false), readIgnorePattern(glob, true)]
  // `**` of a folder matches the folder itself, too.
  return exact && folded && { root, hasRoot: /^\/?\*\*?$/.test(glob), exact, folded, below: belowStart(exact, folded) }
}

function belowStart(exact: IgnorePattern, folded: IgnorePattern): PathReading['below'] {
  // A name alone may be a link anywhere. It is looked up in the folder itself.
  const { start, rest } = fixedStart(atTheTop(exact))
  if (start.length === 0) return null
  // Without more names it is this file or folder, and all in it.
  const hasRoot = rest.names.length === 0 && !rest.isForFolders
  return { start, reading: { hasRoot, exact: rest, folded: fixedStart(atTheTop(folded)).rest } }
}

/** The ways in which a deny or ask rule may be meant: also from the target of a link that it names. */
function* readings({ own, others }: PathPattern, base: BaseOfLinks): Generator<PathReading> {
  for (const reading of [own, ...others]) {
    yield reading
    const { root, below } = reading
    if (below === null || base.list === undefined) continue
    const start = absolutePath(`${root(base)}/${below.start.join('/')}`, base)
    const target = base.resolve(start)
    if (target !== start) yield { root: () => target, ...below.reading, below: null }
  }
}

/** They also start at the folders beside that of the session: `secrets/**` is meant there, too. */
function* readingsOf(pattern: PathPattern, base: BaseOfLinks): Generator<{ reading: PathReading; from: BaseOfLinks }> {
  for (const folder of [base.folder, ...(base.more ?? [])]) {
    const from = { ...base, folder }
    for (const reading of readings(pattern, from)) yield { reading, from }
  }
}

/** Whether an allow rule names exactly this path, which is absolute and without links. Case-sensitive. */
export function allowsPath({ own }: PathPattern, path: string, base: Base): boolean {
  return isWithin(own, own.exact, pathInside(own.root(base), path))
}

/** Whether a deny or ask rule may match the path, in any spelling that some file system takes for the same. */
export function mayMeanPath(pattern: PathPattern, path: string, base: BaseOfLinks): boolean {
  for (const { reading, from } of readingsOf(pattern, base)) {
    const root = reading.root(from)
    const inFolded = pathInside(foldedName(root), foldedName(path))
    if (isWithin(reading, reading.exact, pathInside(root, path)) || isWithin(reading, reading.folded, inFolded))
      return true
  }
  return false
}

/** Whether the pattern may match something in the folder or below it, or the folder itself. */
export function mayBeBelow(pattern: PathPattern, folder: string, base: BaseOfLinks): boolean {
  const inFolder = foldedName(folder)
  for (const { reading, from } of readingsOf(pattern, base)) {
    const { root, folded } = reading
    const path = [foldedName(root(from)), ...(folded ? fixedStart(folded).start : [])].join('/')
    if (pathInside(path, inFolder) !== null || pathInside(inFolder, path) !== null) return true
  }
  return false
}

function isWithin({ hasRoot }: PathReading, pattern: IgnorePattern | null, inside: string | null): boolean {
  if (inside === null) return false
  return inside === '' ? hasRoot : pattern === null || coversPath(pattern, inside)
}
