import { statSync } from 'node:fs'
import process from 'node:process'

/** The owner of what belongs to a user that this machine does not know here: in a sandbox, that is root. */
const UNKNOWN_USER = 65_534
const [GROUP_AND_OTHERS_WRITE, STICKY] = [0o022, 0o1000]

/**
 * Whether a folder that this user makes in there stays theirs. Otherwise another user could put another one in its place, such as the owner
 * of `TMPDIR` under sudo.
 */
export function keepsFolders(parent: string): boolean {
  const user = process.geteuid?.()
  if (user === undefined) return true
  const found = statSync(parent, { throwIfNoEntry: false })
  if (!found?.isDirectory() || ![user, 0, UNKNOWN_USER].includes(found.uid)) return false
  return (found.mode & GROUP_AND_OTHERS_WRITE) === 0 || (found.mode & STICKY) !== 0
}
