/** Starts conversations in the background, attaches to them, and moves those of this zotui there. */
import type { Reply } from '../agent/backend.ts'
import type { Background } from '../app/context/background.ts'
import type { BackgroundPrompt, Conversations } from '../app/context/conversations.ts'
import { isInProgress, type Conversation, type OpenConversation } from './conversation.ts'
import { goesOn, moved, type MakeMoved } from './moving.ts'

export type BackgroundOptions = {
  /** Null if nothing can run in the background, as on another machine. */
  background: Background | null
  /** Creates a conversation that is attached to one in the background. */
  attach: (id: string) => Promise<Reply<Conversation>>
  makeMoved: MakeMoved
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

export function createBackgroundConversations(
  parts: BackgroundParts,
): Pick<Conversations, 'attach' | 'begin' | 'move' | 'movable'> {
  const { background, list, shown, takeIn, exchange, show, makeMoved } = parts
  return { attach, begin, move, movable }

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
    if (!background || !listed) return NO_BACKGROUND
    const wasWorking = isInProgress(listed)
    const reply = await moved(listed, makeMoved)
    if (!reply.ok) return reply
    exchange(listed, reply.value)
    reply.value.controller.start(null)
    if (!wasWorking || (await goesOn(reply.value))) return { ok: true, value: undefined }
    return { ok: false, message: 'its agent did not start in the background' }
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

const NO_BACKGROUND = { ok: false, message: 'conversations cannot run in the background here' } as const
