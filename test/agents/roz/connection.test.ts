/** The connection to a roz server: refused, too large, and behind TLS. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ServerCredentials, status } from '@grpc/grpc-js'
import { execa } from 'execa'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { makeHome } from '../../helpers/home.ts'
import { readAddress } from '../../../src/agents/roz/address.ts'
import { probeRoz } from '../../../src/agents/roz/probe.ts'
import { KEY, startFakeRoz, type FakeSession } from './fake-server.ts'
import { makeRoz, openRoz } from './open-roz.ts'

/** The words with which a start failed. */
async function failedStart(...args: Parameters<typeof makeRoz>): Promise<string> {
  const roz = makeRoz(...args)
  await roz.backend.open()
  const [end] = roz.of('agent_ended')
  expect(roz.types()).toEqual(['agent_starting', 'agent_ended'])
  expect(end?.expected).toBe(false)
  return [end?.reason, end?.hint].join(' | ')
}

const rejects = (session: FakeSession): boolean => {
  session.say('session_rejected', { code: 'not_found', message: 'no such environment', retryable: false })
  return true
}

describe('a failed start is reported in one line:', () => {
  test('a wrong key', async () => {
    const words = await failedStart(await startFakeRoz(), { key: 'roz_sk_wrong' })
    expect(words).toMatch(/^roz at 127\.0\.0\.1:\d+ does not accept the key \| check ROZ_API_KEY$/)
    expect(words).not.toContain('roz_sk_wrong')
  })

  test('no server', async () => {
    const fake = await startFakeRoz()
    fake.stop()
    expect(await failedStart(fake)).toMatch(/cannot be reached: nothing answers there \| check the address/)
  })

  test('a server of something else', async () => {
    const server = createServer((_request, response) => response.end('hello'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await failedStart({ url })).toMatch(
      /^roz at \S+ cannot be reached: the server there does not speak gRPC \| check the port, and whether it needs https:/,
    )
  })

  test('the older protocol', async () => {
    const older = { onRequest: (session: FakeSession) => (session.raw({ older_1: Buffer.from('s1') }), true) }
    expect(await failedStart(await startFakeRoz(older))).toMatch(
      /^this roz server speaks an older protocol, which zotui does not support \| upgrade the server/,
    )
  })

  test('a rejection', async () => {
    expect(await failedStart(await startFakeRoz({ onRequest: rejects }))).toContain('no such environment')
  })

  test('silence', async () => {
    const fake = await startFakeRoz({ onRequest: () => true })
    expect(await failedStart(fake, { limits: { hello: 300 } })).toMatch(/did not answer within 0 seconds/)
  })
})

test('a server of the older protocol is known from its first word, without a session', async () => {
  const fake = await startFakeRoz({ onRequest: session => (session.raw({ older_6: Buffer.from('') }), true) })
  const address = readAddress(fake.url)
  if (!address.ok) throw new Error(address.reason)
  const trouble = await probeRoz({ address: address.value, key: KEY, roots: null }, 20_000)
  expect(trouble?.reason).toMatch(/speaks an older protocol/)
})

test('a server on this machine is reached without the proxy of the environment', async () => {
  vi.stubEnv('http_proxy', 'http://127.0.0.1:1')
  vi.stubEnv('no_proxy', '')
  onTestFinished(() => void vi.unstubAllEnvs())
  const roz = await openRoz()
  await roz.ask('hello')
  expect(roz.said()).toBe('You said: hello.')
})

describe('a large message', () => {
  test('of almost 12 MiB passes in both directions', async () => {
    const long = 'x'.repeat(11 * 1024 * 1024)
    const roz = await openRoz({ onPrompt: (session, text) => session.answer(text) })
    await roz.ask(long)
    expect(roz.said().length).toBe(long.length)
  })

  test("over roz's limit is not sent, and the next one is", async () => {
    const roz = await openRoz()
    await roz.ask('one')
    await roz.ask('x'.repeat(13 * 1024 * 1024))
    expect(roz.of('prompt_refused')).toMatchObject([{ message: expect.stringContaining('larger than roz accepts') }])
    await roz.ask('two')
    expect(roz.said()).toBe('You said: one.You said: two.')
    // The next session is told all but that.
    await roz.backend.setModel('max')
    const texts = roz.fake.session.of('start')[0]?.history.flatMap(({ parts }) => parts)
    expect(texts).toMatchObject(['one', 'You said: one.', 'two', 'You said: two.'].map(text => ({ text: { text } })))
  })

  test('of the server that is too large ends the turn with a reason', async () => {
    const roz = await openRoz({
      onPrompt: (session, text) => session.answer(text === 'one' ? 'x'.repeat(13 * 1024 * 1024) : 'Back.'),
    })
    await roz.ask('one')
    expect(roz.events.at(-1)).toMatchObject({ type: 'turn_ended', stop: 'error' })
    const words = roz.of('error_reported').at(-1)?.message
    expect(words).toMatch(/^the connection to roz was lost: roz at \S+ sent a message that is too large$/)
    await roz.ask('two')
    expect(roz.said()).toBe('Back.')
  })

  test('of a conversation leaves out its oldest turns, and says so', async () => {
    const roz = await openRoz({ onPrompt: session => session.answer('Read.') })
    await roz.ask(`old ${'x'.repeat(7 * 1024 * 1024)}`)
    await roz.ask(`new ${'y'.repeat(5 * 1024 * 1024)}`)
    roz.fake.session.end(status.INTERNAL, 'it crashed')
    await expect.poll(() => roz.of('remark_made').at(-1)?.text).toMatch(/\(1 turn, without its oldest turn\)\.$/)
    const texts = JSON.stringify(roz.fake.session.of('start')[0]?.history).slice(0, 200)
    expect(texts).toContain('new y')
  }, 120_000)
})

describe('TLS', () => {
  let ca: Buffer
  let credentials: ServerCredentials
  beforeAll(async () => void ({ ca, credentials } = await certificates()))

  test('with a private authority is trusted only if that is configured', async () => {
    const fake = await startFakeRoz({ credentials })
    const url = `https://localhost:${fake.port}`
    expect(await failedStart(fake, { url })).toMatch(/its certificate is not trusted \| .*--ca FILE/)
    expect(await failedStart(fake, { url: `https://127.0.0.1:${fake.port}`, roots: ca })).toContain('another name')
    const roz = makeRoz(fake, { url, roots: ca })
    await roz.backend.open()
    await roz.ask('hello')
    expect(roz.said()).toBe('You said: hello.')
  })

  test('on a port that is asked without it says so', async () => {
    const fake = await startFakeRoz({ credentials })
    expect(await failedStart(fake)).toMatch(/: the server there does not speak gRPC \| .*whether it needs https:/)
  })

  test('on a port without it says so', async () => {
    const fake = await startFakeRoz()
    expect(await failedStart(fake, { url: `https://localhost:${fake.port}` })).toMatch(
      /does not use TLS|cannot be reached/,
    )
  })
})

/** An authority, and a server with a certificate of it for localhost. */
async function certificates(): Promise<{ ca: Buffer; credentials: ServerCredentials }> {
  const home = makeHome()
  const run = (...args: string[]) => execa('openssl', args, { cwd: home.path })
  const fresh = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2']
  await run(...fresh, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=an authority')
  const server = ['-keyout', 'server.key', '-out', 'server.pem', '-subj', '/CN=localhost']
  await run(...fresh, ...server, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', 'subjectAltName=DNS:localhost')
  const read = (name: string): Buffer => readFileSync(`${home.path}/${name}`)
  const pair = { private_key: read('server.key'), cert_chain: read('server.pem') }
  const made = { ca: read('ca.pem'), credentials: ServerCredentials.createSsl(null, [pair]) }
  home.remove()
  return made
}
