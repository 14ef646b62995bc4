/** The rows of another machine: harmless, bounded, and with the times of the clock here. */
import { boundedRow } from '../bounds.ts'
import type { BoardRow } from '../board-row.ts'

/** Rows of a machine, and characters of all of them. */
const [MOST_ROWS, MOST_CHARACTERS] = [2000, 32 * 1024 * 1024]
/** Milliseconds by which two looks at the clock there may differ: the connection is slow now and then. */
const CLOSE = 2000
/** Of what can be done with a row, what needs its folder here. */
const NEEDS_FOLDER: ReadonlySet<BoardRow['can'][number]> = new Set(['diff', 'merge'])

/** `sentSince`: the time as it was sent. `row` has it by the clock here. */
type KeptRow = { row: BoardRow; sentSince: number | null; size: number }

export class HostRows {
  readonly #now: () => number
  readonly #kept = new Map<string, KeptRow>()
  /** Those that the present connection has not listed yet. */
  #former = new Set<string>()
  #size = 0
  /** What is added to a time there. */
  #offset = 0
  #shown: readonly BoardRow[] | null = null

  /** @param now milliseconds since the Unix epoch */
  constructor(now: () => number) {
    this.#now = now
  }

  all(): readonly BoardRow[] {
    return (this.#shown ??= [...this.#kept.values()].map(({ row }) => row))
  }

  find(id: string): BoardRow | undefined {
    return this.#kept.get(id)?.row
  }

  /** A connection begins: what it does not list is gone. `at` is the clock there. */
  begin(at: number): void {
    this.#former = new Set(this.#kept.keys())
    this.heard(at)
  }

  heard(at: number): void {
    const offset = this.#now() - at
    // A time that was sent before the clock there was set is by the former clock.
    if (Math.abs(offset - this.#offset) >= CLOSE) this.#offset = offset
  }

  listed(): void {
    for (const id of this.#former) this.remove(id)
    this.#former = new Set()
  }

  remove(id: string): void {
    this.#size -= this.#kept.get(id)?.size ?? 0
    this.#kept.delete(id)
    this.#shown = null
  }

  /** False for what no zotui sends. Rows beyond the bound are left out. */
  set(sent: BoardRow, size: number): boolean {
    const row = sent.id.length > 500 ? null : boundedRow(sent)
    if (!row) return false
    this.#shown = null
    this.#former.delete(row.id)
    const before = this.#kept.get(row.id)
    if (!before && this.#kept.size >= MOST_ROWS) return true
    this.#size += size - (before?.size ?? 0)
    const can = row.can.filter(each => !NEEDS_FOLDER.has(each))
    const isSame = before !== undefined && before.sentSince === row.since
    const since = isSame ? before.row.since : row.since === null ? null : row.since + this.#offset
    this.#kept.set(row.id, { row: { ...row, can, since }, sentSince: row.since, size })
    return this.#size <= MOST_CHARACTERS
  }
}
