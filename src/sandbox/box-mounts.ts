/** What a box has in common with every other: its namespaces, and its places one over the other, as arguments of bubblewrap. Pure. */
import { dirname, join } from 'node:path/posix'

/** A place that nothing in a box may look into. All paths are absolute, with their links resolved. */
export type ClosedPlace = { path: string; isFolder: boolean }

export type BoxMount = { path: string } & (
  | { kind: 'own'; made: readonly string[] }
  | { kind: 'closed file' | 'closed folder' | 'empty folder' }
  /** What the system has there, to be read. It is mounted where another mount would hide it. */
  | { kind: 'seen' }
  /** What can be written, and what in it stays as it is. `from` is another path of it outside, which hides what the system has there. */
  | { kind: 'writable' | 'held'; from?: string }
)

/** Folders of the system of which a box has its own, and the arguments that make them: nothing of the others is seen there. */
export const ownPlaces: readonly BoxMount[] = [
  { kind: 'own', path: '/dev', made: ['--dev', '/dev'] },
  ownFolder('/dev/shm'),
  { kind: 'own', path: '/proc', made: ['--proc', '/proc'] },
  ownFolder('/run'),
  ownFolder('/tmp'),
  ownFolder('/var/tmp'),
]

/** A folder in memory, of which a command cannot use all. */
export function ownFolder(path: string): BoxMount {
  return { kind: 'own', path, made: ['--size', String(64 * 1024 * 1024), '--tmpfs', path] }
}

/** Whether a folder is one of the system's that a box makes itself, where nothing is shown. */
export const isOfSystem = (folder: string): boolean =>
  ['/proc', '/sys', '/dev'].some(path => isIn(path, folder)) && !isIn('/dev/shm', folder)

/** Whether a folder is one of these, or holds one. */
export const holdsOwn = (folder: string): boolean => ownPlaces.some(({ path }) => isIn(folder, path))

/** Namespaces of its own, without privileges in them; all of its processes end with bubblewrap. */
const ALONE = [
  '--unshare-user',
  '--disable-userns',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--cap-drop',
  'ALL',
]

/** The mount of a closed place. */
export function closedMount({ path, isFolder }: ClosedPlace): BoxMount {
  return { kind: isFolder ? 'closed folder' : 'closed file', path }
}

/** The mounts in the order in which they are made: what lies in a folder after it. For the same path, the last one of `mounts` counts. */
export function inOrder(mounts: readonly BoxMount[]): BoxMount[] {
  return mounts.toSorted((one, other) => depth(one.path) - depth(other.path))
}

/**
 * The mounts with more for the folders on the way to each of them from the folder around it that can be written. A folder that is a mount
 * cannot be renamed, so no command can lead a mount of another box elsewhere, or put another folder in the place of what is held.
 */
export function withWays(mounts: readonly BoxMount[]): BoxMount[] {
  const ordered = inOrder(mounts)
  const known = new Set(mounts.map(({ path }) => path))
  const ways = ordered.flatMap((mount, at) => {
    const around = ordered.slice(0, at).findLast(other => other.path !== mount.path && isIn(other.path, mount.path))
    if (around?.kind !== 'writable') return []
    const way: BoxMount[] = []
    for (let path = dirname(mount.path); path !== around.path; path = dirname(path)) {
      if (known.has(path)) continue
      known.add(path)
      way.push({ kind: 'writable', path, ...(around.from && { from: sourceOf(around, path) }) })
    }
    return way
  })
  return [...ways, ...mounts]
}

/** The path outside of a place in a mount that can be written. */
export function sourceOf(mount: BoxMount & { kind: 'writable' | 'held' }, path: string): string {
  return join(mount.from ?? mount.path, path.slice(mount.path.length))
}

/** The arguments, without those for file descriptors. `folder` is where the command begins. Without `hasNetwork` there is none. */
export function boxArguments(
  mounts: readonly BoxMount[],
  { folder, hasNetwork }: { folder: string; hasNetwork: boolean },
): string[] {
  const ordered = inOrder(mounts)
  return [
    ...ALONE,
    ...(hasNetwork ? [] : ['--unshare-net']),
    '--ro-bind',
    '/',
    '/',
    ...ordered.flatMap((mount, at) => argumentsFor(mount, ordered.slice(0, at), ordered.slice(at + 1))),
    ...mounts.flatMap(({ kind, path }) => (kind.endsWith(' folder') ? ['--remount-ro', path] : [])),
    '--remount-ro',
    '/dev',
    // Root may write the settings of the kernel in it, without any rights.
    '--remount-ro',
    '/proc',
    '--chdir',
    folder,
  ]
}

function argumentsFor(mount: BoxMount, before: readonly BoxMount[], after: readonly BoxMount[]): readonly string[] {
  const { path } = mount
  switch (mount.kind) {
    case 'own':
      return mount.made
    case 'closed file':
      // A device, which cannot be opened here.
      return ['--ro-bind', '/dev/null', path]
    case 'closed folder': {
      // An empty folder that cannot be opened, or only passed through.
      const isOnTheWay = after.some(
        other => (other.kind === 'seen' || other.kind === 'writable') && isIn(path, other.path),
      )
      return ['--perms', isOnTheWay ? '0111' : '0000', '--tmpfs', path]
    }
    case 'empty folder':
      return ['--perms', '0755', '--tmpfs', path]
    case 'seen': {
      const nearest = before.findLast(other => isIn(other.path, path))
      return nearest && hides(nearest) ? ['--ro-bind', path, path] : []
    }
    case 'held':
      return ['--ro-bind', mount.from ?? path, path]
    case 'writable':
      return ['--bind', mount.from ?? path, path]
  }
}

/** Whether the box has something else at this place than the system. */
export function hides(mount: BoxMount): boolean {
  return mount.kind === 'writable' ? mount.from !== undefined : mount.kind !== 'seen' && mount.kind !== 'held'
}

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length)

export function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
