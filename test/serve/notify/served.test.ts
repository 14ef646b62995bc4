/** Notifications of a running server: a paired device subscribes over the wire, and hears what waits. */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openNotifications } from '../../../src/serve/notify/open-notifications.ts'
import { pairedDevice } from '../client.ts'
import { serverStage } from '../stage.ts'
import { browserAt } from './push-service.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'zotui-served-'))

function notifierIn(own: string, command: string | null = null) {
  return openNotifications({
    settings: () => ({ serveNotifyAfter: 0, serveNotifyContent: false, serveNotifyCommand: command, ntfyUrl: null }),
    stateFolder: join(own, 'state'),
    at: null,
    env: process.env,
    folder: own,
    now: () => Date.now(),
    log: () => {},
  })
}

const asking = {
  id: 'c1',
  folder: '/home/me/project',
  title: '',
  state: 'asks',
  questions: [{ id: 'q1', kind: 'call', title: 'rm' }],
  isWatched: false,
} as const

test('a device that may only look subscribes to the service of its browser, and to nothing else', async () => {
  const { server } = await serverStage({ notifier: notifierIn(folder()) })
  const device = await pairedDevice(server, 'view')
  const { publicKey } = await device.request('push', { subscription: null })
  expect(publicKey).toMatch(/^[\w-]{87}$/)
  const { subscription } = browserAt('https://updates.push.services.mozilla.com/wpush/v2/x')
  expect(await device.request('push', { subscription })).toEqual({ ok: true, message: '', publicKey })
  for (const endpoint of ['https://127.0.0.1:4747/api/call', 'https://evil.example/x', 'http://fcm.googleapis.com/x'])
    expect(await device.request('push', { subscription: { ...subscription, endpoint } })).toMatchObject({ ok: false })
})

test('a server without notifications says so', async () => {
  const { server } = await serverStage()
  const device = await pairedDevice(server, 'view')
  expect(await device.request('push', { subscription: null })).toEqual({
    ok: false,
    message: 'This server sends no notifications.',
    publicKey: '',
  })
})

test('what waits is notified while the server runs, and a way that fails is one line for the person', async () => {
  const own = folder()
  const { server, hub } = await serverStage({ notifier: notifierIn(own, 'cat > got.json; exit 7') })
  hub.waits = [asking]
  hub.notify()
  await expect.poll(() => server.view().problem).toContain('exit code 7')
  expect(JSON.parse(readFileSync(join(own, 'got.json'), 'utf8'))).toMatchObject({ body: 'a question waits in project' })
})

test('a device that is revoked is notified no more', async () => {
  const notifier = notifierIn(folder())
  const forgotten: string[] = []
  const { server } = await serverStage({ notifier: { ...notifier, forget: id => void forgotten.push(id) } })
  const [one, two] = [await pairedDevice(server, 'view'), await pairedDevice(server, 'view')]
  server.act({ do: 'revoke', device: one.id })
  await two.request('leave', {})
  expect(forgotten).toEqual([one.id, two.id])
})
