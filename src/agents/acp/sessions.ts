/** The session of a run, and switches to others. An agent may send updates of a session before the answer with its id. */
import type { AgentEvent } from '../../agent/event.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import type { RpcPeer, RpcReply } from '../transport/json-rpc.ts'
import { readSession, readUpdate, type WireToolCall, type WireUpdate } from './frame.ts'
import type { Quirks } from './known-agents.ts'
import type { AcpLimits } from './limits.ts'
import type { OptionFacts } from './session/options.ts'
import type { ModelFacts } from './session/session-facts.ts'
import { BackgroundTasks } from './tasks/background.ts'
import { AcpChildren } from './tasks/children.ts'
import type { AcpCall } from './turn/call.ts'
import type { UsageCounter } from './turn/usage-counter.ts'
import { isPart, Translation } from './translate.ts'

/** Not a request of the protocol. An agent answers it with an error, which proves that it is alive and has read all that came before. */
export const PING = '_zotui/ping'

export type AcpSession = {
  readonly id: string
  readonly translation: Translation
  readonly children: AcpChildren
  readonly background: BackgroundTasks
}

/** The agent itself, without an id, or one of its subagents. */
export type Asking = {
  readonly id: string | null
  asks(at: number): AgentEvent[]
  asked(call: WireToolCall, at: number): AgentEvent[]
  call(agentId: string): AcpCall | undefined
}

/** Updates that are kept while a session is being opened. */
const MOST_EARLY = 10_000

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
  /** Whether no prompt is on its way, so that the agent may begin a turn by itself. */
  mayBeginTurn: () => boolean
  /** Whether the agent waits for the user. */
  isAsking: () => boolean
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
  /** The sessions that were left, whose updates concern nobody. */
  readonly #left = new Set<string>()
  /**
   * The events that arrive while a session is being opened. They are passed on afterwards; those of a session that could not be
   * opened are dropped.
   */
  #buffered: { event: AgentEvent; isOwn: boolean }[] | null = null
  #textTimer: NodeJS.Timeout | undefined
  #ownTurnTimer: NodeJS.Timeout | undefined
  /** Whether the agent was asked to stop the turn that it has begun without a prompt. */
  #isStopping = false
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

  /** Whether the agent is in a turn that it has begun without a prompt. */
  get hasOwnTurn(): boolean {
    return this.#current?.translation.hasOwnTurn ?? false
  }

  /** Who works in a session, and may ask; null if it is none of the current ones. */
  asking(session: string): Asking | null {
    const { current } = this
    if (session !== current?.id) return current?.children.get(session) ?? null
    const { translation } = current
    return {
      id: null,
      asks: () => [],
      asked: (call, at) => translation.asked(call, at),
      call: id => translation.calls.get(id),
    }
  }

  /** The call with this id of ours, of a subagent or of the agent itself, runs from now on. */
  started(callId: string, task: string | null): AgentEvent[] {
    const { current } = this
    const at = this.#options.now()
    if (task === null) return current?.translation.calls.started(callId, at) ?? []
    return current?.children.ofTask(task)?.child.started(callId, at) ?? []
  }

  /** The session of a subagent that can be stopped; null if it cannot. */
  stoppable(task: string): string | null {
    const found = this.#current?.children.ofTask(task)
    return found?.child.canStop ? found.session : null
  }

  /** Opens a session. It is the current one as soon as its answer is read, before the next line is. If it fails, nothing has changed. */
  async open(opening: SessionOpening): Promise<RpcReply | 'timed out'> {
    const { peer, limits } = this.#options
    const former = this.#current
    const opened = this.#prepare(opening)
    this.#early = []
    this.#buffered = []
    if (opening.id !== undefined) this.#current = { id: opening.id, ...opened }
    let isTooLate = false
    const answered = new Promise<RpcReply>(resolve => {
      const take = (reply: RpcReply): void => {
        if (!isTooLate) this.#answered(reply, opening, opened, former)
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
    const session = this.#current
    if (this.#early && !session) return this.#keep(params)
    const read = readUpdate(params)
    if (!read) return debug(`an update that cannot be read: ${JSON.stringify(params)}`)
    const { sessionId, update } = read
    const child = session?.children.get(sessionId)
    const isKnown = child !== undefined || sessionId === session?.id
    // It may be of the session that is being opened.
    if (!isKnown && this.#early) return this.#keep(params)
    if (!session || this.#left.has(sessionId)) return debug(`an update of another session: ${sessionId}`)
    if (isPart(update) || update.sessionUpdate === 'user_message_chunk') this.#parts += 1
    const events =
      isKnown && !child ? ofRoot(session, update, now()) : session.children.update(sessionId, update, now())
    if (this.#buffered) this.#buffered.push(...events.map(event => ({ event, isOwn: true })))
    else this.emitAll(events)
    if (!isKnown) return
    this.#options.updated()
    if (!child) this.#watchOwnTurn()
    if ((child ?? session.translation).hasRest) this.#scheduleRest(session)
  }

  /** The agent has ended. */
  end(): void {
    clearTimeout(this.#textTimer)
    this.#release()
    const at = this.#options.now()
    clearTimeout(this.#ownTurnTimer)
    this.emitAll(this.#current?.translation.rest(at))
    this.emitAll(this.#current?.translation.endOwnTurn(at, 'cut'))
    this.emitAll(this.#current?.children.left('stopped', at))
    this.emitAll(this.#current?.background.left('stopped', at))
  }

  /** A turn that the agent has begun without a prompt is over: the user's prompt follows. */
  endOwnTurn(): void {
    clearTimeout(this.#ownTurnTimer)
    this.#isStopping = false
    this.emitAll(this.#current?.translation.endOwnTurn(this.#options.now()))
  }

  /** The agent was asked to stop such a turn. */
  stopsOwnTurn(): void {
    this.#isStopping = true
    this.#watchOwnTurn()
  }

  /**
   * The end of such a turn may be lost. It is over when nothing is heard of it for some time, and nobody is waited for. After a stop its calls
   * only get more time: one may never end.
   */
  #watchOwnTurn(): void {
    clearTimeout(this.#ownTurnTimer)
    const translation = this.#current?.translation
    this.#isStopping &&= translation?.hasOwnTurn === true
    if (!translation?.hasOwnTurn) return
    const { ownTurn, ownTurnStop, abort } = this.#options.limits
    const isWaiting = (): boolean => translation.calls.hasRunning || this.#options.isAsking()
    const limit = !this.#isStopping ? ownTurn : isWaiting() ? abort : ownTurnStop
    this.#ownTurnTimer = setTimeout(() => {
      if (isWaiting() && !this.#isStopping) this.#watchOwnTurn()
      else this.endOwnTurn()
    }, limit)
    this.#ownTurnTimer.unref()
  }

  #prepare(opening: SessionOpening): Omit<AcpSession, 'id'> {
    const { newCallId, quirks, known, folder, counter, debug, mayBeginTurn } = this.#options
    const root = (): string => this.#current?.id ?? ''
    const background = new BackgroundTasks(root, opening.method === 'session/new')
    const calls = { newId: newCallId, quirks: quirks(), known, folder, background }
    const isOld = opening.method !== 'session/new'
    const translation = new Translation({
      ...calls,
      // A copy counts from its beginning.
      costBefore: opening.id === undefined ? 0 : (opening.costUsd ?? null),
      count: report => counter().count(report),
      mayBeginTurn: () => !this.isOpening && mayBeginTurn(),
    })
    if (isOld) translation.beginReplay(opening.repeats ?? false)
    const children = new AcpChildren({
      root,
      background,
      newTranslation: () =>
        new Translation({ ...calls, costBefore: null, count: () => null, mayBeginTurn: () => false }),
      replay: !isOld ? null : opening.repeats ? 'emitted' : 'dropped',
      debug,
    })
    return { translation, children, background }
  }

  #keep(params: unknown): void {
    if ((this.#early?.length ?? 0) < MOST_EARLY) this.#early?.push(params)
    else this.#options.debug('too many updates of a session that is not open yet')
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

  #answered(
    reply: RpcReply,
    opening: SessionOpening,
    session: Omit<AcpSession, 'id'>,
    former: AcpSession | undefined,
  ): void {
    const { translation, children, background } = session
    const answer = reply.ok ? readSession(reply.result ?? {}) : null
    const id = opening.id ?? answer?.sessionId
    if (!answer || id === undefined) return this.#restore(former)
    const at = this.#options.now()
    const left = former && former.id !== id ? this.#leave(former, at) : []
    this.#current = { id, ...session }
    this.#left.delete(id)
    const buffered = this.#buffered ?? []
    const repeated = buffered.flatMap(({ event, isOwn }) => (isOwn ? [event] : []))
    repeated.push(...translation.endReplay(at), ...children.endReplay(at))
    background.isLive = true
    // Such as a prompt that was sent meanwhile: it is not of the history.
    const others = buffered.flatMap(({ event, isOwn }) => (isOwn ? [] : [event]))
    this.#buffered = null
    this.emitAll(left)
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

  #leave({ id, translation, children, background }: AcpSession, at: number): AgentEvent[] {
    this.#left.add(id)
    return [...translation.endOwnTurn(at), ...children.left('unknown', at), ...background.left('unknown', at)]
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
  #scheduleRest({ translation, children }: AcpSession): void {
    clearTimeout(this.#textTimer)
    const { limits, now } = this.#options
    this.#textTimer = setTimeout(() => {
      this.emitAll(translation.rest(now()))
      this.emitAll(children.rest(now()))
    }, limits.textPause)
  }
}

function ofRoot({ translation, children }: AcpSession, update: WireUpdate, at: number): AgentEvent[] {
  return update.sessionUpdate === 'subagent_update' || update.sessionUpdate === 'session_message'
    ? children.ofRoot(update, at)
    : translation.update(update, at)
}
