/** What a box looks like in which a folder can be written, as the arguments of bubblewrap. Pure: `write-places.ts` looks at the machine. */
import { boxArguments, type BoxMount, closedMount, type ClosedPlace, isIn, limited, ownPlaces } from './box-mounts.ts'

export type WritePolicy = {
  /** The folder in which the command begins, which it may write. */
  folder: string
  /** Home folders: in the box they are empty, and what is written there is gone with it. */
  homes: readonly string[]
  /** Folders and files that can be read where they lie in a home folder, or in a place that the box has of its own. */
  seen: readonly string[]
  /** Folders and files that can be written. Each is a mount of its own, so that it cannot be renamed. */
  writable: readonly string[]
  /** Parts of these that stay as they are. */
  held: readonly string[]
  /** Parts that are not there, and would change what runs later: in the box they are empty. */
  absent: readonly ClosedPlace[]
  /** Folders that are others in the box. */
  apart: readonly { path: string; instead: string }[]
  closed: readonly ClosedPlace[]
  /** Sockets by which a command could reach programs outside. */
  sockets: readonly string[]
  /** The folder for temporary files, which the box sees as `/tmp`, and that for caches. Only commands in boxes write there. */
  temporary: string
  kept: string
  /** An empty file outside of both. */
  empty: string
  /** Files in the empty home folder, made of these texts. */
  files: readonly { path: string; text: string }[]
}

/** Megabytes for what a command writes into an empty home folder. */
const HOME_SIZE = 256

/** The arguments, without those for file descriptors. */
export function writeArguments(policy: WritePolicy, { hasNetwork }: { hasNetwork: boolean }): string[] {
  const { folder, homes, temporary } = policy
  const mounts: BoxMount[] = [
    ...ownPlaces.map(place =>
      place.path === '/tmp' ? ({ kind: 'own', path: '/tmp', made: ['--bind', temporary, '/tmp'] } as const) : place,
    ),
    ...homes.map(path => ({ kind: 'own', path, made: ['--perms', '0700', ...limited(path, HOME_SIZE)] }) as const),
    ...policy.closed.filter(({ path }) => isVisible(path, policy)).map(place => closedMount(place)),
    ...policy.seen.map(path => ({ kind: 'seen', path }) as const),
    ...policy.writable.map(path => ({ kind: 'writable', path }) as const),
    ...policy.apart.map(({ path, instead }) => ({ kind: 'own', path, made: ['--bind', instead, path] }) as const),
    ...policy.held.map(path => ({ kind: 'held', path }) as const),
    ...policy.absent.map(({ path, isFolder }): BoxMount =>
      isFolder ? { kind: 'empty folder', path } : { kind: 'own', path, made: ['--ro-bind', policy.empty, path] },
    ),
    ...policy.sockets.map(path => ({ kind: 'closed file', path }) as const),
  ]
  return boxArguments(mounts, { folder, hasNetwork })
}

/** Whether a place exists in the box at all: in an empty home folder there is only what is shown. */
function isVisible(path: string, { homes, seen, writable }: WritePolicy): boolean {
  const home = homes.find(each => isIn(each, path))
  return home === undefined || [...seen, ...writable].some(each => isIn(home, each) && isIn(each, path))
}
