/** The file of the devices may have been written by anybody, and lets nobody in by itself. */
import { mkdtempSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Devices, MOST_DEVICES } from '../../src/serve/devices.ts'
import { UsedCounters } from '../../src/serve/nonces.ts'
import { pairedDevice, TestDevice } from './client.ts'
import { serverStage } from './stage.ts'

const fileOf = (stateFolder: string) => join(stateFolder, 'serve', 'devices.json')

const read = (content: string, prepare: (path: string) => void = path => writeFileSync(path, content)) => {
  const stateFolder = mkdtempSync(join(tmpdir(), 'zotui-serve-'))
  mkdirSync(join(stateFolder, 'serve'))
  prepare(fileOf(stateFolder))
  return new Devices({ stateFolder, now: () => 0, log: () => undefined }).list().map(({ name }) => name)
}

const entry = (change: object = {}) => {
  const { id, key: own } = new TestDevice('http://127.0.0.1:1')
  const kept = { id, name: 'a', role: 'view', key: { x: own.x, y: own.y }, pairedAt: 1, seenAt: null, from: '' }
  return { ...kept, ...change }
}
const file = (...devices: object[]) => JSON.stringify({ version: 1, devices })

describe('the file of the devices', () => {
  test('lets nobody in after a restart before a yes, and keeps name and role', async () => {
    const first = await serverStage()
    const device = await pairedDevice(first.server, 'answer')
    await first.server.close()
    const { server } = await serverStage({ stateFolder: first.stateFolder })
    const again = Object.assign(device, { address: server.view().address })
    expect(server.view().devices).toMatchObject([{ name: 'Pixel 8', role: 'answer', isAdmitted: false }])
    await again.hello()
    expect((await again.ask('call', { conversation: 'known', call: { do: 'stop', id: '1' } })).json).toEqual({
      error: 'admit',
    })
    const { state, number } = await again.request('pair/status', {})
    const [asked] = server.view().waiting
    expect([state, asked]).toMatchObject(['waiting', { kind: 'admit', name: 'Pixel 8', number }])
    expect(await again.request('pair/status', {})).toEqual({ state: 'waiting', number })
    server.act({ do: 'answer', id: asked?.id ?? '', yes: true })
    expect(await again.request('pair/status', {})).toMatchObject({ state: 'paired' })
    expect((await again.ask('call', { conversation: 'known', call: { do: 'stop', id: '1' } })).status).toBe(200)
  })

  test('is private, and has no secret', async () => {
    const { server, stateFolder } = await serverStage()
    await pairedDevice(server)
    expect(statSync(fileOf(stateFolder)).mode & 0o777).toBe(0o600)
    expect(statSync(join(stateFolder, 'serve')).mode & 0o777).toBe(0o700)
    const kept = JSON.parse(readFileSync(fileOf(stateFolder), 'utf8'))
    expect(Object.keys(kept.devices[0]).toSorted()).toEqual(
      ['from', 'id', 'key', 'name', 'pairedAt', 'role', 'seenAt'].toSorted(),
    )
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another version', JSON.stringify({ version: 2, devices: [entry()] })],
    ['a key of another device', file(entry({ id: 'A'.repeat(22) }))],
    ['a key that is none', file(entry({ key: { x: 'A'.repeat(43), y: 'A'.repeat(43) } }))],
    ['a role that is none', file(entry({ role: 'owner' }))],
    ['a name that is too long', file(entry({ name: 'a'.repeat(61) }))],
    ['nested too deep', '['.repeat(100_000)],
  ])('with %s has no device', (_name, content) => {
    expect(read(content)).toEqual([])
  })

  test('loses only the entry that is damaged, and has at most so many', () => {
    expect(read(file(entry({ name: 'one' }), {}, entry({ name: 'two' })))).toEqual(['one', 'two'])
    expect(read(file(...Array.from({ length: 40 }, () => entry())))).toHaveLength(MOST_DEVICES)
  })

  test('that is no file is none', () => {
    expect(read('', path => mkdirSync(path))).toEqual([])
    expect(read('', path => symlinkSync('/dev/zero', path))).toEqual([])
  })

  test('a full list takes no other device', () => {
    const stateFolder = mkdtempSync(join(tmpdir(), 'zotui-serve-'))
    const devices = new Devices({ stateFolder, now: () => 0, log: () => undefined })
    const add = () => {
      const { x, y } = new TestDevice('http://127.0.0.1:1').key
      return devices.add({ name: 'a', role: 'view', key: { x, y }, from: '' }, new UsedCounters())
    }
    expect(Array.from({ length: MOST_DEVICES + 1 }, add).filter(Boolean)).toHaveLength(MOST_DEVICES)
  })
})
