/** Starts conversations in the background, attaches to them, and moves those of this zotui there. */
import type { Reply } from '../agent/backend.ts'
import type { Background } from '../app/context/background.ts'
import type { BackgroundPrompt, Conversations } from '../app/context/conversations.ts'
import { isInProgress, type Conversation, type OpenConversation } from './conversation.ts'
import { goesOn, isThere, moved, whyItStays, type MakeMoved } from './moving.ts'

export type BackgroundOptions = {
  /** Null if nothing can run in the background, as on another machine. */
  background: Background | null
  /** Creates a conversation that is attached to one in the background. */
  attach: (id: string) => Promise<Reply<Conversation>>
  makeMoved: MakeMoved
  /** Whether another process can start an agent of this name. */
  canStart: (agent: string) => boolean
}

export type BackgroundParts = BackgroundOptions & {
  list: () => readonly OpenConversation[]
  shown: () => OpenConversation
  /** Adds a created conversation, and starts it; returns its number. */
  takeIn: (made: Reply<Conversation>, how: { isShown: boolean; prompt: null }) => Reply<number>
  /** Replaces one by another. */
  exchange: (listed: OpenConversation, made: Conversation) => void
  show: (listed: OpenConversation | undefined) => boolean
}

/** What other programs of the person may do with the conversations here. */
export type MovingOut = {
  /** Why it cannot continue in the background, in a few words; null if it can. */
  whyItStays: (listed: OpenConversation) => string | null
  /** Moves it, once for all that ask at the same time. Resolves when another process has it and its agent has started. */
  moveOut: (listed: OpenConversation) => Promise<Reply>
}

export function createBackgroundConversations(
  parts: BackgroundParts,
): Pick<Conversations, 'attach' | 'begin' | 'move' | 'movable'> & MovingOut {
  const { background, list, shown, takeIn, exchange, show, makeMoved, canStart } = parts
  const moving = new Map<OpenConversation, Promise<Reply<Moved>>>()
  return { attach, begin, move, movable, moveOut, whyItStays: whyNot }

  async function attach(id: string): Promise<Reply<number>> {
    const known = list().findIndex(({ backgroundId }) => backgroundId === id)
    if (known < 0) return takeIn(await parts.attach(id), { isShown: true, prompt: null })
    show(list()[known])
    return { ok: true, value: known + 1 }
  }

  async function begin({ prompt, folder, agent, model, mode: chosen }: BackgroundPrompt): Promise<Reply<string>> {
    if (!background) return NO_BACKGROUND
    const { store, folder: here, machine, start } = shown()
    if (machine && folder === undefined)
      return {
        ok: false,
        message: `it would work on ${machine.name}, and only conversations of this machine can run in the background`,
      }
    const own = start()
    const mode = chosen ?? store.get().chat.permissionMode
    return background.begin({
      folder: folder ?? here,
      session: null,
      prompt,
      ...(mode !== null && { mode }),
      ...(agent !== undefined && { agent }),
      ...(model !== undefined && { model }),
      ...(own && (agent ?? 'zot') === 'zot' && { agent: 'zot', start: own }),
    })
  }

  async function move(number: number): Promise<Reply> {
    const listed = list()[number - 1]
    if (!listed) return NO_BACKGROUND
    const reply = await movedOnce(listed)
    if (!reply.ok) return reply
    const { made, wasWorking } = reply.value
    return !wasWorking || (await goesOn(made)) ? { ok: true, value: undefined } : NOT_STARTED
  }

  async function moveOut(listed: OpenConversation): Promise<Reply> {
    const reply = await movedOnce(listed)
    if (!reply.ok) return reply
    return (await isThere(reply.value.made)) ? { ok: true, value: undefined } : NOT_STARTED
  }

  async function movedOnce(listed: OpenConversation): Promise<Reply<Moved>> {
    const known = moving.get(listed)
    if (known) return known
    const begun = exchanged(listed).finally(() => moving.delete(listed))
    moving.set(listed, begun)
    return begun
  }

  async function exchanged(listed: OpenConversation): Promise<Reply<Moved>> {
    const why = whyNot(listed)
    if (why !== null) return { ok: false, message: why }
    const wasWorking = isInProgress(listed)
    const reply = await moved(listed, makeMoved)
    if (!reply.ok) return reply
    const made = reply.value
    // A page is of the conversation that has opened it.
    listed.controller.closePages()
    exchange(listed, made)
    made.controller.start(null)
    return { ok: true, value: { made, wasWorking } }
  }

  function whyNot(listed: OpenConversation): string | null {
    return background ? whyItStays(listed, canStart) : NO_BACKGROUND.message
  }

  function movable(): readonly number[] {
    if (!background) return []
    return list().flatMap((each, at) => (isMovable(each) ? [at + 1] : []))
  }
}

const isMovable = (listed: OpenConversation): boolean =>
  isInProgress(listed) &&
  listed.backgroundId === null &&
  listed.machine === null &&
  listed.sessions?.current().isStored() === true

type Moved = { made: Conversation; wasWorking: boolean }

const NOT_STARTED = { ok: false, message: 'its agent did not start in the background' } as const
const NO_BACKGROUND = { ok: false, message: 'conversations cannot run in the background here' } as const
