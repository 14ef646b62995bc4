/** Moves a conversation to the background: its agent ends here, and a separate process continues its session. */
import type { Reply } from '../agent/backend.ts'
import type { BackgroundStart } from '../app/context/background.ts'
import { takenOver } from '../state/conversations/taken-over.ts'
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

/** Why it cannot continue in the background; null if it can. `canStart`: whether another process can start an agent of this name. */
export function whyItStays(
  { store, sessions, machine, backgroundId }: OpenConversation,
  canStart: (agent: string) => boolean,
): string | null {
  if (machine) return `it works on ${machine.name}, and only those of this machine can run in the background`
  if (backgroundId !== null) return 'it is already in the background'
  if (!sessions?.current().isStored()) return 'it has no saved session'
  const { name } = store.get().chat.agent
  return canStart(name) ? null : `zotui does not know how to start ${name}`
}

/** Stops the open turn, and makes the conversation that continues in the background. */
export async function moved(listed: OpenConversation, make: MakeMoved): Promise<Reply<Conversation>> {
  const { store, sessions, folder, controller } = listed
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
    session: sessions?.current().id ?? null,
    prompt: wasWorking ? GO_ON : null,
    agent: listed.remoteWords() ?? name,
    ...(permissionMode !== null && { mode: permissionMode }),
    ...(own && { start: { ...own, ...inUse } }),
  }
  return make(start, { state: () => takenOver(store.get()), ready: async () => retire(listed) })
}

/** Waits until the turn of a conversation continues in the background; false if it does not. */
export async function goesOn({ store }: Pick<Conversation, 'store'>): Promise<boolean> {
  await until(store, ({ chat }) => chat.open !== null || chat.agent.phase === 'ended', BEGIN_WAIT)
  return store.get().chat.open !== null
}

/** Waits until another process has the conversation, and its agent has started there; false if it does not. */
export async function isThere({ store }: Pick<Conversation, 'store'>): Promise<boolean> {
  await until(store, ({ chat }) => chat.agent.phase !== 'starting', BEGIN_WAIT)
  return store.get().chat.agent.phase === 'ready'
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
