/** Finds files by a few letters, key by key: puts the list, its index and the searches together, a little work at a time. */
import { createFileList } from './list.ts'
import { createPathIndex, extendIndex, type PathIndex } from './path-index.ts'
import { createSearch, type FileMatch, type FileSearch } from './search.ts'

/** Milliseconds of work in one stretch; keys are read between two stretches. */
const STRETCH = 4
/** Paths between two looks at the clock. */
const STEP = 500
/** The least milliseconds between two calls of `onChange` while results improve. */
const NOTIFY_EVERY = 50

export type FinderOptions = {
  /** The project's folder, absolute. */
  folder: string
  /** Paths as the finder gives them, most recently used first. Asked when the popup opens. */
  recent: () => readonly string[]
  /** The most results. */
  limit: number
  /** Milliseconds, from any start. */
  now: () => number
  /** Called when `search` of the same query has other results; never within a call of the finder's own. */
  onChange: () => void
}

export type FileResults = {
  /** Best first. */
  matches: readonly FileMatch[]
  /** The number of matching paths so far. */
  total: number
  /** Whether the results are final: all files are known and searched. */
  isComplete: boolean
}

export type Finder = {
  /** Lists the files unless the list is fresh. Call it when the popup opens. */
  open: () => void
  /** The results so far; for a new query after a few milliseconds of work at most. Goes on by itself. */
  search: (query: string) => FileResults
  /** Stops all work. */
  close: () => void
}

/** Creates a finder that lists no files before the first `open`. */
export function createFinder({ folder, recent, limit, now, onChange }: FinderOptions): Finder {
  const list = createFileList({ folder, now, onChange: goOn })
  let recentPaths: readonly string[] = []
  let index = createPathIndex([])
  /** The index of a newer list, while it is not ready. */
  let coming: PathIndex | null = null
  /** For one index; each query begins with the one before, so that a letter more or less finds most work done. */
  let searches: FileSearch[] = []
  let scheduled: NodeJS.Immediate | null = null
  let notified = Number.NEGATIVE_INFINITY

  function goOn(): void {
    scheduled ??= setImmediate(() => {
      scheduled = null
      const isDone = work()
      if (!isDone) goOn()
      if (!isDone && now() - notified < NOTIFY_EVERY) return
      notified = now()
      onChange()
    })
  }

  /** Works for one stretch. Returns whether there is nothing left to do for now. */
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

  /** Switches to the list's new paths: at once while there are none, else when their index is ready. */
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
