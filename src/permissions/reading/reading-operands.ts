/** Checks the operands of a command that may only read: words, paths, what a glob matches, and links below a folder. */
import type { Below } from './below.ts'
import { pathOf } from '../rules/call-paths.ts'
import { wordsOfFind } from './reach.ts'
import type { ReadingReach, ReadingCommand } from './reading-table.ts'
import type { Place } from '../policy.ts'
import type { CommandWord } from '../shell/line.ts'
import { mayBePattern } from '../shell/same-in-shells.ts'
import { isOpenTo } from '../paths.ts'
import { foldedName } from '../../text/patterns/folded-name.ts'
import { fitsStars, readStars } from '../../text/patterns/stars.ts'

/** The folders in which a command may run, and the paths that it may read. */
export type ReadingArea = {
  place: Place
  /** The folders in which it may run. */
  folders: readonly string[]
  /** Whether a path is inside the session's folder, as seen from each of them. */
  isAllowed: (path: string) => boolean
  below: Below
}

export const onlyWhenItRuns = ({ text }: CommandWord): string => `${text} is known only when it runs`
export const readsOutside = ({ text }: CommandWord): string => `it reads ${text}, outside the folder`
export const maybeMore = ({ text }: CommandWord): string => `${text} may do more than read`

/** The reason against the operands; null for none. */
export function reasonOfOperands(
  { operands, isGit, namesOnly, fits, firstFits, allFit }: ReadingCommand,
  words: readonly CommandWord[],
  area: ReadingArea,
): string | null {
  const [first] = words
  if (operands === 'none' && first) return maybeMore(first)
  for (const [at, word] of words.entries()) {
    const { text, value } = word
    const isPath = operands === 'paths' || (operands === 'word then paths' && at > 0)
    if (value === null) {
      const reason = namesOnly ? reasonOfGlob(word, area) : onlyWhenItRuns(word)
      if (reason !== null) return reason
      continue
    }
    if (isPath && !isGit && mayBePattern(text)) return onlyWhenItRuns(word)
    if (isPath && !area.isAllowed(value)) return readsOutside(word)
    if (at === 0 && firstFits && !firstFits.test(value)) return maybeMore(word)
    if (fits && !fits.test(value)) return maybeMore(word)
  }
  const isFit = allFit?.(words.map(({ value }) => value ?? '')) ?? true
  return isFit || !first ? null : maybeMore(first)
}

/** A glob may match a link that leads out, and a name that the program takes for an option. */
function reasonOfGlob(word: CommandWord, { folders, place, isAllowed }: ReadingArea): string | null {
  for (const folder of folders) {
    const found = globPaths(word.text, folder, place)
    if (found === null) return onlyWhenItRuns(word)
    const option = found.find(path => path.startsWith('-'))
    if (option !== undefined) return `${word.text} may match ${option}, which would be an option`
    const outside = found.find(path => !isAllowed(path))
    if (outside !== undefined) return `it reads ${outside}, outside the folder`
  }
  return null
}

/** The reason against a program that follows the links below its operands; null for none. */
export function reasonOfLinks(reach: ReadingReach, from: readonly CommandWord[], area: ReadingArea): string | null {
  if (reach !== 'linked') return null
  const { place, folders, isAllowed, below } = area
  for (const word of from) {
    for (const folder of folders) {
      if (word.value === null) return onlyWhenItRuns(word)
      const entries = below(pathOf(word.value, place, folder).real)
      if (entries === null) return `it follows links below ${word.text}, and where they lead is not known`
      const link = entries.find(({ path, kind }) => kind === 'link' && !isAllowed(path))
      if (link) return `it follows a link below ${word.text} that leads out of the folder`
    }
  }
  return null
}

/** The reason against the words of find; null for none. */
export function reasonOfFind(words: readonly CommandWord[], { isAllowed }: ReadingArea): string | null {
  const { paths, refused, unknown } = wordsOfFind(words)
  for (const word of paths) {
    if (mayBePattern(word.text)) return onlyWhenItRuns(word)
    if (word.value !== null && !isAllowed(word.value)) return readsOutside(word)
  }
  if (unknown) return onlyWhenItRuns(unknown)
  return refused && maybeMore(refused)
}

/** The highest number of entries that are compared. */
const MOST_ENTRIES = 20_000

/**
 * The paths that a glob with `*` and `?` may match, relative to the folder unless the glob is not. Names that begin with a dot are
 * among them, and all spellings of a name, since shells have options for these. A folder outside of the session's is returned and not
 * listed. Null if the glob has other special characters, or if there is too much to compare.
 */
function globPaths(glob: string, folder: string, place: Place): readonly string[] | null {
  const { list } = place
  if (!list || !/^[\w./*?-]+$/.test(glob)) return null
  const names = glob.split('/')
  // `.*` matches `..`, and in zsh `**` matches in all folders below.
  if (names.some(name => name === '..' || name.includes('**') || /^\..*[*?]/.test(name))) return null
  let left = MOST_ENTRIES
  let found: readonly string[] = ['']
  for (const [at, name] of names.entries()) {
    const next: string[] = []
    const stars = /[*?]/.test(name) ? readStars(foldedName(name.replaceAll('?', '*'))) : null
    for (const path of found) {
      if (stars === null) {
        next.push(at === 0 ? name : `${path}/${name}`)
        continue
      }
      const start = at === 0 ? '.' : path === '' ? '/' : path
      const { real } = pathOf(start, place, folder)
      if (!isOpenTo(place, real)) {
        next.push(start)
        continue
      }
      const entries = list(real, left)
      if (entries === null) return null
      left -= entries.length
      const fitting = entries.filter(entry => fitsStars(stars, foldedName(entry.name)))
      next.push(...fitting.map(entry => (at === 0 ? entry.name : `${path}/${entry.name}`)))
    }
    found = next
  }
  return found
}
