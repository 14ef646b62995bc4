/** Batches output for the screen, whatever its rate. */
import type { Readable } from 'node:stream'

/**
 * A raw piece of output, with colours and control characters, and how many UTF-16 units before it are omitted because nobody could
 * have read them.
 */
export type OnOutput = (chunk: string, leftOut: number) => void

export type OutputBatcher = {
  push(text: string): void
  /** Passes on the rest at once. */
  finish(): void
}

/** Milliseconds between two calls. */
const INTERVAL = 30
/** The most units in one call, the newest ones: about five hundred screen lines. */
const SHOWN = 32 * 1024
/** With this much pending the program is paused, so that a flood (`yes`) leaves time for the keyboard. */
const WAITING = 2 * 1024 * 1024

/** Calls `onOutput` at most every 30 ms, with at most 32 Ki units. */
export function createOutputBatcher(onOutput: OnOutput, sources: readonly Readable[]): OutputBatcher {
  let pending: string[] = []
  let size = 0
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    if (size === 0) return
    const all = pending.join('')
    pending = []
    size = 0
    for (const source of sources) source.resume()
    const shown = all.slice(-SHOWN).toWellFormed()
    onOutput(shown, all.length - shown.length)
  }
  return {
    push(text) {
      if (text === '') return
      pending.push(text)
      size += text.length
      timer ??= setTimeout(flush, INTERVAL)
      if (size > WAITING) for (const source of sources) source.pause()
    },
    finish: flush,
  }
}
