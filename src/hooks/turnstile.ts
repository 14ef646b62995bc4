/** Lets a few in at a time, in their order; further ones wait, as far as there is room. */

export type Turnstile = {
  /** Resolves to `in` when it is this one's turn, which then has to call `leave`; to `full` if too many wait; to `stopped` by the signal. */
  enter: (signal?: AbortSignal) => Promise<'in' | 'full' | 'stopped'>
  leave: () => void
}

export function createTurnstile(atOnce: number, mostWaiting: number): Turnstile {
  const waiting = new Set<() => void>()
  let inside = 0
  return {
    async enter(signal) {
      if (inside < atOnce) {
        inside += 1
        return 'in'
      }
      if (waiting.size >= mostWaiting) return 'full'
      const { promise, resolve } = Promise.withResolvers<'in' | 'stopped'>()
      const begin = (): void => resolve('in')
      const stop = (): void => {
        if (waiting.delete(begin)) resolve('stopped')
      }
      waiting.add(begin)
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
      const outcome = await promise
      signal?.removeEventListener('abort', stop)
      return outcome
    },
    leave() {
      const [next] = waiting
      if (!next) {
        inside -= 1
        return
      }
      waiting.delete(next)
      next()
    },
  }
}
