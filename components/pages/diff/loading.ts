/** Loads the diffs of /diff: the one that is shown, and in the background those that are needed next, many of them at once. */
import { shownDigest } from '../../../src/app/changes/shown-digest.ts'
import { loadColoursOf } from '../../../src/app/context/colours.ts'
import type { DiffRequest } from '../../../src/app/pages/pages.ts'
import type { FileChange, FileDiff } from '../../../src/tools/diff/change.ts'
import { withUnchanged } from './commented-files.ts'
import type { SearchedText } from './search.ts'
import { isTooLong } from './load-next.ts'

export type Collected = Awaited<ReturnType<DiffRequest['collect']>>

/** What is loaded with one question: so much that a key never waits long for it to be read. */
const MOST_FILES = 40
const MOST_LINES = 4000
/** Characters of all files that are kept for the search. */
const MOST_KEPT = 64 * 1024 * 1024

export type LoaderOptions = {
  /** What is searched, by the absolute paths of the files. A file that is being loaded again stays here as it was. */
  texts: Map<string, SearchedText>
  /** Masks the secrets of a line. */
  redact: (text: string) => string
  isOpen: () => boolean
  /** The files to load next, the first ones first. It is asked again and again, until it names none that is not loaded. */
  toLoad: () => readonly FileChange[]
  /** Called when diffs have been loaded in the background. */
  onLoaded: () => void
}

export class DiffLoader {
  readonly #texts: Map<string, SearchedText>
  readonly #options: LoaderOptions
  /** Null until something was collected. */
  #collected: Collected | null = null
  #fresh = new Map<string, FileDiff>()
  readonly #digests = new Map<string, string>()
  #kept = 0
  #isBusy = false

  constructor(options: LoaderOptions) {
    this.#options = options
    this.#texts = options.texts
  }

  get collected(): Collected | null {
    return this.#collected
  }

  /** The digest of what was loaded last of each file. */
  digests(): ReadonlyMap<string, string> {
    return new Map(this.#digests)
  }

  /** From now on the diffs of this collection are loaded. Until then, files count as they did before. */
  begin(collected: Collected): void {
    this.#collected = withUnchanged(collected)
    this.#fresh = new Map()
    const { session, before } = collected.list
    const files = new Set([...session, ...before].map(({ file }) => file))
    for (const file of this.#texts.keys()) if (!files.has(file)) this.#forget(file)
    for (const change of [...session, ...before]) {
      if (!isTooLong(change)) continue
      this.#note(change, null)
      // Nobody looks whether it has changed, so it no longer counts as read.
      this.#digests.delete(change.file)
    }
  }

  /** The diff of a file, if it has been loaded. */
  known({ file }: FileChange): FileDiff | null {
    return this.#fresh.get(file) ?? null
  }

  /** The diff of a file; null if the changes are not known, or other ones, by then. */
  async load(change: FileChange): Promise<FileDiff | null> {
    const known = this.known(change)
    if (known) return known
    const from = this.#collected
    const [diff] = await Promise.all([from?.diffOf(change), loadColoursOf(change.path)])
    if (!diff || from !== this.#collected) return null
    return this.known(change) ?? this.#keep(change, diff)
  }

  /** The diff of a file as it is now, with its secrets; null if the changes are not known. */
  async loadAgain(change: FileChange): Promise<FileDiff | null> {
    return (await this.#collected?.diffOf(change)) ?? null
  }

  /** Loads some files. False if the changes are other ones by then. */
  async loadAll(changes: readonly FileChange[]): Promise<boolean> {
    const from = this.#collected
    for (;;) {
      if (!from || from !== this.#collected) return false
      const batch = batchOf(changes.filter(change => !this.known(change)))
      if (batch.length === 0) return true
      await this.#loadBatch(from, batch)
    }
  }

  /** Loads what is needed next, until nothing is. */
  async work(): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    for (;;) {
      const from = this.#collected
      if (!from || !this.#options.isOpen()) break
      const batch = batchOf(this.#options.toLoad().filter(change => !this.known(change)))
      if (batch.length === 0) break
      await this.#loadBatch(from, batch)
      if (from === this.#collected) this.#options.onLoaded()
    }
    this.#isBusy = false
  }

  async #loadBatch(from: Collected, batch: readonly FileChange[]): Promise<void> {
    const [diffs] = await Promise.all([
      from.diffsOf?.(batch) ?? Promise.all(batch.map(from.diffOf)),
      ...batch.map(({ path }) => loadColoursOf(path)),
    ])
    if (from !== this.#collected) return
    for (const [index, change] of batch.entries()) {
      if (!this.known(change)) this.#keep(change, diffs[index] ?? { hunks: [], notes: [] })
    }
  }

  #keep(change: FileChange, loaded: FileDiff): FileDiff {
    const { file } = change
    const diff = redactedDiff(loaded, this.#options.redact)
    const digest = shownDigest(diff)
    const isSame = digest === this.#digests.get(file)
    this.#fresh.set(file, diff)
    this.#digests.set(file, digest)
    if (!isSame || !this.#texts.has(file)) this.#note(change, diff)
    return diff
  }

  /** Notes what is searched of a file: of one that is too long, only its path. */
  #note(change: FileChange, diff: FileDiff | null): void {
    const { file, path } = change
    this.#forget(file)
    const length = diff ? lengthOf(diff) : 0
    const isKept = !isTooLong(change) && this.#kept + length <= MOST_KEPT
    if (isKept) this.#kept += length
    this.#texts.set(file, { path, diff: isKept ? diff : null })
  }

  #forget(file: string): void {
    const diff = this.#texts.get(file)?.diff
    if (diff) this.#kept -= lengthOf(diff)
    this.#texts.delete(file)
  }
}

/** Masks the secrets of a diff. */
export function redactedDiff(diff: FileDiff, redact: (text: string) => string): FileDiff {
  let isMasked = false
  const hunks = diff.hunks.map(hunk => {
    // Almost always there is nothing to mask, which is seen faster in all lines at once.
    const text = hunk.lines.map(line => line.text).join('\n')
    if (redact(text) === text) return hunk
    isMasked = true
    return { ...hunk, lines: hunk.lines.map(line => ({ ...line, text: redact(line.text) })) }
  })
  if (!isMasked) return diff
  // The bytes of the file no longer follow from these lines.
  const { exact: _exact, ...rest } = diff
  return { ...rest, hunks }
}

/** The characters of all lines. */
function lengthOf({ hunks }: FileDiff): number {
  return hunks.reduce((sum, { lines }) => lines.reduce((all, { text }) => all + text.length, sum), 0)
}

/** The first of these files that are loaded together. */
function batchOf(changes: readonly FileChange[]): readonly FileChange[] {
  let lines = 0
  for (const [index, { added, removed }] of changes.entries()) {
    lines += (added ?? 0) + (removed ?? 0)
    if (index > 0 && (index >= MOST_FILES || lines > MOST_LINES)) return changes.slice(0, index)
  }
  return changes
}
