/**
 * The folder of compiled code. Anybody who can write there decides what runs, so it must be private. This file is in
 * `dist/zotui.js`, which V8 compiles at each start, so it imports next to nothing.
 */
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import envPaths from 'env-paths'
import { makeFolder } from '../../src/platform/folders.ts'

/**
 * Creates the folder if necessary. Null if it cannot be private: zotui then runs without a cache.
 *
 * @param kind of the start; with the version and the architecture of Node it names the folder
 * @param check resolves when a folder responds
 */
export async function cacheFolder(kind: string, check: (folder: string) => Promise<void>): Promise<string | null> {
  const { cache } = envPaths('zotui', { suffix: '' })
  // A project could supply a folder below the current one.
  if (!isAbsolute(cache)) return null
  await check(cache)
  try {
    const folder = privateFolder(join(cache, 'compiled'), process.geteuid?.() ?? null)
    if (folder === null) return null
    const own = join(folder, `${process.version}-${process.arch}-${kind}`)
    makeFolder(own)
    return own
  } catch {
    // The disk is full or read-only, or the folder cannot be examined.
    return null
  }
}

/**
 * The folder with all links resolved. Null if somebody other than `user` and the system could write to it or replace it. On
 * systems without user ids (null), such as Windows, the folder is in the user's profile, which the system protects.
 *
 * @throws errors of the file system.
 */
export function privateFolder(path: string, user: number | null): string | null {
  // Nothing is created in a folder of somebody else, such as a user's home under sudo.
  if (user !== null && !isOutOfReach(join(realpathSync(nearest(path)), 'new'), user)) return null
  makeFolder(path)
  const folder = join(realpathSync(dirname(path)), basename(path))
  const found = lstatSync(folder)
  if (!found.isDirectory()) return null
  if (user === null) return folder
  const isPrivate = found.uid === user && (found.mode & 0o077) === 0
  return isPrivate && isOutOfReach(folder, user) ? folder : null
}

/** The folder itself, or the nearest one above that exists. */
function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path))
}

/** Whether only `user` and the system can rename the folders above. */
function isOutOfReach(folder: string, user: number): boolean {
  const above = dirname(folder)
  if (above === folder) return true
  const { uid, mode } = lstatSync(above)
  // Only its owner can rename an entry of a sticky folder.
  const isShared = (mode & 0o022) !== 0 && (mode & 0o1000) === 0
  return (uid === user || uid === 0) && !isShared && isOutOfReach(above, user)
}
