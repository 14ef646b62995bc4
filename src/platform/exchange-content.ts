/** Changes, makes or removes a file of the user's only if it is as somebody has seen it. */
import { closeSync, fchmodSync, lstatSync, openSync } from 'node:fs'
import { link, unlink, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { codeOf } from './errors.ts'
import { inFolderOf, openWithoutLinks, type HeldFolder } from './held-folder.ts'
import { readRegularFile } from './regular-file.ts'
import { replaceContent } from './replace-content.ts'
import { beginUnfinished } from './unfinished.ts'

/** Null stands for no file. */
export type ContentExchange = {
  before: Uint8Array | null
  after: Uint8Array | null
  /** The mode of a file that is made. */
  mode?: number
}

/** `mode` is that of the file before; null if there was none. */
export type ExchangedContent = { isDone: true; mode: number | null } | { isDone: false }

class Changed extends Error {}

/**
 * Does nothing if the file is not as expected, also if it is a link. It is looked at right before, in the same folder. The path has no links.
 *
 * @throws what the system throws, and `LinkAppeared`.
 */
export async function exchangeContent(path: string, change: ContentExchange): Promise<ExchangedContent> {
  const { before, after, mode: made = 0o644 } = change
  try {
    if (before === null) {
      if (after !== null) await make(path, after, made)
      return { isDone: true, mode: null }
    }
    const mode = modeOf(path)
    const check = (): Promise<void> => requireSame(path, before)
    await check()
    if (after === null) await inFolderOf(path, (folder, name) => unlink(folder.at(name)))
    else await replaceContent(path, after, undefined, undefined, check)
    return { isDone: true, mode }
  } catch (error) {
    if (error instanceof Changed) return { isDone: false }
    throw error
  }
}

function modeOf(path: string): number {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new Changed()
  return stats.mode & 0o7777
}

async function requireSame(path: string, bytes: Uint8Array): Promise<void> {
  const read = await readRegularFile(path, bytes.length, openWithoutLinks)
  if (!read.ok || !read.bytes.equals(bytes)) throw new Changed()
}

/** Makes a file with its missing folders. Unlike a rename, a second name never replaces another file. */
async function make(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  await inFolderOf(path, (folder, name) => makeIn(folder, { name, path, bytes, mode }), 0o755)
}

type FreshFile = { name: string; path: string; bytes: Uint8Array; mode: number }

async function makeIn(folder: HeldFolder, { name, path, bytes, mode }: FreshFile): Promise<void> {
  if (lstatSync(folder.at(name), { throwIfNoEntry: false })) throw new Changed()
  const own = beginUnfinished(path)
  const fresh = folder.at(basename(own.fresh))
  try {
    await writeFile(fresh, bytes, { flag: 'wx', mode: 0o600 })
    const file = openSync(fresh, 'r+')
    try {
      fchmodSync(file, mode)
    } finally {
      closeSync(file)
    }
    folder.check()
    await link(fresh, folder.at(name))
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new Changed()
    throw own.named(folder.named(error))
  } finally {
    await unlink(fresh).catch(() => {})
    own.end()
  }
}
