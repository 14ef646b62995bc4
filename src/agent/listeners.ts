export type Listeners<Args extends readonly unknown[]> = {
  emit: (...args: Args) => void
  /** Returns a function that ends it. */
  subscribe: (listener: (...args: Args) => void) => () => void
}

/** Listeners are called in the order in which they subscribed. If one throws, the others are not called, and the error reaches the caller. */
export function createListeners<Args extends readonly unknown[]>(): Listeners<Args> {
  const listeners = new Set<(...args: Args) => void>()
  return {
    emit(...args) {
      for (const listener of listeners) listener(...args)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
