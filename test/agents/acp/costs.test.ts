/** The cost of this run of an agent, where the agent counts that of its whole session. */
import { expect, test } from 'vitest'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { createMeter } from '../../../src/usage/record.ts'
import { speakingAgent } from './speaking-agent.ts'
import { createSessionFacts } from '../../../src/agents/acp/session/session-facts.ts'

test.each<[session: string, before: number | null, told: number[], costs: unknown[]]>([
  ['of a new session is all that it tells', 0, [0.25, 1], [[0.25], [1]]],
  [
    'of an old session is what came since',
    0.25,
    [0.75, 1],
    [
      [0.5, 0.75],
      [0.75, 1],
    ],
  ],
  ['of an old session is all where it begins to count again', 0.75, [0.25, 1], [[0.25], [1]]],
  [
    'of an old session whose cost is not known begins with the second turn',
    null,
    [1, 1.5],
    [
      [null, 1],
      [0.5, 1.5],
    ],
  ],
])('%s', (_session, before, told, costs) => {
  const facts = createSessionFacts(before, { meaning: () => undefined, chosen: new Map() })
  const events = told.flatMap(cost => facts.context(1, null, cost, 0))
  const found = events.map(
    event => event.type === 'context_reported' && [event.costUsd, event.sessionCostUsd ?? []].flat(),
  )
  expect(found).toEqual(costs)
})

test('of a conversation that begins again counts from its beginning: in the conversation, in its session and in the ledger', async () => {
  const costs = [0.5, 0.75, 0.25]
  const agent = speakingAgent({
    known: 'claude',
    modes: ['default'],
    answers({ method }) {
      if (method !== 'session/prompt') return undefined
      agent.say({ sessionUpdate: 'usage_update', used: 1, size: 9, cost: { currency: 'USD', amount: costs.shift() } })
      return undefined
    },
  })
  const go = { text: 'go', images: [] }
  await agent.backend.open()
  await agent.backend.prompt(go)
  await agent.backend.prompt(go)
  const before = agent.events.length
  await agent.backend.clear()
  await agent.backend.prompt(go)
  const cleared = agent.events.findIndex(({ type }) => type === 'conversation_cleared')
  expect(cleared).toBeGreaterThanOrEqual(before)
  const meter = createMeter('/p')
  const noted = agent.events
    .flatMap(event => meter.read(event, 's'))
    .map(record => (record.kind === 'cost' ? record.costUsd : 0))
  expect(agent.events.slice(0, cleared).reduce(reduce, initialChat).usage.costUsd).toBe(0.75)
  expect(agent.events.reduce(reduce, initialChat).usage.costUsd).toBe(0.25)
  expect(noted.reduce((sum, cost) => sum + cost, 0)).toBe(1)
})
