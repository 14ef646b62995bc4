import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../../src/agent/event.ts'
import { CallGuard } from '../../../../src/agents/zot/guard/call-guard.ts'
import type { GuardFrame, GuardReply } from '../../../../src/agents/zot/guard/link/frames.ts'
import { createLocalTools } from '../../../../src/local-tools/local-tools.ts'

const refused = (callId: string) => ({ type: 'call_refused', at: 7, callId, tool: 'bash', because: 'read-only mode' })

test('a refusal is reported with the result of its call: the guard may be faster than the output of zot', () => {
  const told: AgentEvent[] = []
  const sent: GuardReply[] = []
  const receivers: ((frame: GuardFrame) => void)[] = []
  const guard = new CallGuard({
    link: {
      receive: onFrame => void receivers.push(onFrame),
      send: reply => sent.push(reply),
      watch: () => {},
      lost: new Promise(() => {}),
      gates: null,
      check: null,
      close: async () => {},
    },
    judge: () => ({ verdict: 'refuse', because: 'read-only mode', words: 'Refused.' }),
    toolsOf: folder => createLocalTools({ folder, env: {} }),
    folder: '/project',
    env: {},
    emit: event => told.push(event),
    now: () => 7,
    limits: { holdIntercept: 4000, holdTool: 55_000 },
    onStop: () => {},
  })
  guard.begin()
  const call = { id: '1', event: 'tool_call', tool_id: 'a', tool_name: 'bash', tool_args: { command: 'touch x' } }
  receivers[0]?.({ type: 'event_intercept', ...call })
  receivers[0]?.({ type: 'event_intercept', ...call, id: '2', tool_id: 'b' })
  expect(sent).toMatchObject([
    { id: '1', block: true },
    { id: '2', block: true },
  ])
  expect(told).toEqual([])
  guard.translate({ type: 'tool_result', id: 'a', is_error: true, content: [] })
  expect(told).toEqual([refused('a')])
  // zot has ended without a result.
  guard.end()
  expect(told).toEqual([refused('a'), refused('b')])
})
