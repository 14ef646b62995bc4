/** Finds files by a few letters, key by key. Searches the list in short steps. */
import { createFileList, type FileLister } from './list.ts'
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
  /** See `FileListOptions`. */
  beside?: () => readonly string[]
  /** Lists the files in another way, such as those of another machine. */
  lister?: FileLister
}

export type Finder = {
  /** Lists the files unless the list is fresh. Call it when the popup opens. */
  open: () => void
  /** The best matches so far, best first; for a new query after a few milliseconds of work at most. Goes on by itself. */
  search: (query: string) => readonly FileMatch[]
  /** Stops all work. */
  close: () => void
}

/** Creates a finder that lists no files before the first `open`. */
export function createFinder({ folder, recent, limit, now, onChange, beside, lister }: FinderOptions): Finder {
  const more = { ...(beside && { beside }), ...(lister && { lister }) }
  const list = createFileList({ folder, now, onChange: continueListing, ...more })
  let recentPaths: readonly string[] = []
  let current: FileSearch | null = null
  /** The search for the same text in a newer list. It takes the place of `current` when it is done. */
  let coming: FileSearch | null = null
  let scheduled: NodeJS.Immediate | null = null
  let notified = Number.NEGATIVE_INFINITY

  function continueListing(): void {
    scheduled ??= setImmediate(() => {
      scheduled = null
      const isDone = work()
      if (!isDone) continueListing()
      if (!isDone && now() - notified < NOTIFY_EVERY) return
      notified = now()
      onChange()
    })
  }

  /** Works for one stretch. Returns whether there is nothing left to do for now. */
  function work(): boolean {
    const end = now() + STRETCH
    do if (step()) return true
    while (now() < end)
    return false
  }

  function step(): boolean {
    const { paths } = list.current()
    if (current === null) return true
    if (current.paths === paths) return current.advance(STEP)
    if (coming?.paths !== paths || coming.text !== current.text) coming = searchFor(current.text)
    if (current.paths.length === 0 || coming.advance(STEP)) current = coming
    return false
  }

  function searchFor(query: string): FileSearch {
    return createSearch(query, list.current().paths, { recent: recentPaths, limit })
  }

  return {
    open() {
      recentPaths = recent()
      current = null
      list.refresh()
    },
    search(query) {
      if (current?.text !== query) {
        current = searchFor(query)
        if (!work()) continueListing()
      }
      return current.matches()
    },
    close() {
      if (scheduled !== null) clearImmediate(scheduled)
      scheduled = null
      list.stop()
    },
  }
}
