/** Lists a folder's files without git, by reading the folders and their ignore files. */
import type { Dirent } from 'node:fs'
import { opendir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isIgnoredBy, readIgnoreFile, type IgnoreFile } from '../../text/patterns/ignore-file.ts'
import { readRegularFile } from '../regular-file.ts'
import type { Listing } from './git.ts'

/** The largest ignore file, in bytes. */
const LARGEST_RULES = 128 * 1024

/** Generated folders and files, which are never listed. */
const never = new Set(
  `.git .hg .svn .jj node_modules bower_components __pycache__ .venv .tox .mypy_cache .pytest_cache .ruff_cache .gradle
   .terraform .direnv .next .nuxt .svelte-kit .turbo .parcel-cache .cache .DS_Store Thumbs.db`.split(/\s+/),
)

/** The number of folders that are read at the same time. */
const AT_ONCE = 32
/** A folder of this size in bytes has some thousand entries. Windows does not report the size. */
const LARGE = 128 * 1024
/** The number of entries of a large folder that are read at once. */
const BATCH = 256
/** Deeper folders are not read. */
const DEEPEST = 40

/** The ignore rules of a folder, for paths relative to it. `at` is the folder's path, empty or ending with a slash. */
type Rules = { readonly at: string; readonly own: IgnoreFile; readonly above: Rules | null }
type Folder = { readonly path: string; readonly rules: Rules | null; readonly depth: number }

/** Lists files, folders near the top first. Links are listed and not followed. Unreadable folders count as empty. */
export async function walk({ folder, add, pace, signal }: Listing): Promise<void> {
  const waiting: Folder[] = [{ path: '', rules: null, depth: 0 }]
  let hasRoom = true
  const goesOn = async (): Promise<boolean> => {
    if (pace.isDue()) await pace.rest()
    return hasRoom && !signal.aborted
  }

  async function take(current: Folder, entries: readonly Dirent[]): Promise<void> {
    const rules = entries.some(({ name }) => name === '.gitignore') ? await readRules(folder, current) : current.rules
    for (const entry of entries) {
      if (pace.isDue() && !(await goesOn())) return
      const isFolder = entry.isDirectory()
      const path = current.path + entry.name + (isFolder ? '/' : '')
      if (never.has(entry.name) || isIgnored(current.path + entry.name, isFolder, rules)) continue
      if (isFolder && current.depth < DEEPEST) waiting.push({ path, rules, depth: current.depth + 1 })
      if (isFolder || entry.isFile() || entry.isSymbolicLink()) hasRoom = add(path)
      if (!hasRoom) return
    }
  }

  let next = 0
  while (next < waiting.length && (await goesOn())) {
    const batch = waiting.slice(next, next + AT_ONCE)
    next += batch.length
    const read = await Promise.all(batch.map(({ path }) => readEntries(join(folder, path), goesOn)))
    // One after the other, for a stable order.
    for (const [at, current] of batch.entries()) await take(current, read[at] ?? [])
  }
}

/** A folder's entries. Reading all at once is three times as fast, but 100,000 would take longer than a frame. */
async function readEntries(path: string, goesOn: () => Promise<boolean>): Promise<Dirent[]> {
  try {
    const { size } = await stat(path)
    if (size < LARGE) return await readdir(path, { withFileTypes: true })
    const entries: Dirent[] = []
    for await (const entry of await opendir(path, { bufferSize: BATCH })) {
      entries.push(entry)
      if (entries.length % BATCH === 0 && !(await goesOn())) break
    }
    return entries
  } catch {
    // The folder cannot be read or is gone: it counts as empty.
    return []
  }
}

async function readRules(root: string, { path, rules }: Folder): Promise<Rules | null> {
  const read = await readRegularFile(join(root, path, '.gitignore'), LARGEST_RULES)
  // A folder, a pipe or an unreadable file gives no rules.
  return read.ok ? { at: path, own: readIgnoreFile(read.bytes.toString('utf8')), above: rules } : rules
}

/** The nearest matching rule decides. */
function isIgnored(path: string, isFolder: boolean, rules: Rules | null): boolean {
  for (let current = rules; current !== null; current = current.above) {
    const isIgnored = isIgnoredBy(current.own, path.slice(current.at.length), isFolder)
    if (isIgnored !== null) return isIgnored
  }
  return false
}
