/** Reads the records of /usage between two keys: day by day, the newest first, as sums. */
import { cellsOf, mergedCells, type UsageCell, type UsageGroup } from '../../../src/usage/groups.ts'
import type { UsageRecord } from '../../../src/usage/record.ts'
import { addSums, modelOf, sumsBy } from '../../../src/usage/sums.ts'

type Days = {
  /** Newest first. */
  days: () => readonly string[]
  readDay: (day: string) => Iterable<UsageRecord[]>
}

/** A day that has been read. */
type ReadDay = { cells: readonly UsageCell[]; own: readonly UsageGroup[] }

export class DayReader {
  readonly #ledger: Days
  readonly #session: string
  /** The days that are still to be read. */
  #left: string[]
  readonly #read = new Map<string, ReadDay>()
  #open: { day: string; pieces: Iterator<UsageRecord[]>; cells: UsageCell[]; own: UsageGroup[] } | null = null

  /** `session` is the ID of the session whose models are summed, too. */
  constructor(ledger: Days, session: string) {
    this.#ledger = ledger
    this.#session = session
    this.#left = [...ledger.days()]
  }

  /** The number of days that have been read. */
  get count(): number {
    return this.#read.size
  }

  found(): { cells: UsageCell[]; own: UsageGroup[] } {
    const days = [...this.#read.values()]
    return { cells: days.flatMap(({ cells }) => cells), own: mergedGroups(days.flatMap(({ own }) => own)) }
  }

  hasMore(first: string): boolean {
    return this.#open !== null || (this.#left[0] ?? '') >= (first || '0')
  }

  /** Reads a day again, which may have more records by now. */
  again(day: string): void {
    if (this.#open?.day === day) this.#open = null
    this.#left = [day, ...this.#left.filter(each => each !== day)]
  }

  /** Reads a little; false if all days from `first` on have been read. */
  step(first: string): boolean {
    if (!this.hasMore(first)) return false
    this.#open ??= this.#next()
    const { day, pieces, cells, own } = this.#open
    const piece = pieces.next()
    if (piece.done === true) {
      this.#read.set(day, { cells: mergedCells(cells), own: mergedGroups(own) })
      this.#open = null
      return true
    }
    cells.push(...cellsOf(piece.value))
    own.push(
      ...sumsBy(
        piece.value.filter(({ session }) => session === this.#session),
        modelOf,
      ),
    )
    return true
  }

  #next() {
    const day = this.#left.shift() ?? ''
    return { day, pieces: this.#ledger.readDay(day)[Symbol.iterator](), cells: [], own: [] }
  }
}

function mergedGroups(groups: readonly UsageGroup[]): UsageGroup[] {
  const byName = new Map<string, UsageGroup>()
  for (const group of groups) {
    const before = byName.get(group.name)
    byName.set(group.name, before ? { name: group.name, sum: addSums(before.sum, group.sum) } : group)
  }
  return [...byName.values()]
}
