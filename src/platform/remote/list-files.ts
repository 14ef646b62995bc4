/** The files of a folder on another machine, for completion. */
import { ownGitLines } from '../git/switches.ts'
import type { Listing } from '../files/git.ts'
import { enter, type RemoteMachine } from './machine.ts'

/** Bytes of the list. */
const MOST = 48 * 1024 * 1024
/** Without git: folders that tools make, and what is deep down, are of no interest. */
const FIND = String.raw`find . -name .git -prune -o -name node_modules -prune -o \( -type f -o -type l \) -print0`
const GIT = 'git ls-files -z'

/** Lists those that git knows, and new ones that are not ignored; without git all files. */
export function listRemote(machine: Pick<RemoteMachine, 'ask'>, folder: string) {
  return async ({ add, pace, signal }: Omit<Listing, 'folder'>): Promise<void> => {
    const git = `n=$(git rev-parse --is-inside-work-tree 2>/dev/null) && [ "$n" = true ]`
    const script = `${enter(folder)} || exit 1\n${ownGitLines()}\nif ${git}; then ${GIT} -c && ${GIT} -o --exclude-standard; else ${FIND}; fi`
    const answer = await machine.ask(script, { most: MOST, signal })
    if (!answer.ok) return
    for (const name of answer.bytes.toString('utf8').split('\0')) {
      const path = name.replace(/^\.\//, '')
      if (path !== '' && !add(path)) return
      if (pace.isDue()) await pace.rest()
    }
  }
}
