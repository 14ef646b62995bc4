/** Keeps the stream of lines open: over lost networks, servers that start again, and the sleep of this machine. */
import type { PageLine } from '../page-lines.ts'
import type { PageState } from './page-state.ts'
import { RequestError, type RequestSigner } from './requests.ts'

/**
 * `live`: lines come. `connecting`: for the first time, or again. `offline`: the browser says that there is no network. `waits`: the person has
 * to let this device in again. `gone`: the server does not know this device, or does not let it read; nothing is tried again. `ended`: the server
 * has said that it ends; it may come back.
 */
export type ConnectionStage = 'connecting' | 'live' | 'offline' | 'waits' | 'gone' | 'ended'

/** Milliseconds without a line after which a connection is dead: the server says something every 15 s. */
const SILENCE = 35_000
const FIRST_WAIT = 500
const LONGEST_WAIT = 15_000

export type StreamParts = {
  requests: RequestSigner
  state: PageState
  /** After each line, and each change of the stage. */
  onChange: (line: PageLine | null) => void
}

export class StreamConnection {
  stage: ConnectionStage = 'connecting'
  /** What the server said at the end; a sentence. */
  message = ''
  /** When the next attempt is, in milliseconds since the Unix epoch; null while one is made. */
  nextAt: number | null = null
  readonly #parts: StreamParts
  #current: AbortController | null = null
  #waiting: ReturnType<typeof setTimeout> | null = null
  #silence: ReturnType<typeof setTimeout> | null = null
  #failures = 0

  constructor(parts: StreamParts) {
    this.#parts = parts
    addEventListener('online', () => this.again())
    addEventListener('offline', () => {
      if (this.#isOver()) return
      this.#stop()
      this.#set('offline')
    })
    // A machine that slept has dead connections that nobody has closed. A page that comes back from the cache has none.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.again()
    })
    let seen = Date.now()
    document.addEventListener('visibilitychange', () => {
      const slept = Date.now() - seen > SILENCE
      seen = Date.now()
      if (document.visibilityState === 'visible' && (this.stage !== 'live' || slept)) this.again()
    })
  }

  /** Connects now: for another conversation, or because something has changed. */
  again(): void {
    if (this.#isOver()) return
    this.#stop()
    this.#failures = 0
    void this.#run()
  }

  /** Nothing more is read or tried. */
  end(): void {
    this.#stop()
    this.#set('gone')
  }

  #isOver(): boolean {
    return this.stage === 'gone'
  }

  async #run(): Promise<void> {
    const { requests, state } = this.#parts
    const current = new AbortController()
    this.#current = current
    if (this.stage !== 'live' && this.stage !== 'ended') this.#set('connecting')
    this.#listen(current)
    try {
      const { epoch, known, watched } = state
      await requests.stream(
        { epoch, known, watch: watched?.id ?? null, since: watched?.since ?? 0 },
        current.signal,
        line => {
          if (current === this.#current) this.#take(line, current)
        },
      )
    } catch (error) {
      if (current !== this.#current) return
      if (this.#hasEnded(error)) return
    }
    if (current === this.#current && !this.#isOver()) this.#wait()
  }

  #take(line: PageLine, current: AbortController): void {
    if (line.type === 'end') return this.#hear(line.message)
    this.#failures = 0
    this.#listen(current)
    this.#parts.state.take(line, Date.now())
    this.nextAt = null
    this.stage = 'live'
    this.#parts.onChange(line)
  }

  /** The last word of a server. Whether it knows this device at all shows at the next attempt. */
  #hear(message: string): void {
    this.#stop()
    this.message = message
    this.#wait('ended')
  }

  /** True if the reason of a failure is one that does not go away by itself. */
  #hasEnded(error: unknown): boolean {
    const why = error instanceof RequestError ? error.why : 'offline'
    if (why === 'admit') {
      this.#stop()
      this.#set('waits')
      return true
    }
    if (why !== 'unknown' && why !== 'signature' && why !== 'role') return false
    this.end()
    return true
  }

  /** Ends a connection on which nothing comes any more. */
  #listen(current: AbortController): void {
    if (this.#silence !== null) clearTimeout(this.#silence)
    this.#silence = setTimeout(() => {
      if (current !== this.#current) return
      this.#stop()
      this.#wait()
    }, SILENCE)
  }

  #wait(stage: ConnectionStage = this.stage === 'ended' ? 'ended' : 'connecting'): void {
    const longest = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#failures)
    this.#failures += 1
    // Many pages of one server do not all come back at the same moment.
    const delay = longest / 2 + (Math.random() * longest) / 2
    this.nextAt = Date.now() + delay
    this.#waiting = setTimeout(() => void this.#run(), delay)
    this.#set(navigator.onLine ? stage : 'offline')
  }

  #stop(): void {
    const current = this.#current
    this.#current = null
    for (const timer of [this.#waiting, this.#silence]) if (timer !== null) clearTimeout(timer)
    this.nextAt = null
    current?.abort()
  }

  #set(stage: ConnectionStage): void {
    this.stage = stage
    this.#parts.onChange(null)
  }
}
