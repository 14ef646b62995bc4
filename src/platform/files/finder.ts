/** Finds files by a few letters as they are typed. Combines the list, its index and the searches, and works in short steps. */
import { createFileList } from './list.ts'
import { createPathIndex, extendIndex, type PathIndex } from './path-index.ts'
import { createSearch, type FileMatch, type FileSearch } from './search.ts'

/** Milliseconds of work between two turns of the event loop; a key waits no longer. */
const STRETCH = 4
/** How many paths are processed between two reads of the clock. */
const STEP = 500
/** Milliseconds between two announcements of better results. */
const TELL_EVERY = 50

export type FinderOptions = {
  /** The project's folder, absolute. */
  folder: string
  /** Paths as the finder gives them, most recently used first. Asked when the popup opens. */
  recent: () => readonly string[]
  /** How many results are wanted. */
  limit: number
  /** Milliseconds, from any start. */
  now: () => number
  /** Called when `search` of the same query has other results; never within a call of the finder's own. */
  onChange: () => void
}

export type FileResults = {
  /** Best first. */
  matches: readonly FileMatch[]
  /** How many paths match the query, so far. */
  total: number
  /** Whether the results are final: all files are known and searched. */
  isComplete: boolean
}

export type Finder = {
  /** To be called when the popup opens: lists the files, unless they were listed recently. */
  open: () => void
  /** The results so far, after a few milliseconds of work for a new query. The search continues by itself. */
  search: (query: string) => FileResults
  /** Stops all work, for the exit. */
  close: () => void
}

/** The files are listed at the first `open`. */
export function createFinder({ folder, recent, limit, now, onChange }: FinderOptions): Finder {
  const list = createFileList({ folder, now, onChange: goOn })
  let recentPaths: readonly string[] = []
  let index = createPathIndex([])
  /** The index of a newer list, until it is ready. */
  let coming: PathIndex | null = null
  /** Searches of one index. Each query begins with the one before, so that a letter more or less reuses their work. */
  let searches: FileSearch[] = []
  let scheduled: NodeJS.Immediate | null = null
  let told = Number.NEGATIVE_INFINITY

  function goOn(): void {
    scheduled ??= setImmediate(() => {
      scheduled = null
      const isDone = work()
      if (!isDone) goOn()
      if (!isDone && now() - told < TELL_EVERY) return
      told = now()
      onChange()
    })
  }

  /** Works for a few milliseconds. Returns whether nothing is left to do for now. */
  function work(): boolean {
    const end = now() + STRETCH
    follow()
    do if (step()) return true
    while (now() < end)
    return false
  }

  function step(): boolean {
    const isReady = extendIndex(index, STEP)
    const isSeen = searches.at(-1)?.advance(STEP) ?? true
    if (coming === null) return isReady && isSeen
    if (!extendIndex(coming, STEP)) return false
    take(coming)
    return false
  }

  /** Switches to a newer list: at once while the index is empty, else when the new index is ready. */
  function follow(): void {
    const { paths } = list.current()
    if (paths === index.paths) coming = null
    else if (index.paths.length === 0) take(createPathIndex(paths))
    else if (coming?.paths !== paths) coming = createPathIndex(paths)
  }

  function take(newer: PathIndex): void {
    index = newer
    coming = null
    const query = searches.at(-1)?.text
    searches = []
    if (query !== undefined) searchFor(query)
  }

  function searchFor(query: string): FileSearch {
    const before = searches.findLast(search => query.startsWith(search.text))
    searches = before === undefined ? [] : searches.slice(0, searches.indexOf(before) + 1)
    if (before?.text === query) return before
    const options = { recent: recentPaths, limit }
    const search = createSearch(query, index, before === undefined ? options : { ...options, narrowing: before })
    searches.push(search)
    return search
  }

  return {
    open() {
      recentPaths = recent()
      searches = []
      list.refresh()
    },
    search(query) {
      const isNew = searches.at(-1)?.text !== query
      const search = searchFor(query)
      if (isNew && !work()) goOn()
      const current = searches.at(-1) ?? search
      const isSeen = current.advance(0) && index.names.length === index.paths.length
      const { paths, isComplete } = list.current()
      return {
        matches: current.matches(),
        total: current.total(),
        isComplete: isComplete && isSeen && paths === index.paths,
      }
    },
    close() {
      if (scheduled !== null) clearImmediate(scheduled)
      scheduled = null
      list.stop()
    },
  }
}
