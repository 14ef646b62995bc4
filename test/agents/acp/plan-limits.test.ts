/** The windows of the user's plan, as Claude reports them. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isOverLimit } from '../../../src/agents/acp/error-words.ts'
import { planLimits } from '../../../src/agents/acp/session/plan-limits.ts'
import { speakingAgent } from './speaking-agent.ts'

const AT = 1_795_650_000_000
const limits = (value: unknown) => planLimits({ '_claude/rateLimit': value }, AT)

test('shares are of 1, times are in seconds, and each window is there once', () => {
  const unifiedWindows = {
    five_hour: { utilization: 0.83, resetsAt: 1_795_652_777, status: 'allowed_warning' },
    seven_day: { utilization: 0.41, resetsAt: 1_795_909_177, status: 'allowed' },
  }
  const own = { status: 'allowed_warning', rateLimitType: 'five_hour', utilization: 0.83, resetsAt: 1_795_652_777 }
  expect(limits({ ...own, unifiedWindows })).toEqual([
    { id: 'five_hour', used: 0.83, resetsAt: 1_795_652_777_000 },
    { id: 'seven_day', used: 0.41, resetsAt: 1_795_909_177_000 },
  ])
  expect(limits(own)).toEqual([{ id: 'five_hour', used: 0.83, resetsAt: 1_795_652_777_000 }])
})

test.each<[string, unknown, object[]]>([
  [
    'a window that is used up',
    { status: 'rejected', rateLimitType: 'five_hour' },
    [{ id: 'five_hour', used: 1, resetsAt: null, isReached: true }],
  ],
  ['less than nothing', { rateLimitType: 'five_hour', utilization: -0.03, resetsAt: 1_795_652_777 }, []],
  ['a share in percent', { rateLimitType: 'five_hour', utilization: 83 }, []],
  ['a share as text', { rateLimitType: 'five_hour', utilization: '0.83' }, []],
  ['no number', { rateLimitType: 'five_hour', utilization: null }, []],
  [
    'the year 3000',
    { rateLimitType: 'five_hour', utilization: 0.5, resetsAt: 32_503_680_000 },
    [{ id: 'five_hour', used: 0.5, resetsAt: null }],
  ],
  [
    'a time as text',
    { rateLimitType: 'five_hour', utilization: 0.5, resetsAt: 'soon' },
    [{ id: 'five_hour', used: 0.5, resetsAt: null }],
  ],
  ['no name', { utilization: 0.5 }, []],
  ['windows that are none', { unifiedWindows: 'all' }, []],
  [
    'one odd window beside a good one',
    { unifiedWindows: { a: 7, b: { utilization: 0.9 } } },
    [{ id: 'b', used: 0.9, resetsAt: null }],
  ],
  ['a text', 'allowed', []],
  ['nothing', undefined, []],
])('%s costs only what is odd', (_name, value, windows) => {
  expect(limits(value)).toEqual(windows)
})

test('whatever comes, a window has a share that can be shown and a time that is near, or none', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.record({
          rateLimitType: fc.string(),
          utilization: fc.double(),
          resetsAt: fc.double(),
          unifiedWindows: fc.dictionary(fc.string(), fc.anything()),
        }),
      ),
      value => {
        for (const { used, resetsAt } of limits(value)) {
          expect(used >= 0 && used <= 10).toBe(true)
          expect(resetsAt === null || Math.abs(resetsAt - AT) < 401 * 86_400_000).toBe(true)
        }
      },
    ),
  )
})

/** As claude-agent-acp 0.101.0 sent it. */
const RECORDED = `{"sessionUpdate":"usage_update","used":1290,"size":1000000,"_meta":{"_claude/rateLimit":{"status":"allowed_warning","resetsAt":1795652777,"rateLimitType":"five_hour","utilization":0.83,"overageStatus":"rejected","overageDisabledReason":"org_level_disabled","isUsingOverage":false,"surpassedThreshold":0.8,"unifiedWindows":{"five_hour":{"utilization":0.83,"resetsAt":1795652777,"status":"allowed_warning","surpassedThreshold":0.8},"seven_day":{"utilization":0.41,"resetsAt":1795909177,"status":"allowed"}}},"_claude/model":"claude-sonnet-5-5"}}`

test('what a real adapter sent reports its two windows, and the context as ever', async () => {
  const agent = speakingAgent({
    known: 'claude',
    modes: ['default'],
    answers: ({ method }) => (method === 'session/prompt' ? { result: { stopReason: 'end_turn' } } : undefined),
  })
  await agent.backend.open()
  agent.say(JSON.parse(RECORDED) as object)
  await agent.backend.prompt({ text: 'go', images: [] })
  const shares = agent.told('limits_reported').map(({ windows }) => windows.map(({ id, used }) => `${id} ${used}`))
  expect(shares).toEqual([['five_hour 0.83', 'seven_day 0.41']])
  expect(agent.told('context_reported')).toMatchObject([{ used: 1290, size: 1_000_000 }])
})

test('an agent that reports a limit tells it with the context, and a prompt that the limit refuses says so', async () => {
  const agent = speakingAgent({
    known: 'claude',
    modes: ['default'],
    answers: ({ method }) =>
      method === 'session/prompt'
        ? {
            error: {
              code: -32603,
              message: 'Internal error',
              data: { errorKind: 'rate_limit', details: 'You have reached your limit.' },
            },
          }
        : undefined,
  })
  await agent.backend.open()
  const meta = { '_claude/rateLimit': { status: 'allowed', rateLimitType: 'five_hour', utilization: 0.5 } }
  agent.say({ sessionUpdate: 'usage_update', used: 10, size: 100, _meta: meta })
  await agent.backend.prompt({ text: 'go', images: [] })
  expect(agent.told('limits_reported')).toMatchObject([{ windows: [{ id: 'five_hour', used: 0.5, resetsAt: null }] }])
  expect(agent.told('context_reported').at(-1)).toMatchObject({ used: 10 })
  expect(agent.told('error_reported')).toMatchObject([{ message: 'You have reached your limit.', isOverLimit: true }])
})

test.each([
  [{ errorKind: 'rate_limit' }, true],
  [{ codexErrorInfo: 'usageLimitExceeded' }, true],
  [{ errorKind: 'overloaded' }, false],
  [{ codexErrorInfo: { other: 1 } }, false],
  [undefined, false],
])('the data %j of an error is a limit of the plan: %s', (data, is) => {
  expect(isOverLimit({ code: -32603, message: 'no', ...(data && { data }) })).toBe(is)
})
