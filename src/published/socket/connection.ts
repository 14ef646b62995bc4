/** The server's side of the socket of a process with conversations. */
import { connect } from 'node:net'
import process from 'node:process'
import { createLineSocket, type LineSocket } from '../../agents/background/line-socket.ts'
import { codeOf } from '../../platform/errors.ts'
import type { OutsideReply } from '../outside-call.ts'
import {
  SERVE_PROTOCOL,
  publisherLineSchema,
  type Called,
  type PublisherLine,
  type ServedPurpose,
  type ServerLine,
} from '../protocol.ts'
import { commitmentTo, createKeys, shareKeys, type KeyPair, type Shared } from './handshake.ts'

/** What it reports, without the handshake and the replies. */
export type PublishedLine = Exclude<PublisherLine, { type: 'refused' | 'key' | 'reply' }>

export type PublisherConnection = {
  /** Six digits, which both terminals show while the person is asked; '' for a process in the background. */
  code: string
  send: (line: Extract<ServerLine, { type: 'watch' | 'unwatch' | 'watchers' }>) => void
  /** Never rejects. A lost connection leaves open what became of the request: it may be sent again, with the same `id`. */
  call: (called: Omit<Called, 'id'>) => Promise<OutsideReply>
  end: () => void
  /** Ends it without the other side. */
  drop: () => void
  /** Resolves when the connection has ended. */
  ended: Promise<void>
}

export type PublisherConnectionOptions = {
  /** The path of the socket. The caller has checked that it belongs to the user. */
  path: string
  purpose: ServedPurpose
  /** The secret that the UI which started this server gave it; '' for none. */
  secret: string
  /** Takes the lines, from `trust` on. */
  onLine: (line: PublishedLine) => void
}

type ConnectedPublisher = { ok: true; connection: PublisherConnection } | { ok: false; message: string }

/** Milliseconds for the handshake. */
const PATIENCE = 10_000
const NO_ANSWER = 'It does not answer.'
const LOST: OutsideReply = { ok: false, why: 'failed', message: 'The connection to the conversation was lost.' }

/** Connects, and resolves after the handshake. Never rejects. */
export async function connectToPublisher(options: PublisherConnectionOptions): Promise<ConnectedPublisher> {
  const { path, purpose, secret, onLine } = options
  const socket = connect(path)
  const keys = createKeys()
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>()
  const { promise: begun, resolve: onBegun } = Promise.withResolvers<ConnectedPublisher>()
  const waiting = new Map<number, (reply: OutsideReply) => void>()
  let shared: Shared | null = null
  let isBegun = false
  let last = 0
  let problem = ''
  socket.once('error', error => {
    problem = codeOf(error)
  })
  const lines = createLineSocket({
    socket,
    schema: publisherLineSchema,
    onLine: take,
    onEnd() {
      onBegun({ ok: false, message: problem === '' ? NO_ANSWER : `It does not answer (${problem}).` })
      for (const settle of waiting.values()) settle(LOST)
      waiting.clear()
      onEnd()
    },
  })
  const commitment = commitmentTo(keys.publicKey)
  socket.once('connect', () =>
    lines.write({ type: 'hello', protocol: SERVE_PROTOCOL, wants: 'serve', purpose, pid: process.pid, commitment }),
  )
  const deadline = setTimeout(() => socket.destroy(), PATIENCE)
  const connected = await begun
  clearTimeout(deadline)
  return connected

  function take(line: PublisherLine): void {
    if (line.type === 'refused') {
      onBegun({ ok: false, message: line.reason })
      return void socket.destroy()
    }
    if (line.type === 'key') {
      shared = isBegun || shared ? null : answered(lines, keys, line.key, secret)
      return shared ? undefined : void socket.destroy()
    }
    if (line.type === 'reply') {
      waiting.get(line.id)?.(line.reply)
      return void waiting.delete(line.id)
    }
    if (!isBegun && line.type !== 'trust') return void socket.destroy()
    if (!isBegun)
      onBegun({
        ok: true,
        connection: { code: shared?.code ?? '', send, call, end: lines.end, drop: () => void socket.destroy(), ended },
      })
    isBegun = true
    onLine(line)
  }

  function send(line: ServerLine): void {
    lines.write(line)
  }

  async function call(called: Omit<Called, 'id'>): Promise<OutsideReply> {
    if (!socket.writable) return LOST
    last += 1
    const body = JSON.stringify({ id: last, ...called })
    const { promise, resolve } = Promise.withResolvers<OutsideReply>()
    waiting.set(last, resolve)
    lines.write({ type: 'call', body, mac: shared?.macOf(body) ?? '' })
    return promise
  }
}

/** Shows its own key after the other one has come, and proves that it has the secret. Null if the other is no key. */
function answered(lines: LineSocket, keys: KeyPair, theirs: string, secret: string): Shared | null {
  const shared = shareKeys(keys, theirs, 'server')
  const proof = shared && secret !== '' ? shared.proofOf(secret) : ''
  if (shared) lines.write({ type: 'key', key: keys.publicKey, proof })
  return shared
}
