/** The state that the screen of a conversation is drawn from, and the one way to change it. */
import { createListeners } from '../agent/listeners.ts'
import { createStore } from './store.ts'
import { reduceEarly } from './composer/early-typing.ts'
import type { AppEvent } from './reduce.ts'
import type { AppState } from './state.ts'

export type AppStore = {
  get: () => AppState
  /** Calls `listener` after each change. Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void
  /** Applies the event. The listeners are called if it changes the state, and then, in any case, the followers act. */
  dispatch: (event: AppEvent) => void
}

/** The store of one conversation. */
export type ConversationStore = AppStore & {
  /**
   * From now on `reduce` applies the events. Before, only those of the first frame have an effect, which is drawn before the reducer
   * of the program is loaded. These follow each event, in their order.
   */
  begin: (reduce: Reducer, followers: readonly Follower[]) => void
}

type Reducer = (state: AppState, event: AppEvent) => AppState

/** What comes after each event. */
export type Follower = {
  /** What it does, for readers of the list. */
  name: string
  /** Completes the state before anybody sees it. */
  complete?: (state: AppState) => AppState
  /** Acts on the state of that moment: a listener, or a follower before it, may have dispatched another event. It may dispatch. */
  act?: (state: AppState, event: AppEvent) => void
}

export function createAppStore(initial: AppState, first: Reducer = ofFirstFrame): ConversationStore {
  const store = createStore(initial)
  let reduce = first
  let following: readonly Follower[] = []
  return {
    get: store.get,
    subscribe: store.subscribe,
    dispatch(event) {
      let next = reduce(store.get(), event)
      for (const { complete } of following) next = complete?.(next) ?? next
      store.set(next)
      for (const { act } of following) act?.(store.get(), event)
    },
    begin(reducer, followers) {
      reduce = reducer
      following = followers
    },
  }
}

function ofFirstFrame(state: AppState, event: AppEvent): AppState {
  return event.type === 'typed_early' || event.type === 'ticked' ? reduceEarly(state, event) : state
}

/** A store that passes on the one of several conversations that is shown. */
export type ShownStore = AppStore & {
  /** The store that is shown. */
  shown: () => ConversationStore
  /** Shows another store from now on, and notifies the listeners. */
  show: (store: ConversationStore) => void
}

export function createShownStore(first: ConversationStore): ShownStore {
  let shown = first
  const { emit, subscribe } = createListeners<[]>()
  let leave = shown.subscribe(emit)
  return {
    get: () => shown.get(),
    dispatch: event => shown.dispatch(event),
    subscribe,
    shown: () => shown,
    show(next) {
      leave()
      shown = next
      leave = shown.subscribe(emit)
      emit()
    },
  }
}
