/** Opens and ends the conversations of one zotui, and shows one of them on the terminal. The others continue. */
import type { Reply } from '../agent/backend.ts'
import type { Serving } from '../app/context/serving.ts'
import type { PublishedSource, TrustGate } from '../published/socket/served.ts'
import type { ServeAsk } from '../state/serve-ask.ts'
import type { BackgroundPrompt, Conversations, NewConversation, Relocation } from '../app/context/conversations.ts'
import type { InputRouter } from '../app/input/input-router.ts'
import { stateOf } from '../state/conversations/conversation-row.ts'
import type { ConversationRow } from '../state/conversations/conversations.ts'
import type { ShownStore } from '../state/app-store.ts'
import { type BackgroundOptions, createBackgroundConversations } from './background-conversations.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'
import { conversationTitle, isInProgress, type Conversation, type OpenConversation } from './conversation.ts'
import { ConversationRows } from './conversation-rows.ts'
import { createLimits, type Limits, type LimitsOptions } from './limits.ts'
import { OpenConversations } from './open-conversations.ts'
import { ServeAsks } from './serve-asks.ts'

export type ProgramOptions = BackgroundOptions &
  Pick<LimitsOptions, 'settings' | 'processors' | 'onIdle'> & {
    store: ShownStore
    /** Finds an agent and creates a conversation with it, without starting it. */
    make: (options: NewConversation) => Promise<Reply<Conversation>>
    now: () => number
    /** Whether another program has the terminal. */
    isLent: () => boolean
    /** Called when a hidden conversation asks something or has ended its turn, after this many milliseconds. */
    onNews: (row: ConversationRow, milliseconds: number) => void
    /** Called once, when all agents are gone. */
    onLeave: (exitCode: number) => void
  }

export class Program {
  readonly #options: ProgramOptions
  #isLeaving = false
  #exitCode = 0
  readonly #raised: Conversations['raised'] = { limit: null }
  readonly #planWarnings: Conversations['planWarnings'] = new Map()
  readonly #open: OpenConversations
  readonly #rows: ConversationRows
  readonly #limits: Limits
  readonly #inBackground: ReturnType<typeof createBackgroundConversations>
  readonly #asks = new ServeAsks({ onChange: (asks, fresh) => this.#showAsks(asks, fresh) })
  readonly conversations: Conversations
  /** Passes keys to the one that is shown. */
  readonly keyboard: InputRouter

  constructor(options: ProgramOptions) {
    this.#options = options
    const { store, make, now, background, onNews } = this.#options
    this.#open = new OpenConversations({
      store,
      now,
      onEvent: this.#onEvent.bind(this),
      onShow: listed => this.#rows.updateShown(listed),
    })
    this.#rows = new ConversationRows({ store, open: this.#open, background, onNews, now })
    this.#limits = createLimits({ ...this.#options, list: () => this.#open.all(), shown: () => this.#open.shown() })
    this.#inBackground = createBackgroundConversations({
      ...this.#options,
      list: () => this.#open.all(),
      shown: () => this.#open.current(),
      takeIn: this.#takeIn.bind(this),
      exchange: (listed, made) => this.#open.exchange(listed, made),
      show: this.#show.bind(this),
    })
    this.keyboard = {
      press: (key, raw) => this.#open.current().controller.press(key, raw),
      type: (text, raw) => this.#open.current().controller.type(text, raw),
      paste: (text, raw) => this.#open.current().controller.paste(text, raw),
      ignore: raw => this.#open.current().controller.ignore(raw),
    }
    this.conversations = {
      background,
      open: async options => this.#takeIn(await make(options), options),
      ...this.#inBackground,
      relocate: async (session, to) => this.#relocate(session, to),
      begin: async start => this.#begin(start),
      dropNews: id => this.#rows.inBackground.drop(id),
      show: number => this.#show(this.#open.at(number)),
      numberOf: key => this.#open.numberOfKey(key),
      numberIn: folder => this.#open.numberIn(folder),
      showFormer: () => this.#show(this.#open.former()),
      follow: () => this.#rows.followList(),
      answer: (number, call, isAllowed) => this.#open.at(number)?.controller.answerCall(call, isAllowed) ?? false,
      rename: this.#rename.bind(this),
      stop: number => this.#open.at(number)?.controller.stop(),
      end: async number => this.#open.at(number)?.controller.leave(),
      mayBegin: this.#limits.mayBegin,
      turnsAtOnce: this.#limits.turnsAtOnce,
      cost: () => this.#open.cost(),
      raised: this.#raised,
      planWarnings: this.#planWarnings,
      say: (level, text) => this.#open.current().controller.addProgramNotice(level, text),
      leave: async () => void (await Promise.all(this.#leaving().map(async ({ controller }) => controller.leave()))),
      quit: async () => void (await Promise.all(this.#leaving().map(async ({ controller }) => controller.quit()))),
    }
  }

  /** What servers for browsers may do here. */
  get serving(): Serving & TrustGate {
    return this.#asks
  }

  /** The conversations that servers get: those of this process. Loaded for the first server. */
  async published(): Promise<PublishedSource> {
    const { createPublishedSource } = await import('./published.ts')
    return createPublishedSource(this.#open, {
      whyItStays: this.#inBackground.whyItStays,
      moveOut: async listed => this.#moveOut(listed),
    })
  }

  /** For a board, whose person reads here what became of the conversation, and may be at another terminal now. */
  async #moveOut(listed: OpenConversation): Promise<Reply> {
    const { isLent } = this.#options
    const number = this.#open.numberOf(listed.store)
    const isShown = this.isShown(listed.store)
    // What is written in an editor would come back to a conversation that is gone.
    if (isShown && isLent()) return { ok: false, message: 'another program has its terminal, such as an editor' }
    const title = conversationTitle(listed)
    const reply = await this.#inBackground.moveOut(listed)
    const now = this.#open.at(number)
    if (reply.ok && now) {
      const id = now.session() ?? ''
      now.controller.addProgramNotice('info', MOVED, `zotui attach ${id}`)
      const name = title === '' ? `Conversation ${number}` : `"${oneLine(sanitize(title))}"`
      if (!isShown) this.conversations.say('info', `${name} is in the background now, for a board in another terminal.`)
    }
    this.#rows.publishSoon()
    return reply
  }

  /** Adds a conversation. The first one is shown. */
  add(made: Conversation, title = ''): void {
    this.#open.add(made, title)
    const asks = this.#asks.all()
    if (asks.length > 0) made.store.dispatch({ type: 'serve_asks_changed', asks })
    this.#rows.publishSoon()
  }

  /** All of them, the one that is shown first. */
  all(): readonly Conversation[] {
    return this.#open.shownFirst()
  }

  /** The one that is shown. */
  shown(): Conversation {
    return this.#open.current()
  }

  /** True if this one is shown, also for the first one before it is added. */
  isShown(own: Conversation['store']): boolean {
    return (this.#open.shown()?.store ?? own) === own
  }

  /** Called by a conversation when its agent is gone. */
  onAgentGone(own: Conversation['store'], code: number): void {
    const { onLeave } = this.#options
    const listed = this.#open.at(this.#open.numberOf(own))
    if (!listed || listed.isGone) return
    listed.isGone = true
    const isLast = this.#isLeaving || this.#open.all().length === 1
    this.#exitCode = Math.max(this.#exitCode, isLast ? code : 0)
    if (!isLast) return this.#remove(listed)
    if (this.#open.all().every(({ isGone }) => isGone)) onLeave(this.#exitCode)
  }

  async #relocate(session: string, to: Relocation): Promise<Reply> {
    const listed = this.#open.all().find(({ sessions }) => sessions?.current().id === session)
    if (!listed || this.#isLeaving) return { ok: false, message: 'the conversation has ended' }
    const { make, now } = this.#options
    const { relocated } = await import('./relocating.ts')
    const exchange = this.#open.exchange.bind(this.#open)
    const reply = await relocated(listed, to, { make, exchange, now })
    this.#rows.publishSoon()
    return reply
  }

  async #begin(start: BackgroundPrompt): Promise<Reply<string>> {
    const reply = await this.#inBackground.begin(start)
    const { prompt, folder = this.#open.current().folder } = start
    if (!reply.ok) return reply
    this.#rows.inBackground.follow(reply.value, { prompt, folder })
    this.#noteSpawned(reply.value)
    return reply
  }

  /** Adds a created conversation, and starts it. */
  #takeIn(
    made: Reply<Conversation>,
    { title, isShown, prompt, resumes = false }: Pick<NewConversation, 'title' | 'isShown' | 'prompt' | 'resumes'>,
  ): Reply<number> {
    if (!made.ok) return made
    if (this.#isLeaving) return { ok: false, message: 'zotui is about to exit' }
    const { controller, store: own, sessions } = made.value
    const session = typeof resumes === 'string' ? resumes : resumes ? (sessions?.newestClosed() ?? null) : null
    if (sessions && resumes === false) this.#noteSpawned(sessions.current().id)
    this.add(made.value, title)
    const number = this.#open.numberOf(own)
    if (isShown) this.#show(this.#open.at(number))
    controller.start(prompt, session === null ? null : { kind: 'resume', id: session })
    return { ok: true, value: number }
  }

  /** The session that is shown knows which others began from it: `/tree` lists them. */
  #noteSpawned(id: string): void {
    this.#open.shown()?.sessions?.note({ type: 'session_spawned', at: this.#options.now(), id })
  }

  /** Shows another one, and restarts its agent if that was ended; false if that is impossible now. */
  #show(next: OpenConversation | undefined): boolean {
    const isAnother = next !== this.#open.shown()
    if (!next || !this.#open.show(next)) return false
    if (!isAnother) return true
    this.#onEvent(next)
    this.#limits.restart(next)
    return true
  }

  #onEvent(listed: OpenConversation): void {
    const { now, onNews } = this.#options
    const { state: before, since, call } = listed
    const current = listed.store.get()
    const next = stateOf(current, listed)
    const isHidden = listed !== this.#open.shown()
    listed.call = current.chat.questions[0]?.id ?? null
    // The line about it shows the call.
    if (next === before && listed.call !== call && isHidden) this.#rows.publishSoon()
    if (next === before) return
    listed.state = next
    listed.since = now()
    if (isHidden) {
      if (isInProgress(listed)) listed.isSeen = false
      if (next === 'asks' || next === 'done' || next === 'failed')
        onNews(this.#rows.rowOf(listed), listed.since - since)
    }
    this.#rows.publishSoon()
    this.#limits.follow()
  }

  #showAsks(asks: readonly ServeAsk[], fresh: ServeAsk | null): void {
    for (const { store } of this.#open.all()) store.dispatch({ type: 'serve_asks_changed', asks })
    if (fresh) this.#open.current().controller.addProgramNotice('info', asksInWords(fresh))
  }

  #rename(number: number, title: string): void {
    const listed = this.#open.at(number)
    if (!listed) return
    listed.title = title
    listed.sessions?.rename(listed.sessions.current().id, title)
    this.#rows.publish()
  }

  #leaving(): readonly OpenConversation[] {
    this.#isLeaving = true
    this.#rows.stop()
    return this.#open.all()
  }

  #remove(listed: OpenConversation): void {
    listed.close()
    // Its process continues without it.
    if (listed.backgroundId !== null) this.#rows.inBackground.follow(listed.backgroundId)
    this.#open.remove(listed, this.#show.bind(this))
    this.#rows.publish()
    this.#limits.follow()
  }
}

const MOVED =
  'A board in another terminal has moved this conversation to the background, and may show it there. It goes on here, too, and does not end with this zotui.'

function asksInWords(ask: ServeAsk): string {
  if (ask.kind === 'trust' && ask.purpose === 'board')
    return 'A board on this machine wants to answer here, or to show a conversation of this zotui: /serve'
  if (ask.kind === 'trust') return 'A server on this machine wants to pass on answers to this zotui: /serve'
  return `${ask.device} wants to send prompts to a conversation whose mode does not ask: /serve`
}
