/** The files of a project, for completion. The list grows while files are found, and is refreshed on request. */
import { createCollection, parentOf, type Collection, type Paths } from './collection.ts'
import { listDeleted, listGit, type Listing } from './git.ts'
import { createPace, type Pace } from '../pace.ts'
import { walk } from './walk.ts'

/** More paths than this are not kept, directories included. */
const MOST_PATHS = 500_000
/** Milliseconds for which a list is fresh. */
const FRESH = 5000
/** Milliseconds of work in one step; between steps keys are read and frames drawn. */
const STRETCH = 3
/** Milliseconds for the list of one folder. */
const LONGEST = 5000
/** The least milliseconds between two calls of `onChange` while the list grows. */
const NOTIFY_EVERY = 50

export type FileListOptions = {
  /** The project's folder, absolute. */
  folder: string
  /** Milliseconds, from any start. */
  now: () => number
  /** Called when there are other paths than before, and when the list is complete. Never within a call of the list's own. */
  onChange: () => void
  limit?: number
  /** Absolute folders whose files are listed, too: by their whole paths. Asked at each refresh. */
  beside?: () => readonly string[]
  /** Lists the files in another way, such as those of another machine. */
  lister?: FileLister
}

export type FileLister = (listing: Listing) => Promise<void>

export type FileList = {
  /** Lists the files again unless the list is fresh. The old list stays until the new one is complete. */
  refresh: () => void
  /** The paths found so far. An array that grows while it is not complete, and another one after a change. */
  current: () => { paths: Paths; isComplete: boolean }
  /** Stops listing. */
  stop: () => void
}

/** Creates a list that is empty until the first `refresh`. */
export function createFileList(options: FileListOptions): FileList {
  const { folder, now, onChange, limit = MOST_PATHS, beside = () => [], lister } = options
  let paths: Paths = []
  let isComplete = false
  let listed: number | null = null
  let notified = Number.NEGATIVE_INFINITY
  let running: AbortController | null = null

  function notify(): void {
    notified = now()
    onChange()
  }

  async function load(signal: AbortSignal): Promise<void> {
    const pace = createPace(STRETCH)
    const isFirst = !isComplete
    const grow = (found: Paths): void => {
      if (!isFirst || signal.aborted) return
      paths = found
      if (found.length > 0 && now() - notified >= NOTIFY_EVERY) notify()
    }
    const own = await collect({ folder, limit, signal, pace, grow, ...(lister && { lister }) })
    const found = await withOthers(own, beside(), { limit, signal, pace })
    if (signal.aborted) return
    if (isFirst || !(await isSame(paths, found, pace))) paths = found
    listed = now()
    isComplete = true
    running = null
    notify()
  }

  return {
    refresh() {
      if (running !== null || (listed !== null && now() - listed < FRESH)) return
      running = new AbortController()
      void load(running.signal)
    },
    current: () => ({ paths, isComplete }),
    stop() {
      running?.abort()
      running = null
    },
  }
}

/** The paths with those of these folders after them. No git reads there. */
async function withOthers(
  own: Paths,
  folders: readonly string[],
  { limit, signal, pace }: Pick<Collecting, 'limit' | 'signal' | 'pace'>,
): Promise<Paths> {
  if (folders.length === 0) return own
  const all = [...own]
  for (const folder of folders) {
    const listed = createCollection(limit - all.length)
    if (all.length < limit) await walk({ folder, add: listed.add, pace, signal })
    for (const path of listed.paths) all.push(`${folder}/${path}`)
  }
  return all
}

/** The first paths in a folder, at most `most`: files, and the folders that they are in. */
export async function listFolder(folder: string, most: number, lister?: FileLister): Promise<Paths> {
  const pace = createPace(STRETCH)
  const signal = AbortSignal.timeout(LONGEST)
  return collect({ folder, limit: most, signal, pace, grow: () => {}, ...(lister && { lister }) })
}

type Collecting = {
  folder: string
  limit: number
  signal: AbortSignal
  pace: Pace
  grow: (found: Paths) => void
  lister?: FileLister
}

/** Collects all paths; `grow` gets those found so far between two stretches of work. */
async function collect({ folder, limit, signal, pace, grow, lister }: Collecting): Promise<Paths> {
  const growing = ({ paths }: Collection): Pace => ({
    isDue: pace.isDue,
    async rest() {
      grow(paths)
      await pace.rest()
    },
  })
  if (lister) {
    const listed = createCollection(limit)
    await lister({ folder, add: listed.add, pace: growing(listed), signal })
    return listed.paths
  }
  const known = createCollection(limit)
  const isGit = await listGit({ folder, add: known.add, pace: growing(known), signal })
  // Git lists nothing in a folder that is itself ignored.
  if (isGit && known.paths.length > 0) return withoutDeleted(known.paths, { folder, limit, signal, pace })
  const seen = createCollection(limit)
  await walk({ folder, add: seen.add, pace: growing(seen), signal })
  return seen.paths
}

async function withoutDeleted(paths: Paths, { folder, limit, signal, pace }: Omit<Collecting, 'grow'>): Promise<Paths> {
  const deleted = await listDeleted({ folder, pace, signal })
  if (deleted.size === 0) return paths
  const emptied = new Set<string>()
  for (const path of deleted)
    for (let above = parentOf(path); above !== '' && !emptied.has(above); above = parentOf(above)) emptied.add(above)
  // From the start again: what is left brings the directories that it is in.
  const left = createCollection(limit)
  for (const path of paths) {
    if (!deleted.has(path) && !emptied.has(path)) left.add(path)
    if (pace.isDue()) await pace.rest()
  }
  return left.paths
}

async function isSame(a: Paths, b: Paths, pace: Pace): Promise<boolean> {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at += 1) {
    if (a[at] !== b[at]) return false
    if (at % 1000 === 0 && pace.isDue()) await pace.rest()
  }
  return true
}
