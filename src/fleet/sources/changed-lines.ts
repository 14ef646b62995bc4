/** The changed lines of the folders on the board. git is asked seldom, for few folders at a time, and only after something has happened there. */
import type { BoardRow } from '../board-row.ts'

export type ChangedLines = NonNullable<BoardRow['changes']>

export type ChangedLinesOptions = {
  /** Null where there is no repository, or no answer in time. Never rejects. */
  count: (folder: string) => Promise<ChangedLines | null>
  /** Milliseconds that have passed. */
  elapsed: () => number
  after: (ms: number, run: () => void) => () => void
  onChange: () => void
}

type CountedFolder = {
  changes: ChangedLines | null
  /** What was known of its conversations when it was counted, and is now. */
  counted: string | null
  now: string
  /** When it was last counted. */
  at: number
}

/** Milliseconds between two questions about a folder. */
const PAUSE = 5000
/** Folders at a time, and those that are known at all. */
const [AT_ONCE, MOST] = [2, 300]

export class ChangedLinesOfFolders {
  readonly #options: ChangedLinesOptions
  readonly #folders = new Map<string, CountedFolder>()
  readonly #onIdle: (() => void)[] = []
  #running = 0
  #isClosed = false
  #cancel: (() => void) | null = null

  constructor(options: ChangedLinesOptions) {
    this.#options = options
  }

  of(folder: string): ChangedLines | null {
    return this.#folders.get(folder)?.changes ?? null
  }

  /** The folders that are on the board, each with facts that change whenever its files may have changed. */
  see(folders: ReadonlyMap<string, string>): void {
    for (const folder of this.#folders.keys()) if (!folders.has(folder)) this.#folders.delete(folder)
    for (const [folder, now] of folders) {
      const known = this.#folders.get(folder)
      if (known) known.now = now
      else if (this.#folders.size < MOST)
        this.#folders.set(folder, { changes: null, counted: null, now, at: -Infinity })
    }
    this.#go()
  }

  /** Resolves when git has been asked about all that were due. */
  async idle(): Promise<void> {
    if (this.#running === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onIdle.push(resolve)
    await promise
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  #go(): void {
    this.#cancel?.()
    this.#cancel = null
    const { elapsed, after } = this.#options
    const old = [...this.#folders].filter(([, { counted, now }]) => counted !== now)
    const due = old.filter(([, { at }]) => elapsed() - at >= PAUSE)
    for (const [folder, known] of due) {
      if (this.#running >= AT_ONCE || this.#isClosed) return
      void this.#count(folder, known)
    }
    const next = Math.min(...old.map(([, { at }]) => at + PAUSE - elapsed()).filter(wait => wait > 0))
    if (Number.isFinite(next) && !this.#isClosed) this.#cancel = after(next, () => this.#go())
  }

  async #count(folder: string, known: CountedFolder): Promise<void> {
    this.#running += 1
    known.counted = known.now
    known.at = this.#options.elapsed()
    const changes = await this.#options.count(folder)
    this.#running -= 1
    if (this.#isClosed) return
    const hasChanged = JSON.stringify(changes) !== JSON.stringify(known.changes)
    known.changes = changes
    if (hasChanged) this.#options.onChange()
    this.#go()
    if (this.#running === 0) for (const resolve of this.#onIdle.splice(0)) resolve()
  }
}
