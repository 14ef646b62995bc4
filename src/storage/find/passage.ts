/** What the search in all sessions finds. */
import type { SessionPlace } from '../../conversation/queries/session/session-place.ts'

export const passageKinds = ['prompt', 'answer', 'command', 'result', 'diff', 'file'] as const
/** `file` is the name of a file that a call or a mention was about, `diff` the lines that a call changed. */
export type PassageKind = (typeof passageKinds)[number]

export type FindQuery = {
  /** As typed. Words match in any order, the last one by its beginning; words in double quotes match as they stand. */
  words: string
  /** An absolute path, or the last part of one for all folders of that name; null for all folders. */
  folder: string | null
  /** The agent's short name; null for all. */
  agent: string | null
  /** Milliseconds since the Unix epoch; null for any time. */
  since: number | null
  /** Null for all kinds. */
  kinds: readonly PassageKind[] | null
  /** Only calls and turns that failed. */
  failed: boolean
}

export type FoundPassage = {
  place: SessionPlace
  kind: PassageKind
  failed: boolean
  folder: string
  agent: string
  /** The session's title, or the beginning of its first prompt. */
  title: string
  /** The words around the match, on one line, unsanitised; secrets are masked. */
  excerpt: string
  /** The matches in the excerpt, as ranges of UTF-16 units. */
  matches: readonly (readonly [from: number, to: number])[]
}

export type FindAnswer =
  /** `share` is how much of all sessions is in the index, from 0 to 1. */
  | { ok: true; found: readonly FoundPassage[]; share: number; isCut: boolean }
  /** One line for the user. */
  | { ok: false; why: string }

/** The index of all sessions on this machine, which several programs share. */
export type SessionFinder = {
  /** Best first, at most `most`. A later question ends an earlier one, which then answers with what it has. Never rejects. */
  find: (query: FindQuery, most: number) => Promise<FindAnswer>
  /**
   * Puts sessions into the index that changed since they were read, newest first, in bounded steps. Resolves when it is complete or
   * closed, to null, or else to one line for the user that says why it is not. Never rejects.
   */
  catchUp: () => Promise<string | null>
  /** Ends the building of the index and frees its memory, unless a question waits. The next question begins anew. */
  pause: () => void
  close: () => void
}
