import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { NotifiedConversation } from '../../../src/serve/notify/due-notices.ts'
import { openNotifications } from '../../../src/serve/notify/open-notifications.ts'
import { browserAt } from './push-service.ts'

/** Notifications of a server whose conversations the test changes. They wait for no time. */
function stage() {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-notify-'))
  const listeners = new Set<() => void>()
  let all: readonly NotifiedConversation[] = []
  const opened = openNotifications({
    settings: () => ({
      serveNotifyAfter: 0,
      serveNotifyContent: false,
      serveNotifyCommand: 'cat >> got.txt',
      ntfyUrl: null,
    }),
    stateFolder: join(folder, 'state'),
    at: null,
    env: process.env,
    folder,
    now: () => Date.now(),
    log: () => {},
  })
  const watched = {
    waiting: () => all,
    onWaiting: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const got = (): string => {
    try {
      return readFileSync(join(folder, 'got.txt'), 'utf8')
    } catch {
      return ''
    }
  }
  const change = (next: readonly NotifiedConversation[]): void => {
    all = next
    for (const listener of listeners) listener()
  }
  return { opened, watched, change, got, listeners }
}

const asking: NotifiedConversation = {
  id: 'c1',
  folder: '/home/me/project',
  title: '',
  state: 'asks',
  questions: [{ id: 'q1', kind: 'call', title: 'rm' }],
  isWatched: false,
}

test('what waits is watched from the start to the end of the server, and no longer', async () => {
  const { opened, watched, change, got, listeners } = stage()
  const problems: string[] = []
  const end = opened.watch(watched, words => problems.push(words))
  change([asking])
  await expect.poll(() => got()).toContain('a question waits in project')
  end()
  expect(listeners.size).toBe(0)
  expect(problems).toEqual([])
})

test('a browser gets the key before it subscribes, and the same one after it', () => {
  const { opened } = stage()
  const { publicKey } = opened.subscribe('phone', null)
  expect(publicKey).toMatch(/^[\w-]{87}$/)
  const { subscription } = browserAt('https://fcm.googleapis.com/fcm/send/x')
  expect(opened.subscribe('phone', subscription)).toEqual({ ok: true, message: '', publicKey })
  opened.forget('phone')
  expect(opened.subscribe('phone', { endpoint: 'https://evil.example/' })).toMatchObject({ ok: false, publicKey })
})
