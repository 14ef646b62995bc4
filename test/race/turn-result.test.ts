/** What a conversation of a race has come to. */
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { turnResult } from '../../src/race/turn-result.ts'

function failedWith(error: string) {
  const events: AgentEvent[] = [
    { type: 'prompt_sent', at: 1, text: 'go', images: [] },
    { type: 'error_reported', at: 2, message: error },
    { type: 'turn_ended', at: 3 },
  ]
  return turnResult(events.reduce(reduce, initialChat))
}

test('a turn that failed says why: an error that is not known in the words of the agent', () => {
  expect(failedWith('http 401 unauthorized')?.problem).toBe('The provider rejected the API key (http 401).')
  expect(failedWith('no such deployment\nat line 3')).toMatchObject({
    step: 'failed',
    problem: 'The turn failed: no such deployment',
  })
})
