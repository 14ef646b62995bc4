/** A conversation of a process, as the server knows it. */
import { createHash } from 'node:crypto'
import { folderLabel } from '../../platform/project.ts'
import type { PublishedRow, ServedQuestion } from '../../published/protocol.ts'
import { oneLine, sanitize } from '../../text/sanitize.ts'
import type { PageConversation, PageStatus } from '../page-lines.ts'
import type { Feed } from './feed.ts'

export type KnownConversation = {
  id: string
  /** The id of its process, and its key there. */
  publisher: string
  key: string
  row: PublishedRow
  /** When its process was gone, in milliseconds since the Unix epoch; null while it is there. */
  goneAt: number | null
  questions: readonly ServedQuestion[]
  /** The moments at which questions and status last changed. */
  questionsAt: number
  statusAt: number
  status: PageStatus | null
  /** Null while nobody looks at it. */
  feed: Feed | null
  /** When the last client left, in milliseconds since the Unix epoch. */
  leftAt: number | null
}

/** Characters of a text, and of a path. */
const [LONG, LONGEST] = [300, 2000]

/** The same for each server, so that an address of the page stays. */
export function conversationId(publisher: string, key: string): string {
  return createHash('sha256').update(`${publisher}\0${key}`).digest('hex').slice(0, 20)
}

/** A row with short and harmless texts. */
export function boundedRow(row: PublishedRow): PublishedRow {
  const text = (raw: string): string => oneLine(sanitize(raw.slice(0, LONG)))
  const { session, branch } = row
  return {
    ...row,
    session: session === null ? null : session.slice(0, LONG),
    folder: oneLine(sanitize(row.folder.slice(0, LONGEST))),
    branch: branch === null ? null : text(branch),
    agent: text(row.agent),
    model: text(row.model),
    title: text(row.title),
    lastLine: text(row.lastLine),
  }
}

export function pageConversation(known: KnownConversation, takesAnswers: boolean, home: string): PageConversation {
  const { key: _key, stays: _stays, ...row } = known.row
  const isThere = known.goneAt === null
  const folder = folderLabel(row.folder, home)
  return { ...row, id: known.id, folder, takesAnswers, isThere, questions: known.questions.length }
}

/** What waits for the person comes first, then what works, then what has news. */
const RANKS: Readonly<Record<PublishedRow['state'], number>> = {
  asks: 0,
  failed: 1,
  working: 2,
  waiting: 2,
  starting: 2,
  done: 1,
  idle: 3,
  resting: 3,
}

export function inOrder(rows: readonly PageConversation[]): PageConversation[] {
  return rows.toSorted(
    (one, other) =>
      rankOf(one) - rankOf(other) || (other.since ?? 0) - (one.since ?? 0) || (one.id < other.id ? -1 : 1),
  )
}

function rankOf({ isThere, questions, state }: PageConversation): number {
  if (!isThere) return 4
  return questions > 0 ? 0 : RANKS[state]
}
