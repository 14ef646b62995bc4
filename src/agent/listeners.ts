export type Listeners<Told extends readonly unknown[]> = {
  tell: (...told: Told) => void
  /** Returns a function that ends it. */
  subscribe: (listener: (...told: Told) => void) => () => void
}

/** Listeners are told in the order in which they subscribed. One that throws ends the telling, and the error reaches the caller. */
export function createListeners<Told extends readonly unknown[]>(): Listeners<Told> {
  const listeners = new Set<(...told: Told) => void>()
  return {
    tell(...told) {
      for (const listener of listeners) listener(...told)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
