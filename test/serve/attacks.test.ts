/** What somebody tries who reaches the port: a page of another site, a program of this machine, or a proxy in between. */
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { once } from 'node:events'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { roleFor, type OutsideCall } from '../../src/published/outside-call.ts'
import { LARGEST_BODY } from '../../src/serve/http.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { pageHeaders, pairedDevice, send, TestDevice } from './client.ts'
import { fakeRow, serverStage } from './stage.ts'

const digest = '0'.repeat(64)
const calls: readonly OutsideCall[] = [
  { do: 'answer_call', id: '1', question: 'q', digest, allow: true },
  { do: 'answer_form', id: '2', question: 'q', digest, values: null },
  { do: 'change_plan', id: '3', question: 'q', digest, words: 'no' },
  { do: 'stop', id: '4' },
  { do: 'prompt', id: '5', text: 'a' },
  { do: 'steer', id: '6', text: 'a' },
  { do: 'change_queued', id: '7', entry: 'e', was: 'a', text: 'b' },
  { do: 'send_queued', id: '8', entry: 'e', was: 'a' },
  { do: 'set_model', id: '9', model: 'm' },
]

describe('roles', () => {
  test.each(['view', 'answer', 'steer'] as const)('%s may do what it may, and nothing else', async role => {
    const { server, hub } = await serverStage()
    hub.rows = [fakeRow({})]
    const device = await pairedDevice(server, role)
    const rank = ['view', 'answer', 'steer'].indexOf(role)
    for (const call of calls) {
      const may = ['view', 'answer', 'steer'].indexOf(roleFor[call.do]) <= rank
      const { status, json } = await device.ask('call', { conversation: 'known', call })
      expect([call.do, status, json]).toEqual([call.do, ...(may ? [200, hub.reply] : [403, { error: 'role' }])])
    }
    expect(hub.calls.map(([, , { do: kind }]) => kind)).toEqual(
      calls.flatMap(({ do: kind }) => (['view', 'answer', 'steer'].indexOf(roleFor[kind]) <= rank ? [kind] : [])),
    )
  })

  test('a lower role counts from the next request on, and the stream begins again with it', async () => {
    const { server, hub } = await serverStage()
    hub.rows = [fakeRow({})]
    const device = await pairedDevice(server, 'steer')
    const lines = device.stream()
    await lines.next()
    server.act({ do: 'set_role', device: device.id, role: 'view' })
    expect((await lines.next()).done).toBe(true)
    expect((await device.ask('call', { conversation: 'known', call: calls[3] })).json).toEqual({ error: 'role' })
    expect((await device.stream().next()).value).toMatchObject({ device: { role: 'view' } })
  })

  test.each([
    ['a request that is not on the list', { do: 'run', id: '1', command: 'ls' }],
    ['an edited command', { do: 'answer_call', id: '1', question: 'q', digest, allow: 'always' }],
    ['a digest that is none', { do: 'answer_call', id: '1', question: 'q', digest: 'x', allow: true }],
    ['a text that is too long', { do: 'prompt', id: '1', text: 'a'.repeat(100_001) }],
    ['an empty prompt', { do: 'prompt', id: '1', text: '' }],
    ...inheritedNames.map((name): [string, object] => [`the request ${name}`, { do: name, id: '1' }]),
  ])('%s is refused', async (_name, call) => {
    const { server, hub } = await serverStage()
    hub.rows = [fakeRow({})]
    const device = await pairedDevice(server, 'steer')
    expect((await device.ask('call', { conversation: 'known', call })).json).toEqual({ error: 'body' })
    expect(hub.calls).toEqual([])
  })

  test('what a request adds to its schema does not reach the conversation', async () => {
    const { server, hub } = await serverStage()
    hub.rows = [fakeRow({})]
    const device = await pairedDevice(server, 'steer')
    const call = { do: 'answer_call', id: '1', question: 'q', digest, allow: true, command: 'rm -rf /', always: true }
    expect((await device.ask('call', { conversation: 'known', call, confirmed: true })).status).toBe(200)
    expect(hub.calls).toEqual([[{ id: device.id, name: 'Pixel 8', role: 'steer' }, 'known', calls[0], false]])
  })
})

describe('a mode that does not ask', () => {
  test('needs a yes in this terminal, once for a device and a conversation in the background', async () => {
    const { server, hub } = await serverStage()
    hub.rows = [fakeRow({ kind: 'background', mode: 'edits', title: 'Tests' })]
    hub.reply = { ok: false, why: 'needs_yes', message: 'Say yes in the terminal.' }
    const device = await pairedDevice(server)
    const ask = async (id: string) =>
      (await device.ask('call', { conversation: 'known', call: { do: 'prompt', id, text: 'a' } })).json
    expect(await ask('1')).toEqual(hub.reply)
    expect(await ask('2')).toEqual(hub.reply)
    const { waiting } = server.view()
    expect(waiting).toMatchObject([{ kind: 'steer', name: 'Pixel 8', title: 'Tests', mode: 'edits' }])
    server.act({ do: 'answer', id: waiting[0]?.id ?? '', yes: true })
    await ask('3')
    expect(hub.calls.map(call => call[3])).toEqual([false, false, true])
    const other = await pairedDevice(server, 'steer', 'Tablet')
    await other.ask('call', { conversation: 'known', call: { do: 'prompt', id: '1', text: 'a' } })
    expect(hub.calls.at(-1)?.[3]).toBe(false)
  })

  test('of a UI is asked there', async () => {
    const { server, hub } = await serverStage()
    hub.rows = [fakeRow({ kind: 'ui', mode: 'edits' })]
    hub.reply = { ok: false, why: 'needs_yes', message: 'Say yes in the terminal.' }
    const device = await pairedDevice(server)
    await device.ask('call', { conversation: 'known', call: { do: 'prompt', id: '1', text: 'a' } })
    expect(server.view().waiting).toEqual([])
  })
})

/** Passes everything on, and remembers what the client sent. */
async function recorder(address: string): Promise<{ through: string; sent: () => Buffer }> {
  const seen: Buffer[] = []
  const { hostname, port } = new URL(address)
  const proxy = createTcpServer(client => {
    const target = connect(Number(port), hostname)
    client.on('data', data => seen.push(data))
    client.pipe(target).pipe(client)
    for (const each of [client, target]) each.on('error', () => undefined)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const found = proxy.address()
  const own = found === null || typeof found === 'string' ? 0 : found.port
  return { through: `http://127.0.0.1:${own}`, sent: () => Buffer.concat(seen) }
}

describe('a proxy in between', () => {
  test('cannot send again what it has seen, nor change it', async () => {
    const { server, hub, address } = await serverStage()
    hub.rows = [fakeRow({})]
    const device = await pairedDevice(server)
    const request = device.signed('call', { conversation: 'known', call: calls[0] })
    expect((await send(address, request)).status).toBe(200)
    expect((await send(address, request)).json).toEqual({ error: 'counter' })
    const next = device.signed('call', { conversation: 'known', call: calls[0] })
    const changed = { ...next, body: next.body.replace('"allow":true', '"allow":false') }
    expect((await send(address, changed)).json).toEqual({ error: 'signature' })
    expect((await send(address, { ...next, path: '/api/stream' })).json).toEqual({ error: 'signature' })
    expect(hub.calls).toHaveLength(1)
  })

  test('sees no token, and none is in any path', async () => {
    const { server, address } = await serverStage()
    const { through, sent } = await recorder(address)
    server.act({ do: 'pair', role: 'steer' })
    const link = server.view().pairing?.link ?? ''
    const device = new TestDevice(address)
    // The proxy's own address is none of the server's, as that of a tunnel would be: so it is only what the device connects to.
    device.through = through
    await device.useLink(link)
    await device.hello()
    await device.ask('pair/status', {})
    const text = sent().toString()
    expect(text).toContain('POST /api/pair ')
    expect(text).not.toContain(new URL(link).hash.slice('#pair='.length))
    expect(text.match(/^POST .*$/gm)?.every(line => /^POST \/api\/[a-z/]+ HTTP\/1\.1\r?$/.test(line))).toBe(true)
  })

  test('that was paired by the same number of noes is asked about no more', async () => {
    const { server, stateFolder, address } = await serverStage()
    const device = await pairedDevice(server)
    await server.close()
    const again = await serverStage({ stateFolder })
    Object.assign(device, { address: again.address })
    expect(again.address).not.toBe(address)
    await device.hello()
    for (let count = 0; count < 3; count += 1) {
      expect(await device.request('pair/status', {})).toMatchObject({ state: 'waiting' })
      again.server.act({ do: 'answer', id: again.server.view().waiting[0]?.id ?? '', yes: false })
    }
    expect(await device.request('pair/status', {})).toEqual({ state: 'refused', number: '' })
    expect(again.server.view().waiting).toEqual([])
  })
})

describe('paths', () => {
  test.each([
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/index.html/..',
    '/index.html%00.js',
    '/.git/config',
    '//etc/passwd',
    '/\\..\\package.json',
    '/constructor',
    '/__proto__',
    '/a'.repeat(2000),
  ])('%s leads nowhere', async path => {
    const { address } = await serverStage({ files: async () => null })
    const { status, json } = await send(address, { method: 'GET', path, headers: {} })
    expect([status, json]).toEqual([status === 403 ? 403 : 404, { error: 'path' }])
  })
})

describe('every reply', () => {
  test('has the policy, and no cookie, no address to go to, and nothing that others may read', async () => {
    const { address } = await serverStage()
    const device = new TestDevice(address)
    const replies = [
      await send(address, { method: 'GET', path: '/', headers: {} }),
      await send(address, { method: 'GET', path: '/nothing', headers: {} }),
      await send(address, { path: '/api/hello', headers: pageHeaders(address), body: '{}' }),
      await send(address, { path: '/api/hello', headers: pageHeaders('https://evil.example'), body: '{}' }),
      await send(address, { method: 'OPTIONS', path: '/api/hello', headers: pageHeaders('https://evil.example') }),
      await device.ask('stream', {}),
    ]
    expect(replies.map(({ status }) => status)).toEqual([200, 404, 200, 403, 405, 401])
    for (const { headers } of replies) {
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|http/)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
      })
      const names = Object.keys(headers)
      expect(
        names.filter(name => /^(?:set-cookie|location|access-control-.*|x-powered-by|server)$/.test(name)),
      ).toEqual([])
    }
    expect(replies.slice(2).map(({ headers }) => headers['cache-control'])).toEqual(
      replies.slice(2).map(() => 'no-store'),
    )
  })
})

describe('too much', () => {
  test('a body that is too long is not read to its end', async () => {
    const { server, address } = await serverStage()
    const device = await pairedDevice(server)
    const long = device.signed('call', {
      conversation: 'known',
      call: { do: 'prompt', id: '1', text: 'a'.repeat(LARGEST_BODY) },
    })
    expect((await send(address, long)).json).toEqual({ error: 'size' })
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    const head = ['POST /api/call HTTP/1.1', `Host: ${new URL(address).host}`, `Origin: ${address}`]
    socket.write([...head, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''].join('\r\n'))
    const chunk = `10000\r\n${'a'.repeat(0x1_00_00)}\r\n`
    socket.on('error', () => undefined)
    for (let count = 0; count < 8; count += 1) socket.write(chunk)
    const [data] = await once(socket, 'data')
    expect(String(data)).toContain('413')
    await once(socket, 'close')
  })

  test('headers that are too long end the connection', async () => {
    const { address } = await serverStage()
    const answered = await send(address, { method: 'GET', path: '/', headers: { 'x-a': 'a'.repeat(20_000) } })
    expect(answered.status).toBe(431)
  })

  test('guesses at links and hellos without end are refused, and a device goes on', async () => {
    const { server, address } = await serverStage({ elapsed: () => 0 })
    const device = await pairedDevice(server, 'view')
    const guess = { path: '/api/pair/begin', headers: pageHeaders(address), body: '{}' }
    const statuses: number[] = []
    for (let count = 0; count < 20; count += 1) statuses.push((await send(address, guess)).status)
    expect(statuses.slice(-5)).toEqual([429, 429, 429, 429, 429])
    expect((await device.ask('blocks', { conversation: 'known', from: 0, to: 1 })).status).toBe(200)
  })

  test('requests of one device are limited, and not those of another', async () => {
    const { server } = await serverStage({ elapsed: () => 0 })
    const [one, other] = [await pairedDevice(server, 'view', 'one'), await pairedDevice(server, 'view', 'other')]
    const statuses = new Set<number>()
    for (let count = 0; count < 120; count += 1)
      statuses.add((await one.ask('blocks', { conversation: 'known', from: 0, to: 1 })).status)
    expect([...statuses]).toEqual([200, 429])
    expect((await other.ask('blocks', { conversation: 'known', from: 0, to: 1 })).status).toBe(200)
  })

  test('tabs of one device: another takes the place of the first', async () => {
    const { server } = await serverStage()
    const device = await pairedDevice(server)
    const streams = Array.from({ length: 9 }, () => device.stream())
    for (const stream of streams) await stream.next()
    expect((await streams[0]?.next())?.value).toMatchObject({ type: 'end' })
    for (const stream of streams.slice(1)) await stream.return(undefined)
  })

  test('ten thousand connections that say nothing keep no device out, end no stream and fill no memory', async () => {
    const { server, address } = await serverStage()
    const device = await pairedDevice(server)
    const lines = device.stream()
    await lines.next()
    const before = process.memoryUsage().rss
    const sockets = new Set<Socket>()
    const port = Number(new URL(address).port)
    for (let count = 0; count < 10_000; count += 1) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.once('close', () => sockets.delete(socket))
      sockets.add(socket)
      if (count % 200 === 199) await once(socket, 'connect').catch(() => undefined)
    }
    expect(await device.request('blocks', { conversation: 'known', from: 0, to: 1 })).toEqual({
      n: 0,
      total: 0,
      blocks: [],
    })
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(150)
    server.act({ do: 'revoke', device: device.id })
    expect((await lines.next()).value).toMatchObject({ type: 'end' })
    for (const socket of sockets) socket.destroy()
  }, 60_000)
})
