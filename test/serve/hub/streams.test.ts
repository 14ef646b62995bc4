/** The streams of a hub: what pages get, and when. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createHub, type HubWays } from '../../../src/serve/hub/create-hub.ts'
import type { Hub, HubStreamRequest } from '../../../src/serve/hub/hub.ts'
import { conversationId } from '../../../src/serve/hub/known-conversation.ts'
import type { PageLine } from '../../../src/serve/page-lines.ts'
import { FakeProcess, waysTo } from './fake-processes.ts'
import { PageModel } from './page-model.ts'
import { KNOWN, questionOf, rowOf } from './stage.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const device = { id: 'd', name: 'Pixel 8', role: 'steer' } as const

function hubOf(...processes: readonly FakeProcess[]): Hub {
  const options = { stateFolder: '/state', home: '/home/me', secret: '', now: () => Date.now(), log: () => undefined }
  const hub = createHub(options, waysTo(processes))
  onTestFinished(() => hub.close())
  return hub
}

/** A page that reads a stream as fast as it comes, or not at all. */
class Page {
  readonly model: PageModel
  readonly lines: PageLine[] = []
  readonly controller = new AbortController()
  readonly #stream: AsyncIterator<PageLine>

  constructor(
    hub: Hub,
    watch: string | null = KNOWN,
    request: Partial<HubStreamRequest> = {},
    model = new PageModel(watch),
  ) {
    this.model = model
    const { known, since } = model
    const { signal } = this.controller
    const asked = { device, only: null, epoch: hub.epoch, known, since, watch, signal, ...request }
    this.#stream = hub.stream(asked)[Symbol.asyncIterator]()
  }

  async read(): Promise<boolean> {
    const { done, value } = await this.#stream.next()
    if (done === true) return false
    this.lines.push(value)
    this.model.take([value])
    return true
  }

  async readAll(): Promise<void> {
    while (await this.read());
  }

  types(): string[] {
    return this.lines.map(({ type }) => type)
  }
}

const settle = async (milliseconds = 50): Promise<unknown> => vi.advanceTimersByTimeAsync(milliseconds)

const at = 1000
const turn: AgentEvent[] = [
  { type: 'prompt_sent', at, text: 'go', images: [] },
  { type: 'prompt_accepted', at },
  { type: 'step_started', at, step: 1 },
  { type: 'answer_started', at },
]

function say(process: FakeProcess, events: readonly AgentEvent[]): void {
  for (const event of events) process.say({ type: 'event', conversation: 'k', event })
}

describe('a stream', () => {
  test('begins with hello and the conversations, and follows the one that is looked at', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const page = new Page(hub)
    void page.readAll()
    await settle()
    expect(page.types()).toEqual(['hello', 'conversations', 'questions', 'blocks', 'status'])
    expect(process.sent).toContainEqual({ type: 'watch', conversation: 'k' })
    expect(process.sent).toContainEqual({ type: 'watchers', conversation: 'k', names: ['Pixel 8'] })
    say(process, [...turn, { type: 'text_received', at, text: 'Hello' }])
    await settle()
    expect(page.model.blocks.map(block => block?.html).join('')).toContain('<p>Hello</p>')
    expect(page.model.status?.isWorking).toBe(true)
    expect(page.model.status?.watchers).toEqual(['Pixel 8'])
  })

  test('shows an event within 40 ms, the first after a pause at once', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const page = new Page(hub)
    void page.readAll()
    await settle(1000)
    say(process, turn)
    await settle(1)
    expect(page.model.blocks).toHaveLength(1)
    say(process, [{ type: 'text_received', at, text: 'Hello' }])
    await settle(1)
    expect(page.model.blocks).toHaveLength(1)
    await settle(39)
    expect(page.model.blocks).toHaveLength(2)
  })

  test('says that it is alive after 15 s without news', async () => {
    const hub = hubOf(new FakeProcess())
    await settle()
    const page = new Page(hub, null)
    void page.readAll()
    await settle(14_900)
    expect(page.types()).not.toContain('alive')
    await settle(30_200)
    expect(page.types().filter(type => type === 'alive')).toHaveLength(3)
  })

  test('ends with its reason, also while the page reads nothing', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const [page, quiet] = [new Page(hub), new Page(hub)]
    void page.readAll()
    await settle()
    page.controller.abort('This device was removed in the terminal.')
    quiet.controller.abort('')
    await settle()
    expect(page.model.ended).toBe('This device was removed in the terminal.')
    await quiet.readAll()
    expect(quiet.types()).toEqual(['hello'])
    expect(process.sent.at(-1)).toEqual({ type: 'watchers', conversation: 'k', names: [] })
  })

  test('of a page that comes back brings only what it has not', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const page = new Page(hub)
    void page.readAll()
    await settle()
    say(process, [...turn, { type: 'text_received', at, text: 'Hello' }])
    await settle()
    page.controller.abort('')
    await settle()
    say(process, [{ type: 'tool_called', at, id: 'a', name: 'bash', arguments: { command: 'ls' } }])
    await settle()
    const again = new Page(hub, KNOWN, {}, page.model)
    void again.readAll()
    await settle()
    const blocks = again.lines.filter(line => line.type === 'blocks')
    expect(blocks.map(line => line.blocks.map(({ id }) => id))).toEqual([['e0.1']])
    expect(again.types()).not.toContain('conversations')
    expect(again.model.blocks.map(block => block?.id)).toEqual(['e0.p', 'e0.0', 'e0.1'])
  })

  test('of a page of another server brings everything', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const page = new Page(hub, KNOWN, { epoch: 'another', known: 999, since: 999 })
    void page.readAll()
    await settle()
    expect(page.types()).toEqual(['hello', 'conversations', 'questions', 'blocks', 'status'])
  })
})

describe('a flood', () => {
  test('of 1,000 events in a second is at most 26 changes for a page that reads', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const page = new Page(hub)
    void page.readAll()
    await settle(1000)
    say(process, turn)
    const before = page.lines.length
    for (let millisecond = 0; millisecond < 1000; millisecond += 1) {
      say(process, [{ type: 'text_received', at, text: 'word ' }])
      await settle(1)
    }
    await settle()
    const lines = page.lines.slice(before).filter(({ type }) => type === 'blocks')
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.length).toBeLessThanOrEqual(27)
    expect(page.model.blocks.at(-1)?.html).toContain('word '.repeat(1000).trim())
  })

  test('costs a page that does not read nothing: it gets the latest state', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const page = new Page(hub)
    for (let lines = 0; lines < 5; lines += 1) {
      const reading = page.read()
      await settle()
      await reading
    }
    for (let count = 0; count < 500; count += 1) {
      say(process, [...turn, { type: 'text_received', at, text: `answer ${count}` }])
      await settle()
    }
    void page.readAll()
    await settle()
    // One line for each kind.
    expect(page.types().slice(5)).toEqual(['blocks', 'status'])
    expect(page.model.blocks.slice(-1)[0]?.html).toBe('<p>answer 499</p>')
  })

  test('of a text of 100,000 lines sends each page about what a screen shows', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const page = new Page(hub)
    void page.readAll()
    await settle()
    say(process, [
      ...turn,
      { type: 'text_received', at, text: 'A line of the answer, and another word.\n'.repeat(100_000) },
    ])
    await settle()
    const { length } = JSON.stringify(page.lines)
    expect(length).toBeLessThan(600_000)
    expect(page.model.blocks.length).toBeGreaterThan(100)
    const former = page.lines.length
    say(process, [{ type: 'text_received', at, text: 'The end.' }])
    await settle()
    expect(JSON.stringify(page.lines.slice(former)).length).toBeLessThan(60_000)
    expect(page.model.blocks.at(-1)?.html).toContain('The end.')
    const first = await hub.blocks({ device, only: null }, KNOWN, { from: 0, to: 2 })
    expect(first?.blocks.map(({ index, id }) => [index, id])).toEqual([
      [0, 'e0.p'],
      [1, 'e0.0'],
    ])
  })
})

describe('a process', () => {
  test('that is lost leaves its conversations in the list for a minute, and is connected to again', async () => {
    const process = new FakeProcess()
    const hub = hubOf(process)
    await settle()
    const page = new Page(hub)
    void page.readAll()
    await settle()
    process.say({ type: 'questions', conversation: 'k', questions: [questionOf('q', '<p>ls</p>')] })
    say(process, turn)
    await settle()
    expect(page.model.questions).toHaveLength(1)
    process.drop()
    await settle()
    expect(page.model.conversations).toMatchObject([{ id: KNOWN, isThere: false, questions: 0 }])
    expect(page.model.questions).toEqual([])
    expect(page.model.blocks).toHaveLength(1)
    process.onWatch = conversation => {
      process.say({ type: 'past', conversation, file: null })
      say(process, [...turn, { type: 'text_received', at, text: 'back' }])
      process.say({ type: 'caught_up', conversation })
    }
    await settle(2000)
    expect(process.connections).toBe(2)
    await settle(500)
    expect(page.model.conversations).toMatchObject([{ isThere: true }])
    expect(page.model.blocks.at(-1)?.html).toBe('<p>back</p>')
    process.isAlive = false
    process.drop()
    await settle(62_000)
    expect(page.model.conversations).toEqual([])
    expect(hub.publishers()).toEqual([])
  })

  test('that lies loses only its own connection', async () => {
    const [liar, honest] = [new FakeProcess('liar'), new FakeProcess('p')]
    const hub = hubOf(liar, honest)
    await settle()
    liar.say({ type: 'questions', conversation: 'k', questions: [questionOf('q', '<img src=x onerror=alert(1)>')] })
    await settle()
    expect(liar.isConnected).toBe(false)
    expect(honest.isConnected).toBe(true)
    expect(hub.conversations().filter(({ isThere }) => isThere)).toHaveLength(1)
  })

  test('that does not answer is asked less and less often', async () => {
    const process = new FakeProcess()
    process.refuses = true
    const ways = waysTo([process])
    let tries = 0
    const connect: HubWays['connect'] = async options => {
      tries += 1
      return ways.connect(options)
    }
    const hub = createHub(
      { stateFolder: '', home: '', secret: '', now: () => Date.now(), log: () => undefined },
      { ...ways, connect },
    )
    onTestFinished(() => hub.close())
    await settle(120_000)
    expect(tries).toBeGreaterThan(4)
    expect(tries).toBeLessThan(10)
  })

  test('is one of 200, and each has its conversation', async () => {
    const processes = Array.from({ length: 200 }, (_, index) => new FakeProcess(`p${index}`))
    const hub = hubOf(...processes)
    await settle(1100)
    expect(hub.conversations()).toHaveLength(200)
    expect(processes.every(({ connections }) => connections === 1)).toBe(true)
    // Nobody looks at any of them.
    expect(processes.flatMap(({ sent }) => sent)).toEqual([])
    processes[7]?.say({ type: 'questions', conversation: 'k', questions: [questionOf('q', '<p>ls</p>')] })
    await settle()
    expect(hub.conversations()[0]).toMatchObject({ id: conversationId('p7', 'k'), questions: 1 })
  })

  test('gets calls only if it lets the server pass them on', async () => {
    const process = new FakeProcess()
    process.trust = 'show'
    const hub = hubOf(process)
    await settle()
    const stop = { do: 'stop', id: '1' } as const
    expect(await hub.call(device, KNOWN, stop, false)).toMatchObject({ ok: false, why: 'forbidden' })
    expect(process.calls).toEqual([])
    expect(hub.publishers()).toMatchObject([{ code: '123456', folder: '~/project' }])
    process.say({ type: 'trust', trust: 'all', isAsked: false })
    expect(await hub.call(device, KNOWN, stop, false)).toEqual({ ok: true, how: 'done' })
    expect(process.calls).toEqual([{ conversation: 'k', device, call: stop, confirmed: false }])
    expect(await hub.call(device, 'other', stop, false)).toMatchObject({ ok: false, why: 'gone' })
    expect(hub.publishers()).toMatchObject([{ code: '' }])
  })
})

test('a conversation that nobody looks at any more is left after a minute', async () => {
  const process = new FakeProcess()
  const hub = hubOf(process)
  await settle()
  const page = new Page(hub)
  void page.readAll()
  await settle()
  page.controller.abort('')
  await settle(30_000)
  expect(process.sent.map(({ type }) => type)).not.toContain('unwatch')
  await settle(32_000)
  expect(process.sent.at(-1)).toEqual({ type: 'unwatch', conversation: 'k' })
  expect(await hub.blocks({ device, only: null }, KNOWN, { from: 0, to: 9 })).toBeNull()
})

test('a reader of a share sees one session: no list, no questions, no queue, and nothing of the session after it', async () => {
  const process = new FakeProcess()
  process.rows = [rowOf({ session: 's1' }), rowOf({ key: 'other', session: 's2', title: 'secret' })]
  process.onWatch = conversation =>
    process.say(
      { type: 'past', conversation, file: { path: '/x/s1.jsonl', bytes: 0 } },
      { type: 'caught_up', conversation },
    )
  const hub = hubOf(process)
  await settle()
  process.say({ type: 'questions', conversation: 'k', questions: [questionOf('q', '<p>ls</p>')] })
  process.say({ type: 'queue', conversation: 'k', queue: { entries: [{ id: '1', text: 'later' }], paused: false } })
  const page = new Page(hub, KNOWN, { only: 's1' })
  void page.readAll()
  await settle()
  say(process, turn)
  await settle()
  expect(page.model.conversations).toMatchObject([{ id: KNOWN, questions: 0, takesAnswers: false }])
  expect(page.types()).not.toContain('questions')
  expect(page.model.blocks).toHaveLength(1)
  expect(page.model.status).toMatchObject({ watchers: [], queue: { entries: [] } })
  const other = conversationId('p', 'other')
  expect(await hub.blocks({ device, only: 's1' }, other, { from: 0, to: 9 })).toBeNull()
  // After /clear the events of the next session come first, and then its row.
  process.say({ type: 'past', conversation: 'k', file: { path: '/x/s3.jsonl', bytes: 0 } })
  say(process, [{ type: 'prompt_sent', at, text: 'private words', images: [] }])
  process.say({ type: 'caught_up', conversation: 'k' })
  await settle(200)
  expect(page.model.blocks).toEqual([])
  expect(JSON.stringify(page.lines)).not.toMatch(/private words|secret/)
  expect(await hub.blocks({ device, only: 's1' }, KNOWN, { from: 0, to: 9 })).toBeNull()
})
