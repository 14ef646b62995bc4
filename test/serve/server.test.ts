/** A device from its pairing to its end, over real connections. */
import { expect, test } from 'vitest'
import { pairedDevice, TestDevice } from './client.ts'
import { serverStage } from './stage.ts'

test('a new device and the terminal show the same number, and it is let in after a yes', async () => {
  const { server, address } = await serverStage()
  const device = new TestDevice(address)
  server.act({ do: 'pair', role: 'answer' })
  const number = await device.useLink(server.view().pairing?.link ?? '', 'Pixel 8')
  await device.hello()
  expect(await device.request('pair/status', {})).toEqual({ state: 'waiting', number })
  const [asked] = server.view().waiting
  expect(asked).toMatchObject({ kind: 'pair', name: 'Pixel 8', role: 'answer', number })
  expect((await device.ask('stream', { epoch: '', known: 0, watch: null })).json).toEqual({ error: 'admit' })
  server.act({ do: 'answer', id: asked?.id ?? '', yes: true })
  expect(await device.request('pair/status', {})).toEqual({ state: 'paired', number: '' })
  expect(server.view().devices).toMatchObject([{ id: device.id, name: 'Pixel 8', role: 'answer', isAdmitted: true }])
})

test('a device that was refused gets nothing, and its link is void', async () => {
  const { server, address } = await serverStage()
  const device = new TestDevice(address)
  server.act({ do: 'pair', role: 'steer' })
  const link = server.view().pairing?.link ?? ''
  await device.useLink(link)
  await device.hello()
  server.act({ do: 'answer', id: server.view().waiting[0]?.id ?? '', yes: false })
  expect(await device.request('pair/status', {})).toMatchObject({ state: 'refused' })
  expect((await device.ask('call', { conversation: 'known', call: { do: 'stop', id: '1' } })).json).toEqual({
    error: 'admit',
  })
  await expect(new TestDevice(address).useLink(link)).rejects.toThrow('link')
  expect(server.view().devices).toEqual([])
})

test('a stream begins at once, and ends with a sentence when the device is revoked', async () => {
  const { server, hub } = await serverStage()
  const device = await pairedDevice(server)
  const lines = device.stream('known')
  expect((await lines.next()).value).toMatchObject({ type: 'hello', device: { id: device.id, role: 'steer' } })
  expect(hub.streams[0]).toMatchObject({ watch: 'known', only: null })
  expect(server.view().devices[0]?.isWatching).toBe(true)
  server.act({ do: 'revoke', device: device.id })
  expect((await lines.next()).value).toMatchObject({ type: 'end', message: expect.stringContaining('removed') })
  expect((await lines.next()).done).toBe(true)
  expect((await device.ask('blocks', { conversation: 'known', from: 0, to: 1 })).json).toEqual({ error: 'unknown' })
})
