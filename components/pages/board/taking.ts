/** A conversation that another zotui has open is shown here: that zotui moves it to the background, and this one attaches to it. */
import type { ShownBoard } from '../../../src/app/pages/pages.ts'
import type { BoardRow } from '../../../src/fleet/board-row.ts'
import { oneLine, sanitize } from '../../../src/text/sanitize.ts'
import { entryKey, type BoardEntry } from './entries.ts'
import { nameOf, type BoardWorkParts } from './work-parts.ts'

/** Milliseconds until one that was moved is on the board. */
const ARRIVAL = 10_000

/** Asks the other zotui. Resolves to the row in the background, or to why there is none, as a sentence. */
export async function takeOver(
  board: ShownBoard,
  { host, row }: Pick<BoardEntry, 'row' | 'host'>,
): Promise<{ ok: true; row: BoardRow } | { ok: false; why: string }> {
  const reply = await board.act(host.name, row.id, { do: 'background' })
  const why = reply.ok ? 'It is in the background, but not on the board yet.' : oneLine(sanitize(reply.message))
  // Another board may have been faster, and a zotui that has died meanwhile may have moved it before.
  const mayBeThere = reply.ok || reply.why === 'gone' || reply.why === 'failed'
  const there = mayBeThere ? await inBackground(board, host.name, row, reply.ok ? ARRIVAL : ARRIVAL / 2) : null
  if (there) return { ok: true, row: there }
  const isLeft = !reply.ok && reply.why !== 'needs_yes' && !isOnBoard(board, host.name, row)
  const resumed = row.session === null ? '' : ` \`zotui --resume ${oneLine(sanitize(row.session))}\` continues it.`
  return { ok: false, why: isLeft ? `${why}${resumed}` : why }
}

/** After a yes: the conversation is taken, and `opens` it here. */
export async function takeRow(parts: BoardWorkParts, entry: BoardEntry, opens: boolean): Promise<void> {
  const { context, request, change, isOpen } = parts
  context.hint(`Asking the zotui that has ${nameOf(entry)}.`)
  const taken = await takeOver(request.board, entry)
  if (!isOpen()) return
  if (!taken.ok) return context.hint(taken.why)
  change({ selected: entryKey(entry.host.name, taken.row.id) })
  if (!opens) return context.hint(`${nameOf(entry)} is in the background.`)
  // That it was asked for does not stand there any more when the board comes back.
  context.dispatch({ type: 'hinted', hint: null })
  const why = await request.open(entry.host.name, taken.row)
  if (why !== null) context.hint(why)
}

/** Waits until the session of this row is in the background; null if it does not come there in time. */
async function inBackground(
  board: ShownBoard,
  host: string,
  { session }: BoardRow,
  patience: number,
): Promise<BoardRow | null> {
  const { promise, resolve } = Promise.withResolvers<BoardRow | null>()
  const look = (): void => {
    const found = rowsOf(board, host).find(row => row.kind === 'background' && row.session === session)
    if (found && session !== null) resolve(found)
  }
  const leave = board.onChange(look)
  const timer = setTimeout(() => resolve(null), patience)
  look()
  const found = await promise
  clearTimeout(timer)
  leave()
  return found
}

function rowsOf(board: ShownBoard, host: string): readonly BoardRow[] {
  return board.hosts().find(({ name }) => name === host)?.rows ?? []
}

const isOnBoard = (board: ShownBoard, host: string, { id }: BoardRow): boolean =>
  rowsOf(board, host).some(row => row.id === id)
