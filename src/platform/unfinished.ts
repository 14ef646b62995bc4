/**
 * The files that are being written under another name, and folders for a while. A killed program leaves them in a folder of the user's, where
 * nobody would look for them. So the path is first added to a list in the state folder, and a later program removes what the lists of ended
 * programs name.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { isMissing } from './errors.ts'
import { makeFolder } from './folders.ts'
import { ownName } from './owner.ts'
import { unfinishedFolder } from './unfinished-folder.ts'

type UnfinishedList = { folder: string; path: string; bytes: number; open: number }

/** A list that has this many bytes begins anew. */
const LONG = 64 * 1024

/** The list of this program. A start that writes nothing loads none of this: another module has the folder. */
let list: UnfinishedList | null = null

export const listsIn = (folder: string): string => join(folder, 'unfinished')

/** An unfinished file beside the one at `path`. */
export type Unfinished = {
  fresh: string
  /** Called when it has its name, or was removed. */
  end: () => void
  /** The error of the system, with the name of the file that was to be written. */
  named: (error: unknown) => unknown
}

export function beginUnfinished(path: string): Unfinished {
  // The name of the other file may have no room for more.
  const fresh = join(dirname(path), `.zotui-${randomBytes(6).toString('hex')}.tmp`)
  return {
    fresh,
    end: listedUntil(fresh),
    named(error) {
      if (error instanceof Error) error.message = error.message.replaceAll(fresh, path)
      return error
    },
  }
}

/** A folder in the list: it is removed with all that is in it. Of several lines about one folder the last one counts. */
export type ListedFolder = {
  folder: string
  /** The only file, with which another program works, and when it was written. If it was changed since, the folder stays. */
  lent?: { name: string; mtimeMs: number }
  /** True if it is not removed. */
  isKept?: true
}

/** Adds it to the list. Returns a function to call when it has its name, or is gone. */
export function listedUntil(named: string | ListedFolder): () => void {
  const own = ownList()
  if (!own) return () => undefined
  const line = `${JSON.stringify(named)}\n`
  own.open += 1
  own.bytes += line.length
  try {
    append(own.path, line)
  } catch {
    // The disk is full or read-only: the file is written all the same.
  }
  return () => {
    own.open -= 1
    if (own.bytes > LONG) clear(own)
  }
}

function ownList(): UnfinishedList | null {
  const folder = unfinishedFolder()
  if (folder === null || list?.folder === folder) return folder === null ? null : list
  const made = { folder, path: join(listsIn(folder), ownName()), bytes: 0, open: 0 }
  process.once('exit', () => clear(made))
  return (list = made)
}

function append(path: string, line: string): void {
  try {
    appendFileSync(path, line, { mode: 0o600 })
  } catch (error) {
    if (!isMissing(error)) throw error
    makeFolder(dirname(path))
    appendFileSync(path, line, { mode: 0o600 })
  }
}

/** At the end of the program an editor may be open. */
function clear(own: UnfinishedList): void {
  if (own.bytes === 0 || own.open > 0) return
  own.bytes = 0
  try {
    rmSync(own.path, { force: true })
  } catch {
    // A later program removes it.
  }
}
