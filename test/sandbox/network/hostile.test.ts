/** Clients and servers that want more than the proxy allows, with raw connections. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { HostAnswer, HostQuestion } from '../../../src/sandbox/network/pass.ts'
import { createHostProxy } from '../../../src/sandbox/network/proxy.ts'
import {
  authorization,
  client,
  connectLine,
  exchange,
  getLine,
  listening,
  rawServer,
  rules,
  stage,
  until,
  webServer,
} from './proxy-stage.ts'

const here = ['127.0.0.1']

/** A server on loopback that nothing may reach, and the number of connections that it got. */
async function secretServer(host = '127.0.0.1') {
  const server = createServer(socket => {
    secret.reached += 1
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret')
  })
  const secret = { reached: 0, port: await listening(server, host) }
  return secret
}

/** The target without its port, and what is written around it. PORT stands for that of the secret server. */
const authorities = [
  '127.0.0.1:PORT',
  '127.1:PORT',
  '2130706433:PORT',
  '0x7f000001:PORT',
  '0x7F.1:PORT',
  '0177.0.0.1:PORT',
  '127.0.0.1.:PORT',
  '0:PORT',
  '0.0.0.0:PORT',
  '[::1]:PORT',
  '[::]:PORT',
  '[::ffff:127.0.0.1]:PORT',
  '[::127.0.0.1]:PORT',
  '[64:ff9b::127.0.0.1]:PORT',
  '[fe80::1%lo]:PORT',
  '::1:PORT',
  'localhost:PORT',
  'LocalHost.:PORT',
  'a.localhost:PORT',
  '[localhost]:PORT',
  '[127.0.0.1]:PORT',
  'evilsite.test:PORT',
  'site.test.evil.test:PORT',
  'evil.test.site.test:PORT',
  'site.test\0.evil.test:PORT',
  'evil.test\0.site.test:PORT',
  'evil.test%00.site.test:PORT',
  'evil.test%2esite.test:PORT',
  'evil.test#.site.test:PORT',
  'evil.test?.site.test:PORT',
  'evil.test/.site.test:PORT',
  String.raw`evil.test\.site.test:PORT`,
  'evil.test@site.test:PORT',
  'site.test@evil.test:PORT',
  'site.test:PORT@evil.test:PORT',
  'site.test :PORT',
  '\tsite.test:PORT',
  'site.test..:PORT',
  '.site.test:PORT',
  'site_.test:PORT',
  's\u00ECte.test:PORT',
  'site.test:PORT:443',
  'site.test:443:PORT',
  'site.test:+PORT',
  'site.test:-1',
  'site.test:0PORT0',
  'site.test:0',
  'site.test:65536',
  'site.test:',
  'site.test',
  ':PORT',
  '*.site.test:PORT',
  '*:PORT',
]

const write = (authority: string, port: number): string => authority.replaceAll('PORT', String(port))

/** Names that lead to the secret server, and a list of others. */
const disguised = (port: number) =>
  stage({
    names: Object.fromEntries(
      ['evilsite.test', 'site.test.evil.test', 'evil.test', 'localhost'].map(name => [name, here]),
    ),
    policy: { rules: rules('site.test:443', `*.sub.test:${port}`, '127.0.0.1:443') },
  })

describe('a host in disguise', () => {
  test.each(authorities)('%j is not connected', async authority => {
    const secret = await secretServer()
    const { port, pass, resolved } = await disguised(secret.port)
    const answer = await exchange(port, connectLine(write(authority, secret.port), pass.token))
    expect(answer).toMatch(/^HTTP\/1\.1 40[03] /)
    expect(answer).not.toContain('secret\n')
    expect([secret.reached, resolved]).toEqual([0, []])
  })

  test.each(authorities)('http://%s/ is not asked for anything', async authority => {
    const secret = await secretServer()
    const { port, pass, resolved } = await disguised(secret.port)
    const target = write(authority, secret.port)
    for (const host of [target, 'site.test:443']) {
      const head = `GET http://${target}/ HTTP/1.1\r\nHost: ${host}\r\n${authorization(pass.token)}\r\n`
      expect(await exchange(port, head)).toMatch(/^HTTP\/1\.1 40[03] /)
    }
    expect([secret.reached, resolved]).toEqual([0, []])
  })

  test('is not asked about, if it belongs to this machine', async () => {
    const { port, pass, asked } = await stage({ decide: async () => 'allow' })
    for (const host of ['127.1', '[::1]', 'localhost', '10.0.0.5', '169.254.169.254', '[fd00:ec2::254]'])
      expect(await exchange(port, connectLine(`${host}:80`, pass.token))).toContain('has to name its address')
    expect(asked).toEqual([])
    expect(pass.refused().map(({ why }) => why)).toEqual(Array.from({ length: 6 }, () => 'address'))
  })

  test.each([
    '127.0.0.1',
    '127.0.0.2',
    '0.0.0.0',
    '::ffff:127.0.0.1',
    '::1',
    '169.254.169.254',
    '10.0.0.5',
    'fe80::1',
    '64:ff9b::7f00:1',
  ])('that is allowed is not reached if its name leads to %s', async address => {
    const secret = await secretServer()
    const { port, pass, policy } = await stage({ names: { 'site.test': [address] }, decide: async () => 'allow' })
    const target = `site.test:${secret.port}`
    expect(await exchange(port, connectLine(target, pass.token))).toContain(' 403 ')
    policy.rules = rules(`*.test.test`, `127.0.0.1:443`)
    expect(await exchange(port, getLine(`http://${target}/`, pass.token))).toContain(' 403 ')
    expect(secret.reached).toBe(0)
    expect(pass.refused()).toEqual([{ host: 'site.test', port: secret.port, why: 'address' }])
  })

  test('whose name leads elsewhere the second time is reached where it was checked, or not at all', async () => {
    const [secret, open] = [await secretServer(), await rawServer(socket => socket.end('open'))]
    const listener = createServer()
    await listening(listener)
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1', '127.0.0.2']]
    let lookups = 0
    const proxy = createHostProxy({
      listener,
      policy: () => ({
        isClosed: false,
        rules: rules(`site.test:${open}`, `site.test:${secret.port}`, `127.0.0.2:${open}`),
      }),
      resolve: async () => answers[lookups++] ?? [],
    })
    onTestFinished(() => proxy.close())
    const { token } = proxy.admit(async () => 'refuse')
    const other = await listenOn('127.0.0.2', open)
    expect(await exchange(proxy.port, connectLine(`site.test:${open}`, token))).toContain('at 127.0.0.2')
    expect(await exchange(proxy.port, connectLine(`site.test:${open}`, token))).toContain(' 403 ')
    expect(await exchange(proxy.port, connectLine(`site.test:${open}`, token))).toContain('at 127.0.0.2')
    expect([lookups, other.reached, secret.reached]).toEqual([3, 2, 0])
  })
})

async function listenOn(host: string, port: number) {
  const state = { reached: 0 }
  const server = createServer(socket => {
    state.reached += 1
    socket.end(`at ${host}`)
  })
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return state
}

describe('a connection that was allowed once', () => {
  test('is judged again for each request', async () => {
    const secret = await secretServer()
    const port = await webServer((_, response) => response.end('hello'))
    const {
      port: proxy,
      pass,
      policy,
    } = await stage({
      names: { 'site.test': here, 'evil.test': here },
      policy: { rules: rules(`site.test:${port}`, `127.0.0.1:${port}`) },
    })
    const socket = await client(proxy)
    const url = `http://site.test:${port}/`
    socket.write(getLine(url, pass.token))
    await until(socket, 'hello')
    socket.write(getLine(url, pass.token))
    await until(socket, 'hello')
    socket.write(getLine(`http://evil.test:${secret.port}/`, pass.token))
    await until(socket, `evil.test:${secret.port} is not allowed\n`)
    const other = await client(proxy)
    other.write(getLine(url, pass.token))
    await until(other, 'hello')
    policy.rules = []
    other.write(getLine(url, pass.token))
    await until(other, `site.test:${port} is not allowed\n`)
    expect(secret.reached).toBe(0)
  })

  test('does not follow a redirect, and the client that does is judged', async () => {
    const secret = await secretServer()
    const location = `http://127.0.0.1:${secret.port}/`
    const port = await webServer((_, response) => response.writeHead(302, { location }).end())
    const { port: proxy, pass } = await stage({
      names: { 'site.test': here },
      policy: { rules: rules(`site.test:${port}`, `127.0.0.1:${port}`) },
    })
    const socket = await client(proxy)
    socket.write(getLine(`http://site.test:${port}/`, pass.token))
    expect(await until(socket, '\r\n\r\n')).toContain(location)
    socket.write(getLine(location, pass.token))
    await until(socket, ' 403 ')
    expect(secret.reached).toBe(0)
  })

  test('needs the token again', async () => {
    const port = await webServer((_, response) => response.end('hello'))
    const { port: proxy, pass } = await stage({ policy: { rules: rules(`127.0.0.1:${port}`) } })
    const socket = await client(proxy)
    const url = `http://127.0.0.1:${port}/`
    socket.write(getLine(url, pass.token))
    await until(socket, 'hello')
    socket.write(`GET ${url} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
    expect(await until(socket, '\r\n\r\n')).toMatch(/^HTTP\/1\.1 407 /)
  })
})

describe('a request that can be read in two ways', () => {
  const body = 'GET http://evil.test/ HTTP/1.1\r\nHost: evil.test\r\n\r\n'
  test.each([
    ['two lengths', `Content-Length: 0\r\nContent-Length: ${body.length}\r\n`],
    ['two equal lengths', `Content-Length: ${body.length}\r\nContent-Length: ${body.length}\r\n`],
    ['a list of lengths', `Content-Length: 0, ${body.length}\r\n`],
    ['a length with a sign', `Content-Length: +${body.length}\r\n`],
    ['a length and chunks', `Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n`],
    ['chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: ${body.length}\r\n`],
    ['chunks twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'],
    ['a list of chunks', 'Transfer-Encoding: chunked, chunked\r\n'],
    ['another coding', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['another coding at the end', 'Transfer-Encoding: chunked, identity\r\n'],
    ['an unknown coding', 'Transfer-Encoding: xchunked\r\n'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n'],
    ['a folded line', 'Transfer-Encoding:\r\n chunked\r\n'],
    ['a bare line feed', 'X-Other: 1\nContent-Length: 3\n'],
    ['a bare carriage return', 'X-Other: 1\rContent-Length: 3\r\n'],
    ['a NUL', 'X-Other: \0\r\n'],
    ['another host', 'HOST'],
    ['two hosts', 'Host: site.test:PORT\r\n'],
    ['a host of two parts', 'HOST, site.test'],
    ['two tokens', 'Proxy-Authorization: Basic eDp4\r\n'],
  ])('(%s) is refused, and the server sees none', async (_name, header) => {
    let seen = ''
    const port = await rawServer(socket => void socket.on('data', (chunk: Buffer) => (seen += chunk.toString())))
    const { port: proxy, pass } = await stage({
      names: { 'site.test': here },
      policy: { rules: rules(`site.test:${port}`, `127.0.0.1:${port}`) },
    })
    const host = header.startsWith('HOST') ? `evil.test${header.slice(4)}` : `site.test:${port}`
    const rest = header.startsWith('HOST') ? '' : header.replace('PORT', String(port))
    const head = `POST http://site.test:${port}/ HTTP/1.1\r\nHost: ${host}\r\n${authorization(pass.token)}${rest}\r\n`
    expect(await exchange(proxy, `${head}${body}`)).toMatch(/^HTTP\/1\.1 400 /)
    expect(seen).toBe('')
  })

  test.each([
    'GET / HTTP/1.1',
    'GET https://site.test/ HTTP/1.1',
    'GET ftp://site.test/ HTTP/1.1',
    'GET //site.test/ HTTP/1.1',
    'GET site.test HTTP/1.1',
    'OPTIONS * HTTP/1.1',
    'GET http:site.test HTTP/1.1',
    'GET http:///site.test HTTP/1.1',
    'GET http://site.test#/ HTTP/1.1',
    'PRI * HTTP/2.0',
    'GET http://site.test/',
  ])('%s is none for a proxy', async line => {
    const { port, pass, resolved } = await stage({ policy: { rules: rules('site.test') } })
    expect(await exchange(port, `${line}\r\nHost: site.test\r\n${authorization(pass.token)}\r\n`)).toMatch(
      /^HTTP\/1\.1 40[03] /,
    )
    expect(resolved).toEqual([])
  })

  test('does not get another one into the connection to the host', async () => {
    const heads: string[] = []
    const port = await rawServer(socket => {
      socket.on('data', (chunk: Buffer) => {
        heads.push(chunk.toString())
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      })
    })
    const { port: proxy, pass } = await stage({ policy: { rules: rules(`127.0.0.1:${port}`) } })
    const url = `http://127.0.0.1:${port}/`
    const inner = `GET /inner HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
    const line = getLine(url, pass.token).replace(
      '\r\n\r\n',
      `\r\nConnection: content-length, close\r\nContent-Length: ${inner.length}\r\n\r\n`,
    )
    await exchange(proxy, line + inner)
    expect(heads[0]).toMatch(new RegExp(`\r\nContent-Length: ${inner.length}\r\n`, 'i'))
    expect(heads.join('')).not.toMatch(/proxy-authorization/i)
  })
})

/** Somebody who never answers about one host. */
const decide = ({ host }: HostQuestion): Promise<HostAnswer> =>
  host === 'wait.test' ? new Promise(() => {}) : Promise.resolve('refuse')

describe('a client that only costs', () => {
  const limits = { head: 200, requests: 4, connections: 8 }

  test('does not get for ever for the head of a request', async () => {
    const { port, pass } = await stage({ limits })
    for (const start of ['', 'GET http', `GET http://x/ HTTP/1.1\r\n${authorization(pass.token)}X-More: `]) {
      const socket = await client(port)
      socket.write(start)
      expect(await text(socket)).toMatch(/^(?:HTTP\/1\.1 408 .*)?$/s)
    }
  })

  test('does not send a head without an end', async () => {
    const { port, pass } = await stage()
    const long = `${getLine('http://site.test/', pass.token).slice(0, -2)}X-Long: ${'x'.repeat(64 * 1024)}\r\n\r\n`
    expect(await exchange(port, long)).toMatch(/^HTTP\/1\.1 431 |^$/)
    const many = `${getLine('http://site.test/', pass.token).slice(0, -2)}${'X: 1\r\n'.repeat(16 * 1024)}\r\n\r\n`
    expect(await exchange(port, many)).toMatch(/^HTTP\/1\.1 431 |^$/)
  })

  test('does not open any number of connections, and others go on when it has gone', async () => {
    const { port, pass } = await stage({ limits })
    const open = await Promise.all(Array.from({ length: 8 }, () => client(port)))
    const further = await client(port)
    expect(await text(further)).toBe('')
    for (const each of open) each.destroy()
    await expect.poll(() => exchange(port, connectLine('site.test:1', pass.token)).catch(() => '')).toContain(' 403 ')
  })

  test('does not run any number of requests, over any number of connections', async () => {
    const port = await rawServer(() => {})
    const {
      port: proxy,
      pass,
      admit,
    } = await stage({
      limits: { requests: 4 },
      policy: { rules: rules(`127.0.0.1:${port}`) },
    })
    const line = getLine(`http://127.0.0.1:${port}/`, pass.token)
    const socket = await client(proxy)
    socket.write(line.repeat(4))
    await expect.poll(() => exchange(proxy, connectLine('site.test:1', pass.token))).toContain('too many connections')
    expect(await exchange(proxy, connectLine('site.test:1', admit().token))).toContain(' 403 ')
    socket.destroy()
    await expect.poll(() => exchange(proxy, connectLine('site.test:1', pass.token))).toContain(' 403 ')
  })

  test('sends very many requests at once, and nothing is written about it', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    onTestFinished(() => void process.off('warning', onWarning))
    const { port, pass } = await stage({ decide })
    const waiting = await client(port)
    waiting.write(getLine('http://wait.test/', pass.token).repeat(16))
    const flood = await client(port)
    flood.write(getLine('http://wait.test/', pass.token).repeat(5000))
    expect(await text(flood).catch(() => '')).toBe('')
    waiting.destroy()
    expect(await exchange(port, connectLine('no.test:1', pass.token))).toContain(' 403 ')
    expect(warnings).toEqual([])
  })

  test.each([
    [
      'a tunnel after a request that waits',
      (token: string, port: number) => getLine('http://wait.test/', token) + connectLine(`127.0.0.1:${port}`, token),
    ],
    [
      'a tunnel after a request that runs',
      (token: string, port: number) =>
        getLine(`http://127.0.0.1:${port}/`, token) + connectLine(`127.0.0.1:${port}`, token),
    ],
    [
      'a tunnel after a refused request',
      (token: string, port: number) => getLine('http://no.test/', token) + connectLine(`127.0.0.1:${port}`, token),
    ],
    [
      'an upgrade',
      (token: string, port: number) =>
        getLine(`http://127.0.0.1:${port}/`, token).replace(
          '\r\n\r\n',
          '\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
        ),
    ],
    ['garbage after a request', (token: string) => `${getLine('http://wait.test/', token)}\0\0\0\0`],
    [
      'a request within a tunnel that waits',
      (token: string) => connectLine('wait.test:1', token) + getLine('http://wait.test/', token),
    ],
  ])('and mixes %s is dropped without harm', async (_name, line) => {
    const port = await webServer((_, response) => response.end('hello'))
    const { port: proxy, pass } = await stage({
      policy: { rules: rules(`127.0.0.1:${port}`) },
      decide,
    })
    const socket = await client(proxy)
    socket.write(line(pass.token, port))
    socket.resume()
    for (let at = 0; at < 5; at += 1) await exchange(proxy, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    socket.destroy()
    expect(await exchange(proxy, connectLine('no.test:1', pass.token))).toContain(' 403 ')
    pass.close()
    expect(await exchange(proxy, connectLine('no.test:1', pass.token))).toContain(' 407 ')
  })
})

describe('a server that answers', () => {
  test.each([
    ['nothing', ''],
    ['no HTTP', 'hello there'],
    ['a control character in its reason', 'HTTP/1.1 200 O\u0001\u001BK\r\nContent-Length: 2\r\n\r\nok'],
    ['a status out of range', 'HTTP/1.1 000 x\r\nContent-Length: 2\r\n\r\nok'],
    ['a status of four digits', 'HTTP/1.1 2000 x\r\n\r\n'],
    ['an upgrade nobody asked for', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'],
    ['without end what is no answer', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(2000)],
    ['a head without an end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(64 * 1024)}\r\n\r\n`],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 5\r\n\r\nok'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['bad chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok'],
    ['a NUL', 'HTTP/1.1 200 OK\r\nX: \0\r\n\r\n'],
    ['a name of an object', 'HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\nContent-Length: 0\r\n\r\n'],
  ])('%s, does no harm', async (_name, answer) => {
    const port = await rawServer(socket => void socket.once('data', () => socket.end(Buffer.from(answer, 'latin1'))))
    const { port: proxy, pass } = await stage({ policy: { rules: rules(`127.0.0.1:${port}`) } })
    const line = getLine(`http://127.0.0.1:${port}/`, pass.token).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')
    const got = await exchange(proxy, line)
    expect(['\0', '\u0001', '\u001B'].filter(character => got.includes(character))).toEqual([])
    expect(await exchange(proxy, connectLine('no.test:1', pass.token))).toContain(' 403 ')
  })
})
