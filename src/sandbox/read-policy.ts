/** What a box for reading looks like, as the arguments of bubblewrap. Pure: `read-places.ts` looks at the machine. */
import { boxArguments, closedMount, type ClosedPlace, ownPlaces } from './box-mounts.ts'

export type ReadPolicy = {
  /** The folder in which the command begins. */
  folder: string
  /** Folders that are seen where they lie in a closed place or in one that the box has of its own: the project, programs in PATH. */
  seen: readonly string[]
  /** Places that exist. */
  closed: readonly ClosedPlace[]
}

/** The arguments, without those for file descriptors. */
export function readArguments({ folder, seen, closed }: ReadPolicy): string[] {
  const mounts = [
    ...ownPlaces,
    ...closed.map(place => closedMount(place)),
    ...seen.map(path => ({ kind: 'seen', path }) as const),
  ]
  return boxArguments(mounts, { folder, hasNetwork: false })
}
