/**
 * The folder in which Node keeps what it has compiled of zotui. Whoever can write there decides what runs, so it belongs to the
 * person alone. Loaded before anything else, and uncached: it imports next to nothing.
 */
import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import envPaths from 'env-paths'
import { makeFolder } from '../src/platform/folders.ts'
import { checkStorage } from './wiring/check-storage.ts'

/** Makes the folder where it is missing. Null where nobody else's hands off it can be had: then there is no cache. */
export async function compileCacheFolder(): Promise<string | null> {
  const { cache } = envPaths('zotui', { suffix: '' })
  // A folder below the current one is whatever a project says.
  if (!isAbsolute(cache)) return null
  await checkStorage([cache])
  try {
    return privateFolder(join(cache, 'compiled'), process.geteuid?.() ?? null)
  } catch {
    // Not to be made or looked at: a disk that is full or read-only.
    return null
  }
}

/**
 * The folder without links on the way to it. Null where somebody other than `user` and the system could write into it or put
 * another one in its place. Without users (null), as on Windows, it is in the person's profile, which the system closes.
 *
 * @throws what the system throws.
 */
export function privateFolder(path: string, user: number | null): string | null {
  makeFolder(path)
  const folder = join(realpathSync(dirname(path)), basename(path))
  const found = lstatSync(folder)
  if (!found.isDirectory()) return null
  if (user === null) return folder
  const isPrivate = found.uid === user && (found.mode & 0o077) === 0
  return isPrivate && isOutOfReach(folder, user) ? folder : null
}

/** Whether nobody but `user` and the system can rename what leads to the folder. */
function isOutOfReach(folder: string, user: number): boolean {
  const above = dirname(folder)
  if (above === folder) return true
  const { uid, mode } = lstatSync(above)
  // In a sticky folder each entry can be renamed only by its owner.
  const isShared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0
  return (uid === user || uid === 0) && !isShared && isOutOfReach(above, user)
}
