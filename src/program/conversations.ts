/** Opens and ends the conversations of one zotui, and shows one of them on the terminal. The others continue. */
import type { Reply } from '../agent/backend.ts'
import type { Conversations, NewConversation } from '../app/context/conversations.ts'
import type { InputRouter } from '../app/input/input-router.ts'
import { stateOf } from '../state/conversations/conversation-row.ts'
import type { ConversationRow } from '../state/conversations/conversations.ts'
import type { ShownStore } from '../state/app-store.ts'
import { type BackgroundOptions, createBackgroundConversations } from './background-conversations.ts'
import { isInProgress, type Conversation, type OpenConversation } from './conversation.ts'
import { ConversationRows } from './conversation-rows.ts'
import { createLimits, type LimitsOptions } from './limits.ts'
import { OpenConversations } from './open-conversations.ts'

export type Program = {
  conversations: Conversations
  /** Adds a conversation. The first one is shown. */
  add: (made: Conversation, title?: string) => void
  /** All of them, the one that is shown first. */
  all: () => readonly Conversation[]
  /** The one that is shown. */
  shown: () => Conversation
  /** True if this one is shown, also for the first one before it is added. */
  isShown: (store: Conversation['store']) => boolean
  /** Passes keys to the one that is shown. */
  keyboard: InputRouter
  /** Called by a conversation when its agent is gone. */
  left: (store: Conversation['store'], exitCode: number) => void
}

export type ProgramOptions = BackgroundOptions &
  Pick<LimitsOptions, 'settings' | 'processors' | 'onIdle'> & {
    store: ShownStore
    /** Finds an agent and creates a conversation with it, without starting it. */
    make: (options: NewConversation) => Promise<Reply<Conversation>>
    now: () => number
    /** Called when a hidden conversation asks something or has ended its turn, after this many milliseconds. */
    onNews: (row: ConversationRow, milliseconds: number) => void
    /** Called once, when all agents are gone. */
    onLeave: (exitCode: number) => void
  }

export function createProgram(options: ProgramOptions): Program {
  const { store, make, now, background, onNews, onLeave } = options
  let isLeaving = false
  let exitCode = 0
  const raised: Conversations['raised'] = { limit: null }
  const open = new OpenConversations({ store, now, onEvent, onShow: listed => rows.updateShown(listed) })
  const rows = new ConversationRows({ store, open, background, onNews, now })
  const limits = createLimits({ ...options, list: () => open.all(), shown: () => open.shown() })
  const inBackground = createBackgroundConversations({
    ...options,
    list: () => open.all(),
    shown: () => open.current(),
    takeIn,
    exchange: (listed, made) => open.exchange(listed, made),
    show,
  })

  const conversations: Conversations = {
    background,
    open: async options => takeIn(await make(options), options),
    ...inBackground,
    async begin(options) {
      const reply = await inBackground.begin(options)
      const { prompt, folder = open.current().folder } = options
      if (reply.ok) rows.inBackground.follow(reply.value, { prompt, folder })
      return reply
    },
    dropNews: id => rows.inBackground.drop(id),
    show: number => show(open.at(number)),
    numberIn: folder => open.numberIn(folder),
    showFormer: () => show(open.former()),
    follow: () => rows.followList(),
    answer: (number, call, isAllowed) => open.at(number)?.controller.answerCall(call, isAllowed) ?? false,
    rename,
    stop: number => open.at(number)?.controller.stop(),
    end: async number => open.at(number)?.controller.leave(),
    mayBegin: limits.mayBegin,
    cost: () => open.cost(),
    raised,
    say: (level, text) => open.current().controller.addProgramNotice(level, text),
    leave: async () => void (await Promise.all(leaving().map(async ({ controller }) => controller.leave()))),
    quit: async () => void (await Promise.all(leaving().map(async ({ controller }) => controller.quit()))),
  }
  return {
    conversations,
    add,
    all: () => open.shownFirst(),
    shown: () => open.current(),
    isShown: own => (open.shown()?.store ?? own) === own,
    keyboard: {
      press: (key, raw) => open.current().controller.press(key, raw),
      type: (text, raw) => open.current().controller.type(text, raw),
      paste: (text, raw) => open.current().controller.paste(text, raw),
      ignore: raw => open.current().controller.ignore(raw),
    },
    left,
  }

  function add(made: Conversation, title = ''): void {
    open.add(made, title)
    rows.publishSoon()
  }

  /** Adds a created conversation, and starts it. */
  function takeIn(
    made: Reply<Conversation>,
    { title, isShown, prompt, resumes = false }: Pick<NewConversation, 'title' | 'isShown' | 'prompt' | 'resumes'>,
  ): Reply<number> {
    if (!made.ok) return made
    if (isLeaving) return { ok: false, message: 'zotui is about to exit' }
    const { controller, store: own, sessions } = made.value
    const session = typeof resumes === 'string' ? resumes : resumes ? (sessions?.newestClosed() ?? null) : null
    add(made.value, title)
    const number = open.numberOf(own)
    if (isShown) show(open.at(number))
    controller.start(prompt, session === null ? null : { kind: 'resume', id: session })
    return { ok: true, value: number }
  }

  /** Shows another one, and restarts its agent if that was ended; false if that is impossible now. */
  function show(next: OpenConversation | undefined): boolean {
    const isAnother = next !== open.shown()
    if (!next || !open.show(next)) return false
    if (!isAnother) return true
    onEvent(next)
    limits.restart(next)
    return true
  }

  function onEvent(listed: OpenConversation): void {
    const { state: before, since, call } = listed
    const current = listed.store.get()
    const next = stateOf(current, listed)
    const isHidden = listed !== open.shown()
    listed.call = current.chat.questions[0]?.id ?? null
    // The line about it shows the call.
    if (next === before && listed.call !== call && isHidden) rows.publishSoon()
    if (next === before) return
    listed.state = next
    listed.since = now()
    if (isHidden) {
      if (isInProgress(listed)) listed.isSeen = false
      if (next === 'asks' || next === 'done' || next === 'failed') onNews(rows.rowOf(listed), listed.since - since)
    }
    rows.publishSoon()
    limits.follow()
  }

  function rename(number: number, title: string): void {
    const listed = open.at(number)
    if (!listed) return
    listed.title = title
    listed.sessions?.rename(listed.sessions.current().id, title)
    rows.publish()
  }

  function leaving(): readonly OpenConversation[] {
    isLeaving = true
    rows.stop()
    return open.all()
  }

  function left(own: Conversation['store'], code: number): void {
    const listed = open.at(open.numberOf(own))
    if (!listed || listed.isGone) return
    listed.isGone = true
    const isLast = isLeaving || open.all().length === 1
    exitCode = Math.max(exitCode, isLast ? code : 0)
    if (!isLast) return remove(listed)
    if (open.all().every(({ isGone }) => isGone)) onLeave(exitCode)
  }

  function remove(listed: OpenConversation): void {
    listed.close()
    // Its process continues without it.
    if (listed.backgroundId !== null) rows.inBackground.follow(listed.backgroundId)
    open.remove(listed, show)
    rows.publish()
    limits.follow()
  }
}
