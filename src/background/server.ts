/** Serves a conversation in the background to the programs that attach to it. All see the same, and each may send prompts and answers. */
import type { Socket } from 'node:net'
import type { Backend } from '../agent/backend.ts'
import type { PermissionMode } from '../agent/permission.ts'
import { createLineSocket, type LineSocket } from '../agents/background/line-socket.ts'
import type { Ability } from '../agent/abilities.ts'
import {
  clientLineSchema,
  backgroundAbilities,
  PROTOCOL,
  type BackgroundStatus,
  type ClientLine,
  type BackgroundCall,
  type BackgroundLine,
  type BackgroundWelcome,
} from '../agents/background/protocol.ts'
import { createAges } from '../platform/ages.ts'
import { messageOf } from '../platform/errors.ts'
import type { PrintWriter } from '../print/writer.ts'
import { initialChat } from '../conversation/state.ts'
import { conversationRow, stateOf } from '../state/conversations/conversation-row.ts'
import { createCalls } from './calls.ts'
import type { BackgroundPast } from './past.ts'
import type { AgentEvent } from '../agent/event.ts'
import { joined } from '../agent/join-pieces.ts'

export type BackgroundServerOptions = {
  backend: Backend
  /** The greeting, made anew for each client. */
  welcome: () => Omit<BackgroundWelcome, 'type'>
  /** Null if the mode is fixed. */
  useMode: ((mode: PermissionMode) => void) | null
  /** Called when a client asks to stop the conversation. */
  onStop: () => void
  /** The first program has attached, or the last one is gone. */
  onWatched?: (isWatched: boolean) => void
  /** Null if nothing is kept. */
  past: BackgroundPast | null
  /** True if the conversation begins with a prompt. */
  hasPrompt: boolean
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** Milliseconds that have passed, by a clock that nobody sets. */
  elapsed: () => number
}

/** Milliseconds within which a UI must attach if there is no prompt. */
const FIRST_WAIT = 30_000

export type BackgroundServer = {
  /** Takes the events of the conversation. */
  writer: PrintWriter
  /** Takes a program that has connected. */
  accept: (socket: Socket) => void
  /**
   * Resolves when nothing is in progress and no program is attached. Until the call, the first prompt is in progress.
   * Without one it waits for a while until a program attaches.
   */
  stay: () => Promise<void>
  /** Closes all connections. */
  end: () => void
}

const EMPTY_QUEUE = { entries: [], paused: false }

export function createBackgroundServer({
  backend,
  welcome,
  useMode,
  onStop,
  onWatched = () => {},
  past,
  hasPrompt,
  now,
  elapsed,
}: BackgroundServerOptions): BackgroundServer {
  const log = createEventLog()
  const ages = createAges(elapsed)
  const attached = new Set<LineSocket>()
  /** The clients with a valid handshake, attached or not. */
  const understood = new Set<LineSocket>()
  const sockets = new Set<LineSocket>()
  /** The clients that asked for the state: they get each change of it, and do not keep the conversation alive. */
  const followers = new Set<LineSocket>()
  const { promise: firstIsOver, resolve: onFirstOver } = Promise.withResolvers<void>()
  const { promise: unneeded, resolve: onUnneeded } = Promise.withResolvers<void>()
  let chat = initialChat
  let isFirstOver = false
  /** True while it waits for the first UI. */
  let isAwaited = !hasPrompt
  let working = 0
  /** One operation at a time, for all clients. */
  let queue: Promise<unknown> = firstIsOver
  let sentFacts = ''
  let sentStatus = ''
  /** The checkpoint of the files before the prompt that is being sent. */
  let checkpoint: string | null = null

  const take = createCalls({
    backend,
    past,
    useMode,
    now,
    ageOf: ages.of,
    chat: () => chat,
    operate,
    count,
    onPrompt: before => (checkpoint = before),
  })

  return {
    writer: {
      begins(begun, earlier) {
        chat = begun
        log.clear()
        earlier.forEach(log.add)
        for (const each of attached) sendAgain(each)
      },
      onEvent(next, event) {
        chat = next
        log.add(event)
        ages.see(chat.questions.map(({ id }) => id))
        sendAll({ type: 'event', event })
        sendFacts()
        sendStatus()
        if (event.type === 'prompt_sent') noteCheckpoint()
      },
      ended() {},
    },
    accept,
    async stay() {
      isFirstOver = true
      onFirstOver()
      const waiting = setTimeout(() => {
        isAwaited = false
        follow()
      }, FIRST_WAIT)
      follow()
      await unneeded
      clearTimeout(waiting)
    },
    end() {
      for (const each of sockets) each.end()
    },
  }

  function accept(socket: Socket): void {
    let isKnown = false
    const lines = createLineSocket({
      socket,
      schema: clientLineSchema,
      onLine(line) {
        if (line.type === 'hello' && !isKnown) {
          isKnown = true
          greet(lines, line)
        } else if (line.type === 'call' && understood.has(lines)) void answer(lines, line)
        else socket.destroy()
      },
      onEnd() {
        sockets.delete(lines)
        understood.delete(lines)
        followers.delete(lines)
        if (attached.delete(lines) && attached.size === 0) onWatched(false)
        follow()
      },
    })
    sockets.add(lines)
  }

  function greet(lines: LineSocket, { protocol, wants }: Extract<ClientLine, { type: 'hello' }>): void {
    if (protocol !== PROTOCOL && wants !== 'stop') {
      const reason = 'It runs in another version of zotui. Use that one, or stop it with `zotui stop`.'
      return send(lines, { type: 'refused', reason })
    }
    understood.add(lines)
    if (wants === 'status') {
      followers.add(lines)
      return send(lines, { type: 'status', status: status() })
    }
    if (wants === 'stop') {
      send(lines, { type: 'stopping' })
      return onStop()
    }
    attached.add(lines)
    onWatched(true)
    isAwaited = false
    send(lines, { type: 'welcome', ...welcome() })
    for (const fact of facts()) send(lines, fact)
    sendLog(lines)
  }

  /** Sends a client the conversation again, because it has been replaced. */
  function sendAgain(lines: LineSocket): void {
    send(lines, { type: 'begun_again' })
    sendLog(lines)
  }

  function sendLog(lines: LineSocket): void {
    for (const event of log.all()) send(lines, { type: 'event', event })
    send(lines, { type: 'caught_up' })
  }

  /** Publishes the checkpoint that was made before the prompt. */
  function noteCheckpoint(): void {
    const id = checkpoint
    checkpoint = null
    if (id !== null) queueMicrotask(() => past?.publish({ type: 'checkpoint_made', at: now(), id }))
  }

  async function answer(lines: LineSocket, asked: BackgroundCall): Promise<void> {
    let value: unknown
    try {
      value = await take(asked)
    } catch (error) {
      value = { ok: false, message: messageOf(error) }
    }
    send(lines, { type: 'reply', id: asked.id, value: value ?? null })
  }

  async function operate<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return count(done)
  }

  /** Counts `work` as in progress until it has ended. */
  async function count<Value>(work: Promise<Value>): Promise<Value> {
    working += 1
    return work.finally(() => {
      working -= 1
      follow()
    })
  }

  function follow(): void {
    if (isFirstOver && !isAwaited && working === 0 && attached.size === 0) onUnneeded()
  }

  function abilities(): BackgroundLine {
    return { type: 'abilities', names: backgroundAbilities.filter(isAble) }
  }

  function isAble(name: Ability): boolean {
    return backend.abilities.has(name) && (name !== 'setPermissionMode' || useMode !== null)
  }

  function facts(): BackgroundLine[] {
    return [abilities(), { type: 'session', id: past?.session() ?? null }]
  }

  /** Sends changed facts: an agent's abilities may change after its start, and /clear begins another session. */
  function sendFacts(): void {
    const current = JSON.stringify(facts())
    if (current === sentFacts) return
    sentFacts = current
    facts().forEach(sendAll)
  }

  /** Called with each event, so it must be cheap while nobody follows and while the state stays the same. */
  function sendStatus(): void {
    if (followers.size === 0) return
    const current = [stateOf(listed(), { isSeen: false, isSuspended: false }), chat.questions[0]?.id ?? ''].join(' ')
    if (current === sentStatus) return
    sentStatus = current
    const line = { type: 'status', status: status() } as const
    for (const each of followers) send(each, line)
  }

  function sendAll(line: BackgroundLine): void {
    for (const each of attached) send(each, line)
  }

  function listed() {
    return { chat, queue: EMPTY_QUEUE, question: null, opening: null }
  }

  function status(): BackgroundStatus {
    const { folder } = welcome()
    const state = { ...listed(), startup: { folder, branch: null } }
    const facts = { number: 1, isShown: false, title: past?.title() ?? '', isSeen: false, isSuspended: false }
    const { state: does, title, since, lastLine, costUsd, call } = conversationRow(state, facts)
    return { state: does, title, since, lastLine, costUsd, call }
  }
}

function send(lines: LineSocket, line: BackgroundLine): void {
  lines.write(line)
}

/** Characters that are kept of the output of a running tool. Its result comes in full later. */
const LONGEST_TOOL_OUTPUT = 1_000_000

/** The events of the conversation so far, for clients that attach later. */
type EventLog = {
  add: (event: AgentEvent) => void
  clear: () => void
  all: () => readonly AgentEvent[]
}

function createEventLog(): EventLog {
  const events: AgentEvent[] = []
  return {
    add(event) {
      const last = events.at(-1)
      const both = last && joined(last, event)
      if (both) events[events.length - 1] = cut(both)
      else events.push(event)
    },
    clear: () => void events.splice(0),
    all: () => events,
  }
}

function cut(event: AgentEvent): AgentEvent {
  if (event.type !== 'tool_progressed' || event.text.length <= 2 * LONGEST_TOOL_OUTPUT) return event
  return { ...event, text: event.text.slice(-LONGEST_TOOL_OUTPUT) }
}
