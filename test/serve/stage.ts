/** A server with a hub that only remembers what it was asked. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import type { OutsideReply } from '../../src/published/outside-call.ts'
import type { Hub, HubStreamRequest } from '../../src/serve/hub/hub.ts'
import type { NotifiedConversation } from '../../src/serve/notify/due-notices.ts'
import type { PageConversation, PageLine } from '../../src/serve/page-lines.ts'
import { startServer, type ConversationServer, type ServeOptions } from '../../src/serve/server.ts'

export type FakeHub = Hub & {
  calls: Parameters<Hub['call']>[]
  streams: HubStreamRequest[]
  rows: PageConversation[]
  reply: OutsideReply
  waits: NotifiedConversation[]
  /** Says that `waits` has changed. */
  notify: () => void
}

export function fakeHub(): FakeHub {
  let n = 0
  const waiting = new Set<() => void>()
  const hub: FakeHub = {
    epoch: randomUUID(),
    calls: [],
    streams: [],
    rows: [],
    reply: { ok: true, how: 'done' },
    async *stream(request): AsyncGenerator<PageLine> {
      hub.streams.push(request)
      const { device, signal } = request
      yield { n: (n += 1), type: 'hello', epoch: hub.epoch, device, now: 0 }
      const { promise, resolve } = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => resolve(), { once: true })
      if (!signal.aborted) await promise
      const message: unknown = signal.reason
      if (typeof message === 'string' && message !== '') yield { n: (n += 1), type: 'end', message }
    },
    conversations: () => hub.rows,
    async call(...call) {
      hub.calls.push(call)
      return hub.reply
    },
    blocks: async (_reader, id) => (id === 'known' ? { n: 0, total: 0, blocks: [] } : null),
    inside: async (_reader, id) => (id === 'known' ? { html: '', next: null } : null),
    publishers: () => [],
    onChange: () => () => undefined,
    waits: [],
    notify: () => waiting.forEach(listener => listener()),
    waiting: () => hub.waits,
    onWaiting(listener) {
      waiting.add(listener)
      return () => void waiting.delete(listener)
    },
    close: () => undefined,
  }
  return hub
}

export function fakeRow(row: Partial<PageConversation>): PageConversation {
  return {
    id: 'known',
    kind: 'ui',
    session: 'session',
    folder: '~/project',
    branch: null,
    agent: 'zot',
    model: 'model',
    title: 'A title',
    state: 'working',
    since: null,
    lastLine: '',
    costUsd: null,
    mode: 'ask',
    takes: [],
    takesAnswers: true,
    isThere: true,
    questions: 0,
    ...row,
  }
}

export type Stage = {
  server: ConversationServer
  hub: FakeHub
  stateFolder: string
  address: string
  clock: { now: number }
}

/** Starts a server on a free port; it ends with the test. */
export async function serverStage(options: Partial<ServeOptions> = {}): Promise<Stage> {
  const hub = fakeHub()
  const stateFolder = mkdtempSync(join(tmpdir(), 'zotui-serve-'))
  const clock = { now: 1_800_000_000_000 }
  const server = await startServer({
    port: 0,
    at: null,
    stateFolder,
    hub,
    files: async path =>
      path === '/'
        ? {
            type: 'text/html; charset=utf-8',
            bytes: new TextEncoder().encode('<!doctype html>'),
            zipped: gzipSync('<!doctype html>'),
          }
        : null,
    notifier: null,
    tunnels: () => [],
    version: '0',
    now: () => clock.now,
    elapsed: () => performance.now(),
    log: () => undefined,
    ...options,
  })
  onTestFinished(async () => server.close())
  return { server, hub, stateFolder, address: server.view().address, clock }
}
