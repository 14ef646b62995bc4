/** Moves a conversation to the background: its agent ends here, and a separate process continues its session. */
import type { Reply } from '../agent/backend.ts'
import type { BackgroundStart } from '../app/context/background.ts'
import type { AppState } from '../state/state.ts'
import type { AppStore } from '../state/app-store.ts'
import type { Conversation, OpenConversation } from './conversation.ts'

/** Makes a conversation that begins in the background, and is attached to, when its agent is opened. */
export type MakeMoved = (start: BackgroundStart, parts: MovedParts) => Promise<Reply<Conversation>>

export type MovedParts = {
  /** Its first state. Called as late as possible, since the user may still be typing. */
  state: () => AppState
  /** Releases the session. Awaited before another process takes it. */
  ready: () => Promise<void>
}

/** The prompt to an agent whose turn was stopped for the move. */
const GO_ON = 'Continue where you were interrupted.'
/** Milliseconds that a turn may take to stop. */
const STOP_WAIT = 5000
/** Milliseconds that the agent may take to begin its turn in the background. */
const BEGIN_WAIT = 20_000

/** Stops the open turn, and makes the conversation that continues in the background, or says why that is impossible. */
export async function moved(listed: OpenConversation, make: MakeMoved): Promise<Reply<Conversation>> {
  const { store, sessions, folder, machine, backgroundId, controller } = listed
  if (machine)
    return {
      ok: false,
      message: `it works on ${machine.name}, and only those of this machine can run in the background`,
    }
  if (backgroundId !== null) return { ok: false, message: 'it is already in the background' }
  if (!sessions?.current().isStored()) return { ok: false, message: 'it has no saved session' }
  const wasWorking = store.get().chat.open?.kind === 'turn'
  controller.stop()
  await until(store, ({ chat }) => chat.open === null, STOP_WAIT)
  const { agent, permissionMode } = store.get().chat
  const { name, provider, model, reasoning } = agent
  const own = listed.start()
  // An agent that does not report its reasoning keeps that of its start.
  const inUse = provider === '' || model === '' ? {} : { provider, model, ...(reasoning !== null && { reasoning }) }
  const start: BackgroundStart = {
    folder,
    session: sessions.current().id,
    prompt: wasWorking ? GO_ON : null,
    agent: name,
    ...(permissionMode !== null && { mode: permissionMode }),
    ...(own && { start: { ...own, ...inUse } }),
  }
  return make(start, { state: () => withoutQuestions(store.get()), ready: async () => retire(listed) })
}

/** Waits until the turn of a conversation continues in the background; false if it does not. */
export async function goesOn({ store }: Pick<Conversation, 'store'>): Promise<boolean> {
  await until(store, ({ chat }) => chat.open !== null || chat.agent.phase === 'ended', BEGIN_WAIT)
  return store.get().chat.open !== null
}

/** Ends its agent, and releases its session to other programs. Its draft is in the other conversation. */
export async function retire({ store, controller, close }: OpenConversation): Promise<void> {
  const { history } = store.get()
  const nothing = { type: 'restored', history, draft: '', stash: null, queue: [], chips: new Map() } as const
  store.dispatch(nothing)
  store.dispatch({ type: 'queue_changed', queue: store.get().queue, edited: null })
  await controller.leave()
  close()
}

/** The agent that takes over asks its questions again. */
function withoutQuestions(state: AppState): AppState {
  return { ...state, question: null, picker: null, page: null, watched: null, files: null, hint: null, armed: null }
}

export async function until(store: AppStore, isSo: (state: AppState) => boolean, limit: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limit)
  const leave = store.subscribe(look)
  look()
  await promise
  clearTimeout(timer)
  leave()

  function look(): void {
    if (isSo(store.get())) resolve()
  }
}
