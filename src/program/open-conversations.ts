/** The conversations that are open in this zotui, in their order, and the one on the terminal. */
import { createListeners } from '../agent/listeners.ts'
import { isWithin } from '../platform/within.ts'
import type { ShownStore } from '../state/app-store.ts'
import {
  conversationTitle,
  isInProgress,
  publishedKey,
  type Conversation,
  type OpenConversation,
} from './conversation.ts'

export type OpenConversationsOptions = {
  store: ShownStore
  now: () => number
  /** Called for every event of every conversation. */
  onEvent: (listed: OpenConversation) => void
  /** Called before one is drawn in the place of another. */
  onShow: (listed: OpenConversation) => void
}

export class OpenConversations {
  readonly #options: OpenConversationsOptions
  readonly #listed = createListeners<[]>()
  #list: readonly OpenConversation[] = []
  #shown: OpenConversation | null = null
  #former: OpenConversation | null = null

  constructor(options: OpenConversationsOptions) {
    this.#options = options
  }

  all(): readonly OpenConversation[] {
    return this.#list
  }

  /** Calls the listener when one is added, replaced or removed. Returns its end. */
  onListed(listener: () => void): () => void {
    return this.#listed.subscribe(listener)
  }

  /** All of them, the one that is shown first. */
  shownFirst(): readonly OpenConversation[] {
    const shown = this.#shown
    return shown ? [shown, ...this.#list.filter(each => each !== shown)] : this.#list
  }

  /** Null before the first one is added. */
  shown(): OpenConversation | null {
    return this.#shown
  }

  current(): OpenConversation {
    if (!this.#shown) throw new Error('No conversation has been added.')
    return this.#shown
  }

  /** The one with a number, which begins at 1. */
  at(number: number): OpenConversation | undefined {
    return this.#list[number - 1]
  }

  numberOf(store: Conversation['store']): number {
    return this.#list.findIndex(each => each.store === store) + 1
  }

  /** The number of the one that other programs know by this key; null if there is none. */
  numberOfKey(key: string): number | null {
    const at = this.#list.findIndex(({ store }) => publishedKey(store.get()) === key)
    return at < 0 ? null : at + 1
  }

  /** The number of the first one that works in this folder or below; null if none does. */
  numberIn(folder: string): number | null {
    const at = this.#list.findIndex(each => isWithin(folder, each.folder))
    return at < 0 ? null : at + 1
  }

  /** True if one of them shows this conversation of the background. */
  hasBackground(id: string): boolean {
    return this.#list.some(({ backgroundId }) => backgroundId === id)
  }

  /** US dollars. */
  cost(): number {
    return this.#list.reduce((sum, each) => sum + (each.store.get().chat.usage.costUsd ?? 0), 0)
  }

  /** Adds one. The first one is shown. */
  add(made: Conversation, title: string): void {
    const listed = this.#followed(made, title)
    this.#list = [...this.#list, listed]
    if (this.#shown === null) made.sessions?.show(true)
    this.#shown ??= listed
    this.#listed.emit()
  }

  /** Replaces one, on the screen too. */
  exchange(listed: OpenConversation, made: Conversation): void {
    const fresh = this.#followed(made, conversationTitle(listed))
    this.#list = this.#list.map(each => (each === listed ? fresh : each))
    this.#listed.emit()
    if (this.#former === listed) this.#former = fresh
    if (this.#shown !== listed) return
    this.#shown = fresh
    listed.sessions?.show(false)
    fresh.sessions?.show(true)
    this.#options.store.show(fresh.store)
  }

  /** Shows another one, unless a full-screen page is open, which belongs to the conversation that opened it. */
  show(next: OpenConversation | undefined): boolean {
    const { store, now, onShow } = this.#options
    if (!next || next.isGone || store.get().page !== null) return false
    if (next === this.#shown) return true
    const { themes, detail, raw, thoughts, newsReadAt } = store.get()
    const at = now()
    const former = this.#shown
    if (former) {
      former.isSeen = !isInProgress(former)
      former.shownAt = at
      former.sessions?.show(false)
    }
    this.#former = former
    this.#shown = next
    next.isSeen = true
    next.shownAt = at
    next.sessions?.show(true)
    next.controller.catchUp()
    former?.controller.catchUp()
    const terminal = { themes, detail, raw, thoughts, newsReadAt }
    next.store.dispatch({ type: 'conversation_shown', terminal, now: at })
    onShow(next)
    store.show(next.store)
    return true
  }

  /** The one that was shown before. */
  former(): OpenConversation | undefined {
    return this.#former ?? undefined
  }

  /** Removes one; if it is shown, `show` puts another in its place. */
  remove(listed: OpenConversation, show: (next: OpenConversation | undefined) => void): void {
    if (this.#former === listed) this.#former = null
    if (this.#shown === listed) show(this.#former ?? this.#list.findLast(each => each !== listed))
    if (this.#former === listed) this.#former = null
    this.#list = this.#list.filter(each => each !== listed)
    this.#listed.emit()
  }

  #followed(made: Conversation, title: string): OpenConversation {
    const { now, onEvent } = this.#options
    const at = now()
    const marks = { isSeen: true, isSuspended: false, isGone: false, shownAt: at, call: null }
    const listed: OpenConversation = { ...made, ...marks, title, state: 'starting', since: at }
    made.store.subscribe(() => onEvent(listed))
    return listed
  }
}
