/** A minimal observable store outside React, read there with `useSyncExternalStore`. */
export type Store<Value> = {
  get: () => Value
  set: (value: Value) => void
  subscribe: (listener: () => void) => () => void
}

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
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
  const listeners = new Set<() => void>()
  let leave = shown.subscribe(tell)
  return {
    get: () => shown.get(),
    set: value => shown.set(value),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    shown: () => shown,
    show(next) {
      leave()
      shown = next
      leave = shown.subscribe(tell)
      tell()
    },
  }

  function tell(): void {
    for (const listener of listeners) listener()
  }
}
