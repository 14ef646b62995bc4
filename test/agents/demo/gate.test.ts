/** The demo's permissions, through the methods of any backend. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { Judge, ToolRequest } from '../../../src/agent/permission.ts'
import type { Backend } from '../../../src/agent/backend.ts'
import { createGate } from '../../../src/agents/demo/gate.ts'
import { createDemoTransport } from '../../../src/agents/demo/transport.ts'
import { createZotBackend } from '../../../src/agents/zot/backend.ts'

type Told = {
  backend: Backend
  events: AgentEvent[]
  requests: ToolRequest[]
  until: (type: AgentEvent['type']) => Promise<void>
}

async function opened(judge: Judge): Promise<Told> {
  const { gate, guarded } = createGate({ folder: '/home/you/project' })
  const backend = guarded(
    createZotBackend({
      name: 'demo',
      connect: () => createDemoTransport({ speed: 0, cwd: '/home/you/project', gate }),
    }),
  )
  const events: AgentEvent[] = []
  const requests: ToolRequest[] = []
  backend.subscribe(event => events.push(event))
  backend.judgeWith(request => {
    requests.push(request)
    return judge(request)
  })
  await backend.open()
  const until = async (type: AgentEvent['type']): Promise<void> => {
    while (!events.some(event => event.type === type)) await pause(1)
  }
  return { backend, events, requests, until }
}

const asks: Judge = () => ({ verdict: 'ask', because: 'the mode is ask' })
const typesOf = (events: readonly AgentEvent[]): string[] => events.map(({ type }) => type)

test('A call with a question waits for the answer, and the question comes after the call', async () => {
  const { backend, events, until } = await opened(asks)
  const turn = backend.prompt({ text: 'write', images: [] })
  await until('permission_requested')
  const asked = events.find(event => event.type === 'permission_requested')
  expect(asked).toMatchObject({
    tool: 'write',
    kind: 'edit',
    paths: ['/home/you/project/hello.html'],
    callId: 'call_1',
  })
  expect(typesOf(events).indexOf('tool_called')).toBeLessThan(typesOf(events).indexOf('permission_requested'))
  expect(typesOf(events)).not.toContain('tool_finished')
  if (asked?.type === 'permission_requested') backend.answerPermission(asked.id, { answer: 'refuse', words: 'no' })
  await turn
  expect(events.find(event => event.type === 'tool_finished')).toMatchObject({
    failed: true,
    content: [{ text: 'Not run: the user refused this call. They say: no' }],
  })
  await backend.close()
})

test('A call that the judge allows or refuses causes no question', async () => {
  const { backend, events, requests } = await opened(({ tool }) =>
    tool === 'read'
      ? { verdict: 'allow', because: '' }
      : { verdict: 'refuse', because: 'plan', words: 'not in plan mode' },
  )
  await backend.prompt({ text: 'edit', images: [] })
  expect(typesOf(events)).not.toContain('permission_requested')
  expect(
    events.filter(event => event.type === 'call_refused').map(event => event.type === 'call_refused' && event.tool),
  ).toEqual(['edit', 'edit'])
  expect(requests[0]).toMatchObject({ tool: 'read', kind: 'read' })
  await backend.close()
})

test.each([
  ['an abort', (backend: Backend) => backend.abort()],
  ['a kill', (backend: Backend) => void backend.kill()],
])('A question ends with %s, and nothing ran', async (_what, end) => {
  const { backend, events, until } = await opened(asks)
  const turn = backend.prompt({ text: 'bash', images: [] })
  await until('permission_requested')
  end(backend)
  await turn
  await until('permission_decided')
  const decided = events.filter(event => event.type === 'permission_decided')
  expect(decided.map(event => event.type === 'permission_decided' && [event.allowed, event.by])).toEqual([
    [false, 'end'],
    [false, 'end'],
    [false, 'end'],
  ])
  expect(typesOf(events)).not.toContain('tool_progressed')
  await backend.close()
})

test('A judge that throws counts as one that asks', async () => {
  const { backend, events, until } = await opened(() => {
    throw new Error('a bug')
  })
  const turn = backend.prompt({ text: 'write', images: [] })
  await until('permission_requested')
  expect(typesOf(events)).not.toContain('tool_finished')
  backend.abort()
  await turn
  await backend.close()
})

test('The tour asks as any agent does, and answers its own questions after a moment; those of other scripts wait', async () => {
  const { backend, events, until } = await opened(({ kind }) =>
    kind === 'read' ? { verdict: 'allow', because: '' } : { verdict: 'ask', because: 'the mode is ask' },
  )
  await backend.prompt({ text: 'tour', images: [] })
  const asked = events.filter(({ type }) => type === 'permission_requested')
  const decided = events.filter(event => event.type === 'permission_decided')
  expect(asked).toHaveLength(4)
  expect(decided).toHaveLength(4)
  expect(decided.every(({ allowed }) => allowed)).toBe(true)
  expect(events.find(event => event.type === 'turn_ended')).toBeDefined()
  events.length = 0
  const turn = backend.prompt({ text: 'write', images: [] })
  await until('permission_requested')
  backend.abort()
  await turn
  expect(typesOf(events)).not.toContain('tool_progressed')
  expect(events.find(event => event.type === 'permission_decided')).toMatchObject({ allowed: false, by: 'end' })
  await backend.close()
})

test('A question of the tour that the user answers first stays as they answered it', async () => {
  const { backend, events } = await opened(({ kind }) =>
    kind === 'command' ? { verdict: 'ask', because: 'the mode is ask' } : { verdict: 'allow', because: '' },
  )
  const stop = backend.subscribe(event => {
    if (event.type === 'permission_requested') backend.answerPermission(event.id, { answer: 'refuse', words: 'no' })
  })
  await backend.prompt({ text: 'tour', images: [] })
  stop()
  const decided = events.filter(event => event.type === 'permission_decided')
  expect(decided).toHaveLength(2)
  expect(decided.some(({ allowed }) => allowed)).toBe(false)
  await backend.close()
})

/** Does this within the first event of that kind: the demo leaves no time after it. */
function once<Result>(backend: Backend, type: AgentEvent['type'], act: () => Promise<Result>): Promise<Result> {
  return new Promise(resolve => {
    const stop = backend.subscribe(event => {
      if (event.type !== type) return
      stop()
      resolve(act())
    })
  })
}

const words = (text: string) => ({ id: 's-1', prompt: { text, images: [] } })
const ofTypes = (events: readonly AgentEvent[], ...types: AgentEvent['type'][]): string[] =>
  typesOf(events).filter(type => types.some(each => each === type))
const answersOf = (events: readonly AgentEvent[]): string =>
  events.map(event => (event.type === 'text_received' ? event.text : '')).join('')

test('Words that come while a question waits go with the result of its call, and the demo answers them', async () => {
  const { backend, events, until } = await opened(asks)
  const turn = backend.prompt({ text: 'write', images: [] })
  await until('permission_requested')
  const steered = backend.steer(words('make it short'))
  const asked = events.find(event => event.type === 'permission_requested')
  expect(typesOf(events)).not.toContain('steer_delivered')
  if (asked?.type === 'permission_requested') backend.answerPermission(asked.id, { answer: 'allow' })
  expect(await steered).toEqual({ how: 'delivered' })
  await turn
  expect(ofTypes(events, 'call_steered', 'steer_delivered', 'turn_ended')).toEqual(['steer_delivered', 'turn_ended'])
  expect(answersOf(events)).toContain('> make it short\n\n')
  await backend.close()
})

test('Words that come before a command hold it and the later calls of that step, which the demo then makes again', async () => {
  const { backend, events } = await opened(() => ({ verdict: 'allow', because: '' }))
  const steered = once(backend, 'prompt_accepted', () => backend.steer(words('wait')))
  await backend.prompt({ text: 'bash', images: [] })
  expect(await steered).toEqual({ how: 'delivered' })
  const held = events.flatMap(event => (event.type === 'call_steered' ? [event.id] : []))
  expect(held).toEqual(['call_1', 'call_2', 'call_3'])
  expect(events.filter(event => event.type === 'tool_finished')).toMatchObject([
    { id: 'call_1', failed: true, content: [{ text: expect.stringMatching(/^Not run: the user has said something/) }] },
    { id: 'call_2', failed: true },
    { id: 'call_3', failed: true },
    { id: 'call_4', failed: false },
    { id: 'call_5', failed: false },
    { id: 'call_6', failed: true },
  ])
  await backend.close()
})

test('A held command is not asked about any more', async () => {
  const { backend, events } = await opened(asks)
  const steered = once(backend, 'prompt_accepted', () => backend.steer(words('wait')))
  const turn = backend.prompt({ text: 'bash', images: [] })
  await steered
  backend.abort()
  await turn
  const open = new Set(events.flatMap(event => (event.type === 'permission_requested' ? [event.id] : [])))
  for (const event of events) if (event.type === 'permission_decided') open.delete(event.id)
  expect([...open]).toEqual([])
  await backend.close()
})

test('Words without a call after them, words after a stop, and words to an idle demo are over', async () => {
  const { backend, events, until } = await opened(asks)
  expect(await backend.steer(words('nobody works'))).toEqual({ how: 'over' })
  const late = once(backend, 'prompt_accepted', () => backend.steer(words('no call comes')))
  await backend.prompt({ text: 'long', images: [] })
  expect(await late).toEqual({ how: 'over' })
  const turn = backend.prompt({ text: 'write', images: [] })
  await until('permission_requested')
  const steered = backend.steer(words('stopped'))
  backend.abort()
  expect(await steered).toEqual({ how: 'over' })
  expect(await backend.steer(words('after the stop'))).toEqual({ how: 'over' })
  await turn
  expect(typesOf(events)).not.toContain('steer_delivered')
  await backend.close()
})

test('Words that are taken back, and images, do not reach the demo', async () => {
  const { backend, events, until } = await opened(asks)
  const turn = backend.prompt({ text: 'write', images: [] })
  await until('permission_requested')
  const steered = backend.steer(words('never mind'))
  backend.withdrawSteer('s-1')
  expect(await steered).toEqual({ how: 'withdrawn' })
  const images = [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }]
  expect(await backend.steer({ id: 's-2', prompt: { text: 'see', images } })).toMatchObject({ how: 'refused' })
  backend.abort()
  await turn
  expect(typesOf(events)).not.toContain('steer_delivered')
  await backend.close()
})
