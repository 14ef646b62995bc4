/** Serves a conversation in the background to the programs that attach to it. All see the same, and each may send prompts and answers. */
import type { Socket } from 'node:net'
import type { Ability } from '../agent/abilities.ts'
import type { Backend } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { HeldEntry } from '../agent/held-queue.ts'
import type { PermissionMode } from '../agent/permission.ts'
import {
  backgroundAbilities,
  type BackgroundCall,
  type BackgroundLine,
  type BackgroundStatus,
  type BackgroundWelcome,
} from '../agents/background/protocol.ts'
import { initialChat, type ChatState } from '../conversation/state.ts'
import { createAges } from '../platform/ages.ts'
import { messageOf } from '../platform/errors.ts'
import type { PrintWriter } from '../print/writer.ts'
import { hasTasksAtWork } from '../state/conversations/at-work.ts'
import type { QueueFile } from '../storage/sessions/queue-file.ts'
import { conversationRow, stateOf } from '../state/conversations/conversation-row.ts'
import { createCalls } from './calls.ts'
import { Clients } from './clients.ts'
import { EventLog } from './event-log.ts'
import type { BackgroundPast } from './past.ts'
import { Origins } from '../published/answers/origins.ts'
import type { HeldConversation, HeldConversationOptions } from './outside/held-conversation.ts'
import type { createServing, ServedHello, ServedSocket, ServerSocket } from './outside/serve.ts'
import type { AttachedProgram } from './queue/entries.ts'
import { HeldPrompts, type HeldPromptsOptions } from './queue/held-prompts.ts'
import { BackgroundWork } from './work.ts'

export type BackgroundServerOptions = {
  backend: Backend
  /** The greeting, made anew for each client. */
  welcome: () => Omit<BackgroundWelcome, 'type'>
  /** Null if the mode is fixed. */
  useMode: ((mode: PermissionMode) => void) | null
  /** Called when a client asks to stop the conversation. */
  onStop: () => void
  /** A program has attached, or the last one is gone. */
  onWatched?: (isWatched: boolean) => void
  /** Null if nothing is kept. */
  past: BackgroundPast | null
  /** True if the conversation begins with a prompt. */
  hasPrompt: boolean
  /** What the queue needs to send prompts itself. */
  sending: Pick<
    HeldPromptsOptions,
    'prepare' | 'stopPreparing' | 'files' | 'memory' | 'limit' | 'compactAt' | 'publish'
  >
  /** What servers for browsers get to know. `judge`: null if a program answers all questions. */
  shown: Pick<HeldConversationOptions, 'branch' | 'home' | 'judge'>
  /** Keeps the prompts that wait, by their session; null to keep none. */
  queueFile: QueueFile | null
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Milliseconds that have passed, by a clock that nobody sets. */
  elapsed: () => number
}

export class BackgroundServer {
  readonly #options: BackgroundServerOptions
  readonly #log = new EventLog()
  readonly #clients: Clients
  readonly #work: BackgroundWork
  readonly #ages: ReturnType<typeof createAges>
  readonly #queue: HeldPrompts
  /** Names the devices in the events that they have caused. */
  readonly origins = new Origins()
  /** The conversation for servers, once one has connected. */
  #outside: HeldConversation | null = null
  #serving: Promise<ReturnType<typeof createServing>> | null = null
  readonly #carryOut: ReturnType<typeof createCalls>
  #chat: ChatState = initialChat
  #sentFacts = ''
  #sentStatus = ''
  /** Its state when nothing was in progress any more. */
  #last: BackgroundStatus | null = null
  #sentQueue = ''
  #hasBegun = false
  /** Who looks at it in a browser. */
  #names: readonly string[] = []
  /** The checkpoint of the files before the prompt that is being sent. */
  #checkpoint: string | null = null

  constructor(options: BackgroundServerOptions) {
    const { backend, past, useMode, now, elapsed, hasPrompt, onStop, onWatched = () => {} } = options
    this.#options = options
    this.#ages = createAges(elapsed)
    this.#work = new BackgroundWork({ isAwaited: !hasPrompt })
    this.#clients = new Clients({
      status: () => this.#status(),
      onAttached: () => {
        onWatched(true)
        this.#work.watched(true)
        const queue = { type: 'queue', queue: this.#queue.shown() } as const
        const watchers = { type: 'watchers', names: this.#names } as const
        return [{ type: 'welcome', ...options.welcome() }, ...this.#facts(), queue, watchers, ...this.#history()]
      },
      onGone: client => this.#queue.leave(client),
      onStop,
      onServer: (socket, hello) => this.#serve(socket, hello),
      onCall: (call, client) => this.#answer(call, client),
      // A program that is gone has its words to the turn in its own queue: they must not reach the agent as well.
      onCallsLeft: calls => {
        for (const call of calls) if (call.call === 'steer') backend.withdrawSteer(call.args[0].id)
      },
      onUnattached: () => {
        onWatched(false)
        this.#work.watched(false)
      },
    })
    this.#queue = new HeldPrompts({
      ...options.sending,
      backend,
      now,
      chat: () => this.#chat,
      operate: work => this.#work.operate(work),
      keep: entries => this.#keepQueue(entries),
      onChange: () => this.#sendQueue(),
      run: (entry, by) => this.#clients.sendToOne({ type: 'run', entry }, by),
    })
    this.#carryOut = createCalls({
      backend,
      past,
      useMode,
      now,
      ageOf: this.#ages.of,
      chat: () => this.#chat,
      queue: this.#queue,
      count: work => this.#work.count(work),
      onPrompt: before => (this.#checkpoint = before),
    })
  }

  /** Takes the events of the conversation. */
  readonly writer: PrintWriter = {
    begins: (chat, earlier) => this.#begin(chat, earlier),
    onEvent: (chat, event) => this.#take(chat, event),
    ended() {},
  }

  /** Takes a program that has connected. */
  accept(socket: Socket): void {
    this.#clients.accept(socket)
  }

  /**
   * Resolves when nothing is in progress and no program is attached. Until the call, the first prompt is in progress.
   * Without one it waits for a while until a program attaches.
   */
  stay(): Promise<void> {
    this.#queue.begin()
    return this.#work.stay().then(() => this.#isOver())
  }

  /** From now on the agent ends because nothing is in progress: that is no state of the conversation, which stays as it came out. */
  #isOver(): void {
    this.#last = this.#status()
  }

  /** Closes all connections. */
  end(): void {
    this.#clients.end()
  }

  /** The conversation begins, or is another one from now on. */
  #begin(chat: ChatState, earlier: readonly AgentEvent[]): void {
    this.#chat = chat
    if (!this.#hasBegun) this.#restoreQueue()
    this.#hasBegun = true
    this.#followWork()
    this.#log.replace(earlier)
    this.#outside?.replace()
    const lines: readonly BackgroundLine[] = [{ type: 'begun_again' }, ...this.#history()]
    for (const line of lines) this.#clients.send(line)
  }

  #take(chat: ChatState, event: AgentEvent): void {
    const before = this.#chat
    this.#chat = chat
    const { phase } = before.agent
    if (chat.tasks !== before.tasks || (chat.open === null) !== (before.open === null) || chat.agent.phase !== phase)
      this.#followWork()
    this.#log.add(event)
    this.#ages.see(chat.questions.map(({ id }) => id))
    this.#clients.send({ type: 'event', event })
    this.#sendFacts()
    this.#sendStatus()
    if (event.type === 'prompt_sent') this.#publishCheckpoint()
    this.#queue.follow(event)
    this.#outside?.take(event)
  }

  #followWork(): void {
    this.#work.follow({
      hasTurn: this.#chat.open !== null,
      hasTasks: hasTasksAtWork(this.#chat),
      hasPrompts: this.#queue.isAtWork,
    })
  }

  #sendQueue(): void {
    this.#followWork()
    const queue = this.#queue.shown()
    const current = JSON.stringify(queue)
    if (current === this.#sentQueue) return
    this.#sentQueue = current
    this.#outside?.change()
    this.#clients.send({ type: 'queue', queue })
  }

  /** Prompts that a process before this one has left wait for a person. */
  #restoreQueue(): void {
    const { past, queueFile } = this.#options
    if (past && queueFile) this.#queue.restore(queueFile.read(past.session()))
  }

  #keepQueue(entries: readonly HeldEntry[]): void {
    const { past, queueFile } = this.#options
    if (past) queueFile?.write(past.session(), entries)
  }

  /** Publishes the checkpoint that was made before the prompt. */
  #publishCheckpoint(): void {
    const { past, now } = this.#options
    const id = this.#checkpoint
    this.#checkpoint = null
    if (id !== null) queueMicrotask(() => past?.publish({ type: 'checkpoint_made', at: now(), id }))
  }

  async #answer(call: BackgroundCall, by: AttachedProgram): Promise<unknown> {
    try {
      const value = await this.#carryOut(call, by)
      // No event tells of a name.
      if (call.call === 'rename') this.#outside?.change()
      return value
    } catch (error) {
      return { ok: false, message: messageOf(error) }
    }
  }

  /** Loads what speaks with servers for the first of them. */
  async #serve(socket: ServerSocket, hello: ServedHello): Promise<ServedSocket | null> {
    this.#serving ??= this.#makeServing()
    const serve = await this.#serving
    return serve(socket, hello)
  }

  async #makeServing(): Promise<ReturnType<typeof createServing>> {
    const [{ HeldConversation: Outside }, { createServing: make }] = await Promise.all([
      import('./outside/held-conversation.ts'),
      import('./outside/serve.ts'),
    ])
    const { backend, welcome, past, shown, elapsed } = this.#options
    const outside = new Outside({
      ...shown,
      backend,
      queue: this.#queue,
      origins: this.origins,
      chat: () => this.#chat,
      events: () => this.#log.all(),
      status: () => this.#status(),
      session: () => past?.session() ?? null,
      mode: () => welcome().mode,
      folder: welcome().folder,
      ageOf: this.#ages.of,
      onWatchers: names => this.#watchers(names),
    })
    this.#outside = outside
    return make(outside, elapsed)
  }

  #watchers(names: readonly string[]): void {
    this.#names = names
    this.#clients.send({ type: 'watchers', names })
  }

  #history(): BackgroundLine[] {
    return [...this.#log.all().map(event => ({ type: 'event', event }) as const), { type: 'caught_up' }]
  }

  #facts(): BackgroundLine[] {
    const names = backgroundAbilities.filter(name => this.#isAble(name))
    return [
      { type: 'abilities', names },
      { type: 'session', id: this.#options.past?.session() ?? null },
    ]
  }

  #isAble(name: Ability): boolean {
    const { backend, useMode } = this.#options
    return backend.abilities.has(name) && (name !== 'setPermissionMode' || useMode !== null)
  }

  /** Sends changed facts: an agent's abilities may change after its start, and /clear begins another session. */
  #sendFacts(): void {
    const facts = this.#facts()
    const current = JSON.stringify(facts)
    if (current === this.#sentFacts) return
    this.#sentFacts = current
    for (const fact of facts) this.#clients.send(fact)
  }

  /** Called with each event, so it must be cheap while nobody follows and while the state stays the same. */
  #sendStatus(): void {
    if (!this.#clients.areFollowing || this.#last) return
    const state = stateOf(listed(this.#chat), { isSeen: false, isSuspended: false })
    const current = [state, this.#chat.questions[0]?.id ?? ''].join(' ')
    if (current === this.#sentStatus) return
    this.#sentStatus = current
    this.#clients.sendStatus()
  }

  #status(): BackgroundStatus {
    if (this.#last) return this.#last
    const { welcome, past } = this.#options
    return statusOf(this.#chat, welcome().folder, past?.title() ?? '')
  }
}

const EMPTY_QUEUE = { entries: [], paused: false }

function listed(chat: ChatState) {
  return { chat, queue: EMPTY_QUEUE, question: null, opening: null }
}

function statusOf(chat: ChatState, folder: string, title: string): BackgroundStatus {
  const state = { ...listed(chat), startup: { folder, branch: null } }
  const row = conversationRow(state, { number: 1, isShown: false, title, isSeen: false, isSuspended: false })
  const { since, lastLine, costUsd, call } = row
  return { state: row.state, title: row.title, since, lastLine, costUsd, call }
}
