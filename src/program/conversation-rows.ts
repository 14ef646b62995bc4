/** Keeps the list of conversations and the news about hidden ones up to date, in the state of the one that is shown. */
import { elapsedHere } from '../platform/ages.ts'
import { conversationRow } from '../state/conversations/conversation-row.ts'
import type { ConversationRow, News } from '../state/conversations/conversations.ts'
import { isNews, sortedNews } from '../state/conversations/news.ts'
import { oncePerTick } from '../state/once-per-tick.ts'
import type { ShownStore } from '../state/app-store.ts'
import { openPicker } from '../state/pickers/picker.ts'
import { createBackgroundNews, type BackgroundNews, type BackgroundNewsOptions } from './background-news.ts'
import { createBackgroundRows, type BackgroundRows } from './background-rows.ts'
import { conversationTitle, type OpenConversation } from './conversation.ts'
import type { OpenConversations } from './open-conversations.ts'

export type ConversationRowsOptions = Pick<BackgroundNewsOptions, 'background' | 'onNews' | 'now'> & {
  store: ShownStore
  open: OpenConversations
}

/** The time between two updates of an open list, in milliseconds. */
const LIST_INTERVAL = 500

export class ConversationRows {
  readonly #options: ConversationRowsOptions
  readonly #backgroundRows: BackgroundRows
  readonly #backgroundNews: BackgroundNews
  /** Publishes once, however many changes came in this turn of the event loop. */
  readonly publishSoon = oncePerTick(() => this.publish())
  #isOver = false

  constructor(options: ConversationRowsOptions) {
    this.#options = options
    const { background, open, onNews, now } = options
    const isAttached = (id: string): boolean => open.hasBackground(id)
    this.#backgroundRows = createBackgroundRows({ background, isAttached, onFound: () => this.#followFound() })
    this.#backgroundNews = createBackgroundNews({ background, isAttached, onChange: this.publishSoon, onNews, now })
  }

  get inBackground(): Pick<BackgroundNews, 'follow' | 'drop'> {
    return this.#backgroundNews
  }

  /** Updates the list, if it is open or several conversations are, and the news. */
  publish(): void {
    const { store, open } = this.#options
    if (!open.shown() || this.#isOver) return
    const isListed = open.all().length > 1 || this.#isListOpen()
    const { conversations, news } = store.get()
    if (isListed || conversations.length > 0 || news.length > 0 || this.#news().length > 0) this.#update(isListed)
  }

  /** Updates the open list until it is closed. */
  followList(): void {
    const { open } = this.#options
    this.#backgroundRows.refresh()
    this.#tick()
    if (open.shown()) this.#update(true)
    const timer = setInterval(() => {
      if (!open.shown() || !this.#isListOpen()) return clearInterval(timer)
      this.#tick()
      this.#backgroundRows.refresh()
      this.publish()
    }, LIST_INTERVAL)
  }

  /** Updates the list of one that is about to be shown. */
  updateShown(listed: OpenConversation): void {
    listed.store.dispatch({
      type: 'conversations_changed',
      rows: this.#rows(),
      news: this.#news(),
      at: elapsedHere(),
    })
  }

  rowOf(listed: OpenConversation): ConversationRow {
    const { open } = this.#options
    const { store, isSeen, isSuspended, backgroundId } = listed
    const facts = { number: open.numberOf(store), isShown: listed === open.shown(), title: conversationTitle(listed) }
    const row = conversationRow(store.get(), { ...facts, isSeen, isSuspended })
    return backgroundId === null ? row : { ...row, backgroundId }
  }

  /** zotui exits: nothing is updated any more. */
  stop(): void {
    this.#isOver = true
    this.#backgroundNews.stop()
  }

  #tick(): void {
    const { open, now } = this.#options
    open.shown()?.store.dispatch({ type: 'ticked', now: now() })
  }

  #update(isListed: boolean): void {
    const { store } = this.#options.open.current()
    store.dispatch({
      type: 'conversations_changed',
      rows: isListed ? this.#rows() : [],
      background: this.#backgroundRows.rows(),
      news: this.#news(),
      at: elapsedHere(),
    })
  }

  #isListOpen(): boolean {
    return openPicker(this.#options.store.get().picker, 'conversations') !== null
  }

  /** Those in the background that were found are followed from then on. */
  #followFound(): void {
    for (const { backgroundId } of this.#backgroundRows.rows())
      if (backgroundId !== undefined) this.#backgroundNews.follow(backgroundId)
    this.publishSoon()
  }

  #rows(): ConversationRow[] {
    return this.#options.open.all().map(listed => this.rowOf(listed))
  }

  #news(): readonly News[] {
    const { open } = this.#options
    const hidden = open.all().filter(listed => listed !== open.shown())
    const own = hidden.flatMap(listed => {
      const row = this.rowOf(listed)
      return isNews(row) ? [{ row, at: listed.since }] : []
    })
    return sortedNews([...own, ...this.#backgroundNews.news()])
  }
}
