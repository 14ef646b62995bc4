/** Lets a conversation go on with an agent on another machine, or here again. Until that agent has started, nothing changes. */
import type { Reply } from '../agent/backend.ts'
import type { NewConversation, Relocation } from '../app/context/conversations.ts'
import type { AppState } from '../state/state.ts'
import type { AppStore } from '../state/app-store.ts'
import { sentence } from '../text/sentence.ts'
import { conversationTitle, type Conversation, type OpenConversation } from './conversation.ts'
import { retire, until } from './moving.ts'

export type RelocatingParts = {
  make: (options: NewConversation) => Promise<Reply<Conversation>>
  /** Replaces one by another, on the screen too. */
  exchange: (listed: OpenConversation, made: Conversation) => void
  now: () => number
}

/** Milliseconds that the agent may take to start. */
const START_WAIT = 120_000
/** Milliseconds until a page that the person has opened meanwhile counts as forgotten. */
const PAGE_WAIT = 600_000

export async function relocated(
  listed: OpenConversation,
  { to, isKnown, ...place }: Relocation,
  { make, exchange, now }: RelocatingParts,
): Promise<Reply> {
  const { sessions } = listed
  if (!sessions || listed.backgroundId !== null) return { ok: false, message: 'its session is not kept here' }
  if (listed.store.get().chat.open !== null) return { ok: false, message: 'its agent is working' }
  listed.flush()
  const session = sessions.current()
  const agent = listed.remoteWords() ?? place.agent
  const made = await make({ ...place, ...(agent !== undefined && { agent }), prompt: null, isShown: false })
  if (!made.ok) return made
  const fresh = made.value
  const resumes = session.isStored() ? ({ kind: 'resume', id: session.id, moved: { isKnown } } as const) : null
  fresh.controller.start(null, resumes)
  const why = await started(fresh.store, resumes !== null, place.signal)
  if (why !== null) {
    await fresh.controller.leave()
    fresh.close()
    return { ok: false, message: why }
  }
  await until(listed.store, ({ page }) => page === null, PAGE_WAIT)
  takeOver(listed.store, fresh, now())
  // It is a copy there, which would be stored with its first prompt only: who comes back before that must find it.
  if (resumes) fresh.sessions?.keep()
  exchange(listed, fresh)
  const title = conversationTitle(listed)
  sessions.rename(session.id, title === '' ? `moved to ${to}` : `${title} (moved to ${to})`)
  await retire(listed)
  return { ok: true, value: undefined }
}

/** Waits until the agent is ready and the conversation is there. Resolves to why they are not; null if they are. */
async function started(store: AppStore, resumes: boolean, signal: AbortSignal | undefined): Promise<string | null> {
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  signal?.addEventListener('abort', () => resolve(), { once: true })
  /** The ends of agents in the session that was read, which is followed by the start here. */
  let before: number | null = resumes ? null : 0
  const isThere = ({ chat, restored }: AppState): boolean => {
    const { phase } = chat.agent
    const ends = chat.entries.filter(({ kind }) => kind === 'agent_ended').length
    if (before === null && restored.times > 0) {
      if (phase === 'ended') before = ends
      return false
    }
    return phase === 'ready' || (phase === 'ended' && ends > (before ?? 0))
  }
  await Promise.race([until(store, isThere, START_WAIT), stopped])
  if (signal?.aborted) return 'it was stopped'
  const { chat, restored } = store.get()
  if (chat.agent.phase === 'ready') return resumes && restored.times === 0 ? 'its session could not be read' : null
  const end = chat.entries.findLast(entry => entry.kind === 'agent_ended')
  return end?.kind === 'agent_ended' && end.reason !== ''
    ? [end.reason, end.hint].filter(Boolean).map(sentence).join(' ')
    : 'the agent there did not start'
}

/** What the person has typed goes along, and the view of the terminal. */
function takeOver(from: AppStore, { store }: Pick<Conversation, 'store'>, now: number): void {
  const { editor, history, stash, queue, chips, themes, detail, raw, thoughts, newsReadAt } = from.get()
  store.dispatch({ type: 'restored', history, draft: editor.text, stash, queue: queue.entries, chips })
  store.dispatch({ type: 'conversation_shown', terminal: { themes, detail, raw, thoughts, newsReadAt }, now })
}
