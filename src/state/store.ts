/** A minimal observable store outside React, read there with `useSyncExternalStore`. */
import { createListeners } from '../agent/listeners.ts'

export type Store<Value> = {
  get: () => Value
  set: (value: Value) => void
  subscribe: (listener: () => void) => () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const { tell, subscribe } = createListeners<[]>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      tell()
    },
    subscribe,
  }
}

/** A store that passes on the one of several that is shown. */
export type ShownStore<Value> = Store<Value> & {
  /** The store that is shown. */
  shown: () => Store<Value>
  /** Shows another store from now on, and tells the listeners. */
  show: (store: Store<Value>) => void
}

export function createShownStore<Value>(first: Store<Value>): ShownStore<Value> {
  let shown = first
  const { tell, subscribe } = createListeners<[]>()
  let leave = shown.subscribe(tell)
  return {
    get: () => shown.get(),
    set: value => shown.set(value),
    subscribe,
    shown: () => shown,
    show(next) {
      leave()
      shown = next
      leave = shown.subscribe(tell)
      tell()
    },
  }
}
