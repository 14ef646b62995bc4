/** The rows in a list of sessions: forks below their parents, or the matches of a filter. */
import { hasWords, wordsIn } from '../../composer/filter.ts'
import { match } from '../../composer/ranking.ts'
import type { SessionSummary } from '../../conversation/queries/session/session-summary.ts'

export type SessionRow = {
  session: SessionSummary
  /** The number of its ancestors in the list. */
  depth: number
  /** The offsets in its name that match the filter, ascending. */
  positions: readonly number[]
}

/** The maximum of characters in a title. */
const LONGEST_TITLE = 200

/** A typed title as it is kept. */
export function keptTitle(typed: string): string {
  return typed.trim().slice(0, LONGEST_TITLE)
}

/** Characters of a name that are searched. */
const NAME = 200

/** The name of a session: its title, or else its first prompt; for a fork the last, since forks share the first. */
export function sessionName({ title, firstPrompt, lastPrompt, parent }: SessionSummary): string {
  const words = parent === null ? firstPrompt : lastPrompt
  return (title === '' ? words : title).slice(0, NAME)
}

/** Expects the newest session first. */
export function sessionRows(sessions: readonly SessionSummary[], filter: string): SessionRow[] {
  return filter.trim() === '' ? tree(sessions) : matching(sessions, filter)
}

/** Forks are listed below their parent; a family has the place of its newest member. */
function tree(sessions: readonly SessionSummary[]): SessionRow[] {
  const byId = new Map(sessions.map(session => [session.id, session]))
  const forks = new Map<string, SessionSummary[]>()
  const rows: SessionRow[] = []
  const placed = new Set<string>()
  for (const session of sessions) {
    if (session.parent && byId.has(session.parent.id)) {
      forks.set(session.parent.id, [...(forks.get(session.parent.id) ?? []), session])
    }
  }
  const place = (session: SessionSummary, depth: number): void => {
    if (placed.has(session.id)) return
    placed.add(session.id)
    rows.push({ session, depth, positions: [] })
    for (const fork of forks.get(session.id) ?? []) place(fork, depth + 1)
  }
  for (const session of sessions) place(rootOf(session, byId), 0)
  return rows
}

function rootOf(session: SessionSummary, byId: ReadonlyMap<string, SessionSummary>): SessionSummary {
  const seen = new Set<string>()
  let root = session
  for (let parent = parentOf(root, byId); parent && !seen.has(parent.id); parent = parentOf(root, byId)) {
    seen.add(parent.id)
    root = parent
  }
  return root
}

function parentOf({ parent }: SessionSummary, byId: ReadonlyMap<string, SessionSummary>): SessionSummary | undefined {
  return parent ? byId.get(parent.id) : undefined
}

/** The sessions whose title or prompts contain all the words of a text. */
export function sessionsWith(text: string, sessions: readonly SessionSummary[]): SessionSummary[] {
  const words = wordsIn(text)
  return sessions.filter(session => hasAll(session, words))
}

function hasAll({ title, prompts }: SessionSummary, words: readonly string[]): boolean {
  return hasWords(`${title}\n${prompts}`, words)
}

/** Sessions with all the words in title or prompts, newest first; then those with similar names, best first. */
function matching(sessions: readonly SessionSummary[], filter: string): SessionRow[] {
  const words = wordsIn(filter)
  const literal: SessionRow[] = []
  const loose: (SessionRow & { score: number })[] = []
  for (const session of sessions) {
    const matched = match(filter, sessionName(session))
    const positions = matched?.positions ?? []
    if (hasAll(session, words)) literal.push({ session, depth: 0, positions })
    else if (matched) loose.push({ session, depth: 0, positions, score: matched.score })
  }
  return [...literal, ...loose.toSorted((a, b) => b.score - a.score)]
}
