/** Looks in a folder for what a command must not change there: protected files, and repositories. Bounded, so that it takes few milliseconds. */
import { join } from 'node:path'
import { entriesIn, type ListedEntry } from '../platform/folders.ts'
import { isFilledByOthers, isHeldName } from './protected-names.ts'

/** Folders that are looked into, entries of one, and how deep. */
const MOST_FOLDERS = 150
const MOST_ENTRIES = 3000
const DEEPEST = 4

/** What is held at most: each takes time. */
const MOST_HELD = 150

export type ProtectedBelow = {
  /** Files and folders. None of them is a link. */
  held: readonly string[]
  /** Entries `.git`, and folders that are bare repositories. */
  repositories: readonly { path: string; isBare: boolean }[]
}

/** `more` are names that are protected in the folder itself. */
export function protectedBelow(folder: string, more: ReadonlySet<string> = new Set()): ProtectedBelow {
  const held: string[] = []
  const repositories: { path: string; isBare: boolean }[] = []
  let waiting = [folder]
  let left = MOST_FOLDERS
  for (let depth = 0; depth < DEEPEST && waiting.length > 0; depth += 1) {
    const next: string[] = []
    for (const at of waiting.slice(0, left)) {
      const entries = entriesIn(at, MOST_ENTRIES) ?? []
      if (isBare(entries)) repositories.push({ path: at, isBare: true })
      for (const entry of entries) {
        const path = join(at, entry.name)
        const isProtected = isHeldName(entry.name) || (depth === 0 && more.has(entry.name))
        if (entry.name === '.git') repositories.push({ path, isBare: false })
        else if (isProtected && entry.kind !== 'link') held.push(path)
        else if (entry.kind === 'folder' && !isFilledByOthers(entry.name)) next.push(path)
      }
    }
    left -= waiting.length
    waiting = left > 0 ? next : []
  }
  return { held: held.slice(0, MOST_HELD), repositories: repositories.slice(0, MOST_HELD) }
}

/** What git takes for a repository. */
function isBare(entries: readonly ListedEntry[]): boolean {
  return ['HEAD', 'objects', 'refs'].every(name => entries.some(entry => entry.name === name))
}
