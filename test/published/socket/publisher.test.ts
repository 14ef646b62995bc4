/** A UI and a server over a real socket: the handshake, what is shown, and what is passed on. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { quietTimers } from '../../../src/platform/timers.ts'
import { createAcceptServer } from '../../../src/published/socket/accept-server.ts'
import {
  connectToPublisher,
  type PublishedLine,
  type PublisherConnection,
} from '../../../src/published/socket/connection.ts'
import type { ServedPurpose } from '../../../src/published/protocol.ts'
import { listenForServers } from '../../../src/published/socket/publisher.ts'
import { createServed, type TrustGate } from '../../../src/published/socket/served.ts'
import { parseJson } from '../../../src/text/json.ts'
import { Made, phone, remark, stop } from './stage.ts'

function published(gate: Partial<TrustGate> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'zp-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const made = new Made()
  const path = join(folder, 'socket')
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>()
  const source = { all: () => new Map([['1', made]]), onChange: () => () => undefined }
  const served = createServed({ source, parse: parseJson, after: quietTimers.after, elapsed: () => performance.now() })
  let loads = 0
  listenForServers({
    socket: path,
    onListening: resolve,
    onFailed: reject,
    load: async () => {
      loads += 1
      return createAcceptServer(served, { secret: () => 'secret', ask: () => null, ...gate })
    },
  })
  return { path, made, listening, loads: () => loads }
}

type Heard = {
  connection: PublisherConnection
  lines: PublishedLine[]
  until: (type: PublishedLine['type'], times?: number) => Promise<void>
}

async function connected(path: string, secret = 'secret', purpose: ServedPurpose = 'serve'): Promise<Heard> {
  const lines: PublishedLine[] = []
  const waiting = new Set<() => void>()
  const reply = await connectToPublisher({
    path,
    purpose,
    secret,
    onLine(line) {
      lines.push(line)
      for (const look of waiting) look()
    },
  })
  if (!reply.ok) throw new Error(reply.message)
  const { connection } = reply
  onTestFinished(connection.end)
  return {
    connection,
    lines,
    until: async (type, times = 1) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const look = (): void => {
        if (lines.filter(line => line.type === type).length >= times) resolve()
      }
      waiting.add(look)
      look()
      await promise
    },
  }
}

test('a server that the UI has started is trusted at once, and sees the rows; nothing is loaded before it connects', async () => {
  const { path, listening, loads } = published()
  await listening
  expect(loads()).toBe(0)
  const { lines, until } = await connected(path)
  await until('rows')
  expect(lines[0]).toEqual({ type: 'trust', trust: 'all', isAsked: false })
  expect(lines).toContainEqual(
    expect.objectContaining({ type: 'rows', rows: [expect.objectContaining({ title: 'Hello' })] }),
  )
})

test('a watched conversation gives its past, then what follows, and begins again when it is replaced', async () => {
  const { path, made, listening } = published()
  await listening
  const { connection, lines, until } = await connected(path)
  connection.send({ type: 'watch', conversation: '1' })
  await until('models')
  made.add(remark('second'))
  await until('event', 2)
  made.replace()
  await until('past', 2)
  const texts = lines.flatMap(line =>
    line.type === 'event' && line.event.type === 'remark_made' ? [line.event.text] : [],
  )
  expect(texts).toEqual(['first', 'second'])
  connection.send({ type: 'unwatch', conversation: '1' })
  connection.end()
  await connection.ended
})

test('a request is carried out once, however often it comes, also over another connection', async () => {
  const { path, made, listening } = published()
  await listening
  const first = await connected(path)
  const asked = { conversation: '1', device: phone, call: stop('a'), confirmed: false }
  expect(await first.connection.call(asked)).toEqual({ ok: true, how: 'done' })
  made.answer = { ok: false, why: 'gone', message: 'Nothing to stop.' }
  expect(await first.connection.call(asked)).toEqual({ ok: true, how: 'done' })
  const second = await connected(path)
  expect(await second.connection.call(asked)).toEqual({ ok: true, how: 'done' })
  expect(made.done).toEqual([stop('a')])
  expect(await second.connection.call({ ...asked, call: stop('b') })).toMatchObject({ ok: false, why: 'gone' })
})

test('a request that needs a yes can be sent again', async () => {
  const { path, made, listening } = published()
  await listening
  const { connection } = await connected(path)
  const asked = {
    conversation: '1',
    device: phone,
    call: { do: 'prompt', id: 'p', text: 'Go' } as const,
    confirmed: false,
  }
  made.answer = { ok: false, why: 'needs_yes', message: 'Say yes.' }
  expect(await connection.call(asked)).toMatchObject({ why: 'needs_yes' })
  made.answer = { ok: true, how: 'sent' }
  expect(await connection.call(asked)).toEqual({ ok: true, how: 'sent' })
})

test('a device does no more than its role, and the conversation must be there', async () => {
  const { path, made, listening } = published()
  await listening
  const { connection } = await connected(path)
  const call = { do: 'prompt', id: 'p', text: 'Go' } as const
  const asked = { conversation: '1', device: { ...phone, role: 'answer' as const }, call, confirmed: true }
  expect(await connection.call(asked)).toMatchObject({ ok: false, why: 'forbidden' })
  expect(await connection.call({ ...asked, device: phone, conversation: '2' })).toMatchObject({ why: 'gone' })
  expect(made.done).toEqual([])
})

test('a server without the secret only shows until the person says yes, and both have the same code', async () => {
  const decisions: ((isYes: boolean) => void)[] = []
  const codes: string[] = []
  const { path, made, listening } = published({
    ask({ code }, decide) {
      codes.push(code)
      decisions.push(decide)
      return () => undefined
    },
  })
  await listening
  const { connection, lines, until } = await connected(path, 'another')
  expect(lines[0]).toEqual({ type: 'trust', trust: 'show', isAsked: true })
  expect(codes).toEqual([connection.code])
  expect(connection.code).toMatch(/^\d{6}$/)
  const asked = { conversation: '1', device: phone, call: stop('a'), confirmed: false }
  expect(await connection.call(asked)).toMatchObject({ ok: false, why: 'forbidden' })
  decisions[0]?.(true)
  await until('trust', 2)
  expect(await connection.call(asked)).toEqual({ ok: true, how: 'done' })
  expect(made.done).toEqual([stop('a')])
})

test('a board shows without a question; the person is asked when its first request comes, once, with the number that the board has', async () => {
  const decisions: ((isYes: boolean) => void)[] = []
  const asked: Parameters<TrustGate['ask']>[0][] = []
  const { path, made, listening } = published({
    ask(board, decide) {
      asked.push(board)
      decisions.push(decide)
      return () => undefined
    },
  })
  await listening
  const { connection, lines, until } = await connected(path, '', 'board')
  await until('rows')
  expect(lines[0]).toEqual({ type: 'trust', trust: 'show', isAsked: false })
  expect(asked).toEqual([])
  const called = { conversation: '1', device: phone, call: stop('a'), confirmed: false }
  expect(await connection.call(called)).toMatchObject({ ok: false, why: 'needs_yes' })
  expect(await connection.call(called)).toMatchObject({ ok: false, why: 'needs_yes' })
  expect(asked).toEqual([{ pid: process.pid, code: connection.code, purpose: 'board' }])
  expect(made.done).toEqual([])
  decisions[0]?.(true)
  await until('trust', 2)
  expect(await connection.call(called)).toEqual({ ok: true, how: 'done' })
  expect(made.done).toEqual([stop('a')])
})

test('a board gets no yes by asking again after a no', async () => {
  const decisions: ((isYes: boolean) => void)[] = []
  const { path, made, listening } = published({
    ask(_, decide) {
      decisions.push(decide)
      return () => undefined
    },
  })
  await listening
  const { connection, until } = await connected(path, '', 'board')
  const called = { conversation: '1', device: phone, call: stop('a'), confirmed: false }
  await connection.call(called)
  decisions[0]?.(false)
  await until('trust', 2)
  expect(await connection.call(called)).toMatchObject({ ok: false, why: 'forbidden' })
  expect(decisions).toHaveLength(1)
  expect(made.done).toEqual([])
})

test('who is between a UI and a server cannot add a request: it has no key', async () => {
  const { path, made, listening } = published()
  await listening
  const { server, writeToUi } = relay(path)
  const { connection } = await connected(await server)
  expect(await connection.call({ conversation: '1', device: phone, call: stop('a'), confirmed: false })).toMatchObject({
    ok: true,
  })
  const body = JSON.stringify({ id: 99, conversation: '1', device: phone, call: stop('evil'), confirmed: false })
  writeToUi(`${JSON.stringify({ type: 'call', body, mac: '0'.repeat(64) })}\n`)
  await connection.ended
  expect(made.done).toEqual([stop('a')])
})

test('a request that was written down and is sent again ends the connection', async () => {
  const { path, made, listening } = published()
  await listening
  const { server, writeToUi, seen } = relay(path)
  const { connection } = await connected(await server)
  await connection.call({ conversation: '1', device: phone, call: stop('a'), confirmed: false })
  writeToUi(
    seen()
      .split('\n')
      .find(line => line.includes('"call"')) + '\n',
  )
  await connection.ended
  expect(made.done).toEqual([stop('a')])
})

test('another version is refused with a sentence, and what is no line of the protocol ends the connection', async () => {
  const { path, listening } = published()
  await listening
  const hello = { type: 'hello', protocol: 99, wants: 'serve', pid: 1, commitment: '' }
  expect(await said(path, JSON.stringify(hello))).toContain('refused')
  expect(await said(path, '{"type":"watch","conversation":"1"}')).toBe('')
  expect(await said(path, 'GET / HTTP/1.1')).toBe('')
})

test('nine servers are one too many', async () => {
  const { path, listening } = published()
  await listening
  const all = []
  for (let at = 0; at < 8; at += 1) all.push(await connected(path))
  expect(await connectToPublisher({ path, purpose: 'serve', secret: '', onLine: () => undefined })).toMatchObject({
    ok: false,
  })
  all[0]?.connection.end()
  await all[0]?.connection.ended
  await expect
    .poll(async () => (await connectToPublisher({ path, purpose: 'serve', secret: '', onLine: () => undefined })).ok)
    .toBe(true)
})

test('who watches is shown until the server is gone, and then nothing listens any more', async () => {
  const { path, made, listening } = published()
  await listening
  const { connection } = await connected(path)
  connection.send({ type: 'watch', conversation: '1' })
  connection.send({ type: 'watchers', conversation: '1', names: ['Pixel 8'] })
  await expect.poll(() => made.names).toEqual(['Pixel 8'])
  connection.end()
  await expect.poll(() => [made.names, made.isFollowed]).toEqual([[], false])
})

/** What a UI answers to a line. */
async function said(path: string, line: string): Promise<string> {
  const socket = connect(path)
  let text = ''
  socket.on('data', chunk => (text += String(chunk)))
  socket.on('error', () => undefined)
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('close', resolve)
  socket.write(`${line}\n`)
  await promise
  return text
}

/** A program between the two, which passes everything on. */
function relay(path: string) {
  const folder = mkdtempSync(join(tmpdir(), 'zr-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const own = join(folder, 'socket')
  const { promise: server, resolve } = Promise.withResolvers<string>()
  let ui: Socket | null = null
  let text = ''
  listenForServers({
    socket: own,
    onListening: () => resolve(own),
    onFailed: () => undefined,
    load: async () => socket => {
      ui = connect(path)
      socket.on('data', chunk => (text += String(chunk)))
      socket.pipe(ui)
      ui.pipe(socket)
      ui.on('close', () => socket.destroy())
    },
  })
  return { server, writeToUi: (line: string) => ui?.write(line), seen: () => text }
}
