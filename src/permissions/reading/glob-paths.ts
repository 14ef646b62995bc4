/** Finds what a glob may match in bash, dash and zsh. */
import type { Place } from '../policy.ts'
import { pathOf } from '../rules/call-paths.ts'
import { pathInside } from '../paths.ts'
import { foldedName } from '../../text/patterns/folded-name.ts'
import { fitsStars, readStars } from '../../text/patterns/stars.ts'

/** The highest number of entries that are compared. */
const MOST = 20_000

/**
 * The paths that a glob with `*` and `?` may match, relative to the folder unless the glob is not. Names that begin with a dot are
 * among them, and all spellings of a name, since shells have options for these. A folder outside of the session's is returned and not
 * listed. Null if the glob has other special characters, or if there is too much to compare.
 */
export function globPaths(glob: string, folder: string, place: Place): readonly string[] | null {
  const { list } = place
  if (!list || !/^[\w./*?-]+$/.test(glob)) return null
  const names = glob.split('/')
  // `.*` matches `..`, and in zsh `**` matches in all folders below.
  if (names.some(name => name === '..' || name.includes('**') || /^\..*[*?]/.test(name))) return null
  let left = MOST
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
      if (pathInside(place.folder, real) === null) {
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
