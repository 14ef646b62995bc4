/** What a box looks like in which a folder can be written, as the arguments of bubblewrap. Pure: `write-places.ts` looks at the machine. */
import {
  boxArguments,
  type BoxMount,
  closedMount,
  type ClosedPlace,
  hides,
  inOrder,
  isIn,
  ownFolder,
  ownPlaces,
  sourceOf,
  withWays,
} from './box-mounts.ts'
import type { RepositoryPlaces } from './repositories.ts'

export type WritePolicy = {
  /** What is held and written in each folder, as it was looked up. */
  places: ReadonlyMap<string, RepositoryPlaces>
  /** The folder in which the command begins, which it may write. */
  folder: string
  /** Folders that are other ones in the box, which can be written: the home folder, and that for temporary files. */
  own: readonly { path: string; from: string }[]
  /** Home folders that are empty in the box. */
  hidden: readonly string[]
  /** Folders and files that can be read where they lie in one of these, or in a place that every box has of its own. */
  seen: readonly string[]
  /** Folders and files that can be written. Each is a mount of its own, so that it cannot be renamed. */
  writable: readonly string[]
  /** Parts of these that stay as they are. */
  held: readonly string[]
  /** Parts that are not there, and would change what runs later: in the box they are empty. */
  absent: readonly ClosedPlace[]
  closed: readonly ClosedPlace[]
  /** Sockets by which a command could reach programs outside. */
  sockets: readonly string[]
  /** An empty file, which cannot be written. */
  empty: string
  /** Files that are others in the box, which cannot be written. */
  copies: readonly { path: string; from: string }[]
}

export function writeMounts(policy: WritePolicy): BoxMount[] {
  const { empty } = policy
  const mounts: BoxMount[] = [
    ...ownPlaces.filter(place => policy.own.every(({ path }) => path !== place.path)),
    ...policy.own.map(({ path, from }) => ({ kind: 'writable', path, from }) as const),
    ...policy.hidden.map(path => ownFolder(path)),
    ...policy.closed.map(place => closedMount(place)),
    ...policy.seen.map(path => ({ kind: 'seen', path }) as const),
    ...policy.writable.map(path => ({ kind: 'writable', path }) as const),
    ...policy.held.map(path => ({ kind: 'held', path }) as const),
    ...policy.absent.map(({ path, isFolder }): BoxMount =>
      isFolder ? { kind: 'empty folder', path } : { kind: 'held', path, from: empty },
    ),
    ...policy.sockets.map(path => ({ kind: 'closed file', path }) as const),
    ...policy.copies.map(({ path, from }) => ({ kind: 'held', path, from }) as const),
  ]
  return withWays(withoutNeedless(mounts))
}

/** The arguments, without those for file descriptors. */
export function writeArguments(policy: WritePolicy, { hasNetwork }: { hasNetwork: boolean }): string[] {
  return boxArguments(writeMounts(policy), { folder: policy.folder, hasNetwork })
}

/** Without closed places that do not exist in the box, and without those that are seen anyway. */
function withoutNeedless(mounts: readonly BoxMount[]): BoxMount[] {
  const kept: BoxMount[] = []
  for (const mount of inOrder(mounts)) {
    const around = kept.findLast(other => isIn(other.path, mount.path))
    const isHidden = around !== undefined && hides(around)
    if (mount.kind === 'seen' ? isHidden : !(isHidden && mount.kind.startsWith('closed'))) kept.push(mount)
  }
  return kept
}

/** The mounts that lie in the folders that are others in the box, with their paths outside. The folders on the way come first. */
export function mountPoints(mounts: readonly BoxMount[]): { mount: BoxMount; path: string }[] {
  const ordered = inOrder(mounts)
  return ordered.flatMap((mount, at) => {
    const around = ordered.slice(0, at).findLast(other => other.path !== mount.path && isIn(other.path, mount.path))
    return around?.kind === 'writable' && around.from !== undefined
      ? [{ mount, path: sourceOf(around, mount.path) }]
      : []
  })
}
