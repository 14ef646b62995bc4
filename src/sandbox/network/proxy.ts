/**
 * The way out of a box: an HTTP proxy that lets commands reach the hosts that are allowed. It is given a listener, which stands in the
 * network of the box. Node's own server reads the requests: it refuses what could be read in two ways, and bounds the heads.
 *
 * A command is known by a token, which is the name of the user in the proxy's address. Each request is judged anew, also on a connection
 * that was used before. No name is resolved before it is allowed, as a look-up tells others what the command knows.
 */
import { createServer, request as sendRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import { pipeline, type Duplex } from 'node:stream'
import {
  createProxyCommands,
  denied,
  unreachable,
  type Denial,
  type ProxyCommands,
  type ProxyPass,
} from './commands.ts'
import { systemResolve, type Resolve } from './dial.ts'
import type { DecideHost, HostPolicy } from './pass.ts'
import {
  endToEnd,
  isUnambiguous,
  readAbsolute,
  readAuthority,
  sentHeaders,
  tokenOf,
  type HostTarget,
} from './request-head.ts'

type HostProxyOptions = {
  /** It listens already, and belongs to the proxy from now on. */
  listener: Server
  /** Asked for each request. */
  policy: () => HostPolicy
  /** The system's own unless another one is named. */
  resolve?: Resolve
  limits?: Partial<ProxyLimits>
}

export type ProxyLimits = {
  /** Milliseconds for the head of a request. */
  head: number
  /** Milliseconds for the connection to a host. */
  dial: number
  /** Milliseconds in which a client has to read that it was refused. */
  farewell: number
  /** Milliseconds that a question is kept when its last client has gone. */
  absence: number
  /** Requests and tunnels of one command at once. */
  requests: number
  /** Connections of all commands at once. */
  connections: number
}

/** Each connection may need two files, and some systems allow no more than 1024. */
const usual: ProxyLimits = {
  head: 30_000,
  dial: 30_000,
  farewell: 5000,
  absence: 5000,
  requests: 192,
  connections: 256,
}

/** Bytes of the head of a request, and of an answer. */
const LONGEST_HEAD = 16 * 1024

/** Requests that one connection may send before it has the answer to the first. */
const MOST_UNANSWERED = 16

export type HostProxy = {
  port: number
  /** Lets a command in. `decide` is asked for each host that no rule names, while the connection waits without a limit. */
  admit(decide: DecideHost): ProxyPass
  /** Ends all that was let in, and the listener. */
  close(): void
}

/** @throws if the listener has no port. */
export function createHostProxy({
  listener,
  policy,
  resolve = systemResolve(),
  ...options
}: HostProxyOptions): HostProxy {
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const limits = { ...usual, ...options.limits }
  const commands = createProxyCommands({ policy, resolve, limits })
  const server = createServer({
    maxHeaderSize: LONGEST_HEAD,
    headersTimeout: limits.head,
    // A request may wait for the person, and send for as long as it likes.
    requestTimeout: 0,
    connectionsCheckingInterval: limits.head,
    insecureHTTPParser: false,
    noDelay: true,
  })
  server.maxConnections = limits.connections
  // One connection may bring many requests at once, and each looks for its end.
  server.on('connection', socket => void socket.setMaxListeners(0))
  server.on('connect', (request, client, head) => void connectHost({ request, client, head, commands, limits }))
  const unanswered = new WeakMap<Socket, number>()
  const onRequest = (request: IncomingMessage, response: ServerResponse): void =>
    void passRequest({ request, response, commands, unanswered })
  server.on('request', onRequest)
  // It is told to continue when it is allowed to.
  server.on('checkContinue', onRequest)
  // A connection could not be taken, for want of files: the others go on.
  server.on('error', () => {})
  server.listen(listener)
  server.unref()
  return {
    port: address.port,
    admit: decide => commands.admit(decide),
    close() {
      commands.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

type Connecting = {
  request: IncomingMessage
  client: Duplex
  head: Buffer
  commands: ProxyCommands
  limits: ProxyLimits
}

async function connectHost({ request, client, head, commands, limits }: Connecting): Promise<void> {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  // Nothing is read from it yet, so that it has ended may be all that is seen.
  for (const event of ['close', 'error', 'end']) client.on(event, leave)
  const target = readAuthority(request.url ?? '') ?? denied(403, 'CONNECT needs the name of a host and a port')
  const reached = await commands.reach({ token: tokenOf(request), socket: client, target, gone: gone.signal })
  client.off('end', leave)
  switch (reached.kind) {
    case 'gone':
      client.destroy()
      return
    case 'denied':
      deny(client, reached, limits.farewell)
      return
    case 'connected':
      tunnel(client, reached.socket, head)
  }
}

type Passing = {
  request: IncomingMessage
  response: ServerResponse
  commands: ProxyCommands
  /** How many requests of a connection were not answered yet. */
  unanswered: WeakMap<Socket, number>
}

async function passRequest({ request, response, commands, unanswered }: Passing): Promise<void> {
  const { socket } = request
  const others = unanswered.get(socket) ?? 0
  // With many of them Node stops reading, and would not see the end of the connection.
  if (others >= MOST_UNANSWERED) {
    socket.destroy()
    return
  }
  unanswered.set(socket, others + 1)
  const gone = new AbortController()
  const leave = (): void => {
    socket.off('close', leave)
    if (!gone.signal.aborted) unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1)
    gone.abort()
  }
  response.once('close', leave)
  // An answer that waits for others on the same connection does not see the end of that.
  socket.once('close', leave)
  const target = readTarget(request)
  const reached = await commands.reach({ token: tokenOf(request), socket, target, gone: gone.signal })
  if (reached.kind === 'gone') socket.destroy()
  else if (reached.kind === 'denied') answer(response, reached)
  else if ('kind' in target) reached.socket.destroy()
  else {
    try {
      forward({ request, response, target, host: reached.socket })
    } catch {
      // Node does not write such a head.
      reached.socket.destroy()
      answer(response, denied(400, 'the head of this request cannot be sent on'))
    }
  }
}

function readTarget(request: IncomingMessage): (HostTarget & { path: string }) | Denial {
  const target = readAbsolute(request.url ?? '')
  if (!target) return denied(403, 'this proxy takes http:// addresses with the name of a host, and CONNECT')
  return isUnambiguous(request, target) ? target : denied(400, 'the head of this request can be read in two ways')
}

const headersOf = ({ status, words }: Denial): string[] => [
  'Content-Type',
  'text/plain; charset=utf-8',
  'Content-Length',
  String(Buffer.byteLength(words) + 1),
  'Connection',
  'close',
  ...(status === 407 ? ['Proxy-Authenticate', 'Basic realm="zotui"'] : []),
]

/** The words are the reason in the first line, too: many programs show that, and few the text. */
function answer(response: ServerResponse, denial: Denial): void {
  response.writeHead(denial.status, denial.words, headersOf(denial))
  response.end(`${denial.words}\n`)
}

/** The client has some time to read it: what it goes on sending would otherwise take the answer away. */
function deny(client: Duplex, denial: Denial, farewell: number): void {
  const timer = setTimeout(() => client.destroy(), farewell)
  timer.unref()
  client.once('close', () => clearTimeout(timer))
  client.resume()
  const lines = headersOf(denial).map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
  client.end(`HTTP/1.1 ${denial.status} ${denial.words}\r\n${lines.join('')}\r\n${denial.words}\n`)
}

/** Each side may end on its own; where one breaks off, the other is closed. */
function tunnel(client: Duplex, host: Socket, head: Buffer): void {
  client.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) host.write(head)
  join(client, host)
  join(host, client)
}

function join(from: Duplex, to: Duplex): void {
  from.pipe(to)
  from.once('close', () => {
    if (!from.readableEnded || !from.writableFinished) to.destroy()
  })
}

type Forwarding = {
  request: IncomingMessage
  response: ServerResponse
  target: HostTarget & { path: string }
  host: Socket
}

/** A connection of its own for each request: none is shared, and none is left over. */
function forward({ request, response, target, host }: Forwarding): void {
  const sent = sendRequest({
    createConnection: () => host,
    method: request.method ?? 'GET',
    path: target.path,
    headers: sentHeaders(request, target),
    setHost: false,
    maxHeaderSize: LONGEST_HEAD,
  })
  const fail = (): void => {
    if (response.writableEnded) return
    if (response.headersSent) response.destroy()
    else answer(response, unreachable(target, 'its answer is not HTTP'))
  }
  sent.on('error', fail)
  // It wants to speak something else, which nobody has asked for.
  sent.once('upgrade', (_, socket) => {
    socket.destroy()
    fail()
  })
  response.once('close', () => sent.destroy())
  sent.once('response', received => {
    const { statusCode = 502, statusMessage = '', rawHeaders, headers } = received
    try {
      response.writeHead(statusCode, statusMessage, endToEnd(rawHeaders, headers.connection))
    } catch {
      // Node reads some heads that it does not write.
      sent.destroy()
      return fail()
    }
    // Where one of them breaks off, it closes the other.
    return void pipeline(received, response, () => {})
  })
  if (request.headers.expect !== undefined) response.writeContinue()
  request.pipe(sent)
}
