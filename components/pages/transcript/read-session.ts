/** Reads a stored session for the transcript, and shows it as soon as the place is reached that is asked for. */
import { breakOff } from '../../../src/app/events/snapshot.ts'
import { readStored } from '../../../src/app/context/stored-session.ts'
import type { PageParts, StoredRequest } from '../../../src/app/pages/pages.ts'
import { createFold } from '../../../src/conversation/fold.ts'
import { placeInChat, type ChatPlace } from '../../../src/conversation/queries/session/place-in-chat.ts'
import { GONE, type ShownSession } from './session.ts'

/** Milliseconds between two states that are shown while the rest is read. */
const PAUSE = 150

/** Takes what was read; with the place the first time that it is known. False if the page has been closed. */
export type ShowSession = (part: Partial<ShownSession>, found: ChatPlace | null) => boolean

export async function readSessionFor(
  { sessions, now, elapsed }: Pick<PageParts['context'], 'sessions' | 'now' | 'elapsed'>,
  { session: id, place }: StoredRequest,
  show: ShowSession,
): Promise<void> {
  if (!sessions) return void show({ problem: 'Sessions are not stored here.' }, null)
  const fold = createFold()
  let isShown = false
  let shownAt = elapsed()
  let at = now()
  const facts = await readStored(sessions, id, (events, share) => {
    fold.add(events)
    at = events.at(-1)?.at ?? at
    if (share === 1) return true
    if (elapsed() - shownAt < PAUSE) return show({}, null)
    shownAt = elapsed()
    const chat = fold.chat()
    // The turn after it has begun: what is at the place is complete.
    const isReached = place !== null && chat.entries.some(entry => entry.kind === 'turn' && entry.startedAt > place.at)
    const found = isReached && !isShown ? placeInChat(chat, place) : null
    isShown ||= isReached
    return show(isShown ? { share, chat, ...(found && { task: found.task }) } : { share }, found)
  })
  if (!facts) return void show({ problem: GONE }, null)
  // What was open when its program ended has ended with it.
  if (id !== sessions.current().id) fold.add(breakOff(fold.chat(), at))
  const chat = fold.chat()
  const found = place !== null && !isShown ? placeInChat(chat, place) : null
  const { title, header } = facts
  const named = { share: 1, title, folder: header?.folder ?? null }
  show({ ...named, chat, ...(found && { task: found.task }) }, found)
}
