/** One request to a server of notifications: its name is resolved once, exactly an address that was checked is dialled, and no redirect is followed. */
import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { connect } from 'node:tls'
import { dial, type Resolve } from '../../sandbox/network/dial.ts'
import { normalHost, type HostRule } from '../../sandbox/network/hosts.ts'
import { messageOf } from '../../platform/errors.ts'

type Post = { url: URL; headers: Readonly<Record<string, string>>; body: Uint8Array }

/** `problem` completes a sentence that begins with the host: `cannot be reached (ECONNREFUSED)`. `retryAfter` is in milliseconds. */
export type PostReply = { status: number; retryAfter: number } | { problem: string }

export type PostWay = {
  resolve: Resolve
  /** Hosts that may lead into a private network or to this machine. */
  rules: readonly HostRule[]
  /** Certificates to trust instead of the usual ones. */
  ca?: string | undefined
}

const PATIENCE = 10_000
const [USUAL_RETRY, LONGEST_RETRY] = [5000, 30_000]

/** Never rejects. */
export async function post({ url, headers, body }: Post, way: PostWay): Promise<PostReply> {
  const named = normalHost(url.hostname.replace(/^\[(.*)\]$/, '$1'))
  if (!named) return { problem: 'is no name of a host' }
  const signal = AbortSignal.timeout(PATIENCE)
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const dialled = await dial(named, { resolve: way.resolve, rules: () => way.rules, port, patience: PATIENCE, signal })
  if (dialled.kind === 'refused') return { problem: 'leads to an address that is not public' }
  if (dialled.kind === 'failed') return { problem: unreachable(dialled.why) }
  const { socket } = dialled
  const servername = named.isAddress ? '' : named.host
  const stream = url.protocol === 'https:' ? connect({ socket, servername, ca: way.ca, host: named.host }) : socket
  try {
    return await exchange(stream, { url, headers, body }, signal)
  } catch (error) {
    return { problem: unreachable(messageOf(error)) }
  } finally {
    stream.destroy()
    socket.destroy()
  }
}

/** Only the head of the reply is read. */
function exchange(stream: Duplex, { url, headers, body }: Post, signal: AbortSignal): Promise<PostReply> {
  const { promise, resolve, reject } = Promise.withResolvers<PostReply>()
  const asked = request({
    createConnection: () => stream,
    method: 'POST',
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, Host: url.host, 'Content-Length': String(body.length), Connection: 'close' },
    signal,
  })
  asked.on('error', reject)
  asked.on('response', reply => {
    reply.on('error', () => {})
    resolve({ status: reply.statusCode ?? 0, retryAfter: retryAfter(reply.headers['retry-after']) })
  })
  asked.end(body)
  return promise
}

function retryAfter(header: string | undefined): number {
  return /^\d{1,6}$/.test(header ?? '') ? Math.min(Number(header) * 1000, LONGEST_RETRY) : USUAL_RETRY
}

const unreachable = (why: string): string => `cannot be reached${why === '' ? '' : ` (${why})`}`
