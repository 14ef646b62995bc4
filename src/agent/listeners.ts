export type Listeners<Told extends readonly unknown[]> = {
  tell: (...told: Told) => void
  /** Returns a function that ends it. */
  subscribe: (listener: (...told: Told) => void) => () => void
}

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
