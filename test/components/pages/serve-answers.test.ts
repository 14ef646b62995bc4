/** What a yes and a no do in /serve, and when. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { fakeLocalServer, knownDevice, LINK, running, serveView, wantsIn } from '../../app/serve/fake-local-server.ts'
import { stage } from './stage.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const QUIET = 400
const asking = serveView({ waiting: [wantsIn] })
const another = { ...wantsIn, id: 'a2', name: 'Somebody else', number: '111111' } as const

async function opened(view = asking) {
  const on = await stage()
  const server = fakeLocalServer(view)
  const timers = vi.getTimerCount()
  on.open('serve', { server })
  on.rows()
  return { on, server, timers }
}

describe('a question of the server', () => {
  test('is answered by y after a pause', async () => {
    const { on, server } = await opened()
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(server.done).toEqual([{ do: 'answer', id: 'a1', yes: true }])
  })

  test('is answered by n after a pause', async () => {
    const { on, server } = await opened()
    vi.advanceTimersByTime(QUIET)
    await on.press('n')
    expect(server.done).toEqual([{ do: 'answer', id: 'a1', yes: false }])
  })

  test('takes no key that was meant for something else, nor one too soon after another key', async () => {
    const { on, server } = await opened()
    await on.press('y')
    vi.advanceTimersByTime(QUIET - 1)
    await on.press('down')
    vi.advanceTimersByTime(QUIET - 1)
    await on.press('y')
    expect(server.done).toEqual([])
  })

  test('takes the pause again when another one stands in its place', async () => {
    const { on, server } = await opened()
    vi.advanceTimersByTime(QUIET)
    server.change(running(serveView({ waiting: [another] })))
    await on.press('y')
    expect(server.done).toEqual([])
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(server.done).toEqual([{ do: 'answer', id: 'a2', yes: true }])
  })

  test('is answered for the selected one of several', async () => {
    const { on, server } = await opened(serveView({ waiting: [wantsIn, another] }))
    await on.press('down')
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(server.done).toEqual([{ do: 'answer', id: 'a2', yes: true }])
  })

  test('is answered by no key that leaves the page', async () => {
    const { on, server } = await opened()
    vi.advanceTimersByTime(QUIET)
    await on.press('escape')
    expect([server.done, on.isOpen()]).toEqual([[], false])
  })
})

describe('the keys', () => {
  test('p and Tab make links, for the same and for another role', async () => {
    const { on, server } = await opened(serveView({ pairing: { link: LINK, role: 'answer', expiresAt: 1 } }))
    await on.press('p', 'tab')
    expect(server.done).toEqual([
      { do: 'pair', role: 'answer' },
      { do: 'pair', role: 'steer' },
    ])
  })

  test('x and y forget a device, r changes what it may do', async () => {
    const { on, server } = await opened(serveView({ devices: [knownDevice({})] }))
    await on.press('r', 'x', 'n', 'x', 'y')
    expect(server.done).toEqual([
      { do: 'set_role', device: 'd1', role: 'steer' },
      { do: 'revoke', device: 'd1' },
    ])
  })

  test('o and y end the server, s starts it again', async () => {
    const { on, server } = await opened(serveView({}))
    await on.press('o', 'y')
    expect(on.rows().join('\n')).toContain('No server runs.')
    await on.press('s')
    expect(server.done).toEqual(['stop', 'start'])
  })

  test('a link counts down while the page is open, and nothing does when it is closed', async () => {
    const { on, timers } = await opened(serveView({ pairing: { link: LINK, role: 'steer', expiresAt: 60_000 } }))
    expect(on.rows().join('\n')).toContain('1m00s from now')
    expect(vi.getTimerCount()).toBe(timers + 1)
    await on.press('escape')
    expect(vi.getTimerCount()).toBe(timers)
  })
})
