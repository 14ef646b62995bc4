/** The rows of `/tree`: a session with its forks, rewinds, side questions and the conversations that were begun from it. */
import type { SessionSummary, SideQuestionSummary } from '../../conversation/queries/session/session-summary.ts'

export type FamilyRow = { depth: number } & (
  | { kind: 'session'; session: SessionSummary; from: SessionOrigin }
  /** `of` is the session in which it was asked. */
  | { kind: 'side'; side: SideQuestionSummary; of: SessionSummary }
)

/** How a session came from the one above it. */
export type SessionOrigin =
  | { way: 'root' }
  /** `turn` is null if it began with all turns. */
  | { way: 'fork' | 'rewind'; turn: number | null }
  | { way: 'spawned' }

/** The whole family of a session: its oldest known ancestor comes first. Empty if the session is not known. */
export function treeRows(sessions: readonly SessionSummary[], current: string): FamilyRow[] {
  const family = new Family(sessions)
  const start = family.get(current)
  return start ? family.rowsOf(family.rootOf(start)) : []
}

class Family {
  readonly #byId: ReadonlyMap<string, SessionSummary>
  readonly #forks = new Map<string, SessionSummary[]>()
  /** The session from which another was spawned, by the id of that one. */
  readonly #spawners = new Map<string, string>()

  constructor(sessions: readonly SessionSummary[]) {
    this.#byId = new Map(sessions.map(session => [session.id, session]))
    for (const session of sessions) {
      const { parent, spawned = [] } = session
      if (parent) this.#forks.set(parent.id, [...(this.#forks.get(parent.id) ?? []), session])
      for (const { id } of spawned) this.#spawners.set(id, session.id)
    }
  }

  get(id: string): SessionSummary | undefined {
    return this.#byId.get(id)
  }

  /** A damaged file may name a circle: then the session where it closes is taken. */
  rootOf(session: SessionSummary): SessionSummary {
    const seen = new Set<string>()
    let root = session
    for (;;) {
      seen.add(root.id)
      const above = this.get(root.parent?.id ?? this.#spawners.get(root.id) ?? '')
      if (!above || seen.has(above.id)) return root
      root = above
    }
  }

  rowsOf(root: SessionSummary): FamilyRow[] {
    const rows: FamilyRow[] = []
    const placed = new Set<string>()
    const place = (session: SessionSummary, from: SessionOrigin, depth: number): void => {
      if (placed.has(session.id)) return
      placed.add(session.id)
      rows.push({ kind: 'session', session, from, depth })
      for (const below of this.#below(session)) {
        if (below.kind === 'side') rows.push({ kind: 'side', side: below.side, of: session, depth: depth + 1 })
        else place(below.session, below.from, depth + 1)
      }
    }
    place(root, { way: 'root' }, 0)
    return rows
  }

  /** In the order in which they began. */
  #below(session: SessionSummary) {
    const forks = (this.#forks.get(session.id) ?? []).map(fork => {
      const way = fork.parent?.isRewind ? ('rewind' as const) : ('fork' as const)
      const from: SessionOrigin = { way, turn: fork.parent?.turn ?? null }
      return { kind: 'session' as const, at: fork.createdAt, session: fork, from }
    })
    const spawned = (session.spawned ?? []).flatMap(({ id, at }) => {
      const other = this.get(id)
      return other ? [{ kind: 'session' as const, at, session: other, from: { way: 'spawned' as const } }] : []
    })
    const sides = (session.sides ?? []).map(side => ({ kind: 'side' as const, at: side.at, side }))
    return [...forks, ...spawned, ...sides].toSorted((one, other) => one.at - other.at)
  }
}
