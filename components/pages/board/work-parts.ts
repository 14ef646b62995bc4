/** What the works of the board share: the page, and how a wish reaches a conversation. */
import type { BoardPageRequest, PageParts } from '../../../src/app/pages/pages.ts'
import type { BoardAction } from '../../../src/fleet/board-lines.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import type { OpenPage } from '../page.ts'
import type { BoardEntry } from './entries.ts'
import { hostWords } from './list-rows.ts'
import type { BoardReading } from './reading.ts'
import type { BoardState } from './state.ts'

export type BoardWorkParts = {
  page: OpenPage<BoardState, BoardReading>
  context: PageParts['context']
  request: BoardPageRequest
  /** Changes a part of the state, unless the page has been closed meanwhile. */
  change: (part: Partial<BoardState>) => void
  /** False once the page has been closed. */
  isOpen: () => boolean
}

/** What acts on a row does so only while the rows are on the screen. */
export function inSight({ page, context }: BoardWorkParts, work: () => Promise<void>): () => void {
  return () => {
    const { help, showsHosts } = page.state()
    if (help === null && !showsHosts) void work()
    else context.hint(context.keyed('{board.leave} closes this list first.'))
  }
}

/** Asks the conversation for what the person wants. `doing` says what happens meanwhile. */
export async function send(
  { context, request }: Pick<BoardWorkParts, 'context' | 'request'>,
  entry: BoardEntry,
  action: BoardAction,
  doing: string,
): Promise<void> {
  if (entry.isStale) return context.hint(hostWords(entry.host))
  context.hint(`${doing} ${nameOf(entry)}.`)
  const reply = await request.board.act(entry.host.name, entry.row.id, action)
  if (!reply.ok) context.hint(oneLine(sanitize(reply.message)))
}

/** A short name of the conversation, for one line. */
export function nameOf({ row }: BoardEntry): string {
  return oneLine(sanitize(row.title || 'the conversation')).slice(0, 40)
}
