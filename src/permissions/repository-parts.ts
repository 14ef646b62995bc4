/**
 * Files that make a folder a git repository. git takes any folder with a `HEAD`, `objects` and `refs` for one, also without `.git`, and
 * then runs programs that its `config` names. `commondir` leads to these in another folder.
 */
import { plainName } from './plain-name.ts'
import type { Place } from './policy.ts'

/** A file of that name is hardly ever anything else. The rest counts beside a `HEAD` only: without one git takes no repository. */
const names = new Set(['head', 'commondir', 'gitdir', 'config.worktree'])
const besideHead = new Set(['config', 'objects', 'refs', 'packed-refs'])

/** The part of a path that would complete a repository, and its folder; null if there is none. */
export function repositoryPart(
  path: string,
  { exists }: Pick<Place, 'exists'>,
): { part: string; folder: string } | null {
  const parts = path.split('/')
  for (const [at, part] of parts.entries()) {
    const name = plainName(part)
    const folder = parts.slice(0, at).join('/')
    if (at === parts.length - 1 && names.has(name)) return { part, folder }
    if (besideHead.has(name) && exists(`${folder}/HEAD`)) return { part, folder }
  }
  return null
}

/** The paths whose existence `repositoryPart` asks about. */
export function headsBeside(path: string): readonly string[] {
  const found: string[] = []
  repositoryPart(path, {
    exists(head) {
      found.push(head)
      return false
    },
  })
  return found
}
