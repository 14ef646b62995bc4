/**
 * What a command leaves in the home folder of its box. It succeeds there, and looks as if it were in the person's, so the model and the person
 * have to be told.
 */
import { join } from 'node:path'
import { readableNamesIn } from '../platform/folders.ts'
import { entryKind } from './repositories.ts'

/** Names that are told at most. */
const MOST_NAMES = 5

/** Looks at the home folder in `caches` now. `left` has the names of new files, and of new folders but for those of programs. */
export function watchHome(caches: string): { left(): string[] } {
  const home = join(caches, 'home')
  const before = new Set(readableNamesIn(home))
  return {
    left: () =>
      readableNamesIn(home)
        .filter(name => !before.has(name) && !(name.startsWith('.') && entryKind(join(home, name)) === 'folder'))
        .slice(0, MOST_NAMES),
  }
}
