/** The programs that have connected, and what each asked for: to attach, to follow the state, or to stop the conversation. */
import type { Socket } from 'node:net'
import { createLineSocket, type LineSocket } from '../agents/background/line-socket.ts'
import {
  PROTOCOL,
  socketLineSchema,
  type BackgroundCall,
  type BackgroundLine,
  type BackgroundStatus,
  type ClientLine,
  type SocketLine,
} from '../agents/background/protocol.ts'
import type { ServedHello, ServedSocket, ServerSocket } from './outside/serve.ts'

export type ClientsOptions = {
  status: () => BackgroundStatus
  /** A program has attached. Returns the lines that it gets first. */
  onAttached: () => readonly BackgroundLine[]
  /** A program is gone. */
  onGone: (client: LineSocket) => void
  /** A program asks to stop the conversation. */
  onStop: () => void
  /** Resolves to the value of the reply. */
  onCall: (call: BackgroundCall, client: LineSocket) => Promise<unknown>
  /** A program is gone and gets no reply to these calls. */
  onCallsLeft: (calls: readonly BackgroundCall[]) => void
  /** A server for browsers has connected. Resolves to what takes its lines; null if it is refused. */
  onServer: (socket: ServerSocket, hello: ServedHello) => Promise<ServedSocket | null>
  /** The last program that was attached is gone. */
  onUnattached: () => void
}

export class Clients {
  readonly #options: ClientsOptions
  readonly #connected = new Set<LineSocket>()
  /** Those with a valid handshake, attached or not. */
  readonly #understood = new Set<LineSocket>()
  readonly #attached = new Set<LineSocket>()
  /** Those that asked for the state: they get each change of it, and do not keep the conversation alive. */
  readonly #followers = new Set<LineSocket>()
  /** The calls of each program that have no reply yet. */
  readonly #unanswered = new Map<LineSocket, Set<BackgroundCall>>()

  constructor(options: ClientsOptions) {
    this.#options = options
  }

  get areFollowing(): boolean {
    return this.#followers.size > 0
  }

  accept(socket: Socket): void {
    let isKnown = false
    let served: ServedSocket | null = null
    const drop = (): void => void socket.destroy()
    const client = createLineSocket<SocketLine>({
      socket,
      schema: socketLineSchema,
      onLine: line => {
        if (line.type === 'of_server') {
          if (served) served.take(line.line)
          else drop()
        } else if (line.type === 'hello' && !isKnown) {
          isKnown = true
          if (line.wants === 'serve') void serve(line)
          else this.#greet(client, line)
        } else if (line.type === 'call' && this.#understood.has(client)) void this.#answer(client, line)
        else drop()
      },
      onEnd: () => {
        served?.ended()
        this.#gone(client)
      },
    })
    this.#connected.add(client)

    // It sends nothing before the first line that it gets.
    const serve = async (hello: ServedHello): Promise<void> => {
      served = await this.#options.onServer({ write: client.write, end: client.end, drop }, hello)
      if (socket.destroyed) served?.ended()
    }
  }

  /** Sends a line to each that is attached. */
  send(line: BackgroundLine): void {
    for (const each of this.#attached) each.write(line)
  }

  /** Sends a line to one that is attached: to this one, or to the one that has attached last. Returns which; null if there is none. */
  sendToOne(line: BackgroundLine, wanted: object | null): LineSocket | null {
    const all = [...this.#attached]
    const one = all.find(each => each === wanted) ?? all.at(-1)
    one?.write(line)
    return one ?? null
  }

  /** Sends the state to each that follows it. */
  sendStatus(): void {
    const line: BackgroundLine = { type: 'status', status: this.#options.status() }
    for (const each of this.#followers) each.write(line)
  }

  /** Closes all connections. */
  end(): void {
    for (const each of this.#connected) each.end()
  }

  #greet(client: LineSocket, { protocol, wants }: Extract<ClientLine, { type: 'hello' }>): void {
    if (protocol !== PROTOCOL && wants !== 'stop') {
      const reason = 'It runs in another version of zotui. Use that one, or stop it with `zotui stop`.'
      return sendAll(client, [{ type: 'refused', reason }])
    }
    this.#understood.add(client)
    if (wants === 'status') {
      this.#followers.add(client)
      return sendAll(client, [{ type: 'status', status: this.#options.status() }])
    }
    if (wants === 'stop') {
      sendAll(client, [{ type: 'stopping' }])
      return this.#options.onStop()
    }
    this.#attached.add(client)
    sendAll(client, this.#options.onAttached())
  }

  async #answer(client: LineSocket, call: BackgroundCall): Promise<void> {
    const unanswered = this.#unanswered.get(client) ?? new Set()
    this.#unanswered.set(client, unanswered.add(call))
    const value = await this.#options.onCall(call, client)
    unanswered.delete(call)
    sendAll(client, [{ type: 'reply', id: call.id, value: value ?? null }])
  }

  #gone(client: LineSocket): void {
    this.#connected.delete(client)
    this.#understood.delete(client)
    this.#followers.delete(client)
    const left = [...(this.#unanswered.get(client) ?? [])]
    this.#unanswered.delete(client)
    this.#options.onCallsLeft(left)
    this.#options.onGone(client)
    if (this.#attached.delete(client) && this.#attached.size === 0) this.#options.onUnattached()
  }
}

function sendAll(client: LineSocket, lines: readonly BackgroundLine[]): void {
  for (const line of lines) client.write(line)
}
