/** Speaks to the background process of a conversation through its socket. */
import { connect } from 'node:net'
import { codeOf } from '../../platform/errors.ts'
import { createLineSocket } from './line-socket.ts'
import {
  type ArgumentsOf,
  type CallName,
  callLine,
  type ClientLine,
  type BackgroundLine,
  backgroundLineSchema,
  PROTOCOL,
  replyOf,
  type ReplyOf,
} from './protocol.ts'

export type BackgroundConnection = {
  write: (line: ClientLine) => void
  /** Sets the one receiver of lines. Earlier ones are kept for it. */
  receive: (onLine: (line: BackgroundLine) => void) => void
  /** Detaches from the background process, which continues. */
  end: () => void
  /** Resolves when the connection has ended. */
  ended: Promise<void>
}

/** The time for the first answer of the background process, in milliseconds. */
const PATIENCE = 10_000

/**
 * Connects, sends the client's request, and waits for the first answer. A refusal is a sentence for the user. Never rejects.
 *
 * The caller has checked that the socket belongs to the user.
 */
export async function connectToBackground(
  path: string,
  wants: 'attach' | 'status' | 'stop',
): Promise<{ ok: true; connection: BackgroundConnection; first: BackgroundLine } | { ok: false; message: string }> {
  const socket = connect(path)
  const kept: BackgroundLine[] = []
  let receiver: ((line: BackgroundLine) => void) | null = null
  let problem = ''
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>()
  const { promise: answered, resolve: onAnswer } = Promise.withResolvers<BackgroundLine | null>()
  socket.once('error', error => {
    problem = codeOf(error)
  })
  const lines = createLineSocket({
    socket,
    schema: backgroundLineSchema,
    onLine(line) {
      onAnswer(line)
      if (receiver) receiver(line)
      else kept.push(line)
    },
    onEnd,
  })
  socket.once('connect', () => lines.write({ type: 'hello', protocol: PROTOCOL, wants }))
  const deadline = setTimeout(() => socket.destroy(), PATIENCE)
  const first = await Promise.race([answered, ended.then(() => null)])
  clearTimeout(deadline)
  if (!first) return { ok: false, message: problem === '' ? 'It does not answer.' : `It does not answer (${problem}).` }
  if (first.type === 'refused') {
    socket.destroy()
    return { ok: false, message: first.reason }
  }
  kept.shift()
  const connection: BackgroundConnection = {
    write: lines.write,
    receive(onLine) {
      kept.splice(0).forEach(onLine)
      receiver = onLine
    },
    end: lines.end,
    ended,
  }
  return { ok: true, connection, first }
}

/** Makes one request without attaching, and resolves to its reply. Never rejects. */
export async function requestOfBackground<Name extends CallName>(
  path: string,
  name: Name,
  ...args: ArgumentsOf<Name>
): Promise<ReplyOf<Name>> {
  const reply = await connectToBackground(path, 'status')
  if (!reply.ok) return replyOf(name, undefined)
  const { connection } = reply
  const { promise: answered, resolve } = Promise.withResolvers<unknown>()
  connection.receive(line => (line.type === 'reply' ? resolve(line.value) : undefined))
  connection.write(callLine(1, name, args))
  const value = await Promise.race([answered, connection.ended])
  connection.end()
  return replyOf(name, value)
}
