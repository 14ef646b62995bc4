/** Writes files of the user's in one step, and keeps what is not their content. */
import { constants } from 'node:fs'
import { access, chmod, chown, link, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, isMissing } from './errors.ts'
import { makeFolder } from './folders.ts'
import { readRegularFile } from './regular-file.ts'
import { beginUnfinished } from './unfinished.ts'

/** Never follows a link that appeared meanwhile, and never waits for the reader of a pipe. */
const IN_PLACE = constants.O_WRONLY | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** Bytes of the largest file that is put back where it cannot be written in place. */
const MOST_PUT_BACK = 256 * 1024 * 1024

/**
 * Replaces the content: a reader finds the old or the new one, never a part. Keeps the owner, and the mode unless there is a `mode`.
 * A file with several
 * names, one of another owner, and one in a folder without write permission are written in place, since a new file would
 * lose that. Makes missing folders. `path` has no links.
 *
 * The content is first written to `fresh`, in the same folder. A caller that names this file also looks after it when the program is killed.
 *
 * @throws what the system throws.
 */
export async function replaceContent(path: string, bytes: Uint8Array, mode?: number, fresh?: string): Promise<void> {
  const before = await statsOf(path)
  if (before === null) makeFolder(dirname(path), 0o755)
  else await access(path, constants.W_OK)
  const isShared = before !== null && before.nlink > 1
  if (!isShared && (await replace(path, bytes, { before, mode, fresh }))) return
  await writeInPlace(path, bytes)
  if (mode !== undefined) await chmod(path, mode)
}

/**
 * Makes a file that does not exist yet: it is there as a whole or not at all.
 *
 * @throws what the system throws: EEXIST if there is such a file, or a link.
 */
export async function createContent(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const { fresh, end, named } = beginUnfinished(path)
  try {
    await writeFile(fresh, bytes, { flag: 'wx', mode })
    // Unlike a rename, a second name never replaces another file.
    await link(fresh, path)
  } catch (error) {
    if (!hasNoLinks(error)) throw named(error)
    await createInPlace(path, bytes, mode)
  } finally {
    await rm(fresh, { force: true })
    end()
  }
}

/** Whether the file system knows no second names. */
const hasNoLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'].includes(codeOf(error))

async function createInPlace(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  await writeFile(path, '', { flag: 'wx', mode })
  try {
    await writeFile(path, bytes)
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/** The file gets its old content again if the disk has no room for the new one. */
async function writeInPlace(path: string, bytes: Uint8Array): Promise<void> {
  const before = await readRegularFile(path, MOST_PUT_BACK)
  try {
    await writeFile(path, bytes, { flag: IN_PLACE })
  } catch (error) {
    if (before.ok) await writeFile(path, before.bytes, { flag: IN_PLACE }).catch(() => {})
    throw error
  }
}

type Replacing = { before: Stats | null; mode: number | undefined; fresh: string | undefined }

/** False if the file has to be written in place. */
async function replace(
  path: string,
  bytes: Uint8Array,
  { before, mode, fresh: ownFresh }: Replacing,
): Promise<boolean> {
  const own = ownFresh === undefined ? beginUnfinished(path) : null
  const fresh = own?.fresh ?? ownFresh ?? ''
  try {
    await writeFile(fresh, bytes, { flag: 'wx', mode: before === null ? (mode ?? 0o644) : 0o600 })
    if (before !== null) {
      const { uid, gid } = await stat(fresh)
      if (uid !== before.uid || gid !== before.gid) await chown(fresh, before.uid, before.gid)
      await chmod(fresh, mode ?? before.mode & 0o7777)
    }
    await rename(fresh, path)
    return true
  } catch (error) {
    await rm(fresh, { force: true })
    if (before !== null && ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENAMETOOLONG'].includes(codeOf(error))) return false
    throw own?.named(error) ?? error
  } finally {
    own?.end()
  }
}

async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
