/** One run of roz, from the start of its session to the end: its prompts, and the server's other events. */
import type { Prompt, Reply } from '../../agent/backend.ts'
import type { CallGate } from '../gate/call-gate.ts'
import type { HostedRun, HostedRunOptions } from '../host/hosting.ts'
import { createPromptSlot, type PromptSlot } from '../host/prompt-slot.ts'
import { BUSY } from '../host/requests.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { OLDER, reconnectedWords, rejectionWords, NOT_SENT, wordsOf, type RozTrouble } from './explain.ts'
import type { RozLimits } from './limits.ts'
import { RozLink, type Connected } from './link.ts'
import { createRozMemory, type RozMemory } from './memory.ts'
import { createSeen } from './seen.ts'
import { startMessage } from './start.ts'
import type { RozStreams } from './stream.ts'
import { createTeamWatch, type TeamWatching } from './team-watch.ts'
import { notesOf, unseenTools } from './turn/notes.ts'
import type { RozApprovals } from './turn/approvals.ts'
import { createRozTurns, type RozTurns } from './turns.ts'
import { eventIn, isOlder, type RozEvent, type SessionResponseMessage, type WireEnvelope } from './wire/messages.ts'
import type { RozStart } from './arguments.ts'

export type RozRunOptions = HostedRunOptions & {
  streams: RozStreams
  start: Pick<RozStart, 'address' | 'environment' | 'task'>
  /** The model that the user has chosen; '' for the server's own. */
  chosen: { model: string }
  limits: RozLimits
  gate: CallGate
  approvals: RozApprovals
  /** The texts that a session begins with. */
  context: () => Promise<string[]>
}

export class RozRun implements HostedRun {
  readonly #options: RozRunOptions
  readonly #link: RozLink
  readonly #memory: RozMemory = createRozMemory()
  readonly #turns: RozTurns
  readonly #prompts: PromptSlot
  readonly #team: TeamWatching
  readonly #isRepeated = createSeen()
  #context: readonly string[] = []
  #reconnecting: Promise<Connected> | null = null
  #isOpen = false
  #isOver = false

  constructor(options: RozRunOptions) {
    this.#options = options
    const { streams, start, limits, gate, approvals } = options
    this.#link = new RozLink({
      streams,
      target: start.address.target,
      limits,
      start: () => this.#startMessage(),
      onMessage: message => this.#heard(message),
      onLost: trouble => this.#lost(trouble),
    })
    this.#team = createTeamWatch({ ...options, isInTurn: () => this.#turns.isInTurn })
    this.#turns = createRozTurns({
      ...options,
      memory: this.#memory,
      team: () => this.#team.team,
      send: request => this.#link.send(request),
      connect: () => this.#connected(),
      onBegin: () => {
        this.#link.watch()
        approvals.begin()
      },
      onStop: () => approvals.stop(),
      onEnd: () => {
        this.#link.unwatch()
        approvals.endTurn()
      },
    })
    this.#prompts = createPromptSlot({
      ...options,
      abortLimit: limits.abort,
      isRunning: () => this.isRunning,
      refusal: () => null,
      changed: () => Promise.resolve(),
      prepare: () => this.#prepare(),
      send: prompting => this.#turns.send(prompting),
      cancel: () => this.#turns.cancel(),
    })
    gate.forgetMode()
  }

  get name(): string {
    return this.#options.name
  }

  get isRunning(): boolean {
    return this.#isOpen && !this.#isOver
  }

  async open(): Promise<void> {
    const { start, chosen, context, emit, now } = this.#options
    this.#context = await context()
    const connected = await this.#link.connect([0])
    if (this.#isOver) return
    if (!connected.ok) return this.#ended(connected.trouble, false)
    this.#isOpen = true
    const model = { provider: this.name, model: connected.greeting?.model || chosen.model, contextWindow: null }
    const { target: server } = start.address
    const rest = { reasoning: null, reasoningLevels: [], server }
    emit({ type: 'agent_started', at: now(), agent: this.name, version: '', ...model, ...rest })
    if (start.address.isExposed)
      emit({
        type: 'warning_raised',
        at: now(),
        message: `The key goes unencrypted to ${start.address.target}: use https.`,
      })
    emit(unseenTools(now()))
    if (start.task !== '') this.#team.follow(start.task)
  }

  prompt(prompt: Prompt): Promise<void> {
    return this.#prompts.run(prompt)
  }

  abort(): void {
    this.#prompts.abort()
  }

  /** Begins a new, empty session. */
  async clear(): Promise<Reply> {
    if (!this.isRunning) return { ok: false, message: `${this.name} is not running` }
    if (this.#prompts.isBusy) return BUSY
    this.#memory.forget()
    this.#options.gate.forgetMode()
    this.#link.drop()
    this.#options.emit({ type: 'conversation_cleared', at: this.#options.now() })
    const connected = await this.#link.connect()
    return connected.ok ? { ok: true, value: undefined } : { ok: false, message: wordsOf(connected.trouble) }
  }

  /** A session of roz ends with its stream: there is none to continue in. */
  async resumeSession(): Promise<Reply> {
    return { ok: false, message: `${this.name} keeps no sessions` }
  }

  /** Continues with another model, in a new session that receives the conversation. */
  async useModel(model: string): Promise<Reply> {
    const { chosen, emit, now } = this.#options
    if (!this.isRunning) return { ok: false, message: `${this.name} is not running` }
    if (this.#prompts.isBusy) return BUSY
    const before = chosen.model
    chosen.model = model
    this.#link.drop()
    const connected = await this.#link.connect()
    if (!connected.ok) {
      chosen.model = before
      void this.#link.connect()
      return { ok: false, message: wordsOf(connected.trouble) }
    }
    const told = connected.greeting?.model || model
    emit({
      type: 'model_changed',
      at: now(),
      provider: this.name,
      model: told,
      contextWindow: null,
      reasoningLevels: [],
    })
    return { ok: true, value: undefined }
  }

  ping(timeout: number): Promise<boolean> {
    return this.#link.ping(timeout)
  }

  /** Sends the server a decision that it has asked for. */
  decide(approvalId: string, approved: boolean): void {
    this.#link.send({ permission_decision: { approval_id: approvalId, approved } })
  }

  async close(): Promise<void> {
    const { closeAbort } = this.#options.limits
    const { last, isBusy } = this.#prompts
    if (last && isBusy) {
      last.abort()
      await withTimeout(closeAbort, last.over)
    }
    await this.#link.close()
    this.#ended({ reason: `${this.name} ended`, hint: '' }, true)
  }

  async kill(): Promise<void> {
    this.#link.kill()
    this.#ended({ reason: `${this.name} was closed`, hint: '' }, true)
  }

  #startMessage() {
    const { chosen, start, gate } = this.#options
    const history = this.#memory.history()
    return startMessage({ ...start, model: chosen.model, tools: gate.tools, history, context: this.#context })
  }

  /** A prompt with images begins a new session, which receives them with the conversation: roz takes no images later. */
  async #prepare(): Promise<string | null> {
    const images = this.#prompts.last?.prompt.images ?? []
    if (!this.#memory.shown(images)) return NOT_SENT['too large']
    if (images.length > 0) this.#link.drop()
    const connected = images.length > 0 ? await this.#link.connect() : await this.#connect()
    return connected.ok ? null : wordsOf(connected.trouble)
  }

  /** Ensures that there is a session. Returns the reason if there is none. */
  async #connected(): Promise<string | null> {
    const connected = await this.#connect()
    return connected.ok ? null : wordsOf(connected.trouble)
  }

  /** The same. Tells the user if the connection had to be made again. */
  #connect(): Promise<Connected> {
    if (this.#link.isUp) return Promise.resolve({ ok: true, greeting: null })
    this.#reconnecting ??= this.#again().finally(() => (this.#reconnecting = null))
    return this.#reconnecting
  }

  async #again(): Promise<Connected> {
    const { emit, now } = this.#options
    this.#options.gate.forgetMode()
    const connected = await this.#link.connect()
    if (this.#isOver || !connected.ok || !connected.greeting) return connected
    const text = reconnectedWords(this.#memory)
    emit({ type: 'remark_made', at: now(), level: 'info', text, hint: null, markdown: false })
    return connected
  }

  #lost(trouble: RozTrouble): void {
    if (!this.#isOpen) return
    const { debug } = this.#options
    debug(`lost: ${trouble.reason}`)
    this.#turns.fail(`the connection to roz was lost: ${wordsOf(trouble)}`)
    void this.#tryAgain()
  }

  async #tryAgain(): Promise<void> {
    const { emit, now } = this.#options
    const connected = await this.#connect()
    if (connected.ok || this.#isOver || this.#link.isEnding) return
    const message = `The connection to roz was lost: ${wordsOf(connected.trouble)}. The next prompt retries.`
    emit({ type: 'warning_raised', at: now(), message })
  }

  #heard(message: SessionResponseMessage): void {
    const { emit, now, debug } = this.#options
    if (isOlder(message)) return this.#fail(OLDER)
    const { keepalive, task_progress: progress, session_event: envelope } = message
    const used = keepalive?.tokens_used ?? 0
    if (used > 0)
      emit({ type: 'context_reported', at: now(), used, size: keepalive?.tokens_max ?? null, costUsd: null })
    if (progress && progress.task_id !== '') this.#team.follow(progress.task_id)
    if (envelope) this.#told(envelope)
    else if (message.response === undefined) debug('a message that is not known')
  }

  #told(envelope: WireEnvelope): void {
    if (this.#isRepeated(envelope.event_id)) return
    const event = eventIn(envelope)
    if (event) this.#happened(event)
    else this.#options.debug(`an event that is not known: ${envelope.event_type}`)
  }

  #happened(event: RozEvent): void {
    const { emit, now, approvals } = this.#options
    if (event.type === 'session_failed')
      return this.#fail({ reason: `roz ended the session: ${event.failure.replaceAll('_', ' ')}` })
    if (event.type === 'session_completed')
      return this.#fail({ reason: `roz completed the session${event.summary && `: ${event.summary}`}` })
    if (event.type === 'approval_requested') return approvals.asked(event)
    if (event.type === 'approval_resolved') return approvals.resolved(event.approval_id)
    if (this.#turns.event(event)) return
    if (event.type === 'session_rejected')
      emit({ type: 'warning_raised', at: now(), message: `roz: ${rejectionWords(event)}` })
    for (const each of notesOf(event, now())) emit(each)
  }

  /** The session cannot go on. */
  #fail({ reason, hint = '/restart begins a new session' }: { reason: string; hint?: string }): void {
    this.#turns.fail(reason)
    this.#link.kill()
    this.#ended({ reason, hint }, false)
  }

  #ended({ reason, hint }: Pick<RozTrouble, 'reason' | 'hint'>, expected: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#link.kill()
    this.#team.end()
    this.#options.approvals.endTurn()
    this.#turns.end()
    const { onGone, emit, now, redact } = this.#options
    onGone()
    emit({ type: 'agent_ended', at: now(), code: null, signal: null, reason: redact(reason), hint, expected })
  }
}
