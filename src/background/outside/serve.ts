/** Lets servers for browsers connect to a background process. Loaded for the first one. */
import {
  serverLineSchema,
  SERVE_PROTOCOL,
  type PublisherLine,
  type ServedPurpose,
  type ServerLine,
} from '../../published/protocol.ts'
import { createServed, type ServedServer } from '../../published/socket/served.ts'
import type { PublishedConversation } from '../../published/conversation.ts'
import { timers } from '../../platform/timers.ts'
import { parseJson } from '../../text/json.ts'
import { HELD_KEY } from './held-conversation.ts'

/** What it says of itself first. */
export type ServedHello = { protocol: number; purpose: ServedPurpose }
export type ServerSocket = { write: (line: PublisherLine) => void; end: () => void; drop: () => void }
/** Takes the lines that follow the first one. Any other line ends the connection. */
export type ServedSocket = { take: (line: unknown) => void; ended: () => void }

/** Servers at a time. Others are turned away. */
const MOST = 8
const OTHER_VERSION = 'It is another version of zotui. Start the server with the same one.'
const TOO_MANY = 'Too many servers are connected to this conversation.'

/**
 * Returns a function that begins with a server; null if it is refused. A server is trusted as an attached UI is: whoever reaches the socket
 * can also attach. `elapsed`: milliseconds that have passed.
 */
export function createServing(
  conversation: PublishedConversation,
  elapsed: () => number,
): (socket: ServerSocket, hello: ServedHello) => ServedSocket | null {
  const all = new Map([[HELD_KEY, conversation]])
  const source = { all: () => all, onChange: () => () => undefined }
  const connect = createServed({ source, parse: parseJson, after: timers.after, elapsed })
  const connected = new Set<ServedServer>()

  return ({ write, end, drop }, { protocol, purpose }) => {
    if (protocol !== SERVE_PROTOCOL || connected.size >= MOST) {
      write({ type: 'refused', reason: protocol === SERVE_PROTOCOL ? TOO_MANY : OTHER_VERSION })
      end()
      return null
    }
    const served = connect({
      purpose,
      write,
      drop,
      isAuthentic: () => true,
      untrusted: () => ({ message: 'It is trusted.', isAsked: false }),
    })
    connected.add(served)
    served.trust('all', false)
    return {
      take(line) {
        const read = serverLineSchema.safeParse(line)
        if (read.success && isAfterHello(read.data)) served.take(read.data)
        else drop()
      },
      ended() {
        connected.delete(served)
        served.ended()
      },
    }
  }
}

function isAfterHello({ type }: ServerLine): boolean {
  return type !== 'hello' && type !== 'key'
}
