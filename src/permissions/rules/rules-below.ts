/** Finds the rules for files that may concern what a command or a tool reads below a folder. */
import type { Below } from '../reading/below.ts'
import { pathOf } from './call-paths.ts'
import { mayBeBelow, mayMeanPath, type PathPattern } from './path-pattern.ts'
import { pathInside } from '../paths.ts'
import type { Place } from '../policy.ts'
import type { ReadingReach } from '../reading/reading-table.ts'

/** A folder or a file that is read, and how far. The path is absolute and has no links. */
export type Reached = { path: string; reach: ReadingReach }

/** Entries that are compared with one rule. */
const MOST_COMPARED = 20_000

/** The reason why a rule with this pattern may apply to one of them; null if it cannot. */
export function reasonBelow(
  pattern: PathPattern,
  reached: readonly Reached[],
  below: Below,
  place: Place,
  verb: 'reads' | 'writes' = 'reads',
): string | null {
  const means = (path: string): boolean => mayMeanPath(pattern, path, place)
  // The names in the folder, whatever they are.
  const meansAll = (folder: string): boolean => means(folder) || means(`${folder}/*`)
  let left = MOST_COMPARED
  for (const { path, reach } of reached) {
    if (reach === 'nothing' || (reach !== 'linked' && !mayBeBelow(pattern, path, place))) continue
    if (meansAll(path)) return `it ${verb} ${shown(path, place)}`
    if (reach === 'entries') continue
    const entries = below(path)
    left -= entries?.length ?? 0
    if (entries === null || left < 0) return `too many files are below ${shown(path, place)}`
    for (const { path: entry, kind } of entries) {
      const isMeant =
        reach === 'names'
          ? kind === 'folder' && meansAll(entry)
          : means(entry) || (reach === 'linked' && kind === 'link' && means(pathOf(entry, place).real))
      if (isMeant) return `it ${verb} ${shown(entry, place)}`
    }
  }
  return null
}

const shown = (path: string, { folder }: Place): string => pathInside(folder, path) || path
