/** Processes that a hub can connect to, without sockets. */
import type { PublishedLine, PublisherConnection } from '../../../src/published/socket/connection.ts'
import type { OutsideReply } from '../../../src/published/outside-call.ts'
import type { HubWays } from '../../../src/serve/hub/create-hub.ts'
import { rowOf } from './stage.ts'

type Sent = Parameters<PublisherConnection['send']>[0]
type FakeCall = Parameters<PublisherConnection['call']>[0]

/** A process: what it was sent, and what it says. */
export class FakeProcess {
  readonly id: string
  sent: Sent[] = []
  calls: FakeCall[] = []
  connections = 0
  refuses = false
  isAlive = true
  reply: OutsideReply = { ok: true, how: 'done' }
  rows = [rowOf()]
  trust: 'show' | 'all' = 'all'
  #say: ((line: PublishedLine) => void) | null = null
  #onEnd: (() => void) | null = null

  constructor(id = 'p') {
    this.id = id
  }

  get isConnected(): boolean {
    return this.#say !== null
  }

  say(...lines: readonly PublishedLine[]): void {
    for (const line of lines) this.#say?.(line)
  }

  /** The connection is lost. */
  drop(): void {
    this.#say = null
    this.#onEnd?.()
  }

  connect(onLine: (line: PublishedLine) => void): PublisherConnection {
    this.connections += 1
    this.#say = onLine
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    this.#onEnd = resolve
    // As over a socket, the first lines come before the connection is known.
    onLine({ type: 'trust', trust: this.trust, isAsked: this.trust === 'show' })
    onLine({ type: 'rows', rows: this.rows })
    return {
      code: '123456',
      send: line => {
        this.sent.push(line)
        if (line.type === 'watch') this.onWatch(line.conversation)
      },
      call: async called => {
        this.calls.push(called)
        return this.reply
      },
      end: () => this.drop(),
      drop: () => this.drop(),
      ended,
    }
  }

  onWatch: (conversation: string) => void = conversation =>
    this.say({ type: 'past', conversation, file: null }, { type: 'caught_up', conversation })
}

export function waysTo(processes: readonly FakeProcess[]): HubWays {
  return {
    find: () =>
      processes.filter(({ isAlive }) => isAlive).map(({ id }) => ({ id, folder: '/home/me/project', socket: id })),
    async connect({ path, onLine }) {
      const process = processes.find(({ id }) => id === path)
      if (!process || process.refuses) return { ok: false, message: 'It does not answer.' }
      return { ok: true, connection: process.connect(onLine) }
    },
    readPast: async () => undefined,
  }
}
