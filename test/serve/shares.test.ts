/** A share from its link to its end, over real connections: what its readers may ask, and what they may not. */
import { expect, test } from 'vitest'
import { pairedDevice, TestReader } from './client.ts'
import { serverStage, type Stage } from './stage.ts'

const AT = 'https://phone.example'
const HOUR = 3_600_000

/** A server with a share of the session `shared`, and a browser that has its link. */
async function sharedStage(): Promise<Stage & { reader: TestReader; link: string; id: string }> {
  const stage = await serverStage({ at: AT })
  stage.server.act({ do: 'share', session: 'shared', endsAt: stage.clock.now + HOUR })
  const [share] = stage.server.view().shares
  const link = share?.link ?? ''
  const reader = new TestReader(stage.address, link)
  await reader.hello()
  return { ...stage, reader, link, id: share?.id ?? '' }
}

const refusalOf = async (reader: TestReader, name: string, value: unknown) => (await reader.ask(name, value)).json

test('a link has its token in the fragment, and reads one session as a device that may only look', async () => {
  const { server, hub, reader, link } = await sharedStage()
  expect(link).toMatch(/^https:\/\/phone\.example\/#share=[\w-]{16}\.[\w-]{43}$/)
  const lines = reader.stream('known')
  expect((await lines.next()).value).toMatchObject({ type: 'hello', device: { name: 'a reader', role: 'view' } })
  expect(hub.streams).toMatchObject([{ only: 'shared', watch: 'known' }])
  await expect.poll(() => server.view().shares).toMatchObject([{ readers: 1 }])
  expect(await reader.request('blocks', { conversation: 'known', from: 0, to: 1 })).toMatchObject({ total: 0 })
  await lines.return(undefined)
  await expect.poll(() => server.view().shares).toMatchObject([{ readers: 0 }])
})

test('a reader asks nothing of a conversation, gets no notifications, and is no device', async () => {
  const { server, hub, reader } = await sharedStage()
  const stop = { conversation: 'known', call: { do: 'stop', id: '1' } }
  const prompt = { conversation: 'known', call: { do: 'prompt', id: '2', text: 'rm -rf /' } }
  for (const [name, value] of [
    ['call', stop],
    ['call', prompt],
    ['push', { subscription: null }],
    ['pair/status', {}],
    ['leave', {}],
  ] as const)
    expect(await refusalOf(reader, name, value)).toEqual({ error: 'role' })
  expect(hub.calls).toEqual([])
  expect(server.view().devices).toEqual([])
})

test('each request of a reader counts once', async () => {
  const { address, reader } = await sharedStage()
  const { send } = await import('./client.ts')
  const sent = reader.signed('blocks', { conversation: 'known', from: 0, to: 1 })
  expect((await send(address, sent)).status).toBe(200)
  expect((await send(address, sent)).json).toEqual({ error: 'counter' })
})

test('a share that is ended is void at once, and its pages say so', async () => {
  const { server, reader, id } = await sharedStage()
  const lines = reader.stream('known')
  await lines.next()
  server.act({ do: 'end_share', share: id })
  expect((await lines.next()).value).toMatchObject({ type: 'end', message: 'This share has ended.' })
  expect(await refusalOf(reader, 'blocks', { conversation: 'known', from: 0, to: 1 })).toEqual({ error: 'unknown' })
  expect(server.view().shares).toEqual([])
})

test('a share whose time is over is void', async () => {
  const { server, reader, clock } = await sharedStage()
  clock.now += HOUR
  expect(await refusalOf(reader, 'blocks', { conversation: 'known', from: 0, to: 1 })).toEqual({ error: 'unknown' })
  expect(server.view().shares).toEqual([])
})

test('another token, the ID of a device in its place, and a link of another server are refused', async () => {
  const { server, address, link } = await sharedStage()
  const wrong = new TestReader(address, link.replace(/.{43}$/, 'x'.repeat(43)))
  await wrong.hello()
  expect(await refusalOf(wrong, 'blocks', { conversation: 'known', from: 0, to: 1 })).toEqual({ error: 'signature' })
  const device = await pairedDevice(server, 'view')
  const pretended = new TestReader(address, `${AT}/#share=${device.id}.${'x'.repeat(43)}`)
  await pretended.hello()
  expect(await refusalOf(pretended, 'blocks', { conversation: 'known', from: 0, to: 1 })).toEqual({ error: 'unknown' })
  const elsewhere = new TestReader((await serverStage({ at: AT })).address, link)
  await elsewhere.hello()
  expect(await refusalOf(elsewhere, 'blocks', { conversation: 'known', from: 0, to: 1 })).toEqual({ error: 'unknown' })
})

test('without --at there is no share, and one line says why', async () => {
  const { server, clock } = await serverStage()
  server.act({ do: 'share', session: 'shared', endsAt: clock.now + HOUR })
  expect(server.view().shares).toEqual([])
  expect(server.view().problem).toBe('A share needs --at: nobody else reaches this address.')
})
