/** What a box has in common with every other: its namespaces, and its places one over the other, as arguments of bubblewrap. Pure. */

/** A place that nothing in a box may look into. All paths are absolute, with their links resolved. */
export type ClosedPlace = { path: string; isFolder: boolean }

export type BoxMount = { path: string } & (
  | { kind: 'own'; made: readonly string[] }
  | { kind: 'closed file' | 'closed folder' | 'empty folder' }
  /** Another folder or file, which can be changed or only read. */
  | { kind: 'seen' | 'writable' }
  /** A part of a place that can be written, which stays as it is. */
  | { kind: 'held' }
)

/** Folders of the system of which a box has its own, and the arguments that make them: nothing of the others is seen there. */
export const ownPlaces: readonly BoxMount[] = [
  { kind: 'own', path: '/dev', made: ['--dev', '/dev'] },
  { kind: 'own', path: '/dev/shm', made: limited('/dev/shm') },
  { kind: 'own', path: '/proc', made: ['--proc', '/proc'] },
  { kind: 'own', path: '/run', made: limited('/run') },
  { kind: 'own', path: '/tmp', made: limited('/tmp') },
  { kind: 'own', path: '/var/tmp', made: limited('/var/tmp') },
]

/** A folder in memory, of which a command cannot use all. */
export function limited(path: string, megabytes = 64): string[] {
  return ['--size', String(megabytes * 1024 * 1024), '--tmpfs', path]
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

/**
 * The arguments, without those for file descriptors. What lies in a folder is placed after it; for the same path, the later mount counts.
 * `folder` is where the command begins. Without `hasNetwork` there is none.
 */
export function boxArguments(
  mounts: readonly BoxMount[],
  { folder, hasNetwork }: { folder: string; hasNetwork: boolean },
): string[] {
  const ordered = mounts.toSorted((one, other) => depth(one.path) - depth(other.path))
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
    case 'empty folder':
      return ['--perms', '0755', '--tmpfs', path]
    case 'closed folder': {
      // An empty folder that cannot be opened, or only passed through.
      const isOnTheWay = after.some(
        other => (other.kind === 'seen' || other.kind === 'writable') && isIn(path, other.path),
      )
      return ['--perms', isOnTheWay ? '0111' : '0000', '--tmpfs', path]
    }
    case 'seen': {
      const nearest = before.findLast(other => isIn(other.path, path))
      const hides = nearest && (nearest.kind === 'own' || nearest.kind.startsWith('closed'))
      return hides ? ['--ro-bind', path, path] : []
    }
    case 'held':
      return ['--ro-bind', path, path]
    case 'writable':
      return ['--bind', path, path]
  }
}

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length)

export function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
