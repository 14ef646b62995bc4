/** A proxy with real connections on loopback. Names lead to what a test says, and loopback is listed by its address. */
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { parseHostRule, type HostRule } from '../../../src/sandbox/network/hosts.ts'
import type { DecideHost, HostPolicy, HostQuestion } from '../../../src/sandbox/network/pass.ts'
import { createHostProxy, type ProxyLimits } from '../../../src/sandbox/network/proxy.ts'

export function rules(...texts: string[]): HostRule[] {
  return texts.map(each => {
    const rule = parseHostRule(each)
    if ('problem' in rule) throw new Error(rule.problem)
    return rule
  })
}

export async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A server of the network outside. */
export const webServer = (handler: RequestListener): Promise<number> => {
  const server = createHttpServer(handler)
  onTestFinished(() => server.closeAllConnections())
  return listening(server)
}

/** A server that does what a test wants with the raw connection. */
export const rawServer = (handler: (socket: Socket) => void): Promise<number> =>
  listening(
    createServer({ allowHalfOpen: true }, socket => {
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {})
      handler(socket)
    }),
  )

type Staged = {
  names?: Record<string, readonly string[]>
  policy?: Partial<HostPolicy>
  decide?: DecideHost
  limits?: Partial<ProxyLimits>
}

export async function stage({ names = {}, policy = {}, decide, limits = {} }: Staged = {}) {
  const asked: HostQuestion[] = []
  const resolved: string[] = []
  const current: HostPolicy = { isClosed: false, rules: [], ...policy }
  const listener = createServer()
  await listening(listener)
  const proxy = createHostProxy({
    listener,
    policy: () => current,
    async resolve(name) {
      resolved.push(name)
      return Object.hasOwn(names, name) ? (names[name] ?? []) : []
    },
    limits: { absence: 0, ...limits },
  })
  onTestFinished(() => proxy.close())
  const admit = () =>
    proxy.admit(async question => {
      asked.push(question)
      return decide ? decide(question) : 'refuse'
    })
  const pass = admit()
  return { proxy, port: proxy.port, pass, admit, asked, resolved, policy: current }
}

export const authorization = (token: string): string =>
  `Proxy-Authorization: Basic ${Buffer.from(`${token}:x`).toString('base64')}\r\n`

/** A raw connection to the proxy. */
export async function client(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends this, and reads all until the proxy closes. */
export async function exchange(port: number, sent: string | Buffer): Promise<string> {
  const socket = await client(port)
  socket.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent)
  return text(socket).catch(() => '')
}

/** Sends this, and reads until the words have come. */
export async function until(socket: Socket, words: string): Promise<string> {
  let read = ''
  while (!read.includes(words)) {
    const [chunk] = (await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [null])])) as [
      Buffer | null,
    ]
    if (chunk === null) throw new Error(`closed after: ${read}`)
    read += chunk.toString('latin1')
  }
  return read
}

export const connectLine = (target: string, token: string): string =>
  `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization(token)}\r\n`

export const getLine = (url: string, token: string, host = new URL(url).host): string =>
  `GET ${url} HTTP/1.1\r\nHost: ${host}\r\n${authorization(token)}\r\n`
