/** Lists what is below a folder, in a bounded number of steps. Links are listed, and not followed. */
import type { FolderEntry, Place } from '../policy.ts'

/** The highest number of entries that one decision looks at, in all folders together. */
const MOST = 20_000

/** Entries that one decision compares with rules: each rule looks at all of them. */
const MOST_RETURNED = 400_000

/** The path is absolute. */
export type EntryBelow = { path: string; kind: FolderEntry['kind'] }

/** The entries below a folder; none for a file. Null if there are too many, also for all calls together, or if this place cannot list folders. */
export type Below = (folder: string) => readonly EntryBelow[] | null

/** Creates the lists for one decision. Each folder is read once. */
export function createBelow({ list }: Pick<Place, 'list'>): Below {
  const known = new Map<string, readonly EntryBelow[] | null>()
  let left = MOST
  let returned = 0
  function listed(folder: string): EntryBelow[] | null {
    if (!list) return null
    const found: EntryBelow[] = []
    const waiting = [folder]
    for (let next = 0; next < waiting.length; next++) {
      const at = waiting[next] ?? folder
      const entries = left > 0 ? list(at, left) : null
      if (entries === null) {
        left = 0
        return null
      }
      left -= entries.length + 1
      for (const { name, kind } of entries) {
        const path = `${at === '/' ? '' : at}/${name}`
        found.push({ path, kind })
        if (kind === 'folder') waiting.push(path)
      }
    }
    return found
  }
  return folder => {
    const found = known.has(folder) ? (known.get(folder) ?? null) : listed(folder)
    known.set(folder, found)
    returned += found?.length ?? 0
    return returned > MOST_RETURNED ? null : found
  }
}
