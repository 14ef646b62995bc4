/** The conversations of all machines in one list. Each source goes its own way: none waits for another. */
import type { OutsideReply } from '../published/outside-call.ts'
import type { Timers } from '../platform/timers.ts'
import type { BoardAction } from './board-lines.ts'
import { rankOf, type BoardRow } from './board-row.ts'
import type { BoardHost, BoardSource } from './board-source.ts'

export type PlacedRow = {
  /** The name of its host. */
  host: string
  row: BoardRow
  /** True if nothing is heard of its host: it is as it was at the last moment, and takes no answer. */
  isStale: boolean
}

export type FleetBoard = {
  /** False until those sources are there, too, that are loaded later. */
  isComplete: () => boolean
  /** In the order of the sources: this machine first. */
  hosts: () => readonly BoardHost[]
  /** What waits for the person first. The same object until something changes. */
  rows: () => readonly PlacedRow[]
  /** The listener is called after a change, at most once in a while. Returns its end. */
  onChange: (listener: () => void) => () => void
  /** Never rejects. */
  act: (host: string, row: string, action: BoardAction) => Promise<OutsideReply>
  opens: (host: string, row: string) => ReturnType<BoardSource['opens']>
  close: () => void
}

export type BoardOptions = {
  sources: readonly BoardSource[]
  /** Those that are loaded later, for which the first list does not wait. Never rejects. */
  later?: Promise<readonly BoardSource[]>
  after: Timers['after']
  /** Milliseconds that have passed. */
  elapsed: () => number
}

/** Milliseconds in which changes are gathered. */
const GATHER = 50

/** Begins to look at once. */
export function createBoard({ sources: first, later, after, elapsed }: BoardOptions): FleetBoard {
  const listeners = new Set<() => void>()
  let cancel: (() => void) | null = null
  let toldAt = -Infinity
  let rows: readonly PlacedRow[] | null = null
  let isClosed = false
  let sources = first
  let isComplete = later === undefined
  for (const source of first) source.start(changed)
  void later?.then(add)

  return {
    isComplete: () => isComplete,
    hosts: () => sources.map(source => source.host()),
    rows: () => (rows ??= inBoardOrder(sources.map(source => source.host()))),
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async act(host, row, action) {
      const source = sources.find(({ name }) => name === host)
      if (!source || isClosed) return { ok: false, why: 'gone', message: 'This machine is not on the board any more.' }
      return source.act(row, action)
    },
    opens: (host, row) => sources.find(({ name }) => name === host)?.opens(row) ?? null,
    close() {
      isClosed = true
      cancel?.()
      for (const source of sources) source.close()
    },
  }

  function add(more: readonly BoardSource[]): void {
    if (isClosed) return
    isComplete = true
    sources = [...sources, ...more]
    for (const source of more) source.start(changed)
    changed()
  }

  /** The first change after a pause is told at once, together with what follows in the same turn of the event loop. */
  function changed(): void {
    rows = null
    if (isClosed) return
    cancel ??= after(Math.max(0, toldAt + GATHER - elapsed()), () => {
      cancel = null
      toldAt = elapsed()
      for (const listener of listeners) listener()
    })
  }
}

/** What waits for an answer, and what works, the oldest first; what has ended, the latest first. What nobody can reach comes last. */
export function inBoardOrder(hosts: readonly BoardHost[]): PlacedRow[] {
  const all = hosts.flatMap(({ name, state, rows }) =>
    rows.map(row => ({ host: name, row, isStale: state !== 'connected' })),
  )
  return all
    .map(placed => ({ placed, key: keyOf(placed) }))
    .toSorted((a, b) => a.key.stale - b.key.stale || a.key.rank - b.key.rank || a.key.time - b.key.time || byName(a, b))
    .map(({ placed }) => placed)
}

/** The ranks at which the oldest comes first. */
const OLDEST_FIRST: ReadonlySet<number> = new Set([0, 2])

function keyOf({ row, isStale }: PlacedRow): { stale: number; rank: number; time: number } {
  const rank = rankOf(row)
  const time = row.since === null ? Infinity : OLDEST_FIRST.has(rank) ? row.since : -row.since
  // A difference of infinities would be no number.
  return { stale: isStale ? 1 : 0, rank, time: Number.isFinite(time) ? time : Number.MAX_SAFE_INTEGER }
}

function byName({ placed: a }: { placed: PlacedRow }, { placed: b }: { placed: PlacedRow }): number {
  const [left, right] = [`${a.host}\0${a.row.id}`, `${b.host}\0${b.row.id}`]
  return left < right ? -1 : left > right ? 1 : 0
}
