/** The pages that are open: each reads a stream for as long as it is shown. They can be ended from here. */

/** Of one device. */
const MOST_OF_ONE = 8
const MOST_STREAMS = 64

type OpenStream = { of: string; controller: AbortController }

export class Streams {
  readonly #open = new Set<OpenStream>()
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** A new stream of a device or a share, which may end that of another tab. Null if there are too many. Call `close` at its end. */
  open(of: string, most = MOST_OF_ONE): { signal: AbortSignal; close: () => void } | null {
    const own = [...this.#open].filter(stream => stream.of === of)
    if (own.length >= most) own[0]?.controller.abort('Another tab of this device has taken its place.')
    const stream: OpenStream = { of, controller: new AbortController() }
    if (own.length >= most && own[0]) this.#open.delete(own[0])
    if (this.#open.size >= MOST_STREAMS) return null
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
