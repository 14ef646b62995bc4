/** A minimal observable store outside React, read there with `useSyncExternalStore`. */
import { createListeners } from '../agent/listeners.ts'

export type Store<Value> = {
  get: () => Value
  set: (value: Value) => void
  subscribe: (listener: () => void) => () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const { emit, subscribe } = createListeners<[]>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      emit()
    },
    subscribe,
  }
}
