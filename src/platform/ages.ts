/**
 * The time since things were first seen, by a clock that nobody sets. That of the day may jump: forward, and a call that has just come would
 * count as read; back, and none would for an hour.
 */
export type Ages = {
  /** Notes those that are there now, and forgets all others. */
  see: (ids: readonly string[]) => void
  /** Milliseconds; 0 for what was never seen. */
  of: (id: string) => number
}

export function createAges(elapsed: () => number): Ages {
  let since: ReadonlyMap<string, number> = new Map()
  return {
    see(ids) {
      since = new Map(ids.map(id => [id, since.get(id) ?? elapsed()]))
    },
    of: id => elapsed() - (since.get(id) ?? elapsed()),
  }
}

/** Milliseconds since some moment. */
export const elapsedHere = (): number => performance.now()
