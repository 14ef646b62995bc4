import { mkdtempSync, readFileSync, statSync, symlinkSync, writeFileSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { NotificationMessage } from '../../../src/serve/notify/message.ts'
import { openPushKey } from '../../../src/serve/notify/push-key.ts'
import { WebPush, type WebPushOptions } from '../../../src/serve/notify/web-push.ts'
import { browserAt, claimsOf, listening, pushService } from './push-service.ts'

const NOW = Date.UTC(2030, 0, 2)
const message: NotificationMessage = {
  version: 1,
  kind: 'question',
  title: 'zotui',
  body: 'a question waits in project',
  conversation: 'c1',
  place: '#/c/c1/q/q1',
}

const fileIn = (folder: string) => join(folder, 'serve', 'push-key.json')

const stateFolder = () => mkdtempSync(join(tmpdir(), 'zotui-push-'))

function pushTo(service: Pick<WebPushOptions, 'way'> & { services?: WebPushOptions['services'] }) {
  const waits: number[] = []
  const key = openPushKey(stateFolder(), () => {})
  const push = new WebPush({
    key,
    contact: 'https://phone.example',
    now: () => NOW,
    way: service.way,
    timers: { after: (ms, run) => (waits.push(ms), setImmediate(run), () => {}) },
    ...(service.services && { services: service.services }),
  })
  return { push, key, waits }
}

describe('a message to a device', () => {
  test('reaches the push service encrypted and signed, and only the browser reads it', async () => {
    const service = await pushService()
    const { push, key } = pushTo(service)
    const browser = browserAt(service.endpoint)
    expect(push.subscribe('phone', browser.subscription)).toEqual({ ok: true, message: '' })
    expect(await push.send(message)).toEqual([])

    const [got] = service.got
    expect(got?.path).toBe('/send/one')
    expect(got?.body.toString('latin1')).not.toContain('project')
    expect(JSON.parse(browser.read(got?.body ?? Buffer.alloc(0)))).toEqual(message)
    expect(got?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '21600' })
    expect(got?.headers['topic']).toMatch(/^[\w-]{32}$/)
    expect(claimsOf(got?.headers.authorization ?? '', key.publicKey)).toEqual({
      aud: `https://push.localhost:${service.port}`,
      exp: NOW / 1000 + 12 * 3600,
      sub: 'https://phone.example',
    })
  })

  test('comes again if the service was too busy, after the time that it asks for', async () => {
    const service = await pushService([{ status: 429, headers: { 'Retry-After': '7' } }])
    const { push, waits } = pushTo(service)
    const browser = browserAt(service.endpoint)
    push.subscribe('phone', browser.subscription)
    expect(await push.send(message)).toEqual([])
    expect(waits).toEqual([7000])
    expect(service.got).toHaveLength(2)
    expect(JSON.parse(browser.read(service.got[1]?.body ?? Buffer.alloc(0)))).toEqual(message)
  })

  test('waits no longer than half a minute, whatever the service asks for', async () => {
    const service = await pushService([{ status: 503, headers: { 'Retry-After': '999999' } }])
    const { push, waits } = pushTo(service)
    push.subscribe('phone', browserAt(service.endpoint).subscription)
    await push.send(message)
    expect(waits).toEqual([30_000])
  })

  test.each([404, 410])(
    'a subscription that the service does not know any more (%i) is dropped without a word',
    async status => {
      const service = await pushService([{ status }])
      const { push } = pushTo(service)
      push.subscribe('phone', browserAt(service.endpoint).subscription)
      expect(await push.send(message)).toEqual([])
      expect(await push.send(message)).toEqual([])
      expect(service.got).toHaveLength(1)
    },
  )

  test('a service that refuses five messages in a row gets no sixth', async () => {
    const service = await pushService(Array.from({ length: 9 }, () => ({ status: 403 })))
    const { push } = pushTo(service)
    push.subscribe('phone', browserAt(service.endpoint).subscription)
    for (let time = 0; time < 5; time += 1)
      expect(await push.send(message)).toEqual(['Notification: push.localhost refuses it (403).'])
    expect(await push.send(message)).toEqual([])
    expect(service.got).toHaveLength(5)
  })

  test('no redirect is followed', async () => {
    const other = await pushService()
    const service = await pushService([{ status: 307, headers: { Location: other.endpoint } }])
    const { push } = pushTo(service)
    push.subscribe('phone', browserAt(service.endpoint).subscription)
    expect(await push.send(message)).toEqual(['Notification: push.localhost refuses it (307).'])
    expect(other.got).toEqual([])
  })

  test('is not sent to an address of this machine or a private network, even if the name of a service leads there', async () => {
    const service = await pushService()
    for (const address of ['127.0.0.1', '::1', '192.168.1.1', '169.254.169.254', '::ffff:127.0.0.1', 'fd00::1']) {
      const { push } = pushTo({ ...service, way: { ...service.way, rules: [], resolve: async () => [address] } })
      push.subscribe('phone', browserAt(service.endpoint).subscription)
      expect(await push.send(message)).toEqual(['Notification: push.localhost leads to an address that is not public.'])
    }
    expect(service.got).toEqual([])
  })

  test('is not sent to a server with the certificate of somebody else, nor to one without TLS', async () => {
    const [service, other] = [await pushService(), await pushService()]
    const wrong = pushTo({ ...service, way: { ...service.way, ca: other.way.ca } })
    wrong.push.subscribe('phone', browserAt(service.endpoint).subscription)
    expect((await wrong.push.send(message)).join()).toMatch(/^Notification: push.localhost cannot be reached \(/)
    const plainPort = await listening(createServer())
    const rules = [{ host: 'push.localhost', isForSubdomains: false, ports: [plainPort] }]
    const plain = pushTo({ services: rules, way: { ...service.way, rules } })
    plain.push.subscribe('phone', browserAt(`https://push.localhost:${plainPort}/`).subscription)
    expect((await plain.push.send(message)).join()).toMatch(/cannot be reached/)
    expect(service.got).toEqual([])
  })

  test('goes to each device once, to its last subscription, and to none that has left', async () => {
    const service = await pushService()
    const { push } = pushTo(service)
    const [old, phone, left] = [1, 2, 3].map(() => browserAt(service.endpoint))
    push.subscribe('phone', old?.subscription)
    push.subscribe('phone', phone?.subscription)
    push.subscribe('laptop', left?.subscription)
    push.subscribe('laptop', null)
    await push.send(message)
    expect(service.got).toHaveLength(1)
    expect(phone?.read(service.got[0]?.body ?? Buffer.alloc(0))).toContain('project')
  })
})

describe('a subscription', () => {
  const usual = 'https://fcm.googleapis.com/fcm/send/x'
  test.each([
    usual,
    'https://updates.push.services.mozilla.com/wpush/v2/x',
    'https://web.push.apple.com/x',
    'https://wns2-by3p.notify.windows.com/w/?token=x',
  ])('to %s is taken', endpoint => {
    const { push } = pushTo({ way: { resolve: async () => [], rules: [] } })
    expect(push.subscribe('phone', browserAt(endpoint).subscription)).toEqual({ ok: true, message: '' })
  })

  test.each([
    'https://localhost/x',
    'https://127.0.0.1/x',
    'https://192.168.1.1/x',
    'https://evil.example/x',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evilfcm.googleapis.com/x',
    'https://push.services.mozilla.com/x',
    'https://fcm.googleapis.com:8443/x',
    'https://user:secret@fcm.googleapis.com/x',
    'https://fcm.googleapis.com@evil.example/x',
    'http://fcm.googleapis.com/x',
    'ftp://fcm.googleapis.com/x',
    `https://fcm.googleapis.com/${'x'.repeat(2000)}`,
  ])('to %s is refused', endpoint => {
    const { push } = pushTo({ way: { resolve: async () => [], rules: [] } })
    expect(push.subscribe('phone', browserAt(endpoint).subscription).ok).toBe(false)
  })

  test.each([
    ['a text', 'x'],
    ['a list', []],
    ['no keys', { endpoint: usual }],
    ['a key that is no point', { endpoint: usual, keys: { p256dh: 'A'.repeat(87), auth: 'A'.repeat(22) } }],
    ['a short secret', { endpoint: usual, keys: { ...browserAt(usual).subscription.keys, auth: 'AAAA' } }],
    ['an inherited name', { endpoint: usual, keys: 'constructor' }],
  ])('of %s is refused', (_name, subscription) => {
    const { push } = pushTo({ way: { resolve: async () => [], rules: [] } })
    expect(push.subscribe('phone', subscription)).toEqual({
      ok: false,
      message: 'This is no subscription to notifications.',
    })
  })

  test('of the fifty-first device is refused, and of the others still taken', () => {
    const { push } = pushTo({ way: { resolve: async () => [], rules: [] } })
    for (let device = 0; device < 50; device += 1) push.subscribe(`${device}`, browserAt(usual).subscription)
    expect(push.subscribe('more', browserAt(usual).subscription).ok).toBe(false)
    expect(push.subscribe('7', browserAt(usual).subscription).ok).toBe(true)
  })
})

describe('the key for push services', () => {
  test('stays the same, and only its owner can read it', () => {
    const folder = stateFolder()
    const first = openPushKey(folder, () => {})
    expect(openPushKey(folder, () => {}).publicKey).toBe(first.publicKey)
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'serve')).mode & 0o777).toBe(0o700)
  })

  test.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['another value', '{"kty":"EC"}'],
    [
      'parts that do not belong together',
      JSON.stringify({ kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43), d: 'A'.repeat(43) }),
    ],
  ])('is made anew where the file has %s', (_name, content) => {
    const folder = stateFolder()
    mkdirSync(join(folder, 'serve'))
    writeFileSync(fileIn(folder), content)
    const made = openPushKey(folder, () => {})
    expect(made.publicKey).toHaveLength(87)
    expect(openPushKey(folder, () => {}).publicKey).toBe(made.publicKey)
  })

  test('does not follow a link when it is written', () => {
    const [folder, elsewhere] = [stateFolder(), join(stateFolder(), 'mine')]
    writeFileSync(elsewhere, 'mine')
    mkdirSync(join(folder, 'serve'))
    symlinkSync(elsewhere, fileIn(folder))
    openPushKey(folder, () => {})
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  })

  test('is used from memory if it cannot be written, and the problem is reported', () => {
    const folder = stateFolder()
    writeFileSync(join(folder, 'serve'), 'a file in the place of the folder')
    const problems: unknown[] = []
    expect(openPushKey(folder, error => problems.push(error)).publicKey).toHaveLength(87)
    expect(problems).toHaveLength(1)
  })
})
