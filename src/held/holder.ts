/** Holds a conversation for the programs that attach to it: all of them see the same, and each may ask and answer. */
import type { Socket } from 'node:net'
import type { Backend, OwnSession } from '../agent/backend.ts'
import type { AgentEvent } from '../agent/event.ts'
import type { PermissionMode } from '../agent/permission.ts'
import { createLineSocket, type LineSocket } from '../agents/held/line-socket.ts'
import {
  ABILITIES,
  clientLineSchema,
  PROTOCOL,
  type ClientLine,
  type HeldAbility,
  type HeldCall,
  type HeldStatus,
  type HeldWelcome,
  type HolderLine,
} from '../agents/held/protocol.ts'
import { messageOf } from '../platform/errors.ts'
import type { PrintWriter } from '../print/writer.ts'
import { initialChat } from '../conversation/state.ts'
import { conversationRow } from '../state/conversation-row.ts'
import { createEventLog } from './event-log.ts'

export type HolderOptions = {
  backend: Backend
  /** Described anew to each client. */
  welcome: () => Omit<HeldWelcome, 'type'>
  /** Null where the mode is fixed. */
  useMode: ((mode: PermissionMode) => void) | null
  /** Called when a client asks to stop the conversation. */
  onStop: () => void
}

export type Holder = {
  /** Takes the events of the conversation. `earlier` are those of the session that is resumed. */
  writer: (earlier: () => readonly AgentEvent[]) => PrintWriter
  /** Takes a program that has connected. */
  accept: (socket: Socket) => void
  /** Resolves when nothing is in progress and nobody is attached. Before it is called, a first prompt is in progress. */
  stay: () => Promise<void>
  /** Leaves all programs. */
  end: () => void
}

const EMPTY_QUEUE = { entries: [], held: false }

export function createHolder({ backend, welcome, useMode, onStop }: HolderOptions): Holder {
  const log = createEventLog()
  const attached = new Set<LineSocket>()
  const sockets = new Set<LineSocket>()
  const { promise: firstIsOver, resolve: onFirstOver } = Promise.withResolvers<void>()
  const { promise: unneeded, resolve: onUnneeded } = Promise.withResolvers<void>()
  let chat = initialChat
  let isFirstOver = false
  let working = 0
  /** One operation at a time, whoever asked for it. */
  let queue: Promise<unknown> = firstIsOver
  let told = ''

  return {
    writer: earlier => ({
      begins(begun) {
        chat = begun
        earlier().forEach(log.add)
      },
      told(next, event) {
        chat = next
        log.add(event)
        tellAll({ type: 'event', event })
        tellAbilities()
      },
      ended() {},
    }),
    accept,
    async stay() {
      isFirstOver = true
      onFirstOver()
      follow()
      await unneeded
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
        } else if (line.type === 'call' && attached.has(lines)) void answer(lines, line)
        else socket.destroy()
      },
      onEnd() {
        sockets.delete(lines)
        attached.delete(lines)
        follow()
      },
    })
    sockets.add(lines)
  }

  function greet(lines: LineSocket, { protocol, wants }: Extract<ClientLine, { type: 'hello' }>): void {
    if (protocol !== PROTOCOL && wants !== 'stop') {
      const reason = 'Another version of zotui holds it. Use that one, or stop it with `zotui stop`.'
      return tell(lines, { type: 'refused', reason })
    }
    if (wants === 'status') return tell(lines, { type: 'status', status: status() })
    if (wants === 'stop') {
      tell(lines, { type: 'stopping' })
      return onStop()
    }
    attached.add(lines)
    tell(lines, { type: 'welcome', ...welcome() })
    tell(lines, abilities())
    for (const event of log.all()) tell(lines, { type: 'event', event })
    tell(lines, { type: 'caught_up' })
  }

  async function answer(lines: LineSocket, asked: HeldCall): Promise<void> {
    let value: unknown
    try {
      value = await take(asked)
    } catch (error) {
      value = { ok: false, message: messageOf(error) }
    }
    tell(lines, { type: 'reply', id: asked.id, value: value ?? null })
  }

  async function take(asked: HeldCall): Promise<unknown> {
    switch (asked.call) {
      case 'open':
        return operate(async () => open(asked.session))
      case 'close':
        return count(backend.close())
      case 'kill':
        return count(backend.kill())
      case 'prompt':
        return operate(async () => backend.prompt(asked.prompt))
      case 'compact':
        return operate(async () => backend.compact?.())
      case 'abort':
        return backend.abort()
      case 'ping':
        return backend.ping?.(asked.timeout)
      case 'listModels':
        return backend.listModels?.()
      case 'listEveryModel':
        return backend.listEveryModel?.()
      case 'setModel':
        return backend.setModel?.(asked.model)
      case 'setReasoning':
        return backend.setReasoning?.(asked.level)
      case 'setOption':
        return backend.setOption?.(asked.option, asked.value)
      case 'answerQuestion':
        return backend.answerQuestion?.(asked.question, asked.values, asked.how)
      case 'answerPermission':
        return backend.answerPermission?.(asked.question, asked.answer, asked.by)
      case 'setPermissionMode':
        return useMode?.(asked.mode)
      case 'listRunning':
        return backend.listRunning?.()
      case 'endRunning':
        return backend.endRunning?.(asked.pid)
    }
  }

  /** Another program may have started it. */
  async function open(session: OwnSession | undefined): Promise<void> {
    if (chat.agent.phase !== 'ready') await backend.open(session)
  }

  async function operate(work: () => Promise<unknown>): Promise<void> {
    queue = queue.then(work).catch(() => undefined)
    await count(queue)
  }

  /** Something is in progress until `work` has ended. */
  async function count(work: Promise<unknown>): Promise<void> {
    working += 1
    await work.finally(() => {
      working -= 1
      follow()
    })
  }

  function follow(): void {
    if (isFirstOver && working === 0 && attached.size === 0) onUnneeded()
  }

  function abilities(): HolderLine {
    return { type: 'abilities', names: ABILITIES.filter(isAble) }
  }

  function isAble(name: HeldAbility): boolean {
    return backend[name] !== undefined && (name !== 'setPermissionMode' || useMode !== null)
  }

  /** An agent may learn what it can do after its start. */
  function tellAbilities(): void {
    const now = JSON.stringify(abilities())
    if (now === told) return
    told = now
    tellAll(abilities())
  }

  function tellAll(line: HolderLine): void {
    for (const each of attached) tell(each, line)
  }

  function status(): HeldStatus {
    const { folder } = welcome()
    const state = { chat, queue: EMPTY_QUEUE, question: null, opening: null, startup: { folder, branch: null } }
    const facts = { number: 1, isShown: false, title: '', isSeen: false, isResting: false }
    const { state: does, title, since, lastLine, costUsd } = conversationRow(state, facts)
    return { state: does, title, since, lastLine, costUsd }
  }
}

function tell(lines: LineSocket, line: HolderLine): void {
  lines.write(line)
}
