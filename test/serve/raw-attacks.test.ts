/** Requests that no browser sends. */
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pageHeaders, pairedDevice, send, TestDevice } from './client.ts'
import { fakeRow, serverStage } from './stage.ts'

/** All that the server sends until it closes the connection. */
async function raw(address: string, text: string): Promise<string> {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let answer = ''
  socket.on('data', data => (answer += String(data)))
  socket.on('error', () => undefined)
  socket.write(text)
  await once(socket, 'close')
  return answer
}

const statusOf = (answer: string): string => answer.slice(9, 12)
const post = (address: string, lines: readonly string[], body = ''): string =>
  [
    'POST /api/hello HTTP/1.1',
    `Host: ${new URL(address).host}`,
    `Origin: ${address}`,
    'Content-Type: application/json',
    'Connection: close',
    ...lines,
    '',
    body,
  ].join('\r\n')

describe('a request that could be read in two ways', () => {
  test.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3'], '{}x', '400'],
    ['a length and pieces', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '{}', '400'],
    ['an odd encoding', ['Transfer-Encoding: chunked, identity'], '{}', '400'],
    ['a second host', ['Host: evil.example', 'Content-Length: 2'], '{}', '403'],
    ['a header that is folded', ['X-A: a', ' b', 'Content-Length: 2'], '{}', '400'],
    ['a header without a name', [': a', 'Content-Length: 2'], '{}', '400'],
    ['another length', ['Content-Length: -1'], '{}', '400'],
  ])('is refused: %s', async (_name, lines, body, status) => {
    const { address } = await serverStage()
    expect(statusOf(await raw(address, post(address, lines, body)))).toBe(status)
  })

  test('is read once if it is whole', async () => {
    const { address } = await serverStage()
    expect(statusOf(await raw(address, post(address, ['Content-Length: 2'], '{}')))).toBe('200')
  })
})

test('a request for a connection of another kind is none of the page, and opens none', async () => {
  const { address } = await serverStage()
  const { host } = new URL(address)
  const upgrade = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n`
  expect(await raw(address, upgrade)).not.toMatch(/ 101 /)
  expect(await raw(address, `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).not.toMatch(/ 200 /)
})

test('a request that is sent byte after byte ends after some seconds', async () => {
  const { address } = await serverStage()
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  socket.on('error', () => undefined)
  const text = post(address, [])
  let sent = 0
  const dripping = setInterval(() => socket.write(text[sent++] ?? ' '), 100)
  socket.on('data', () => undefined)
  await once(socket, 'close')
  clearInterval(dripping)
  expect(sent).toBeGreaterThan(20)
  expect(sent).toBeLessThan(text.length)
}, 20_000)

describe('a command of the agent', () => {
  test('pairs nothing without the link, and does not use it up', async () => {
    const { server, address } = await serverStage()
    await expect(new TestDevice(address).useLink(`${address}/#pair=a`)).rejects.toThrow('link')
    server.act({ do: 'pair', role: 'steer' })
    await expect(new TestDevice(address).useLink(`${address}/#pair=${'a'.repeat(43)}`)).rejects.toThrow('link')
    await pairedDevice(server)
    expect(server.view().devices).toHaveLength(1)
  })

  test('that has read the link from the screen is asked about, with a number that no device of the person shows', async () => {
    const { server, address } = await serverStage()
    server.act({ do: 'pair', role: 'steer' })
    const link = server.view().pairing?.link ?? ''
    const thief = new TestDevice(address)
    await thief.useLink(link, 'Pixel 8')
    await thief.hello()
    await expect(new TestDevice(address).useLink(link)).rejects.toThrow('link')
    expect((await thief.ask('stream', { epoch: '', known: 0, watch: null })).json).toEqual({ error: 'admit' })
    expect(server.view().devices).toEqual([])
  })

  test('finds no key of a device in the state folder, and lets none in by writing there', async () => {
    const { server, stateFolder, address, hub } = await serverStage()
    hub.rows = [fakeRow({})]
    const device = await pairedDevice(server)
    const file = join(stateFolder, 'serve', 'devices.json')
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    expect(JSON.stringify(kept)).not.toContain('"d"')
    const thief = new TestDevice(address)
    const entry = { ...kept.devices[0], id: thief.id, key: { x: thief.key.x, y: thief.key.y } }
    writeFileSync(file, JSON.stringify({ version: 1, devices: [entry] }))
    await thief.hello()
    const call = { conversation: 'known', call: { do: 'stop', id: '1' } }
    expect((await thief.ask('call', call)).json).toEqual({ error: 'unknown' })
    // Under the name of the device, its signature is wrong.
    const forged = thief.signed('call', call)
    const header = String(forged.headers['zotui-signature']).replace(thief.id, device.id)
    const headers = { ...pageHeaders(address), 'zotui-signature': header }
    expect((await send(address, { ...forged, headers })).json).toEqual({ error: 'signature' })
    await device.ask('call', call)
    expect(hub.calls).toHaveLength(1)
  })

  test('starts no second server, whose questions the person could take for those of the first', async () => {
    const { stateFolder } = await serverStage()
    await expect(serverStage({ stateFolder })).rejects.toThrow(/serves your conversations already: process \d+/)
  })

  test('that leaves a claim of a dead process, or a folder in the place of the file, holds nothing up', async () => {
    const first = await serverStage()
    await first.server.close()
    const running = join(first.stateFolder, 'serve', 'running')
    mkdirSync(running, { recursive: true })
    writeFileSync(join(running, 'server.left-00'), '')
    mkdirSync(join(first.stateFolder, 'serve', 'devices.json'))
    const { server } = await serverStage({ stateFolder: first.stateFolder })
    await pairedDevice(server)
    expect(server.view().devices).toHaveLength(1)
    expect(existsSync(join(running, 'server.left-00'))).toBe(false)
  })
})

test('a port that is taken is one sentence', async () => {
  const { server } = await serverStage()
  const port = Number(new URL(server.view().address).port)
  await expect(serverStage({ port })).rejects.toThrow(`Port ${port} is taken.`)
})
