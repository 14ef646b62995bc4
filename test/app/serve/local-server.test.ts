import { describe, expect, test } from 'vitest'
import { createLocalServer } from '../../../src/app/serve/local-server.ts'
import type { FromServer, ToServer } from '../../../src/published/control.ts'
import { serveView, wantsIn } from './fake-local-server.ts'

function stage() {
  const sent: ToServer[] = []
  const said: string[] = []
  let ends = 0
  let starts = 0
  let on: { message: (message: unknown) => void; ended: (why: string) => void } | null = null
  const server = createLocalServer({
    startProcess(given) {
      starts += 1
      on = given
      return { send: message => void sent.push(message), end: () => void (ends += 1) }
    },
    newSecret: () => `secret ${starts}`,
    say: words => void said.push(words),
  })
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

const options = { at: null, port: 4747 }
const begun = (secret: string): ToServer => ({ type: 'start', start: { ...options, secret } })

describe('the server of a UI', () => {
  test('gets the address and a secret of its own, and a first link', () => {
    const { server, sent, tell } = stage()
    server.start(options)
    expect(server.state().phase).toBe('starting')
    tell({ type: 'view', view: serveView({ pairing: null }) })
    expect(sent).toEqual([begun('secret 1'), { type: 'action', action: { do: 'pair', role: 'steer' } }])
  })

  test('is started once', () => {
    const { server, starts, tell } = stage()
    server.start(options)
    server.start(options)
    tell({ type: 'view', view: serveView({}) })
    server.start(options)
    expect(starts()).toBe(1)
  })

  test('shows a code for each link, and none without one', () => {
    const { server, tell } = stage()
    server.start(options)
    tell({ type: 'view', view: serveView({}) })
    expect(server.state()).toHaveProperty('qr.0')
    tell({ type: 'view', view: serveView({ pairing: null }) })
    expect(server.state()).toHaveProperty('qr', null)
    const link = `https://${'x'.repeat(2000)}`
    tell({ type: 'view', view: serveView({ pairing: { link, role: 'view', expiresAt: 0 } }) })
    expect(server.state()).toHaveProperty('qr', null)
  })

  test('announces what waits once, and not while somebody looks', () => {
    const { server, said, tell } = stage()
    server.start(options)
    tell({ type: 'view', view: serveView({ waiting: [wantsIn] }) })
    tell({ type: 'view', view: serveView({ waiting: [wantsIn] }) })
    expect(said).toEqual(['Pixel 8 wants to be paired. /serve asks you.'])
    const unsubscribe = server.subscribe(() => undefined)
    tell({ type: 'view', view: serveView({ waiting: [{ ...wantsIn, id: 'a2', name: 'Tablet' }] }) })
    unsubscribe()
    tell({ type: 'view', view: serveView({ waiting: [{ ...wantsIn, id: 'a2', name: 'Tablet' }] }) })
    expect(said).toHaveLength(1)
  })

  test('a name is cut in what is announced', () => {
    const { server, said, tell } = stage()
    server.start(options)
    tell({ type: 'view', view: serveView({ waiting: [{ ...wantsIn, name: 'x'.repeat(500) }] }) })
    expect(said[0]?.length).toBeLessThan(100)
  })

  test('says why it failed, starts again, and gets another secret', () => {
    const { server, sent, said, tell, ends } = stage()
    server.start(options)
    tell({ type: 'failed', message: 'The port 4747 is taken.', hint: 'Use another one.' })
    expect(server.state()).toEqual({ phase: 'failed', message: 'The port 4747 is taken.', hint: 'Use another one.' })
    expect(said).toEqual(['The port 4747 is taken. Use another one.'])
    expect(ends()).toBe(1)
    server.startAgain()
    expect(sent.at(-1)).toEqual(begun('secret 2'))
  })

  test('that ends by itself is over, and what it says later is not heard', () => {
    const { server, tell, endByItself } = stage()
    server.start(options)
    endByItself()
    tell({ type: 'view', view: serveView({}) })
    expect(server.state()).toMatchObject({ phase: 'failed', message: 'It has ended.' })
  })

  test('that says something else is ended', () => {
    const { server, tell, ends } = stage()
    server.start(options)
    tell({ type: 'other' })
    expect([server.state().phase, ends()]).toEqual(['failed', 1])
  })

  test('ends when it is stopped, and nothing is said then', () => {
    const { server, said, tell, ends, endByItself } = stage()
    server.start(options)
    tell({ type: 'view', view: serveView({}) })
    server.stop()
    endByItself()
    expect([server.state(), ends(), said]).toEqual([{ phase: 'off' }, 1, []])
  })
})
