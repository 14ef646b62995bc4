/** What a box for reading looks like, as the arguments of bubblewrap. Pure: `places.ts` looks at the machine. */

/** A place that nothing in a box may look into. All paths are absolute, with their links resolved. */
export type ClosedPlace = { path: string; isFolder: boolean }

export type ReadPolicy = {
  /** The folder in which the command begins. */
  folder: string
  /** Folders that are seen where they lie in a closed place or in one that the box has of its own: the project, programs in PATH. */
  seen: readonly string[]
  /** Places that exist. */
  closed: readonly ClosedPlace[]
}

/** Folders of the system of which a box has its own, and the arguments that make them: nothing of the others is seen there. */
const own = [
  ['/dev', ['--dev', '/dev']],
  ['/dev/shm', limited('/dev/shm')],
  ['/proc', ['--proc', '/proc']],
  ['/run', limited('/run')],
  ['/tmp', limited('/tmp')],
  ['/var/tmp', limited('/var/tmp')],
] as const

/** A folder in memory, of which a command cannot use all. */
function limited(path: string): string[] {
  return ['--size', String(64 * 1024 * 1024), '--tmpfs', path]
}

/** Whether a folder is one of the system's that a box makes itself, where nothing is shown. */
export const isOfSystem = (folder: string): boolean =>
  ['/proc', '/sys', '/dev'].some(path => isIn(path, folder)) && !isIn('/dev/shm', folder)

/** Whether a folder is one of these, or holds one. */
export const holdsOwn = (folder: string): boolean => own.some(([path]) => isIn(folder, path))

/** Namespaces of its own, without privileges in them; all of its processes end with bubblewrap. */
const ALONE = [
  '--unshare-user',
  '--disable-userns',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--unshare-net',
  '--die-with-parent',
  '--cap-drop',
  'ALL',
]

type Mount = { path: string } & ({ kind: 'own'; made: readonly string[] } | { kind: 'file' | 'folder' | 'seen' })

/** The arguments, without those for file descriptors. */
export function readArguments({ folder, seen, closed }: ReadPolicy): string[] {
  const mounts: Mount[] = [
    ...own.map(([path, made]) => ({ kind: 'own', path, made }) as const),
    ...closed.map(({ path, isFolder }) => ({ kind: isFolder ? 'folder' : 'file', path }) as const),
    ...seen.map(path => ({ kind: 'seen', path }) as const),
  ]
  // What lies in a folder is placed after it. For the same path, what is seen comes last.
  const ordered = mounts.toSorted((one, other) => depth(one.path) - depth(other.path))
  return [
    ...ALONE,
    '--ro-bind',
    '/',
    '/',
    ...ordered.flatMap((mount, at) => argumentsFor(mount, ordered.slice(0, at), ordered.slice(at + 1))),
    ...closed.flatMap(({ path, isFolder }) => (isFolder ? ['--remount-ro', path] : [])),
    '--remount-ro',
    '/dev',
    '--chdir',
    folder,
  ]
}

function argumentsFor(mount: Mount, before: readonly Mount[], after: readonly Mount[]): readonly string[] {
  const { path } = mount
  switch (mount.kind) {
    case 'own':
      return mount.made
    case 'file':
      // A device, which cannot be opened here.
      return ['--ro-bind', '/dev/null', path]
    case 'folder': {
      // An empty folder that cannot be opened, or only passed through.
      const isOnTheWay = after.some(other => other.kind === 'seen' && isIn(path, other.path))
      return ['--perms', isOnTheWay ? '0111' : '0000', '--tmpfs', path]
    }
    case 'seen': {
      const nearest = before.findLast(other => isIn(other.path, path))
      return nearest && nearest.kind !== 'seen' ? ['--ro-bind', path, path] : []
    }
  }
}

const depth = (path: string): number => (path === '/' ? 0 : path.split('/').length)

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
