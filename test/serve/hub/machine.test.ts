/** A hub over real sockets: it finds a UI by its record, reads the file of a session, and goes on where a lost process comes back. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { makeRecord } from '../../../src/background/make-record.ts'
import { quietTimers } from '../../../src/platform/timers.ts'
import type { OnEvents, PublishedConversation, PublishedPast } from '../../../src/published/conversation.ts'
import type { OutsideCall } from '../../../src/published/outside-call.ts'
import { createAcceptServer } from '../../../src/published/socket/accept-server.ts'
import { listenForServers } from '../../../src/published/socket/publisher.ts'
import { createServed } from '../../../src/published/socket/served.ts'
import { createHub } from '../../../src/serve/hub/create-hub.ts'
import type { Hub } from '../../../src/serve/hub/hub.ts'
import { conversationId } from '../../../src/serve/hub/known-conversation.ts'
import { createWays } from '../../../src/serve/hub/machine.ts'
import { parseJson } from '../../../src/text/json.ts'
import { PageModel } from './page-model.ts'
import { rowOf } from './stage.ts'

const device = { id: 'd', name: 'Pixel 8', role: 'steer' } as const
const prompt = (text: string): AgentEvent => ({ type: 'prompt_sent', at: 1, text, images: [] })

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'zh-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A UI with one conversation. */
async function publish(stateFolder: string, past: PublishedPast) {
  const calls: OutsideCall[] = []
  const follows = new Set<OnEvents>()
  const conversation: PublishedConversation = {
    row: () => rowOf(),
    toBackground: async () => ({ ok: true, how: 'done' }),
    questions: () => [],
    queue: () => ({ entries: [], paused: false }),
    models: async () => [],
    watched: () => undefined,
    past: () => past,
    onChange: () => () => undefined,
    onEvents(listener) {
      follows.add(listener)
      return () => void follows.delete(listener)
    },
    async carryOut(call) {
      calls.push(call)
      return { ok: true, how: 'done' }
    },
  }
  const source = { all: () => new Map([['k', conversation]]), onChange: () => () => undefined }
  const served = createServed({ source, parse: parseJson, after: quietTimers.after, elapsed: () => performance.now() })
  const record = makeRecord(
    stateFolder,
    { id: 'ui', folder: '/home/me/x', agent: 'zot', startedAt: Date.now() },
    'open',
  )
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  listenForServers({
    socket: record.socket,
    onListening: resolve,
    onFailed: reject,
    load: async () => createAcceptServer(served, { secret: () => 'secret', ask: () => null }),
  })
  await promise
  record.publish()
  onTestFinished(record.remove)
  const add = (...events: readonly AgentEvent[]): void => follows.forEach(({ added }) => added(events))
  return { calls, add }
}

function hubOf(stateFolder: string): Hub {
  const options = { stateFolder, home: '/home/me', secret: 'secret', now: () => Date.now(), log: () => undefined }
  const hub = createHub(options, createWays(stateFolder))
  onTestFinished(() => hub.close())
  return hub
}

const ID = conversationId('open-ui', 'k')

/** Reads until the page is as wanted. */
async function pageUntil(
  hub: Hub,
  isThere: (page: PageModel) => boolean,
  page = new PageModel(ID),
): Promise<PageModel> {
  const { signal } = new AbortController()
  const { known, since } = page
  for await (const line of hub.stream({ device, only: null, epoch: hub.epoch, known, since, watch: ID, signal })) {
    page.take([line])
    if (isThere(page)) break
  }
  return page
}

const prompts = (page: PageModel): string[] =>
  page.blocks.flatMap(block => /<div class="said">([^<]*)/.exec(block?.html ?? '')?.[1] ?? [])

test('a page sees what is in the file of a session, what follows, and what it missed; its calls arrive', async () => {
  const stateFolder = newFolder()
  const path = join(stateFolder, 's.jsonl')
  const saved = `${JSON.stringify(prompt('one'))}\n${JSON.stringify(prompt('two'))}\n`
  writeFileSync(path, `${saved}${JSON.stringify(prompt('three'))}\n`)
  const file = { path, bytes: Buffer.byteLength(saved) }
  const ui = await publish(stateFolder, { file, events: [prompt('three')] })
  const hub = hubOf(stateFolder)
  const page = await pageUntil(hub, ({ blocks }) => blocks.length >= 3)
  expect(prompts(page)).toEqual(['one', 'two', 'three'])
  ui.add(prompt('four'))
  await pageUntil(hub, ({ blocks }) => blocks.length > 5, page)
  expect(prompts(page)).toEqual(['one', 'two', 'three', 'four'])
  expect(await hub.call(device, ID, { do: 'stop', id: '1' }, false)).toEqual({ ok: true, how: 'done' })
  expect(ui.calls).toEqual([{ do: 'stop', id: '1' }])
})

test('a process cannot have another file read: no link, and none that is no session', async () => {
  const stateFolder = newFolder()
  const secret = join(stateFolder, 'secret.txt')
  writeFileSync(secret, `${JSON.stringify(prompt('private'))}\n`)
  const link = join(stateFolder, 's.jsonl')
  symlinkSync(secret, link)
  for (const path of [secret, link, 's.jsonl', '/dev/zero', `${stateFolder}/none.jsonl`]) {
    const taken: AgentEvent[] = []
    const reading = createWays(stateFolder).readPast({ path, bytes: 1e6 }, events => void taken.push(...events))
    await expect(reading).rejects.toThrow('it is not a file of this user')
    expect(taken).toEqual([])
  }
})
