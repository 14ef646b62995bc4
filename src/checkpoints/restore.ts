/**
 * Writes the files of a plan. It never writes through a link, never into anything but a regular file, and never to a path that is
 * not in the plan.
 */
import { lstat, mkdir, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { isMissing } from '../platform/errors.ts'
import { inFolderOf, LinkAppeared } from '../platform/held-folder.ts'
import { replaceContent } from '../platform/replace-content.ts'
import { isWithin } from '../platform/within.ts'
import { lookup } from '../text/lookup.ts'

/** A file in a tree. */
export type TreeEntry = { mode: string; oid: string }

/**
 * A file that would change. `restored` exists in both states; `recreated` exists only in the checkpoint; `deleted` exists only
 * now.
 */
export type PlannedFile = {
  path: string
  what: 'restored' | 'recreated' | 'deleted'
  /** The numbers of added and removed lines; null for a binary file. */
  added: number | null
  removed: number | null
  /** Whether the user has changed it since then, as far as is known. */
  byUser: boolean
  /** The content to write; null to delete it. */
  entry: TreeEntry | null
}

export type Restored = {
  count: number
  /** Files that could not be restored. `why` completes a sentence that begins with the path. */
  failed: readonly { path: string; why: string }[]
}

/** File modes that git does not store, by path. */
export type FileModes = Readonly<Record<string, number>>

/** The folder of the files, and how git finds their content. */
export type RestorePlace = {
  root: string
  contentOf: (oid: string) => Promise<Buffer>
  /** Git's variables for the repository with all objects. */
  variables: Readonly<Record<string, string>>
  /** The name of a file that is not written to its end. */
  unfinished: string
}

/** Writes changed files first, then deletes. A path to delete that blocks a new file is deleted before it. */
export async function writeFiles(
  { root, contentOf, unfinished }: RestorePlace,
  files: readonly PlannedFile[],
  modes: FileModes,
): Promise<Restored> {
  const doomed = new Set(files.filter(({ entry }) => entry === null).map(({ path }) => path))
  const failed: { path: string; why: string }[] = []
  let count = 0
  const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      if (path === '' || !isWithin(root, join(root, path))) throw new InTheWay('is not in the folder')
      await work()
      count += 1
    } catch (error) {
      // The system names the unfinished file, of which nobody knows.
      failed.push({ path, why: whyOf(error).replaceAll(join(dirname(path), unfinished), path) })
    }
  }
  const below = [...doomed].filter(path =>
    files.some(({ path: other, entry }) => entry && path.startsWith(`${other}/`)),
  )
  for (const path of below) await attempt(path, () => remove(root, path))
  for (const { path, entry } of files) {
    if (entry === null) continue
    await attempt(path, async () => {
      const content = await contentOf(entry.oid)
      await clearWay(root, path, doomed)
      const file = join(root, path)
      if (entry.mode === '120000') await writeLink(file, content.toString(), unfinished)
      else {
        const mode = await modeOf(file, entry.mode === '100755', lookup(modes, path))
        await replaceContent(file, content, mode, join(root, dirname(path), unfinished))
      }
    })
  }
  // The entries that blocked a file have been removed.
  const others = [...doomed].filter(path => !below.includes(path))
  for (const path of others) await attempt(path, () => remove(root, path))
  return { count, failed }
}

class InTheWay extends Error {}

function whyOf(error: unknown): string {
  if (error instanceof InTheWay) return error.message
  if (error instanceof LinkAppeared) return error.reason
  return `could not be restored: ${error instanceof Error ? error.message : String(error)}`
}

/**
 * Makes the parent folders of a file. A file or link in their place is removed only if it is in `doomed`, which it then leaves.
 */
async function clearWay(root: string, path: string, doomed: Set<string>): Promise<void> {
  const parts = path.split('/').slice(0, -1)
  for (let length = 1; length <= parts.length; length += 1) {
    const above = parts.slice(0, length).join('/')
    await inFolderOf(join(root, above), async (folder, name) => {
      const stats = await statsOf(folder.at(name))
      if (stats?.isDirectory()) return
      if (stats !== null) {
        if (!doomed.delete(above)) throw new InTheWay(`cannot be restored: ${above} is in its way`)
        await unlink(folder.at(name))
      }
      await mkdir(folder.at(name))
    })
  }
}

/** The mode of a file that is written to this path, which is then free for it. */
async function modeOf(path: string, isExecutable: boolean, recorded?: number): Promise<number> {
  const stats = await inFolderOf(path, (folder, name) => freed(folder.at(name)))
  const usual = stats ? stats.mode & 0o666 : 0o644
  // Everyone with read permission may execute it.
  return recorded ?? (isExecutable ? usual | ((usual & 0o444) >> 2) : usual)
}

/** Replaces a file with a link atomically. `unfinished` is the name of the link before. */
async function writeLink(path: string, target: string, unfinished: string): Promise<void> {
  await inFolderOf(path, async (folder, name) => {
    const [file, fresh] = [folder.at(name), folder.at(unfinished)]
    const stats = await statsOf(file)
    if (stats?.isSymbolicLink() && (await readlink(file)) === target) return
    if (stats && !stats.isFile() && !stats.isSymbolicLink()) await freed(file)
    await symlink(target, fresh)
    await rename(fresh, file).catch(async (error: unknown) => {
      await unlink(fresh).catch(() => undefined)
      throw error
    })
  })
}

/** The file that is replaced; null if there is none. A link is removed first, and an empty folder. */
async function freed(path: string): Promise<Stats | null> {
  const stats = await statsOf(path)
  if (stats === null || stats.isFile()) return stats
  if (stats.isSymbolicLink()) await unlink(path)
  else if (stats.isDirectory()) {
    await rmdir(path).catch(() => {
      throw new InTheWay('cannot be restored: a folder with other files is in its place')
    })
  } else throw new InTheWay('cannot be restored: a pipe or a device is in its place')
  return null
}

/** Removes a file or a link, and the folders that are empty then. */
async function remove(root: string, path: string): Promise<void> {
  const file = join(root, path)
  if (await isBehindLink(root, path)) throw new InTheWay('stays: it is behind a link now')
  // It may already have been removed with an entry that blocked a file.
  if ((await statsOf(file)) === null) return
  await inFolderOf(file, async (folder, name) => {
    const stats = await statsOf(folder.at(name))
    if (stats?.isDirectory()) throw new InTheWay('stays: it is a folder now')
    await unlink(folder.at(name))
  })
  await removeEmptyAbove(root, file)
}

async function removeEmptyAbove(root: string, file: string): Promise<void> {
  for (let path = dirname(file); path !== root && isWithin(root, path); path = dirname(path)) {
    try {
      await inFolderOf(path, (folder, name) => rmdir(folder.at(name)))
    } catch (error) {
      // It has other files. One that is not there may be missing in a folder that is empty, too.
      if (!isMissing(error)) return
    }
  }
}

/** See `Disk.tidy`. */
export async function removeLeftovers(root: string, paths: readonly string[], name: string): Promise<void> {
  const inside = paths.filter(path => path !== '' && isWithin(root, join(root, path)))
  for (const folder of new Set(inside.map(path => dirname(path)))) {
    // Nothing is left behind if there is none, or something else of that name.
    await inFolderOf(join(root, folder, name), held => unlink(held.at(name))).catch(() => undefined)
  }
  for (const path of inside) {
    if ((await isBehindLink(root, path)) || (await statsOf(join(root, path))) !== null) continue
    await removeEmptyAbove(root, join(root, path))
  }
}

/** Whether a folder above it is a link. */
export async function isBehindLink(root: string, path: string): Promise<boolean> {
  const parts = path.split('/')
  for (let length = 1; length < parts.length; length += 1) {
    const stats = await statsOf(join(root, ...parts.slice(0, length)))
    if (stats?.isSymbolicLink()) return true
  }
  return false
}

const statsOf = (path: string): Promise<Stats | null> => lstat(path).catch(() => null)
