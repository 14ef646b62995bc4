/** The demo behind the real backend. */
import { afterEach, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { Backend } from '../../../src/agent/backend.ts'
import { createDemoTransport } from '../../../src/agents/demo/transport.ts'
import { createZotBackend } from '../../../src/agents/zot/backend.ts'

type Type = AgentEvent['type']

let backend: Backend | undefined
afterEach(() => backend?.kill())

async function open(): Promise<{ backend: Backend; events: AgentEvent[]; seen: (type: Type) => Promise<void> }> {
  const opened = createZotBackend({ name: 'demo', connect: () => createDemoTransport({ speed: 0 }) })
  backend = opened
  const events: AgentEvent[] = []
  opened.subscribe(event => events.push(event))
  const seen = (type: Type) =>
    new Promise<void>(resolve => {
      const stop = opened.subscribe(event => {
        if (event.type !== type) return
        stop()
        resolve()
      })
    })
  await opened.open()
  return { backend: opened, events, seen }
}

const prompt = (text: string) => ({ text, images: [] })

test('starts, gives the tour, compacts and clears', async () => {
  const { backend, events } = await open()
  expect(events.find(event => event.type === 'agent_started')).toMatchObject({
    agent: 'demo',
    provider: 'demo',
    model: 'demo-large',
    contextWindow: 200_000,
    reasoning: '',
  })
  await backend.prompt(prompt('tour'))
  await backend.compact()
  expect(await backend.setModel('demo-small')).toMatchObject({ ok: true })
  expect(await backend.setReasoning('low')).toMatchObject({ ok: true })
  expect(await backend.clear()).toMatchObject({ ok: true })
  const types = events.map(event => event.type)
  for (const type of ['turn_ended', 'compaction_finished', 'model_changed', 'conversation_cleared'] as const) {
    expect(types.filter(other => other === type)).toHaveLength(1)
  }
  expect(types).not.toContain('warning_raised')
  expect(types).not.toContain('error_reported')
})

test('runs until it is stopped', async () => {
  const { backend, events, seen } = await open()
  const running = seen('tool_progressed')
  const turn = backend.prompt(prompt('sleep'))
  await running
  backend.abort()
  await turn
  expect(events.filter(event => event.type === 'tool_finished')).toMatchObject([{ failed: true }, { failed: true }])
  expect(events.at(-1)).toMatchObject({ type: 'turn_ended' })
})

test('reports a crash with its message, and starts again', async () => {
  const { backend, events } = await open()
  await backend.prompt(prompt('crash'))
  expect(events.at(-1)).toMatchObject({ type: 'agent_ended', code: 3, reason: expect.stringContaining('demo crashed') })
  await backend.open()
  await backend.prompt(prompt('thanks'))
  expect(events.at(-1)).toMatchObject({ type: 'turn_ended' })
})
