import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../../src/agent/event.ts'
import type { Judge } from '../../../../src/agent/permission.ts'
import { CallGuard } from '../../../../src/agents/zot/guard/call-guard.ts'
import type { GuardFrame, GuardReply } from '../../../../src/agents/zot/guard/link/frames.ts'
import { createLocalTools } from '../../../../src/local-tools/local-tools.ts'
import { zotTools } from '../../../../src/local-tools/as-zot/zot-tools.ts'

const refused = (callId: string) => ({ type: 'call_refused', at: 7, callId, tool: 'bash', because: 'read-only mode' })

function guardWith(judge: Judge) {
  const told: AgentEvent[] = []
  const sent: GuardReply[] = []
  const receivers: ((frame: GuardFrame) => void)[] = []
  const guard = new CallGuard({
    link: {
      receive: onFrame => void receivers.push(onFrame),
      send: reply => sent.push(reply),
      watch: () => {},
      lost: new Promise(() => {}),
      close: async () => {},
    },
    judge,
    toolsOf: folder => createLocalTools({ folder, env: {}, tools: zotTools }),
    offered: ['bash'],
    folder: '/project',
    emit: event => told.push(event),
    now: () => 7,
    limits: { holdIntercept: 4000, holdTool: 55_000 },
    onStop: () => {},
  })
  return { guard, told, sent, receivers }
}

test('a refusal is reported with the result of its call: the guard may be faster than the output of zot', async () => {
  const { guard, told, sent, receivers } = guardWith(() => ({
    verdict: 'refuse',
    because: 'read-only mode',
    words: 'Refused.',
  }))
  guard.begin()
  for (const id of ['a', 'b']) {
    const facts = { event: 'tool_call', tool_name: 'bash', tool_args: { command: 'touch x' } }
    receivers[0]?.({ type: 'event_intercept', id, tool_id: id, ...facts })
    const passed = sent.at(-1)
    expect(passed).toMatchObject({ type: 'event_intercept_response', id })
    const args = passed && 'modified_args' in passed ? passed.modified_args : undefined
    receivers[0]?.({ type: 'tool_call', id: `run ${id}`, name: 'bash', args })
    await expect.poll(() => sent.at(-1)).toMatchObject({ type: 'tool_result', id: `run ${id}`, is_error: true })
  }
  expect(told).toEqual([])
  guard.translate({ type: 'tool_result', id: 'a', is_error: true, content: [] })
  expect(told).toEqual([refused('a')])
  // zot has ended without a result.
  guard.end()
  expect(told).toEqual([refused('a'), refused('b')])
})

const asked = async (): Promise<string> => {
  const { guard, told, sent, receivers } = guardWith(() => ({ verdict: 'ask', because: 'the mode is ask' }))
  guard.begin()
  const facts = { event: 'tool_call', tool_name: 'bash', tool_args: { command: 'touch x' } }
  receivers[0]?.({ type: 'event_intercept', id: 'a', tool_id: 'a', ...facts })
  const passed = sent.at(-1)
  const args = passed && 'modified_args' in passed ? passed.modified_args : undefined
  receivers[0]?.({ type: 'tool_call', id: 'run a', name: 'bash', args })
  const question = () => told.find(event => event.type === 'permission_requested')
  await expect.poll(question).toBeDefined()
  return question()?.id ?? ''
}

test('an answer to a call of an earlier zot answers no call of a later one', async () => {
  expect(await asked()).not.toBe(await asked())
})
