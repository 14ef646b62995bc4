import { describe, expect, test } from 'vitest'
import { createLocalServer } from '../../../src/app/serve/local-server.ts'
import type { FromServer, ToServer } from '../../../src/published/control.ts'
import { serveView, wantsIn } from './fake-local-server.ts'

const options = { at: null, port: 4747 }

/** What is due comes first. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
}

/** A server that was started. */
async function stage() {
  const sent: ToServer[] = []
  const said: string[] = []
  let ends = 0
  let starts = 0
  let on: { message: (message: unknown) => void; ended: (why: string) => void } | null = null
  const server = createLocalServer({
    startProcess(given) {
      starts += 1
      on = given
      return { send: message => void sent.push(message), end: async () => void (ends += 1) }
    },
    newSecret: () => `secret ${starts}`,
    say: words => void said.push(words),
  })
  server.start(options)
  await settled()
  return {
    server,
    sent,
    said,
    starts: () => starts,
    ends: () => ends,
    tell: (message: FromServer | { type: 'other' }) => on?.message(message),
    endByItself: () => on?.ended('It has ended.'),
  }
}

const begun = (secret: string): ToServer => ({ type: 'start', start: { ...options, secret } })

describe('the server of a UI', () => {
  test('gets the address and a secret of its own, and a first link', async () => {
    const { server, sent, tell } = await stage()
    expect(server.state().phase).toBe('starting')
    tell({ type: 'view', view: serveView({ pairing: null }) })
    expect(sent).toEqual([begun('secret 1'), { type: 'action', action: { do: 'pair', role: 'steer' } }])
  })

  test('is started once', async () => {
    const { server, starts, tell } = await stage()
    server.start(options)
    tell({ type: 'view', view: serveView({}) })
    server.start(options)
    expect(starts()).toBe(1)
  })

  test('shows a code for each link, and none without one', async () => {
    const { server, tell } = await stage()
    tell({ type: 'view', view: serveView({}) })
    expect(server.state()).toHaveProperty('qr.0')
    tell({ type: 'view', view: serveView({ pairing: null }) })
    expect(server.state()).toHaveProperty('qr', null)
    const link = `https://${'x'.repeat(2000)}`
    tell({ type: 'view', view: serveView({ pairing: { link, role: 'view', expiresAt: 0 } }) })
    expect(server.state()).toHaveProperty('qr', null)
  })

  test('announces what waits once, and not while somebody looks', async () => {
    const { server, said, tell } = await stage()
    tell({ type: 'view', view: serveView({ waiting: [wantsIn] }) })
    tell({ type: 'view', view: serveView({ waiting: [wantsIn] }) })
    expect(said).toEqual(['Pixel 8 wants to be paired. /serve asks you.'])
    const unsubscribe = server.subscribe(() => undefined)
    tell({ type: 'view', view: serveView({ waiting: [{ ...wantsIn, id: 'a2', name: 'Tablet' }] }) })
    unsubscribe()
    tell({ type: 'view', view: serveView({ waiting: [{ ...wantsIn, id: 'a2', name: 'Tablet' }] }) })
    expect(said).toHaveLength(1)
  })

  test('a name is cut in what is announced', async () => {
    const { said, tell } = await stage()
    tell({ type: 'view', view: serveView({ waiting: [{ ...wantsIn, name: 'x'.repeat(500) }] }) })
    expect(said[0]?.length).toBeLessThan(100)
  })

  test('that is started otherwise is ended first', async () => {
    const { server, sent, tell, ends, starts } = await stage()
    tell({ type: 'view', view: serveView({}) })
    server.start({ at: 'https://a.example', port: 4747 })
    expect([server.state().phase, ends(), starts()]).toEqual(['starting', 1, 1])
    await settled()
    expect([starts(), sent.at(-1)]).toEqual([
      2,
      { type: 'start', start: { at: 'https://a.example', port: 4747, secret: 'secret 2' } },
    ])
  })

  test('that is stopped before it has begun does not begin', async () => {
    const { server, starts } = await stage()
    server.start({ at: 'https://a.example', port: 4747 })
    server.stop()
    await settled()
    expect([starts(), server.state().phase]).toEqual([1, 'off'])
  })

  test('says why it failed, starts again, and gets another secret', async () => {
    const { server, sent, said, tell, ends } = await stage()
    tell({ type: 'failed', message: 'The port 4747 is taken.', hint: 'Use another one.' })
    expect(server.state()).toEqual({ phase: 'failed', message: 'The port 4747 is taken.', hint: 'Use another one.' })
    expect(said).toEqual(['The port 4747 is taken. Use another one.'])
    expect(ends()).toBe(1)
    server.startAgain()
    await settled()
    expect(sent.at(-1)).toEqual(begun('secret 2'))
  })

  test('that ends by itself is over, and what it says later is not heard', async () => {
    const { server, tell, endByItself } = await stage()
    endByItself()
    tell({ type: 'view', view: serveView({}) })
    expect(server.state()).toMatchObject({ phase: 'failed', message: 'It has ended.' })
  })

  test('that says something else is ended', async () => {
    const { server, tell, ends } = await stage()
    tell({ type: 'other' })
    expect([server.state().phase, ends()]).toEqual(['failed', 1])
  })

  test('ends when it is stopped, and nothing is said then', async () => {
    const { server, said, tell, ends, endByItself } = await stage()
    tell({ type: 'view', view: serveView({}) })
    server.stop()
    endByItself()
    expect([server.state(), ends(), said]).toEqual([{ phase: 'off' }, 1, []])
  })
})
