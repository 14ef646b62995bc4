/** The cost of this run of an agent, where the agent counts that of its whole session. */
import { expect, test } from 'vitest'
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
  const facts = createSessionFacts({ spent: null, before })
  const events = told.flatMap(cost => facts.context(1, null, cost, 0))
  const found = events.map(
    event => event.type === 'context_reported' && [event.costUsd, event.sessionCostUsd ?? []].flat(),
  )
  expect(found).toEqual(costs)
})
