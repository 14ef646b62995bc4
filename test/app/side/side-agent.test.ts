import { describe, expect, test } from 'vitest'
import type { Judge } from '../../../src/agent/permission.ts'
import { createSideAgent } from '../../../src/app/side/side-agent.ts'
import { usageSince } from '../../../src/app/side/side-cost.ts'
import { noUsage } from '../../../src/conversation/state.ts'
import { FakeBackend } from '../fake-backend.ts'

const request = { id: 'r', callId: null, tool: 'write', kind: 'edit', arguments: {}, folder: '/p' } as const
const asks: Judge = () => ({ verdict: 'ask', because: 'nobody knows' })
const mode = {
  id: 'mode',
  name: 'Mode',
  category: 'mode',
  kind: 'choice',
  choices: [{ value: 'plan', name: 'Plan' }],
} as const

/** A side agent with an own mode, on a backend that gets these parts. */
function sideAgent(parts: object, wanted: string | null = null) {
  const backend = new FakeBackend(() => 1).with(parts)
  const model = { provider: '', model: '', reasoning: null }
  const options = { backend, mode: wanted, judge: asks, model, baseUrl: undefined, secrets: [] }
  const agent = createSideAgent({ ...options, onEvent: () => undefined })
  return { backend, agent }
}

describe('The agent of a side question', () => {
  test('is not started if it cannot be limited to reading', async () => {
    const { backend, agent } = sideAgent({})
    expect(await agent.open()).toEqual({ ok: false, message: 'zot cannot be limited to reading' })
    expect(backend.asked).toEqual([])
  })

  test('may run no call that needs a question', async () => {
    let judge: Judge | null = null
    const answers: unknown[] = []
    const { backend, agent } = sideAgent({
      judgeWith: (given: Judge) => (judge = given),
      answerPermission: (...answer: unknown[]) => answers.push(answer),
    })
    expect((await agent.open()).ok).toBe(true)
    expect((judge as Judge | null)?.(request)).toMatchObject({ verdict: 'refuse' })
    backend.tell({ type: 'permission_requested', ...request, because: '' })
    await Promise.resolve()
    expect(answers).toMatchObject([['r', { answer: 'refuse' }, 'rule']])
    expect(agent.refused()).toBe(1)
  })

  test('is closed if it lacks the mode in which it only reads', async () => {
    const { backend, agent } = sideAgent({ judgeWith: () => undefined }, 'plan')
    expect(await agent.open()).toEqual({ ok: false, message: 'zot has no read-only mode' })
    expect(backend.asked).toEqual(['open', 'close'])
  })

  test('is in its mode before it gets the question, and is killed when it leaves the mode', async () => {
    const tell = (value: string): void =>
      backend.tell({ type: 'options_changed', options: [{ ...mode, choices: [...mode.choices], value }] })
    const { backend, agent } = sideAgent(
      {
        judgeWith: () => undefined,
        async open() {
          await FakeBackend.prototype.open.call(backend)
          tell('default')
        },
        async setOption(_id: string, value: string) {
          tell(value)
          return { ok: true, value: undefined }
        },
      },
      'plan',
    )
    expect((await agent.open()).ok).toBe(true)
    tell('default')
    expect(backend.asked).toEqual(['open', 'kill'])
  })
})

test('A side agent asks the server to which the conversation goes', async () => {
  const backend = new FakeBackend(() => 1).with({ judgeWith: () => undefined })
  const model = { provider: 'anthropic', model: 'sonnet', reasoning: null }
  const options = { backend, mode: null, judge: asks, model, baseUrl: 'http://gateway.example', secrets: [] }
  await createSideAgent({ ...options, onEvent: () => undefined }).open()
  expect(backend.start).toEqual({ provider: 'anthropic', model: 'sonnet', baseUrl: 'http://gateway.example' })
})

test('The usage of a side question is the increase since its start, and an unknown cost stays unknown', () => {
  expect(usageSince(noUsage, noUsage)).toBeNull()
  expect(usageSince({ ...noUsage, input: 5, costUsd: 1 }, { ...noUsage, input: 9, costUsd: 1.5 })).toMatchObject({
    input: 4,
    costUsd: 0.5,
  })
  expect(usageSince(noUsage, { ...noUsage, output: 1, costUsd: null })?.costUsd).toBeNull()
})
