/** The pages that are open: each reads a stream for as long as it is shown. They can be ended from here. */

import { MOST_READERS } from './shares.ts'

/** Of one device. */
const MOST_OF_ONE = 8
/** Of all devices, and as many of all readers of shares: these keep no device out. */
const MOST_STREAMS = 64

type OpenStream = { of: string; isReader: boolean; controller: AbortController }

export class Streams {
  readonly #open = new Set<OpenStream>()
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** A new stream of a device or a share, which may end that of another tab. Null if there are too many. Call `close` at its end. */
  open(of: string, isReader: boolean): { signal: AbortSignal; close: () => void } | null {
    const [most, taken] = isReader
      ? [MOST_READERS, 'Another reader has taken its place.']
      : [MOST_OF_ONE, 'Another tab of this device has taken its place.']
    const alike = [...this.#open].filter(stream => stream.isReader === isReader)
    const own = alike.filter(stream => stream.of === of)
    const [oldest] = own
    if (oldest && own.length >= most) {
      oldest.controller.abort(taken)
      this.#open.delete(oldest)
    } else if (alike.length >= MOST_STREAMS) return null
    const stream: OpenStream = { of, isReader, controller: new AbortController() }
    this.#open.add(stream)
    this.#onChange()
    const close = (): void => {
      if (this.#open.delete(stream)) this.#onChange()
      stream.controller.abort('')
    }
    return { signal: stream.controller.signal, close }
  }

  count(of: string): number {
    return [...this.#open].filter(stream => stream.of === of).length
  }

  /** Ends those of a device or a share; null for all. `message` is the last that their pages read; with '' they connect again. */
  end(of: string | null, message: string): void {
    for (const stream of this.#open) {
      if (of !== null && stream.of !== of) continue
      this.#open.delete(stream)
      stream.controller.abort(message)
    }
    this.#onChange()
  }
}
