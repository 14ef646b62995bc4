/** Writes a file of the user's in one step, and keeps what is not its content. */
import { constants } from 'node:fs'
import { access, chmod, chown, rename, rm, stat, writeFile } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { codeOf, isMissing } from './errors.ts'
import { makeFolder } from './folders.ts'

/** Never follows a link that appeared meanwhile, and never waits for the reader of a pipe. */
const IN_PLACE = constants.O_WRONLY | constants.O_TRUNC | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Replaces the content: a reader finds the old or the new one, never a part. Keeps the owner, and the mode unless `mode` is given.
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
  if (!isShared && (await replace(path, bytes, { before, mode, fresh: fresh ?? freshName(path) }))) return
  await writeFile(path, bytes, { flag: IN_PLACE })
  if (mode !== undefined) await chmod(path, mode)
}

const freshName = (path: string): string =>
  join(dirname(path), `.${basename(path).slice(0, 200)}.${randomBytes(6).toString('hex')}.tmp`)

/** False if the file has to be written in place. */
async function replace(
  path: string,
  bytes: Uint8Array,
  { before, mode, fresh }: { before: Stats | null; mode: number | undefined; fresh: string },
): Promise<boolean> {
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
    throw error
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
