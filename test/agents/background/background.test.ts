/** The wire of a conversation in the background, between a real holder and real clients on a real socket. */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Ability } from '../../../src/agent/abilities.ts'
import type { Prompt, Reply, Steer, SteerOutcome } from '../../../src/agent/backend.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { PermissionAnswer } from '../../../src/agent/requests.ts'
import { createBackgroundBackend } from '../../../src/agents/background/backend.ts'
import { agentEventSchema } from '../../../src/agent/event-schema.ts'
import { BasicBackend } from '../../../src/agents/host/basic-backend.ts'
import { connectToBackground } from '../../../src/agents/background/connection.ts'
import { PROTOCOL } from '../../../src/agents/background/protocol.ts'
import { BackgroundServer } from '../../../src/background/server.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { expectCarried } from '../../conversation/carried.ts'
import { fullest } from '../../helpers/fullest.ts'
import { eachWithInheritedName } from '../../helpers/inherited-names.ts'

const started: AgentEvent = {
  type: 'agent_started',
  at: 1,
  agent: 'zot',
  version: '1',
  provider: 'p',
  model: 'm',
  contextWindow: null,
  reasoning: null,
  reasoningLevels: [],
}

/** Notes what it is asked. Its prompts end with the calls in `ends`. */
class NotingAgent extends BasicBackend {
  readonly abilities = new Set<Ability>(['judgeWith', 'setModel', 'listModels', 'setPermissionMode'])
  readonly asked: string[]
  readonly ends: (() => void)[]

  constructor(asked: string[], ends: (() => void)[]) {
    super('zot')
    this.asked = asked
    this.ends = ends
  }

  subscribe(): () => void {
    return () => undefined
  }

  async open(): Promise<void> {
    this.asked.push('open')
  }

  async close(): Promise<void> {
    this.asked.push('close')
  }

  async kill(): Promise<void> {
    this.asked.push('kill')
  }

  abort(): void {
    this.asked.push('abort')
  }

  async prompt({ text }: Prompt): Promise<void> {
    this.asked.push(`prompt ${text}`)
    await new Promise<void>(resolve => void this.ends.push(resolve))
  }

  override async setModel(id: string): Promise<Reply> {
    return id === 'good' ? { ok: true, value: undefined } : { ok: false, message: 'no such model' }
  }

  override async listModels(): Promise<Reply<never>> {
    throw new Error('it broke')
  }

  readonly steers = new Map<string, (outcome: SteerOutcome) => void>()

  override steer({ id, prompt: { text } }: Steer): Promise<SteerOutcome> {
    this.asked.push(`steer ${text}`)
    return new Promise(resolve => void this.steers.set(id, resolve))
  }

  override withdrawSteer(id: string): void {
    this.asked.push(`withdraw ${id}`)
    this.steers.get(id)?.({ how: 'withdrawn' })
  }

  override answerPermission(id: string, { answer }: PermissionAnswer, by: 'user' | 'rule' = 'user'): void {
    this.asked.push(`${id} ${answer} ${by}`)
  }
}

/** An agent that notes what it is asked, and a holder on a socket. */
async function hold() {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-held-'))
  const asked: string[] = []
  const ends: (() => void)[] = []
  const backend = new NotingAgent(asked, ends)
  const holder = new BackgroundServer({
    backend,
    welcome: () => ({ id: 'a', name: 'zot', folder, mode: 'ask', demo: false, toolLimit: null, argv: [] }),
    useMode: null,
    onStop: () => asked.push('stop'),
    past: null,
    hasPrompt: true,
    sending: {
      prepare: async ({ text }) => ({ ok: true, prompt: { text, images: [] }, onSent() {} }),
      stopPreparing: () => undefined,
      files: null,
      memory: () => null,
      limit: { isReached: () => false, isTurnOver: () => false, words: () => '' },
      compactAt: () => 0,
      publish: event => happen(event),
    },
    queueFile: null,
    shown: { branch: () => null, home: '/home', judge: null },
    now: () => 1000,
    elapsed: () => performance.now(),
  })
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    holder.accept(socket)
  })
  const path = join(folder, 's')
  await new Promise<void>(resolve => void server.listen(path, resolve))
  onTestFinished(() => {
    holder.end()
    server.close()
    rmSync(folder, { recursive: true })
  })
  const { writer } = holder
  let chat = initialChat
  writer.begins(chat, [])
  function happen(event: AgentEvent): void {
    chat = reduce(chat, event)
    writer.onEvent(chat, event)
  }
  const cut = (): void => sockets.forEach(socket => socket.destroy())
  return { path, asked, holder, backend, happen, cut, endTurn: () => ends.shift()?.() }
}

async function attach(path: string) {
  const reply = await connectToBackground(path, 'attach')
  if (!reply.ok || reply.first.type !== 'welcome') throw new Error('it was refused')
  const backend = createBackgroundBackend({
    id: reply.first.id,
    name: reply.first.name,
    first: reply.connection,
    connect: async () => {
      const again = await connectToBackground(path, 'attach')
      return again.ok ? { ok: true, value: again.connection } : again
    },
    now: () => 5,
  })
  const told: AgentEvent[] = []
  backend.subscribe(event => void told.push(event))
  await backend.open()
  return { backend, told }
}

const text = (words: string): AgentEvent => ({ type: 'text_received', at: 2, text: words })

describe('a client', () => {
  test('gets the events so far, pieces joined, and then each as it happens', async () => {
    const { path, happen } = await hold()
    for (const event of [started, text('a'), text('b')]) happen(event)
    const { told } = await attach(path)
    expect(told).toEqual([started, text('ab')])
    happen(text('c'))
    await expect.poll(() => told.at(-1)).toEqual(text('c'))
  })

  test('gets events with names that every object inherits as they are', async () => {
    const { path, happen } = await hold()
    happen(started)
    const { told } = await attach(path)
    const samples = agentEventSchema.options.flatMap(option => fullest(option)).flatMap(eachWithInheritedName)
    const events = samples.flatMap(each => agentEventSchema.safeParse(each).data ?? [])
    for (const event of events) happen(event)
    happen(text('the last words'))
    await expect.poll(() => JSON.stringify(told.at(-1))).toContain('the last words')
    await expectCarried(told)
  })

  test("answers questions as with any other agent, and has only the agent's abilities", async () => {
    const { path, happen, asked } = await hold()
    happen(started)
    const { backend } = await attach(path)
    expect(await backend.setModel('good')).toEqual({ ok: true, value: undefined })
    expect(await backend.setModel('bad')).toEqual({ ok: false, message: 'no such model' })
    expect(await backend.listModels()).toEqual({ ok: false, message: 'it broke' })
    // The mode is fixed here, and a holder judges calls itself.
    expect([...backend.abilities].toSorted()).toEqual(['leave', 'listModels', 'setModel'])
    expect(await backend.setReasoning('high')).toEqual({ ok: false, message: 'zot does not support that' })
    backend.answerPermission('q', { answer: 'allow' })
    await expect.poll(() => asked).toContain('q allow user')
  })

  test('leaves without a message to the agent', async () => {
    const { path, happen, asked } = await hold()
    happen(started)
    const { backend, told } = await attach(path)
    await backend.leave()
    expect(told.at(-1)).toMatchObject({ type: 'agent_started' })
    expect(asked).toEqual([])
    await backend.open()
    expect(told.filter(({ type }) => type === 'agent_ended')).toHaveLength(1)
  })

  test('continues the conversation after a lost connection, and sends all of it again', async () => {
    const { path, happen, asked, cut } = await hold()
    happen(started)
    const { backend, told } = await attach(path)
    const again: AgentEvent[][] = []
    backend.holder?.onResent(events => void again.push([...events]))
    cut()
    await vi.waitFor(() => expect(told.map(({ type }) => type)).toContain('agent_ended'))
    expect([backend.holder?.isLost(), told.filter(({ type }) => type === 'agent_ended').length]).toEqual([true, 1])
    expect(await backend.setModel('good')).toMatchObject({ ok: false })
    expect([...backend.abilities]).toEqual(['leave'])
    happen({ type: 'title_changed', at: 2, title: 'meanwhile' })
    await backend.open()
    expect(backend.holder?.isLost()).toBe(false)
    expect(again.map(events => events.map(({ type }) => type))).toEqual([['agent_started', 'title_changed']])
    expect(told.filter(({ type }) => type === 'title_changed')).toEqual([])
    happen({ type: 'title_changed', at: 3, title: 'now' })
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ title: 'now' }))
    expect(asked).toEqual([])
  })

  test('has its words to the running turn carried, and what became of them', async () => {
    const { path, happen, asked, backend: agent } = await hold()
    happen(started)
    const { backend } = await attach(path)
    const first = backend.steer({ id: 'a', prompt: { text: 'use tabs', images: [] } })
    const second = backend.steer({ id: 'b', prompt: { text: 'or not', images: [] } })
    await expect.poll(() => asked).toEqual(['steer use tabs', 'steer or not'])
    agent.steers.get('a')?.({ how: 'refused', message: 'not now' })
    expect(await first).toEqual({ how: 'refused', message: 'not now' })
    backend.withdrawSteer('b')
    expect(await second).toEqual({ how: 'withdrawn' })
  })

  test('that is gone has its words to the running turn withdrawn, since they are in its own queue', async () => {
    const { path, happen, asked, cut } = await hold()
    happen(started)
    const { backend } = await attach(path)
    const lost = backend.steer({ id: 'a', prompt: { text: 'use tabs', images: [] } })
    await expect.poll(() => asked).toEqual(['steer use tabs'])
    cut()
    expect(await lost).toMatchObject({ how: 'unknown' })
    await expect.poll(() => asked).toEqual(['steer use tabs', 'withdraw a'])
  })

  test.each([PROTOCOL - 1, PROTOCOL + 1])('of version %d is refused with a sentence', async version => {
    const { path } = await hold()
    const socket = connect(path)
    socket.write(`{"type":"hello","protocol":${version},"wants":"attach"}\n`)
    const [line] = await new Promise<string[]>(resolve => void socket.once('data', data => resolve([String(data)])))
    expect(line).toContain('It runs in another version of zotui')
    socket.destroy()
  })
})

describe('a holder', () => {
  test('sends one prompt at a time, whoever asks, and stays until all have ended and all have left', async () => {
    const { path, happen, asked, holder, endTurn } = await hold()
    happen(started)
    const [one, two] = [await attach(path), await attach(path)]
    const over = [one, two].map(({ backend }, at) => backend.prompt({ text: `${at}`, images: [] }))
    let isUnneeded = false
    const staying = holder.stay().finally(() => {
      isUnneeded = true
    })
    await expect.poll(() => asked).toEqual(['prompt 0'])
    await Promise.all([one.backend.leave(), two.backend.leave()])
    endTurn()
    await expect.poll(() => asked).toEqual(['prompt 0', 'prompt 1'])
    expect(isUnneeded).toBe(false)
    endTurn()
    await Promise.all([staying, ...over])
  })

  test('takes no request from a program before its first message', async () => {
    const { path, asked } = await hold()
    const socket = connect(path)
    const { promise, resolve } = Promise.withResolvers<void>()
    socket.on('close', () => resolve())
    socket.write('{"type":"call","id":1,"call":"abort"}\n')
    await promise
    expect(asked).toEqual([])
  })

  test('survives any bytes, and continues for the others', async () => {
    const { path, happen, asked } = await hold()
    happen(started)
    const { told } = await attach(path)
    const hello = `{"type":"hello","protocol":${PROTOCOL},"wants":"attach"}\n`
    const line = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constant(hello.trim()),
      fc
        .record({ type: fc.constant('call'), id: fc.jsonValue(), call: fc.string(), prompt: fc.jsonValue() })
        .map(line => JSON.stringify(line)),
      fc.constantFrom(
        '{"type":"call","id":1,"call":"prompt"}',
        '{"type":"call","id":1,"call":"constructor"}',
        '[]',
        '',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.uint8Array(), async (lines, bytes) => {
        const socket = connect(path)
        socket.on('error', () => undefined)
        const { promise, resolve } = Promise.withResolvers<void>()
        socket.on('close', () => resolve())
        socket.resume()
        socket.write(hello)
        socket.write(`${lines.join('\n')}\n`)
        socket.end(bytes)
        await promise
      }),
      { numRuns: 60 },
    )
    happen(text('still here'))
    await expect.poll(() => told.at(-1)).toEqual(text('still here'))
    expect(asked).toEqual([])
  })

  test('stops for any client that asks', async () => {
    const { path, asked } = await hold()
    const reply = await connectToBackground(path, 'stop')
    expect([reply.ok && reply.first.type, asked]).toEqual(['stopping', ['stop']])
    if (reply.ok) reply.connection.end()
  })
})

test('a socket that is gone is a refusal, and nothing throws', async () => {
  expect(await connectToBackground('/nowhere/socket', 'status')).toEqual({
    ok: false,
    message: 'It does not answer (ENOENT).',
  })
})
