/** The rows in a list of sessions: the forks below what they began from, or what suits a filter. */
import { match, wordsIn } from '../composer/completion.ts'
import type { SessionSummary } from '../conversation/session-summary.ts'

export type SessionRow = {
  session: SessionSummary
  /** How many sessions it is below of, one the fork of the other. */
  depth: number
  /** The offsets in its name that suit the filter, rising. */
  positions: readonly number[]
}

/** Characters of a name that are searched. */
const NAME = 200

/** What a session is called: by its title, or else by how it began, which a fork has in common with others. */
export function nameOf({ title, firstPrompt, lastPrompt, parent }: SessionSummary): string {
  const words = parent === null ? firstPrompt : lastPrompt
  return (title === '' ? words : title).slice(0, NAME)
}

/** `sessions` are the newest first. */
export function sessionRows(sessions: readonly SessionSummary[], filter: string): SessionRow[] {
  return filter.trim() === '' ? tree(sessions) : suiting(sessions, filter)
}

/** Forks stand below their parent; a family stands where its newest member would. */
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

/** Those in whose title or prompts all the words of a text are. */
export function sessionsWith(text: string, sessions: readonly SessionSummary[]): SessionSummary[] {
  const words = wordsIn(text)
  return sessions.filter(session => hasAll(session, words))
}

function hasAll({ title, prompts }: SessionSummary, words: readonly string[]): boolean {
  const text = `${title}\n${prompts}`.toLowerCase()
  return words.every(word => text.includes(word))
}

/** Those with all the words in their title or their prompts, by age; then those whose name has the letters, best first. */
function suiting(sessions: readonly SessionSummary[], filter: string): SessionRow[] {
  const words = wordsIn(filter)
  const literal: SessionRow[] = []
  const loose: (SessionRow & { score: number })[] = []
  for (const session of sessions) {
    const matched = match(filter, nameOf(session))
    const positions = matched?.positions ?? []
    if (hasAll(session, words)) literal.push({ session, depth: 0, positions })
    else if (matched) loose.push({ session, depth: 0, positions, score: matched.score })
  }
  return [...literal, ...loose.toSorted((a, b) => b.score - a.score)]
}
