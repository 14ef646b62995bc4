import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { NotifiedConversation } from '../../../src/serve/notify/due-notices.ts'
import { messageOf, type NotificationMessage } from '../../../src/serve/notify/message.ts'
import {
  Notifications,
  type NotificationsOptions,
  type NotifySettings,
} from '../../../src/serve/notify/notifications.ts'
import { readNtfyUrl } from '../../../src/serve/notify/ntfy.ts'
import { inheritedNames } from '../../helpers/inherited-names.ts'
import { listening } from './push-service.ts'

const usual: NotifySettings = {
  serveNotifyAfter: 20,
  serveNotifyContent: false,
  serveNotifyCommand: null,
  ntfyUrl: null,
}

const asking: NotifiedConversation = {
  id: 'c1',
  folder: '/home/me/project',
  title: 'Mend the parser',
  state: 'asks',
  questions: [{ id: 'q1', kind: 'call', title: 'rm -rf build' }],
  isWatched: false,
}

/** With a clock that the test moves. */
function stage(settings: Partial<NotifySettings> = {}, more: Partial<NotificationsOptions> = {}) {
  const pushed: NotificationMessage[] = []
  const problems: string[] = []
  const waiting: { at: number; run: () => void }[] = []
  let now = 1_000_000
  const notifications = new Notifications({
    settings: () => ({ ...usual, ...settings }),
    webPush: { send: async message => (pushed.push(message), []) },
    at: null,
    way: { resolve: async () => ['127.0.0.1'] },
    env: process.env,
    folder: tmpdir(),
    now: () => now,
    timers: {
      after(ms, run) {
        const timer = { at: now + ms, run }
        waiting.push(timer)
        return () => void (waiting.includes(timer) && waiting.splice(waiting.indexOf(timer), 1))
      },
    },
    onProblem: words => problems.push(words),
    ...more,
  })
  const pass = (ms: number) => {
    now += ms
    for (const timer of waiting.filter(({ at }) => at <= now)) {
      waiting.splice(waiting.indexOf(timer), 1)
      timer.run()
    }
  }
  return { notifications, pushed, problems, waiting, pass }
}

describe('a question that waits', () => {
  test('goes to the devices after the time in the settings, with no content', async () => {
    const { notifications, pushed, pass } = stage()
    notifications.see([asking])
    pass(19_999)
    await Promise.resolve()
    expect(pushed).toEqual([])
    pass(1)
    await expect
      .poll(() => pushed)
      .toEqual([
        {
          version: 1,
          kind: 'question',
          title: 'zotui',
          body: 'a question waits in project',
          conversation: 'c1',
          place: '#/c/c1/q/q1',
        },
      ])
  })

  test('that was answered leaves no timer, and after the end nothing is sent', () => {
    const { notifications, pushed, waiting, pass } = stage()
    notifications.see([asking])
    notifications.see([{ ...asking, state: 'idle', questions: [] }])
    expect(waiting).toEqual([])
    notifications.see([asking])
    notifications.close()
    pass(60_000)
    notifications.see([asking])
    expect(waiting).toEqual([])
    expect(pushed).toEqual([])
  })

  test('goes to ntfy with its token, and a link to the question', async () => {
    const got: { path: string; auth: string; body: unknown }[] = []
    const server = createServer((asked, reply) => {
      let body = ''
      asked.on('data', part => (body += String(part)))
      asked.on('end', () => {
        got.push({ path: asked.url ?? '', auth: asked.headers.authorization ?? '', body: JSON.parse(body) })
        reply.writeHead(got.length === 1 ? 200 : 403).end('{}')
      })
    })
    const port = await listening(server)
    const { notifications, problems, pass } = stage(
      { ntfyUrl: `http://localhost:${port}/below/my_topic` },
      { at: 'https://phone.example', env: { NTFY_TOKEN: 'tk_secret' } },
    )
    notifications.see([asking])
    pass(20_000)
    await expect.poll(() => got).toHaveLength(1)
    expect(got[0]).toEqual({
      path: '/below/',
      auth: 'Bearer tk_secret',
      body: {
        topic: 'my_topic',
        title: 'zotui',
        message: 'a question waits in project',
        priority: 4,
        click: 'https://phone.example/#/c/c1/q/q1',
      },
    })
    expect(problems).toEqual([])
    notifications.see([{ ...asking, questions: [{ id: 'q2', kind: 'plan', title: '' }] }])
    pass(60_000)
    await expect.poll(() => problems).toEqual([`Notification: localhost:${port} refuses it (403).`])
    expect(got[1]?.body).toMatchObject({ message: 'a plan waits in project' })
  })

  test('goes to a command of the person, on its input and not in its line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'zotui-notify-'))
    const hostile = `'; touch ${join(folder, 'hacked')}; $(touch ${join(folder, 'hacked')}) \u001b[31m`
    const { notifications, problems, pass } = stage(
      { serveNotifyCommand: 'cat > got.json', serveNotifyContent: true },
      { folder, at: 'https://phone.example' },
    )
    notifications.see([
      { ...asking, folder: `/x/${hostile}`, questions: [{ id: hostile, kind: 'call', title: hostile }] },
    ])
    pass(20_000)
    await expect.poll(() => readFileSync(join(folder, 'got.json'), 'utf8')).toContain('\n')
    const text = readFileSync(join(folder, 'got.json'), 'utf8')
    expect(text).not.toContain('\u001b')
    expect(JSON.parse(text)).toMatchObject({ version: 1, kind: 'question', conversation: 'c1' })
    expect(text).toContain(encodeURIComponent('touch'))
    expect(readdirSync(folder)).toEqual(['got.json'])
    expect(problems).toEqual([])
  })

  test('a command that fails, cannot be read or prints without end, and an address that is none, are a line for the person', async () => {
    for (const [settings, words] of [
      [{ serveNotifyCommand: 'exit 3' }, 'The command of serveNotifyCommand failed with exit code 3.'],
      [{ serveNotifyCommand: 'a\0b' }, 'The command of serveNotifyCommand could not be started.'],
      [{ serveNotifyCommand: 'yes' }, 'The command of serveNotifyCommand printed more than 100 kB.'],
      [{ ntfyUrl: 'ntfy.sh/x' }, 'ntfyUrl is no address such as https://ntfy.sh/TOPIC.'],
    ] as const) {
      const { notifications, problems, pass } = stage(settings)
      notifications.see([asking])
      pass(20_000)
      await expect.poll(() => problems).toEqual([words])
    }
  })
})

const q = (id: string, title: string, kind: 'call' | 'form' | 'plan' = 'call') => ({ id, title, kind })

describe('the text', () => {
  const notice = { conversation: 'c1', folder: '/home/me/project', title: 'The title', questions: [], ended: null }

  test.each([
    [{ questions: [q('a', 'rm x')] }, 'a question waits in project', 'a question waits in project: rm x; The title'],
    [{ questions: [q('a', 'x', 'plan')] }, 'a plan waits in project', 'a plan waits in project: x; The title'],
    [
      { questions: [q('a', 'x'), q('b', 'y')] },
      '2 questions wait in project',
      '2 questions wait in project: x; y; The title',
    ],
    [{ ended: 'ended' as const }, 'a turn has ended in project', 'a turn has ended in project: The title'],
    [{ ended: 'failed' as const, title: '' }, 'a turn has failed in project', 'a turn has failed in project'],
    [
      { ended: 'ended' as const, folder: 'C:\\work\\site\\', title: '' },
      'a turn has ended in site',
      'a turn has ended in site',
    ],
    [{ ended: 'ended' as const, folder: '/', title: '' }, 'a turn has ended in /', 'a turn has ended in /'],
  ])('of %j', (more, plain, content) => {
    expect(messageOf({ ...notice, ...more }, false).body).toBe(plain)
    expect(messageOf({ ...notice, ...more }, true).body).toBe(content)
  })

  test.each([
    ...inheritedNames,
    'a\nb\u202e\u001b]0;x\u0007',
    'x'.repeat(5000),
    '\u0301'.repeat(5000),
    '🙂'.repeat(900),
  ])('has nothing in it that hides or that is too long, whatever an agent calls things', name => {
    const message = messageOf({ ...notice, folder: `/${name}`, title: name, questions: [q(name, name)] }, true)
    expect(message.body).not.toMatch(/[\p{Cc}\u202e]/u)
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(3000)
    expect(message.place.split('/q/')[1]).toBe(name.length <= 100 ? encodeURIComponent(name) : undefined)
  })
})

describe('the address of ntfy', () => {
  test.each([
    ['https://ntfy.sh/topic', 'https://ntfy.sh/', 'topic'],
    ['https://example.org/ntfy/my-topic_1', 'https://example.org/ntfy/', 'my-topic_1'],
    ['http://127.0.0.1:2586/t', 'http://127.0.0.1:2586/', 't'],
    ['http://192.168.1.5/t', 'http://192.168.1.5/', 't'],
    ['http://[::1]/t', 'http://[::1]/', 't'],
    ['http://nas.local/t', 'http://nas.local/', 't'],
  ])('%s', (text, server, topic) => {
    expect(readNtfyUrl(text)).toEqual({ server: new URL(server), topic })
  })

  test.each([
    ['', 'is no address such as https://ntfy.sh/TOPIC'],
    ['file:///etc/passwd', 'is no address such as https://ntfy.sh/TOPIC'],
    ['https://ntfy.sh', 'names no topic at its end'],
    ['https://ntfy.sh/a/', 'names no topic at its end'],
    ['https://ntfy.sh/a%2Fb', 'names no topic at its end'],
    ['https://ntfy.sh/t?auth=x', 'has more than the address of a topic'],
    ['https://:tk_x@ntfy.sh/t', 'has a password: put an access token into NTFY_TOKEN'],
    ['http://ntfy.sh/t', 'must begin with https://, since the server is not on this machine or in its network'],
    [
      'http://localhost.evil.example/t',
      'must begin with https://, since the server is not on this machine or in its network',
    ],
    ['http://8.8.8.8/t', 'must begin with https://, since the server is not on this machine or in its network'],
  ])('%s is refused in one line', (text, words) => {
    expect(readNtfyUrl(text)).toEqual({ problem: `ntfyUrl ${words}.` })
  })
})
