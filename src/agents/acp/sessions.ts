/** The session of a run, and switches to others. An agent may send updates of a session before the answer with its id. */
import type { AgentEvent } from '../../agent/event.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import type { RpcPeer, RpcReply } from '../transport/json-rpc.ts'
import { readSession, readUpdate } from './frame.ts'
import type { Quirks } from './known-agents.ts'
import type { AcpLimits } from './limits.ts'
import type { OptionFacts } from './session/options.ts'
import type { ModelFacts } from './session/session-facts.ts'
import type { UsageCounter } from './turn/usage-counter.ts'
import { isPart, Translation } from './translate.ts'

/** Not a request of the protocol. An agent answers it with an error, which proves that it is alive and has read all that came before. */
export const PING = '_zotui/ping'

export type AcpSession = { readonly id: string; readonly translation: Translation }

/** A request that opens a session, and what is known before its answer. */
export type SessionOpening = {
  method: 'session/new' | 'session/load' | 'session/resume' | 'session/fork'
  params: Record<string, unknown>
  /** The id of a session that exists. */
  id?: string
  /** Whether the history that the agent repeats becomes events. */
  repeats?: boolean
  /** Whether the conversation continues: the agent already has it, or receives it. */
  isSilent?: boolean
  /** The cost of the session so far, if that is known. */
  costUsd?: number | undefined
  /** The reason why the requested session was not opened. */
  problem?: string
}

export type AcpSessionsOptions = {
  peer: RpcPeer
  limits: AcpLimits
  now: () => number
  emit: (event: AgentEvent) => void
  debug: (message: string) => void
  newCallId: () => string
  /** The absolute folder that the agent works in. */
  folder: string
  /** The oddities of the agent, once it has introduced itself. */
  quirks: () => Quirks
  known: OptionFacts
  counter: () => UsageCounter
  /** The first session was opened: reports the agent's start. */
  started: (model: ModelFacts) => void
  /** A session was opened. Called before that is emitted. */
  opened: () => void
  /** An update of the session was emitted. */
  updated: () => void
}

export class AcpSessions {
  readonly #options: AcpSessionsOptions
  #current: AcpSession | undefined
  /** Updates that came before their session was known. */
  #early: unknown[] | null = null
  /**
   * The events that arrive while a session is being opened. They are passed on afterwards; those of a session that could not be
   * opened are dropped.
   */
  #buffered: { event: AgentEvent; isOwn: boolean }[] | null = null
  #textTimer: NodeJS.Timeout | undefined
  /** The number of updates that may be of a history. */
  #parts = 0

  constructor(options: AcpSessionsOptions) {
    this.#options = options
  }

  get current(): AcpSession | undefined {
    return this.#current
  }

  /** Whether a session is being opened. */
  get isOpening(): boolean {
    return this.#buffered !== null
  }

  emit(event: AgentEvent): void {
    if (this.#buffered) this.#buffered.push({ event, isOwn: false })
    else this.#options.emit(event)
  }

  emitAll(events: readonly AgentEvent[] | undefined): void {
    for (const event of events ?? []) this.emit(event)
  }

  /** Opens a session. It is the current one as soon as its answer is read, before the next line is. If it fails, nothing has changed. */
  async open(opening: SessionOpening): Promise<RpcReply | 'timed out'> {
    const { peer, limits, newCallId, quirks, known, folder, counter } = this.#options
    const former = this.#current
    const isOld = opening.method !== 'session/new'
    // A copy counts from its beginning.
    const before = opening.id === undefined ? 0 : (opening.costUsd ?? null)
    const translation = new Translation({
      newId: newCallId,
      quirks: quirks(),
      known,
      folder,
      costBefore: before,
      count: report => counter().count(report),
    })
    this.#early = []
    this.#buffered = []
    if (opening.id !== undefined) this.#current = { id: opening.id, translation }
    if (isOld) translation.beginReplay(opening.repeats ?? false)
    let isTooLate = false
    const answered = new Promise<RpcReply>(resolve => {
      const take = (reply: RpcReply): void => {
        if (!isTooLate) this.#answered(reply, opening, translation, former)
        resolve(reply)
      }
      peer.send(opening.method, opening.params, reply => {
        if (reply.ok && opening.method === 'session/load') this.#afterHistory(end => take(end ?? reply))
        else take(reply)
      })
    })
    const reply = await withTimeout(limits.request, answered)
    if (reply !== 'timed out') return reply
    isTooLate = true
    this.#restore(former)
    return reply
  }

  update(params: unknown): void {
    const { now, debug } = this.#options
    if (this.#early && !this.#current) return void this.#early.push(params)
    const read = readUpdate(params)
    const session = this.#current
    if (!read) return debug(`an update that cannot be read: ${JSON.stringify(params)}`)
    if (!session || read.sessionId !== session.id) {
      // It may be of the session that is being opened.
      if (this.#early) return void this.#early.push(params)
      return debug(`an update of another session: ${read.sessionId}`)
    }
    const events = session.translation.update(read.update, now())
    if (isPart(read.update) || read.update.sessionUpdate === 'user_message_chunk') this.#parts += 1
    if (this.#buffered) this.#buffered.push(...events.map(event => ({ event, isOwn: true })))
    else this.emitAll(events)
    this.#options.updated()
    if (session.translation.hasRest) this.#scheduleRest(session)
  }

  /** The agent has ended. */
  end(): void {
    clearTimeout(this.#textTimer)
    this.#release()
    this.emitAll(this.#current?.translation.rest(this.#options.now()))
  }

  /**
   * Waits for the history of a loaded session, and passes on the agent's end. Some agents answer before they have sent all of it, and
   * none of them marks its end: it is complete when the agent has answered two pings without a part of it before or between them.
   */
  #afterHistory(done: (end: RpcReply | null) => void): void {
    const { peer, limits } = this.#options
    let silent = 0
    const ping = (): void => {
      const before = this.#parts
      let isOver = false
      const next = (reply: RpcReply | null): void => {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        if (reply && !reply.ok && reply.ending) return done(reply)
        silent = this.#parts === before ? silent + 1 : 0
        if (silent === 2) done(null)
        else ping()
      }
      const timer = setTimeout(next, limits.history, null)
      peer.send(PING, {}, next)
    }
    ping()
  }

  #answered(reply: RpcReply, opening: SessionOpening, translation: Translation, former: AcpSession | undefined): void {
    const answer = reply.ok ? readSession(reply.result ?? {}) : null
    const id = opening.id ?? answer?.sessionId
    if (!answer || id === undefined) return this.#restore(former)
    const at = this.#options.now()
    this.#current = { id, translation }
    const buffered = this.#buffered ?? []
    const repeated = buffered.flatMap(({ event, isOwn }) => (isOwn ? [event] : []))
    repeated.push(...translation.endReplay(at))
    // Such as a prompt that was sent meanwhile: it is not of the history.
    const others = buffered.flatMap(({ event, isOwn }) => (isOwn ? [] : [event]))
    this.#buffered = null
    const opened = translation.facts.opened(answer, former?.translation.facts ?? null, at)
    this.#options.counter().opened({ isOld: opening.method !== 'session/new' })
    this.#options.opened()
    if (!former) this.#options.started(translation.facts.model)
    else if (!opening.isSilent) this.emit({ type: 'conversation_cleared', at })
    this.emit({
      type: 'agent_session_opened',
      at,
      id,
      ...(opening.method !== 'session/new' && { remembers: true }),
      ...(opening.problem !== undefined && { problem: opening.problem }),
    })
    this.emitAll([...repeated, ...opened, ...others])
    this.#updateEarly()
  }

  #restore(former: AcpSession | undefined): void {
    this.#current = former
    this.#release()
    this.#updateEarly()
  }

  /** The session was not opened: passes on the events of other sessions that came meanwhile. */
  #release(): void {
    const buffered = this.#buffered ?? []
    this.#buffered = null
    this.emitAll(buffered.flatMap(({ event, isOwn }) => (isOwn ? [] : [event])))
  }

  #updateEarly(): void {
    const early = this.#early ?? []
    this.#early = null
    for (const params of early) this.update(params)
  }

  /** Emits a text outside of a turn once it has stopped growing. */
  #scheduleRest({ translation }: AcpSession): void {
    clearTimeout(this.#textTimer)
    const { limits, now } = this.#options
    this.#textTimer = setTimeout(() => this.emitAll(translation.rest(now())), limits.textPause)
  }
}
