/** Finds the rules against reading that may concern what git prints: it knows a file by other names than its path. */
import { mayBeBelow, mayMeanPath, type PathPattern } from './path-pattern.ts'
import { pathOf } from './call-paths.ts'
import { pathInside } from '../paths.ts'
import type { Place } from '../policy.ts'
import { printedByGit } from '../reading/git-contents.ts'
import { gitCommand } from '../reading/reading-git.ts'
import type { SimpleCommand } from '../shell/line.ts'
import { foldedName } from '../../text/patterns/folded-name.ts'
import { programOf } from './writing-commands.ts'

/** The files that one git command may print, as seen from one folder. All paths are absolute. */
export type PrintedFiles = {
  /** The folder in which git runs; null if it is known only when the line runs. */
  folder: string | null
  from: 'tracked' | 'any'
  within: readonly string[] | null
}

/** Files that are compared with one rule. */
const MOST_COMPARED = 20_000

/** The files that the commands of a line may print, as seen from each folder in which they may run; null for one that is not known. */
export function printedBy(
  commands: readonly SimpleCommand[],
  folders: readonly (string | null)[],
  place: Place,
): readonly PrintedFiles[] {
  return commands.flatMap(({ words, inner, isTransparent }) => {
    // Another program may run it anywhere: `git submodule foreach`, `xargs`, `find -execdir`.
    const started = printedBy(inner, isTransparent ? folders : [null], place)
    return [...printedByOne({ words }, folders, place), ...started]
  })
}

function printedByOne(
  { words }: Pick<SimpleCommand, 'words'>,
  folders: readonly (string | null)[],
  place: Place,
): readonly PrintedFiles[] {
  if (programOf({ words }) !== 'git') return []
  const to = gitCommand(words).folder
  return folders.flatMap(from => {
    const folder = from === null || to === null ? from : to.value === null ? null : pathOf(to.value, place, from).real
    const named = (word: string): string => pathOf(word, place, folder ?? place.folder).named
    // A place that lists folders also knows what exists.
    const printed = printedByGit(
      words,
      word => place.list !== undefined && folder !== null && place.exists(named(word)),
    )
    if (!printed) return []
    return { folder, from: printed.from, within: folder === null ? null : (printed.within?.map(named) ?? null) }
  })
}

/** The reason why git may print a file that a rule with this pattern means; null if it cannot. */
export function reasonInGit(pattern: PathPattern, printed: readonly PrintedFiles[], place: Place): string | null {
  for (const { folder, from, within } of printed) {
    const repository = folder === null ? null : (place.tracked?.(folder) ?? null)
    if (repository === null) return 'git does not say which files it may print'
    const { top, files } = repository
    if (top === null || !mayBeBelow(pattern, top, place)) continue
    const own = within?.filter(path => mayMeanPath(pattern, path, place) || mayBeBelow(pattern, path, place))
    if (own?.length === 0) continue
    const isWithin = (file: string): boolean =>
      own === undefined || own.some(path => pathInside(foldedName(path), foldedName(file)) !== null)
    if (files.length > MOST_COMPARED) return 'git tracks too many files'
    const found = files.find(file => isWithin(file) && mayMeanPath(pattern, file, place))
    if (found !== undefined) return `git may print ${pathInside(place.folder, found) ?? found}`
    if (from === 'any') return 'git may print a file that was there before'
  }
  return null
}
