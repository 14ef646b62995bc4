/** The proxy of a box, with real servers and clients on loopback. */
import { EventEmitter, once } from 'node:events'
import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
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

/** A request by Node's own client. */
async function ask(
  port: number,
  token: string,
  url: string,
  options: { method?: string; headers?: OutgoingHttpHeaders; body?: Readable } = {},
): Promise<IncomingMessage> {
  const sent = request({
    host: '127.0.0.1',
    port,
    path: url,
    method: options.method ?? 'GET',
    headers: {
      host: new URL(url).host,
      'proxy-authorization': `Basic ${Buffer.from(`${token}:x`).toString('base64')}`,
      ...options.headers,
    },
  })
  onTestFinished(() => void sent.destroy())
  if (options.body) options.body.pipe(sent)
  else sent.end()
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

/** Somebody who answers when a test likes. */
function person() {
  const questions: (HostQuestion & { answer: (answer: HostAnswer) => void })[] = []
  const news = new EventEmitter()
  const decide = (question: HostQuestion): Promise<HostAnswer> => {
    const { promise, resolve } = Promise.withResolvers<HostAnswer>()
    questions.push({ ...question, answer: resolve })
    news.emit('question')
    return promise
  }
  /** Waits until so many questions were asked. */
  const asked = async (count: number): Promise<void> => {
    while (questions.length < count) await once(news, 'question')
  }
  return { questions, decide, asked }
}

/** What was sent before has arrived when the proxy has answered another connection. */
const settled = (port: number): Promise<string> => exchange(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')

const withdrawn = (signal: AbortSignal): Promise<unknown> =>
  signal.aborted ? Promise.resolve() : once(signal, 'abort')

describe('a listed host', () => {
  test('is reached through a tunnel, in both directions, and each side ends on its own', async () => {
    const server = await rawServer(socket => void text(socket).then(read => socket.end(`got ${read}`)))
    const { port, pass } = await stage({
      names: { 'site.test': here },
      policy: { rules: rules(`site.test:${server}`, `127.0.0.1:${server}`) },
    })
    const socket = await client(port)
    socket.write(connectLine(`Site.Test.:${server}`, pass.token))
    await until(socket, '\r\n\r\n')
    socket.end('hello')
    expect(await text(socket)).toBe('got hello')
    expect(pass.refused()).toEqual([])
  })

  test('gets what was sent together with CONNECT', async () => {
    const server = await rawServer(socket => void socket.pipe(socket))
    const { port, pass } = await stage({ policy: { rules: rules(`127.0.0.1:${server}`) } })
    const socket = await client(port)
    socket.end(`${connectLine(`127.0.0.1:${server}`, pass.token)}early`)
    // It has ended its side before it was connected, so it does not wait.
    expect(await text(socket)).not.toContain('early')
    const patient = await client(port)
    patient.write(`${connectLine(`127.0.0.1:${server}`, pass.token)}early`)
    expect(await until(patient, 'early')).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nearly$/)
  })

  test('is reached by a plain request, without the headers for the proxy, and its answer comes back', async () => {
    const seen: IncomingMessage[] = []
    const server = await webServer((message, response) => {
      seen.push(message)
      response.writeHead(
        201,
        'Made',
        [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['Connection', 'X-Hop'],
          ['X-Hop', '1'],
          ['X-End', '2'],
          ['Proxy-Authenticate', 'Basic'],
        ].flat(),
      )
      message.pipe(response)
    })
    const { port, pass } = await stage({
      names: { 'site.test': here },
      policy: { rules: rules(`site.test:${server}`, `127.0.0.1:${server}`) },
    })
    const response = await ask(port, pass.token, `http://site.test:${server}/a%20b?c=d`, {
      method: 'PUT',
      headers: { connection: 'x-mine', 'x-mine': '1', 'x-other': '2', te: 'trailers', upgrade: 'h2c' },
      body: Readable.from(['some ', 'body']),
    })
    expect(await text(response)).toBe('some body')
    expect(response.statusCode).toBe(201)
    expect(response.statusMessage).toBe('Made')
    expect(response.headers).toMatchObject({ 'set-cookie': ['a=1', 'b=2'], 'x-end': '2' })
    expect(response.headers).not.toHaveProperty('x-hop')
    expect(response.headers).not.toHaveProperty('proxy-authenticate')
    expect(seen[0]?.url).toBe('/a%20b?c=d')
    expect(seen[0]?.headers).toEqual({
      host: `site.test:${server}`,
      'x-other': '2',
      'transfer-encoding': 'chunked',
      connection: 'close',
    })
  })

  test('is asked for what has no body without one, and may wait for the body until it says so', async () => {
    const server = await webServer((message, response) => {
      response.setHeader('X-Length', message.headers['content-length'] ?? 'none')
      response.setHeader('X-Coding', message.headers['transfer-encoding'] ?? 'none')
      message.pipe(response)
    })
    const { port, pass } = await stage({ policy: { rules: rules(`127.0.0.1:${server}`) } })
    const url = `http://127.0.0.1:${server}/`
    const get = await ask(port, pass.token, url)
    expect([get.headers['x-length'], get.headers['x-coding']]).toEqual(['none', 'none'])
    const post = await exchange(
      port,
      getLine(url, pass.token).replace('GET', 'POST').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )
    expect(post).toMatch(/x-length: 0\r\n/i)
    const socket = await client(port)
    const head = `POST ${url} HTTP/1.1\r\nHost: 127.0.0.1:${server}\r\nExpect: 100-continue\r\nContent-Length: 4\r\n`
    socket.write(`${head}${authorization(pass.token)}\r\n`)
    await until(socket, 'HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('body')
    expect(await until(socket, 'body')).toContain('HTTP/1.1 200')
  })

  test('sends as much as it likes, and is not read faster than the client reads', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    let sent = 0
    const server = await rawServer(socket => {
      const more = (): void => {
        while (sent < 64 && socket.write(chunk)) sent += 1
        if (sent < 64) socket.once('drain', more)
        else socket.end()
        sent += 1
      }
      more()
    })
    const { port, pass } = await stage({ policy: { rules: rules(`127.0.0.1:${server}`) } })
    const socket = await client(port)
    socket.write(connectLine(`127.0.0.1:${server}`, pass.token))
    await once(socket, 'readable')
    for (let at = 0; at < 20; at += 1) await settled(port)
    expect(sent).toBeLessThan(40)
    const all = await buffer(socket)
    expect(all.length).toBeGreaterThan(60 * chunk.length)
  })

  test('that breaks off is broken off for the client, too', async () => {
    const server = await rawServer(socket => {
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')
        socket.resetAndDestroy()
      })
    })
    const { port, pass } = await stage({ policy: { rules: rules(`127.0.0.1:${server}`) } })
    const plain = await exchange(port, getLine(`http://127.0.0.1:${server}/`, pass.token))
    expect(plain).not.toContain('HTTP/1.1 403')
    const socket = await client(port)
    socket.write(connectLine(`127.0.0.1:${server}`, pass.token))
    await until(socket, '\r\n\r\n')
    socket.write('x')
    await once(socket, 'close')
  })

  test('that cannot be reached is named', async () => {
    const { port, pass } = await stage({
      names: { 'site.test': ['127.0.0.1'] },
      policy: { rules: rules('site.test:1', '127.0.0.1:1', 'none.test:1') },
    })
    expect(await exchange(port, connectLine('site.test:1', pass.token))).toContain(
      "HTTP/1.1 502 zotui's sandbox: site.test:1 cannot be reached (ECONNREFUSED)\r\n",
    )
    expect(await exchange(port, getLine('http://none.test:1/', pass.token))).toContain(
      "\r\n\r\nzotui's sandbox: none.test:1 cannot be reached (ENOTFOUND)\n",
    )
    expect(pass.refused()).toEqual([])
  })

  test('is reached by the first of its addresses that answers', async () => {
    const server = await rawServer(socket => socket.end('hello'))
    const { port, pass } = await stage({
      names: { 'site.test': ['127.0.0.2', '127.0.0.1', '10.0.0.5'] },
      policy: { rules: rules(`*.test.test:1`, `site.test:${server}`, `127.0.0.1:${server}`, `127.0.0.2:${server}`) },
    })
    expect(await exchange(port, connectLine(`site.test:${server}`, pass.token))).toMatch(/ 200 .*hello$/s)
  })
})

describe('a host that no rule names', () => {
  test('is refused with a line that says so, as the reason and as the text', async () => {
    const { port, pass, resolved } = await stage()
    const words = "zotui's sandbox: evil.test:443 is not allowed"
    const tunnel = await exchange(port, connectLine('EVIL.test:443', pass.token))
    expect(tunnel).toMatch(new RegExp(`^HTTP/1\\.1 403 ${words}\r\n`))
    expect(tunnel).toMatch(new RegExp(`\r\n\r\n${words}\n$`))
    const plain = await exchange(port, getLine('http://evil.test/', pass.token))
    expect(plain).toMatch(/^HTTP\/1\.1 403 zotui's sandbox: evil\.test:80 is not allowed\r\n/)
    expect(pass.refused()).toEqual([
      { host: 'evil.test', port: 443, why: 'unlisted' },
      { host: 'evil.test', port: 80, why: 'unlisted' },
    ])
    expect(resolved, 'a look-up would tell others').toEqual([])
  })

  test('waits for the person, all connections for one answer, which holds until the command ends', async () => {
    const server = await rawServer(socket => socket.end('hello'))
    const { decide, questions, asked } = person()
    const { port, pass, admit } = await stage({
      names: { 'site.test': here },
      policy: { rules: rules(`127.0.0.1:${server}`) },
      decide,
    })
    const target = `site.test:${server}`
    const waiting = [1, 2, 3].map(() => exchange(port, connectLine(target, pass.token)))
    await asked(1)
    expect(await exchange(port, getLine(`http://127.0.0.1:${server}/`, pass.token))).not.toContain(' 403 ')
    expect(questions).toHaveLength(1)
    questions[0]?.answer('allow')
    for (const each of await Promise.all(waiting)) expect(each).toMatch(/^HTTP\/1\.1 200 .*hello$/s)
    expect(await exchange(port, connectLine(target, pass.token))).toContain('hello')
    expect(questions.map(({ host, port: at }) => `${host}:${at}`)).toEqual([target])
    expect(questions[0]?.signal.aborted).toBe(false)
    // Another command asks for itself.
    const other = exchange(port, connectLine(target, admit().token))
    await asked(2)
    questions[1]?.answer('refuse')
    expect(await other).toContain(' 403 ')
  })

  test('is asked about for each port', async () => {
    const { port, pass, asked } = await stage({ policy: { rules: rules('site.test:443') } })
    for (const at of [22, 80, 8443]) await exchange(port, connectLine(`site.test:${at}`, pass.token))
    expect(asked.map(question => question.port)).toEqual([22, 80, 8443])
  })

  test('is not asked about once a rule names it, nor refused for long where it was refused before', async () => {
    const server = await rawServer(socket => socket.end('hello'))
    const { port, pass, asked, policy } = await stage({
      names: { 'site.test': here },
      policy: { rules: rules(`127.0.0.1:${server}`) },
    })
    expect(await exchange(port, connectLine(`site.test:${server}`, pass.token))).toContain(' 403 ')
    expect(await exchange(port, connectLine(`site.test:${server}`, pass.token))).toContain(' 403 ')
    policy.rules = [...policy.rules, ...rules(`site.test:${server}`)]
    expect(await exchange(port, connectLine(`site.test:${server}`, pass.token))).toContain('hello')
    policy.rules = rules(`127.0.0.1:${server}`)
    expect(await exchange(port, connectLine(`site.test:${server}`, pass.token))).toContain(' 403 ')
    expect(asked).toHaveLength(1)
  })

  test('is refused if nobody can be asked', async () => {
    const { port, pass } = await stage({ decide: () => Promise.reject(new Error('nobody is here')) })
    expect(await exchange(port, connectLine('site.test:443', pass.token))).toContain(' 403 ')
  })

  test.each([
    ['CONNECT', (token: string) => connectLine('site.test:443', token)],
    ['a plain request', (token: string) => getLine('http://site.test/', token)],
    [
      'a plain request with a part of its body',
      (token: string) => getLine('http://site.test/', token).replace('\r\n\r\n', '\r\nContent-Length: 10\r\n\r\nhalf'),
    ],
  ])('is not asked about any longer when the last client of %s has gone', async (_name, line) => {
    const { decide, questions, asked } = person()
    const { port, pass } = await stage({ decide })
    const [one, other] = [await client(port), await client(port)]
    one.write(line(pass.token))
    await asked(1)
    other.write(line(pass.token))
    await settled(port)
    one.destroy()
    await settled(port)
    await settled(port)
    expect(questions[0]?.signal.aborted).toBe(false)
    other.destroy()
    await withdrawn(questions[0]?.signal ?? AbortSignal.abort())
    // What is answered too late counts for nothing.
    questions[0]?.answer('allow')
    const again = exchange(port, line(pass.token))
    await asked(2)
    questions[1]?.answer('refuse')
    expect(await again).toContain(' 403 ')
  })

  test('is asked about for a while when a client has given up, and the answer counts when it tries again', async () => {
    const { decide, questions, asked } = person()
    const { port, pass } = await stage({ decide, limits: { absence: 60_000 } })
    const one = await client(port)
    one.write(connectLine('site.test:443', pass.token))
    await asked(1)
    one.destroy()
    await settled(port)
    const other = exchange(port, connectLine('site.test:443', pass.token))
    await settled(port)
    expect(questions.map(({ signal }) => signal.aborted)).toEqual([false])
    questions[0]?.answer('refuse')
    expect(await other).toContain(' 403 ')
    const left = await client(port)
    left.write(connectLine('more.test:443', pass.token))
    await asked(2)
    left.destroy()
    await settled(port)
    pass.close()
    expect(questions.map(({ signal }) => signal.aborted)).toEqual([false, true])
  })

  test('is refused where it cannot be found out what is allowed', async () => {
    const listener = createServer()
    await listening(listener)
    const proxy = createHostProxy({
      listener,
      policy() {
        throw new Error('the settings cannot be read')
      },
    })
    onTestFinished(() => proxy.close())
    const { token } = proxy.admit(async () => 'allow')
    expect(await exchange(proxy.port, connectLine('site.test:443', token))).toMatch(/^HTTP\/1\.1 503 /)
    expect(await exchange(proxy.port, getLine('http://site.test/', token))).toMatch(/^HTTP\/1\.1 503 /)
  })

  test('is not asked about any longer when the command has ended, and no client of it goes on', async () => {
    const server = await rawServer(socket => void socket.pipe(socket))
    const { decide, questions, asked } = person()
    const { port, pass } = await stage({ decide, policy: { rules: rules(`127.0.0.1:${server}`) } })
    const open = await client(port)
    open.write(connectLine(`127.0.0.1:${server}`, pass.token))
    await until(open, '\r\n\r\n')
    const waiting = exchange(port, connectLine('site.test:443', pass.token))
    await asked(1)
    const closed = once(open.resume(), 'close')
    pass.close()
    await withdrawn(questions[0]?.signal ?? AbortSignal.abort())
    await closed
    expect(await waiting).toBe('')
    expect(await exchange(port, connectLine(`127.0.0.1:${server}`, pass.token))).toContain(' 407 ')
  })

  test('is refused where too many others are asked about', async () => {
    const { decide, questions, asked } = person()
    const { port, pass } = await stage({ decide })
    const waiting = Array.from({ length: 16 }, (_, at) => exchange(port, connectLine(`h${at}.test:443`, pass.token)))
    await asked(16)
    expect(await exchange(port, connectLine('more.test:443', pass.token))).toContain('wants too many hosts')
    for (const question of questions) question.answer('refuse')
    await Promise.all(waiting)
    expect(pass.refused()).toHaveLength(17)
  })

  test('is refused without a question where there is no network at all, also after one was asked', async () => {
    const { decide, questions, asked } = person()
    const { port, pass, policy } = await stage({ decide, policy: { rules: rules('site.test') } })
    const waiting = exchange(port, connectLine('other.test:443', pass.token))
    await asked(1)
    policy.isClosed = true
    questions[0]?.answer('allow')
    expect(await waiting).toContain('there is no network')
    expect(await exchange(port, connectLine('site.test:443', pass.token))).toContain('there is no network')
    expect(questions).toHaveLength(1)
  })
})

describe('a client without the token', () => {
  test.each([
    ['none', ''],
    ['another one', authorization('0'.repeat(24))],
    ['an empty one', authorization('')],
    ['another scheme', 'Proxy-Authorization: Bearer x\r\n'],
    ['no base64', 'Proxy-Authorization: Basic ***\r\n'],
    ['a name of an object', authorization('constructor')],
  ])('(%s) gets 407 and nothing else', async (_name, header) => {
    const { port, asked, resolved } = await stage({ policy: { rules: rules('site.test') } })
    for (const line of [
      'CONNECT site.test:443',
      'GET http://site.test/',
      'GET /',
      'CONNECT x',
      'GET http://other.test/',
    ]) {
      const answer = await exchange(port, `${line} HTTP/1.1\r\nHost: site.test\r\n${header}\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 407 /)
      expect(answer).toMatch(/\r\nProxy-Authenticate: Basic realm="zotui"\r\n/)
      expect(answer).not.toMatch(/site|other/)
    }
    expect([asked, resolved]).toEqual([[], []])
  })
})

test('two commands of one conversation, and two conversations, have answers of their own', async () => {
  const server = await rawServer(socket => socket.end('hello'))
  const names = { 'site.test': here }
  const open = await stage({ names, policy: { rules: rules(`site.test:${server}`, `127.0.0.1:${server}`) } })
  const shut = await stage({ names, policy: { rules: rules(`127.0.0.1:${server}`) } })
  const line = `site.test:${server}`
  const [one, other, foreign] = await Promise.all([
    exchange(open.port, connectLine(line, open.pass.token)),
    exchange(shut.port, connectLine(line, shut.pass.token)),
    exchange(shut.port, connectLine(line, open.pass.token)),
  ])
  expect(one).toContain('hello')
  expect(other).toContain(' 403 ')
  expect(foreign).toContain(' 407 ')
})
