/** Writes files of the user's in one step, and keeps what is not their content. */
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeFile as writeOpen,
  writeSync,
  type Stats,
} from 'node:fs'
import { access, link, lstat, rename, rm, unlink, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { codeOf, isMissing } from './errors.ts'
import { inFolderOf, LinkAppeared, NO_LINK, openWithoutLinks, type HeldFolder } from './held-folder.ts'
import { readRegularFile } from './regular-file.ts'
import { beginUnfinished } from './unfinished.ts'

/** Never follows a link, and never waits for the reader of a pipe. */
const IN_PLACE = constants.O_WRONLY | constants.O_TRUNC | NO_LINK | (constants.O_NONBLOCK ?? 0)
/** In a thread: a slow disk must hold up nothing else. */
const writeAll = promisify(writeOpen)
/** Bytes of the largest file that is put back where it cannot be written in place. */
const MOST_PUT_BACK = 256 * 1024 * 1024

/**
 * Replaces the content: a reader finds the old or the new one, never a part. Keeps the owner, and the mode unless there is a `mode`.
 * A file with several
 * names, one of another owner, and one in a folder without write permission are written in place, since a new file would
 * lose that. Makes missing folders. `path` has no links: one that another program puts there meanwhile is not followed.
 *
 * The content is first written to `fresh`, in the same folder. A caller that names this file also looks after it when the program is killed.
 * `check` is called right before the file gets its content, and may throw to leave it alone.
 *
 * @throws what the system and `check` throw, and `LinkAppeared`.
 */
export async function replaceContent(
  path: string,
  bytes: Uint8Array,
  mode?: number,
  fresh?: string,
  check: () => Promise<void> = async () => {},
): Promise<void> {
  const replaceIn = async (folder: HeldFolder, name: string): Promise<void> => {
    const before = await statsOf(folder.at(name))
    if (before?.isSymbolicLink() === true) throw new LinkAppeared(path)
    if (before !== null) await access(folder.at(name), constants.W_OK)
    const isShared = before !== null && before.nlink > 1
    if (isShared || !(await replace(path, bytes, { folder, before, mode, fresh, check })))
      await writeInPlace(path, bytes, { folder, mode, check })
    folder.check()
  }
  await inFolderOf(path, replaceIn, 0o755)
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
async function writeInPlace(
  path: string,
  bytes: Uint8Array,
  { folder, mode, check }: Pick<Replacing, 'folder' | 'mode' | 'check'>,
): Promise<void> {
  const before = await readRegularFile(path, MOST_PUT_BACK, openWithoutLinks)
  await check()
  folder.check()
  const file = openSync(folder.at(basename(path)), IN_PLACE)
  try {
    await writeAll(file, bytes)
    if (mode !== undefined) fchmodSync(file, mode)
  } catch (error) {
    if (before.ok) putBack(file, before.bytes)
    throw error
  } finally {
    closeSync(file)
  }
}

/** Never throws. */
function putBack(file: number, bytes: Buffer): void {
  try {
    ftruncateSync(file)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at)
  } catch {
    // The disk has lost its room meanwhile: the first error says what is wrong.
  }
}

type Replacing = {
  folder: HeldFolder
  before: Stats | null
  mode: number | undefined
  fresh: string | undefined
  check: () => Promise<void>
}

/** False if the file has to be written in place. */
async function replace(
  path: string,
  bytes: Uint8Array,
  { folder, before, mode, fresh: ownFresh, check }: Replacing,
): Promise<boolean> {
  const own = ownFresh === undefined ? beginUnfinished(path) : null
  const fresh = folder.at(basename(own?.fresh ?? ownFresh ?? ''))
  try {
    await writeFresh(fresh, bytes, before, mode)
    await check()
    folder.check()
    await rename(fresh, folder.at(basename(path)))
    return true
  } catch (error) {
    await unlink(fresh).catch(() => {})
    if (before !== null && ['EACCES', 'EPERM', 'EROFS', 'EBUSY', 'ENAMETOOLONG'].includes(codeOf(error))) return false
    throw own?.named(folder.named(error)) ?? error
  } finally {
    own?.end()
  }
}

/** All of it through the descriptor: another program may put a link in the place of the new file. */
async function writeFresh(fresh: string, bytes: Uint8Array, before: Stats | null, mode?: number): Promise<void> {
  const file = openSync(fresh, 'wx', before === null ? (mode ?? 0o644) : 0o600)
  try {
    await writeAll(file, bytes)
    if (before === null) return
    const { uid, gid } = fstatSync(file)
    if (uid !== before.uid || gid !== before.gid) fchownSync(file, before.uid, before.gid)
    fchmodSync(file, mode ?? before.mode & 0o7777)
  } finally {
    closeSync(file)
  }
}

async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}
