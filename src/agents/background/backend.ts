/**
 * The `Backend` for a conversation that another process holds. `open` emits all of it so far, and then its new events. `leave`
 * detaches: the conversation continues in its own process even if the UI is killed.
 */
import type { Ability } from '../../agent/abilities.ts'
import type { Backend, Holding, Model, OwnSession, Prompt, Reply, Steer, SteerOutcome } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { HeldEntry, HeldQueue } from '../../agent/held-queue.ts'
import { createListeners } from '../../agent/listeners.ts'
import type { PermissionMode } from '../../agent/permission.ts'
import type { RunningCommand } from '../../agent/requests.ts'
import { BasicBackend } from '../host/basic-backend.ts'
import type { BackgroundConnection } from './connection.ts'
import { type ArgumentsOf, type CallName, callLine, type BackgroundLine, replyOf, type ReplyOf } from './protocol.ts'

export type BackgroundBackendOptions = {
  /** The ID of the conversation. */
  id: string
  /** The agent's name. */
  name: string
  /** A connection whose first line was read; null to make one when the agent is opened. */
  first: BackgroundConnection | null
  /** Connects again after the connection was lost. It may start another background process, which continues the session. */
  connect: (session: string) => Promise<Reply<BackgroundConnection>>
  /** Milliseconds since the Unix epoch. */
  now: () => number
}

export function createBackgroundBackend(options: BackgroundBackendOptions): Backend {
  return new BackgroundBackend(options)
}

class BackgroundBackend extends BasicBackend {
  readonly #id: string
  readonly #connect: BackgroundBackendOptions['connect']
  readonly #now: () => number
  readonly #listeners = createListeners<[AgentEvent]>()
  readonly subscribe = this.#listeners.subscribe
  readonly #onReplaced = new Set<(events: readonly AgentEvent[]) => void>()
  readonly #onQueue = createListeners<[HeldQueue]>()
  readonly #onWatchers = createListeners<[readonly string[]]>()
  readonly #onRun = createListeners<[HeldEntry]>()
  readonly #pending = new Map<number, (value: unknown) => void>()
  #abilities: ReadonlySet<Ability> = LEAVE
  #lastId = 0
  /** The connection in use; null before the first one, and after it was lost. */
  #current: BackgroundConnection | null = null
  #unused: BackgroundConnection | null
  #connecting: Promise<unknown> | null = null
  #session: string | null = null
  /** The checkpoint of the files before the next prompt. */
  #checkpoint: string | null = null
  #isLeft = false
  #isLost = false
  /** The buffered events of a repetition; null while each is emitted as it arrives. */
  #repeated: AgentEvent[] | null = null
  #isCaughtUp = false
  #isUp = false
  #onOpen: (() => void) | null = null

  constructor({ id, name, first, connect, now }: BackgroundBackendOptions) {
    super(name)
    this.#id = id
    this.#unused = first
    this.#connect = connect
    this.#now = now
  }

  get abilities(): ReadonlySet<Ability> {
    return this.#abilities
  }

  override readonly holder: Holding = {
    isLost: () => this.#isLost,
    onResent: listener => void this.#onReplaced.add(listener),
    session: () => this.#session,
    points: () => this.#ask('points'),
    goBack: (turns, words) => this.#ask('goBack', turns, words),
    rename: title => this.#ask('rename', title),
    note: event => {
      if (event.type === 'checkpoint_made') this.#checkpoint = event.id
      else void this.#ask('noteRestored', event.checkpoint, event.undo, event.count)
    },
    onWatchers: listener => void this.#onWatchers.subscribe(listener),
    queue: {
      onChange: listener => void this.#onQueue.subscribe(listener),
      onRun: listener => void this.#onRun.subscribe(listener),
      change: change => this.#ask('queue', change),
    },
  }

  async open(session?: OwnSession): Promise<void> {
    if (this.#current) return void (await this.#ask('open', session))
    if (this.#unused) {
      const connection = this.#unused
      this.#unused = null
      return this.#attach(connection, null)
    }
    if (this.#isLeft) return this.#emit(this.#ended(LOST))
    this.#emit({ type: 'agent_starting', at: this.#now(), agent: this.name })
    const connected = this.#connect(this.#session ?? this.#id)
    this.#connecting = connected
    const reply = await connected
    this.#isLost = !reply.ok
    if (!reply.ok) return this.#emit(this.#ended(reply.message))
    if (this.#isLeft) return reply.value.end()
    return this.#attach(reply.value, [])
  }

  /** The prompt is sent when the files before it are kept. */
  async prompt({ ready, ...prompt }: Prompt): Promise<void> {
    await ready
    const checkpoint = this.#checkpoint
    this.#checkpoint = null
    await this.#ask('prompt', prompt, checkpoint)
  }

  abort(): void {
    void this.#ask('abort')
  }

  async close(): Promise<void> {
    await this.#ask('close')
  }

  async kill(): Promise<void> {
    await this.#ask('kill')
  }

  override async leave(): Promise<void> {
    this.#isLeft = true
    // A move to the background that has begun is completed.
    await this.#connecting
    const connection = this.#current ?? this.#unused
    connection?.end()
    await connection?.ended
    this.#gone()
  }

  override clear(): Promise<Reply> {
    return this.#ask('clear')
  }

  override async compact(): Promise<void> {
    await this.#ask('compact')
  }

  override ping(timeout: number): Promise<boolean | null> {
    return this.#ask('ping', timeout)
  }

  override listModels(): Promise<Reply<readonly Model[]>> {
    return this.#ask('listModels')
  }

  override listEveryModel(): Promise<Reply<readonly Model[]>> {
    return this.#ask('listEveryModel')
  }

  override setModel(id: string): Promise<Reply> {
    return this.#ask('setModel', id)
  }

  override setReasoning(level: string): Promise<Reply> {
    return this.#ask('setReasoning', level)
  }

  override setOption(id: string, value: string | boolean): Promise<Reply> {
    return this.#ask('setOption', id, value)
  }

  override answerQuestion(...answer: Parameters<Backend['answerQuestion']>): void {
    void this.#ask('answerQuestion', ...answer)
  }

  override answerPermission(...answer: Parameters<Backend['answerPermission']>): void {
    void this.#ask('answerPermission', ...answer)
  }

  override setPermissionMode(mode: PermissionMode): void {
    void this.#ask('setPermissionMode', mode)
  }

  override listRunning(): Promise<readonly RunningCommand[]> {
    return this.#ask('listRunning')
  }

  override endRunning(pid: number): Promise<Reply> {
    return this.#ask('endRunning', pid)
  }

  override steer({ id, prompt: { ready: _ready, ...prompt } }: Steer & { prompt: Prompt }): Promise<SteerOutcome> {
    return this.#ask('steer', { id, prompt })
  }

  override withdrawSteer(id: string): void {
    void this.#ask('withdrawSteer', id)
  }

  override stopTask(id: string): Promise<Reply> {
    return this.#ask('stopTask', id)
  }

  override setFolders(folders: readonly string[]): Promise<Reply<string | null>> {
    return this.#ask('setFolders', folders)
  }

  override renameSession(title: string): Promise<Reply> {
    return this.#ask('renameSession', title)
  }

  /** Resolves when the whole history was emitted and the agent has started or ended, or when the connection is lost. */
  async #attach(connection: BackgroundConnection, repeated: AgentEvent[] | null): Promise<void> {
    const { promise: opened, resolve } = Promise.withResolvers<void>()
    this.#onOpen = resolve
    this.#repeated = repeated
    this.#isCaughtUp = false
    this.#isUp = false
    this.#current = connection
    this.#isLost = false
    connection.receive(line => this.#take(line))
    void connection.ended.then(() => this.#gone())
    await opened
  }

  #take(line: BackgroundLine): void {
    switch (line.type) {
      case 'event':
        if (this.#repeated) return void this.#repeated.push(line.event)
        return this.#emit(line.event)
      case 'abilities':
        this.#abilities = new Set([...LEAVE, ...line.names])
        return
      case 'session':
        this.#session = line.id
        return
      case 'queue':
        return this.#onQueue.emit(line.queue)
      case 'run':
        return this.#onRun.emit(line.entry)
      case 'watchers':
        return this.#onWatchers.emit(line.names)
      case 'begun_again':
        this.#repeated = []
        return
      case 'caught_up':
        this.#isCaughtUp = true
        if (this.#repeated) this.#replace(this.#repeated)
        return this.#settle()
      case 'reply':
        this.#pending.get(line.id)?.(line.value)
        this.#pending.delete(line.id)
        return
      case 'welcome':
      case 'refused':
      case 'status':
      case 'stopping':
    }
  }

  #replace(events: readonly AgentEvent[]): void {
    this.#repeated = null
    this.#isUp = events.some(isUpOrDown)
    for (const listener of this.#onReplaced) listener(events)
  }

  #emit(event: AgentEvent): void {
    if (isUpOrDown(event)) this.#isUp = true
    this.#listeners.emit(event)
    this.#settle()
  }

  #settle(): void {
    if (this.#isCaughtUp && this.#isUp) this.#onOpen?.()
  }

  async #ask<Name extends CallName>(name: Name, ...args: ArgumentsOf<Name>): Promise<ReplyOf<Name>> {
    if (!this.#current) return replyOf(name, undefined)
    const id = (this.#lastId += 1)
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#pending.set(id, resolve)
    this.#current.write(callLine(id, name, args))
    return replyOf(name, await promise)
  }

  #gone(): void {
    if (!this.#current) return
    this.#current = null
    this.#abilities = LEAVE
    for (const resolve of this.#pending.values()) resolve(undefined)
    this.#pending.clear()
    // A turn that continues in the background was not interrupted.
    this.#isLost = !this.#isLeft
    if (this.#isLost) this.#emit(this.#ended(LOST))
    this.#onOpen?.()
  }

  #ended(reason: string): AgentEvent {
    const hint = `/restart resumes it. So does \`zotui --resume ${this.#session ?? this.#id}\`, with what is saved.`
    return { type: 'agent_ended', at: this.#now(), code: null, signal: null, reason, hint, expected: false }
  }
}

const LEAVE: ReadonlySet<Ability> = new Set(['leave'])

const LOST = 'The process in the background is gone, or the connection to it is lost.'

const isUpOrDown = ({ type }: AgentEvent): boolean => type === 'agent_started' || type === 'agent_ended'
