/** Folders: makes them and lists what is in them. */
import { type Dir, mkdirSync, opendirSync, readdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf, isMissing } from './errors.ts'

/**
 * Makes a folder that only the user may open, unless `mode` says otherwise, and the missing folders above it. Node's `recursive`
 * option never returns in `/proc`, where the system reports ENOENT inside a folder that exists.
 *
 * @throws what the system throws.
 */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    makeOne(path, mode)
  } catch (error) {
    const above = dirname(path)
    if (codeOf(error) !== 'ENOENT' || above === path) throw error
    // Another program may just have made the parent folder.
    if (!isFolder(above)) makeFolder(above, mode)
    makeOne(path, mode)
  }
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!isFolder(path)) throw error
  }
}

/**
 * The names in a folder. A folder that does not exist is empty.
 *
 * @throws what else the system throws.
 */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** The names in a folder. One that cannot be read is empty, too. */
export function readableNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

export type ListedEntry = { name: string; kind: 'folder' | 'link' | 'other' }

/**
 * The entries of a folder: none if it is no folder or may not be read; null if there are more than `most`, or if the system fails
 * on the way.
 */
export function entriesIn(folder: string, most: number): ListedEntry[] | null {
  try {
    const open = opendirSync(folder, { bufferSize: 256 })
    try {
      return readEntries(open, most)
    } finally {
      open.closeSync()
    }
  } catch (error) {
    return /^(?:ENOENT|ENOTDIR|EACCES|EPERM)$/.test(codeOf(error) ?? '') ? [] : null
  }
}

function readEntries(open: Dir, most: number): ListedEntry[] | null {
  const entries: ListedEntry[] = []
  for (let entry = open.readSync(); entry !== null; entry = open.readSync()) {
    if (entries.length >= most) return null
    const kind = entry.isDirectory() ? 'folder' : entry.isSymbolicLink() ? 'link' : 'other'
    entries.push({ name: entry.name, kind })
  }
  return entries
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    // It does not exist, or is not accessible.
    return false
  }
}
