/**
 * What boxes hold in a folder stays the same as long as one of them is open. A command could otherwise make a protected file, and while the
 * next box is made put a link in its place, which leads out.
 */
import { isThere } from '../platform/real-path.ts'
import type { RepositoryPlaces } from './repositories.ts'

const open = new Map<string, { boxes: number; places: RepositoryPlaces }>()

/** What is held in a folder now. `look` is called if no box is open there. */
export function placesWhileOpen(folder: string, look: () => RepositoryPlaces): RepositoryPlaces {
  const known = open.get(folder)?.places
  if (!known) return look()
  return {
    ...known,
    writable: known.writable.filter(path => isThere(path)),
    held: known.held.filter(path => isThere(path)),
  }
}

/** A box for these folders is started. The returned function is called when it has ended. */
export function opensBox(folders: ReadonlyMap<string, RepositoryPlaces>): () => void {
  for (const [folder, places] of folders) {
    const known = open.get(folder) ?? { boxes: 0, places }
    known.boxes += 1
    open.set(folder, known)
  }
  return () => {
    for (const folder of folders.keys()) {
      const known = open.get(folder)
      if (known && known.boxes > 1) known.boxes -= 1
      else open.delete(folder)
    }
  }
}
