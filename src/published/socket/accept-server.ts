/** Speaks with one server over a socket of a UI: first the handshake, then what `served.ts` does. */
import type { Socket } from 'node:net'
import { createLineSocket } from '../../agents/background/line-socket.ts'
import { SERVE_PROTOCOL, serverLineSchema, type PublisherLine, type ServerLine } from '../protocol.ts'
import { commitmentTo, createKeys, isSame, shareKeys, type Shared } from './handshake.ts'
import type { ServedServer, ServerLink, TrustGate } from './served.ts'

/** The longest line of a server in bytes. */
const LONGEST_LINE = 8 * 1024 * 1024
/** Unsent bytes. The connection to a server that does not read is closed. */
const MOST_WAITING = 64 * 1024 * 1024
/** Milliseconds for the handshake. */
const PATIENCE = 10_000

const NOT_TRUSTED = 'Nobody has said yes in its terminal yet: /serve asks there.'
const SAY_YES = 'Say yes in its terminal first: /serve there asks.'
const NOT_ASKED = 'The person at its terminal lets this board only look.'
const OTHER_VERSION = 'It is another version of zotui. Start the server with the same one.'

export function createAcceptServer(connect: (link: ServerLink) => ServedServer, gate: TrustGate) {
  return (socket: Socket): void => {
    const keys = createKeys()
    let hello: Extract<ServerLine, { type: 'hello' }> | null = null
    let shared: Shared | null = null
    let served: ServedServer | null = null
    let withdraw: (() => void) | null = null
    const lines = createLineSocket<ServerLine>({
      socket,
      schema: serverLineSchema,
      longestLine: LONGEST_LINE,
      mostWaiting: MOST_WAITING,
      onLine: take,
      onEnd() {
        clearTimeout(deadline)
        withdraw?.()
        served?.ended()
      },
    })
    const drop = (): void => void socket.destroy()
    const write = (line: PublisherLine): void => lines.write(line)
    const deadline = setTimeout(drop, PATIENCE).unref()

    function take(line: ServerLine): void {
      if (served) return served.take(line)
      if (line.type === 'hello' && !hello) return greet(line)
      if (line.type === 'key' && hello) return begin(line, hello)
      drop()
    }

    function greet(line: Extract<ServerLine, { type: 'hello' }>): void {
      hello = line
      if (line.protocol === SERVE_PROTOCOL) return write({ type: 'key', key: keys.publicKey })
      write({ type: 'refused', reason: OTHER_VERSION })
      lines.end()
    }

    function begin(
      { key, proof }: Extract<ServerLine, { type: 'key' }>,
      { commitment, pid, purpose }: Extract<ServerLine, { type: 'hello' }>,
    ): void {
      shared = isSame(commitmentTo(key), commitment) ? shareKeys(keys, key, 'publisher') : null
      if (!shared) return drop()
      clearTimeout(deadline)
      const { code, macOf, proofOf } = shared
      const ask = (): void => {
        withdraw = gate.ask({ pid, code, purpose }, isYes => {
          withdraw = null
          now.trust(isYes ? 'all' : 'show', false)
        })
      }
      let isNew = true
      const now = connect({
        purpose,
        write,
        drop,
        isAuthentic: (body, mac) => isSame(macOf(body), mac),
        untrusted() {
          if (purpose === 'serve') return { message: NOT_TRUSTED, isAsked: false }
          // A board only shows: the person is asked when somebody wants to answer there.
          if (isNew) ask()
          isNew = false
          return withdraw ? { message: SAY_YES, isAsked: true } : { message: NOT_ASKED, isAsked: false }
        },
      })
      served = now
      const secret = gate.secret()
      if (secret !== null && isSame(proofOf(secret), proof)) return now.trust('all', false)
      if (purpose === 'serve') ask()
      now.trust('show', withdraw !== null)
    }
  }
}
