/** Words of the user that wait for the next result of a call. */
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createWaitingWords } from '../../../src/agents/tool-host/steering.ts'

test('words that are wanted back on their way do not wait again where the agent has not got them', async () => {
  const events: AgentEvent[] = []
  const words = createWaitingWords(
    event => void events.push(event),
    () => 1,
  )
  words.begin()
  const [first, second] = ['a', 'b'].map(id => words.steer({ id, prompt: { text: `words ${id}`, images: [] } }))
  const taken = words.take()
  words.withdraw('a')
  taken?.back()
  expect(await first).toEqual({ how: 'withdrawn' })
  const again = words.take()
  expect(again?.text).toContain('words b')
  expect(again?.text).not.toContain('words a')
  again?.delivered()
  expect(await second).toEqual({ how: 'delivered' })
  expect(events).toMatchObject([{ type: 'steer_delivered', id: 'b' }])
})
