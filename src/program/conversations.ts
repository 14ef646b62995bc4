/** Opens and ends the conversations of one zotui, and shows one of them on the terminal. The others continue. */
import { elapsedHere } from '../platform/ages.ts'
import type { Reply } from '../agent/backend.ts'
import type { Conversations, NewConversation } from '../app/context/conversations.ts'
import type { InputRouter } from '../app/input/input-router.ts'
import { conversationRow, stateOf } from '../state/conversations/conversation-row.ts'
import type { ConversationRow } from '../state/conversations/conversations.ts'
import { type AppEvent } from '../state/reduce.ts'
import { oncePerTick } from '../state/once-per-tick.ts'
import type { ShownStore } from '../state/app-store.ts'
import { isWithin } from '../platform/within.ts'
import { isInProgress, titleOf, type Conversation, type OpenConversation } from './conversation.ts'
import { isNews, sortedNews } from '../state/conversations/news.ts'
import type { News } from '../state/conversations/conversations.ts'
import { createBackgroundNews } from './background-news.ts'
import { createBackgroundRows } from './background-rows.ts'
import { type BackgroundOptions, createBackgroundConversations } from './background-conversations.ts'
import { createLimits, type LimitsOptions } from './limits.ts'

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
    make: (wanted: NewConversation) => Promise<Reply<Conversation>>
    now: () => number
    /** Called when a hidden conversation asks something or has ended its turn, after this many milliseconds. */
    onNews: (row: ConversationRow, milliseconds: number) => void
    /** Called once, when all agents are gone. */
    onLeave: (exitCode: number) => void
  }

/** The time between two updates of an open list, in milliseconds. */
const LIST_INTERVAL = 500

export function createProgram(options: ProgramOptions): Program {
  const { store, make, now, background, onNews, onLeave } = options
  let list: readonly OpenConversation[] = []
  let shown: OpenConversation | null = null
  let former: OpenConversation | null = null
  let isLeaving = false
  let exitCode = 0
  const publishSoon = oncePerTick(publish)
  const raised: Conversations['raised'] = { limit: null }
  const isAttached = (id: string): boolean => list.some(({ backgroundId }) => backgroundId === id)
  const backgroundRows = createBackgroundRows({ background, isAttached, onFound: found })
  const backgroundNews = createBackgroundNews({ background, isAttached, onChange: publishSoon, onNews, now })
  const inBackground = createBackgroundConversations({
    ...options,
    list: () => list,
    shown: () => current(),
    takeIn,
    exchange,
    show,
  })
  const limits = createLimits({ ...options, list: () => list, shown: () => shown })

  const conversations: Conversations = {
    background,
    open: async wanted => takeIn(await make(wanted), wanted),
    ...inBackground,
    async begin(wanted) {
      const reply = await inBackground.begin(wanted)
      const { prompt, folder = current().folder } = wanted
      if (reply.ok) backgroundNews.follow(reply.value, { prompt, folder })
      return reply
    },
    dropNews: backgroundNews.drop,
    show: number => show(list[number - 1]),
    numberIn(folder) {
      const at = list.findIndex(each => isWithin(folder, each.folder))
      return at < 0 ? null : at + 1
    },
    showFormer: () => show(former ?? undefined),
    follow,
    answer: (number, call, isAllowed) => list[number - 1]?.controller.answerCall(call, isAllowed) ?? false,
    rename,
    stop: number => list[number - 1]?.controller.stop(),
    end: async number => list[number - 1]?.controller.leave(),
    mayBegin: limits.mayBegin,
    cost,
    raised,
    say: (level, text) => current().controller.announce(level, text),
    leave: async () => void (await Promise.all(leaving().map(async ({ controller }) => controller.leave()))),
    quit: async () => void (await Promise.all(leaving().map(async ({ controller }) => controller.quit()))),
  }
  return {
    conversations,
    add,
    all: () => (shown ? [shown, ...list.filter(each => each !== shown)] : list),
    shown: current,
    isShown: own => shown === null || shown.store === own,
    keyboard: {
      press: (key, raw) => current().controller.press(key, raw),
      type: (text, raw) => current().controller.type(text, raw),
      paste: (text, raw) => current().controller.paste(text, raw),
      ignore: raw => current().controller.ignore(raw),
    },
    left,
  }

  function current(): OpenConversation {
    if (!shown) throw new Error('No conversation has been added.')
    return shown
  }

  function add(made: Conversation, title = ''): void {
    const listed = followed(made, title)
    list = [...list, listed]
    if (shown === null) made.sessions?.show(true)
    shown ??= listed
    publishSoon()
  }

  function followed(made: Conversation, title: string): OpenConversation {
    const at = now()
    const marks = { isSeen: true, isResting: false, isGone: false, shownAt: at, call: null }
    const listed: OpenConversation = { ...made, ...marks, title, state: 'starting', since: at }
    made.store.subscribe(() => changed(listed))
    return listed
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
    if (isShown) show(list.find(each => each.store === own))
    controller.start(prompt, session === null ? null : { wish: 'resume', id: session })
    return { ok: true, value: list.findIndex(each => each.store === own) + 1 }
  }

  /** Replaces a conversation in the list and on the screen. */
  function exchange(listed: OpenConversation, made: Conversation): void {
    const fresh = followed(made, titleOf(listed))
    list = list.map(each => (each === listed ? fresh : each))
    if (former === listed) former = fresh
    if (shown !== listed) return
    shown = fresh
    listed.sessions?.show(false)
    fresh.sessions?.show(true)
    store.show(fresh.store)
  }

  /** Shows another one, unless a full-screen view is open, which belongs to the conversation that opened it. */
  function show(next: OpenConversation | undefined): boolean {
    if (!next || next.isGone || store.get().page !== null) return false
    if (next === shown) return true
    const { themes, detail, raw, thoughts, newsReadAt } = store.get()
    const at = now()
    if (shown) {
      shown.isSeen = !isInProgress(shown)
      shown.shownAt = at
      shown.sessions?.show(false)
    }
    former = shown
    shown = next
    next.isSeen = true
    next.shownAt = at
    next.sessions?.show(true)
    next.controller.catchUp()
    former?.controller.catchUp()
    tell(next, { type: 'conversation_shown', terminal: { themes, detail, raw, thoughts, newsReadAt }, now: at })
    tell(next, { type: 'conversations_changed', rows: rows(), news: news(), at })
    store.show(next.store)
    changed(next)
    limits.wake(next)
    return true
  }

  /** Called for every event of every conversation. */
  function changed(listed: OpenConversation): void {
    const { state: before, since, call } = listed
    const current = listed.store.get()
    const next = stateOf(current, listed)
    listed.call = current.chat.questions[0]?.id ?? null
    // The line about it shows the call.
    if (next === before && listed.call !== call && listed !== shown) publishSoon()
    if (next === before) return
    listed.state = next
    listed.since = now()
    if (listed !== shown) {
      if (isInProgress(listed)) listed.isSeen = false
      if (next === 'asks' || next === 'done' || next === 'failed') onNews(rowOf(listed), listed.since - since)
    }
    publishSoon()
    limits.follow()
  }

  function publish(): void {
    if (!shown || isLeaving) return
    const isListed = list.length > 1 || isListOpen()
    const told = news()
    if (isListed || store.get().conversations.length > 0 || told.length > 0 || store.get().news.length > 0)
      tell(shown, {
        type: 'conversations_changed',
        rows: isListed ? rows() : [],
        background: backgroundRows.rows(),
        news: told,
        at: elapsedHere(),
      })
  }

  function follow(): void {
    backgroundRows.refresh()
    if (shown) {
      tell(shown, { type: 'ticked', now: now() })
      const background = backgroundRows.rows()
      tell(shown, { type: 'conversations_changed', rows: rows(), background, news: news(), at: elapsedHere() })
    }
    const timer = setInterval(() => {
      if (shown && isListOpen()) {
        tell(shown, { type: 'ticked', now: now() })
        backgroundRows.refresh()
        publish()
      } else clearInterval(timer)
    }, LIST_INTERVAL)
  }

  function isListOpen(): boolean {
    return store.get().picker?.kind === 'conversations'
  }

  /** Those that were found are followed from then on. */
  function found(): void {
    for (const { backgroundId } of backgroundRows.rows())
      if (backgroundId !== undefined) backgroundNews.follow(backgroundId)
    publishSoon()
  }

  function news(): readonly News[] {
    const own = list.flatMap(listed => {
      if (listed === shown) return []
      const row = rowOf(listed)
      return isNews(row) ? [{ row, at: listed.since }] : []
    })
    return sortedNews([...own, ...backgroundNews.news()])
  }

  function rows(): ConversationRow[] {
    return list.map(rowOf)
  }

  function rowOf(listed: OpenConversation): ConversationRow {
    const { isSeen, isResting } = listed
    const facts = { number: list.indexOf(listed) + 1, isShown: listed === shown, title: titleOf(listed) }
    const row = conversationRow(listed.store.get(), { ...facts, isSeen, isResting })
    return listed.backgroundId === null ? row : { ...row, backgroundId: listed.backgroundId }
  }

  function rename(number: number, title: string): void {
    const listed = list[number - 1]
    if (!listed) return
    listed.title = title
    listed.sessions?.rename(listed.sessions.current().id, title)
    publish()
  }

  function cost(): number {
    return list.reduce((sum, each) => sum + (each.store.get().chat.usage.costUsd ?? 0), 0)
  }

  function leaving(): readonly OpenConversation[] {
    isLeaving = true
    backgroundNews.stop()
    return list
  }

  function left(own: Conversation['store'], code: number): void {
    const listed = list.find(each => each.store === own)
    if (!listed || listed.isGone) return
    listed.isGone = true
    exitCode = Math.max(exitCode, isLeaving || list.length === 1 ? code : 0)
    if (isLeaving || list.length === 1) {
      if (list.every(({ isGone }) => isGone)) onLeave(exitCode)
      return
    }
    remove(listed)
  }

  function remove(listed: OpenConversation): void {
    listed.close()
    // Its process goes on without it.
    if (listed.backgroundId !== null) backgroundNews.follow(listed.backgroundId)
    if (former === listed) former = null
    if (shown === listed) show(former ?? list.findLast(each => each !== listed))
    former = former === listed ? null : former
    list = list.filter(each => each !== listed)
    publish()
    limits.follow()
  }
}

function tell(listed: OpenConversation, event: AppEvent): void {
  listed.store.dispatch(event)
}
