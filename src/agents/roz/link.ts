/** The session of a run: its stream, which is replaced if it is lost; the new one then receives the conversation again. */
import { withTimeout } from '../transport/with-timeout.ts'
import { explainStreamEnd, OLDER, rejectionWords, type NotSent, type RozTrouble } from './explain.ts'
import type { RozLimits } from './limits.ts'
import type { RozStream, RozStreams } from './stream.ts'
import {
  eventIn,
  isOlder,
  type SessionRequestMessage,
  type SessionResponseMessage,
  type StartSession,
} from './wire/messages.ts'

export type RozLinkOptions = {
  streams: RozStreams
  /** `host:port`. */
  target: string
  limits: RozLimits
  /** The first message of a stream. */
  start: () => StartSession
  /** Receives what comes after the session has begun. */
  onMessage: (message: SessionResponseMessage) => void
  onLost: (trouble: RozTrouble) => void
}

/** `model` is '' if the server does not report it. */
export type RozGreeting = { model: string }

export type Connected = { ok: true; greeting: RozGreeting | null } | { ok: false; trouble: RozTrouble }

export class RozLink {
  readonly #options: RozLinkOptions
  #stream: RozStream | null = null
  #connecting: Promise<Connected> | null = null
  /** The stream that is being made. */
  #next: RozStream | null = null
  #waiting: ((message: SessionResponseMessage) => void) | null = null
  #receivedAt = 0
  #watch: NodeJS.Timeout | undefined
  /** Counts how often the stream was dropped: a session from before a drop is useless. */
  #generation = 0
  #isEnding = false

  constructor(options: RozLinkOptions) {
    this.#options = options
  }

  /** Whether it has ended for good. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  get isUp(): boolean {
    return this.#stream !== null
  }

  /** Ensures that there is a stream. `greeting` is null if there was one already. */
  connect(tries: readonly number[] = this.#options.limits.tries): Promise<Connected> {
    if (this.#stream) return Promise.resolve({ ok: true, greeting: null })
    if (this.#connecting) return this.#connecting
    const connecting = this.#try(tries).finally(() => {
      if (this.#connecting === connecting) this.#connecting = null
    })
    this.#connecting = connecting
    return connecting
  }

  /** Ends the stream, even one that is being opened, so that the next one starts a new session. */
  drop(): void {
    const stream = this.#stream
    this.#stream = null
    this.#connecting = null
    this.#generation += 1
    this.#next?.cancel()
    this.unwatch()
    stream?.send({ cancel_session: { reason: 'the client begins another session' } })
    stream?.finish()
    stream?.ended.catch(() => undefined)
    setTimeout(() => stream?.cancel(), this.#options.limits.closeStream).unref()
  }

  /** Returns why it was not sent; null if it was. */
  send(request: SessionRequestMessage): NotSent | null {
    if (!this.#stream) return 'no stream'
    return this.#stream.send(request) ? null : 'too large'
  }

  /** Whether the server answers within `timeout` milliseconds. */
  async ping(timeout: number): Promise<boolean> {
    if (!this.#stream) return false
    const since = this.#receivedAt
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting = () => resolve()
    this.#stream.send({ ping: {} })
    await withTimeout(timeout, promise)
    this.#waiting = null
    return this.#receivedAt > since
  }

  /** Probes a silent server, and gives up the stream if it does not answer. */
  watch(): void {
    this.unwatch()
    this.#receivedAt = performance.now()
    this.#look(this.#options.limits.silence)
  }

  unwatch(): void {
    clearTimeout(this.#watch)
  }

  /** Ends the session and its stream. */
  async close(): Promise<void> {
    this.#isEnding = true
    this.unwatch()
    this.#next?.cancel()
    const stream = this.#stream
    this.#stream = null
    stream?.send({ cancel_session: { reason: 'the user has left' } })
    stream?.finish()
    if (stream && (await withTimeout(this.#options.limits.closeStream, stream.ended)) === 'timed out') stream.cancel()
    await stream?.ended
  }

  kill(): void {
    this.#isEnding = true
    this.unwatch()
    this.#next?.cancel()
    this.#stream?.cancel()
    this.#stream = null
  }

  #look(wait: number): void {
    this.#watch = setTimeout(() => void this.#check(), wait)
  }

  async #check(): Promise<void> {
    const { silence, pong } = this.#options.limits
    const left = silence - (performance.now() - this.#receivedAt)
    const watch = this.#watch
    if (left > 0) return this.#look(left)
    const isThere = await this.ping(pong)
    // The turn may have ended meanwhile.
    if (this.#watch !== watch) return
    if (isThere) return this.#look(silence)
    this.#stream?.cancel()
  }

  async #try(tries: readonly number[]): Promise<Connected> {
    const generation = this.#generation
    let last: Connected = { ok: false, trouble: { reason: 'it has ended', hint: '', isFinal: true } }
    for (const pause of tries) {
      if (pause > 0) await new Promise(resolve => setTimeout(resolve, pause))
      if (this.#isEnding) break
      if (this.#generation === generation) last = await this.#greet()
      if (this.#generation !== generation) return this.connect()
      if (last.ok || last.trouble.isFinal) break
    }
    return last
  }

  /** Opens a stream and begins a session. */
  async #greet(): Promise<Connected> {
    const { streams, limits, target, start } = this.#options
    const { promise, resolve } = Promise.withResolvers<Connected>()
    const generation = this.#generation
    const isCurrent = (): boolean => !this.#isEnding && this.#generation === generation
    let isGreeted = false
    const stream = streams.openSession(message => {
      this.#receivedAt = performance.now()
      if (isGreeted) return this.#received(stream, message)
      const answer = greetingIn(message)
      if (!answer) return
      isGreeted = answer.ok
      // The next message is of the session already.
      if (answer.ok && isCurrent()) this.#stream = stream
      resolve(answer)
    })
    this.#next = stream
    if (!stream.send({ start: start() })) stream.cancel()
    void this.#follow(stream, resolve)
    const first = await withTimeout(limits.hello, promise)
    const reason = `roz at ${target} did not answer within ${Math.round(limits.hello / 1000)} seconds`
    const reply: Connected =
      first === 'timed out' ? { ok: false, trouble: { reason, hint: 'check the address', isFinal: false } } : first
    if (this.#next === stream) this.#next = null
    if (!reply.ok || !isCurrent()) stream.cancel()
    return reply
  }

  async #follow(stream: RozStream, resolve: (connected: Connected) => void): Promise<void> {
    const end = await stream.ended
    const trouble = explainStreamEnd(end, this.#options.target)
    if (this.#stream === stream) this.#lost(trouble, end.isOurs)
    resolve({ ok: false, trouble })
  }

  #received(stream: RozStream, message: SessionResponseMessage): void {
    if (this.#stream !== stream) return
    this.#waiting?.(message)
    this.#options.onMessage(message)
  }

  #lost(trouble: RozTrouble, isOurs: boolean): void {
    this.#stream = null
    this.unwatch()
    const { target, onLost } = this.#options
    // Only silence ends a stream in use.
    const silent = { reason: `roz at ${target} no longer responds`, hint: '', isFinal: false }
    if (!this.#isEnding) onLost(isOurs ? silent : trouble)
  }
}

/** The answer to the start of a session; null for any other message. */
function greetingIn(message: SessionResponseMessage): Connected | null {
  if (isOlder(message)) return { ok: false, trouble: OLDER }
  const event = message.session_event && eventIn(message.session_event)
  if (event?.type === 'session_started') return { ok: true, greeting: { model: event.model_name ?? '' } }
  if (event?.type === 'session_rejected')
    return {
      ok: false,
      trouble: { reason: event.message || rejectionWords(event), hint: '', isFinal: !event.retryable },
    }
  if (event?.type === 'session_failed')
    return { ok: false, trouble: { reason: `the session failed: ${event.failure}`, hint: '', isFinal: true } }
  return null
}
