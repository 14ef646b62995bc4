import { expect, test } from 'vitest'
import { agentAnswered } from '../../bin/boot/load-in-steps.ts'
import type { AgentEvent } from '../../src/agent/event.ts'

test.each([
  {
    type: 'agent_started',
    at: 0,
    agent: 'zot',
    version: '1',
    provider: 'p',
    model: 'm',
    contextWindow: null,
    reasoning: null,
    reasoningLevels: [],
  },
  { type: 'agent_ended', at: 0, code: 1, signal: null, expected: false, reason: 'gone', hint: '' },
] satisfies AgentEvent[])('an agent has answered with $type, and with nothing before', async event => {
  const listeners = new Set<(event: AgentEvent) => void>()
  const subscribe = (listener: (event: AgentEvent) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  let isAnswered = false
  const answered = agentAnswered({ subscribe }).then(() => (isAnswered = true))
  for (const listener of listeners) listener({ type: 'agent_starting', at: 0, agent: 'zot' })
  await Promise.resolve()
  expect(isAnswered).toBe(false)
  for (const listener of listeners) listener(event)
  await answered
  expect(listeners.size).toBe(0)
})
