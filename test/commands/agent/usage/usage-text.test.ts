import { expect, test } from 'vitest'
import { usageText } from '../../../../src/commands/agent/usage/usage-text.ts'
import { renderMarkdown } from '../../../../src/markdown/render.ts'
import { createMeter } from '../../../../src/usage/record.ts'
import { displayWidth } from '../../../../src/text/lines/width.ts'
import { accepted, costs, ended, fold, prompt, started, timed, type Told } from '../../../conversation/events.ts'
import { plainStyle } from '../../../markdown/corpus.ts'
import { textsOf } from '../../../helpers/lines.ts'

const NOON = new Date(2026, 10, 22, 12).getTime()
const other: Told = {
  type: 'model_changed',
  provider: 'openai',
  model: 'gpt',
  contextWindow: null,
  reasoningLevels: [],
}
const turn = (costUsd: number): Told[] => [
  prompt('go'),
  accepted,
  costs({ input: 100, cacheRead: 900, output: 50, costUsd }),
  ended,
]

function drawn(width: number, ...events: readonly Told[]): string[] {
  const meter = createMeter('/app')
  const told = timed([started, ...events], NOON)
  const noted = { records: told.flatMap(event => meter.read(event, 's1')), session: 's1' }
  const text = usageText({ chat: fold(told), noted, now: NOON, showsUnicode: true })
  return textsOf(renderMarkdown(text, { width, style: plainStyle }))
}

test('/usage shows the session, its models, the last days and a chart', () => {
  expect(drawn(80, ...turn(0.5), other, ...turn(0.25)).join('\n')).toMatchInlineSnapshot(`
    "usage of this session
    ─────────────────────  ──────────────────────────────────────────────
    Turns                  2
    Tokens in              2k, 90 % of them from the cache
    Tokens out             100
    Cost                   $0.75
    Time                   6.0s
    Context                1.1k tokens; the size of the window is unknown

    model             turns  in  cached  out   cost  time
    ────────────────  ─────  ──  ──────  ───  ─────  ────
    anthropic/claude      1  1k    90 %   50  $0.50  3.0s
    openai/gpt            1  1k    90 %   50  $0.25  3.0s

    all folders  turns  in  cached  out   cost  time
    ───────────  ─────  ──  ──────  ───  ─────  ────
    today            2  2k    90 %  100  $0.75  6.0s
    7 days           2  2k    90 %  100  $0.75  6.0s
    30 days          2  2k    90 %  100  $0.75  6.0s

    11-22  ████████████  $0.75"
  `)
})

test('/usage shows the windows of the plan with a bar and the time at which they reset, and none that has', () => {
  const windows = [
    { id: 'five_hour', used: 0.83, resetsAt: NOON + 2.5 * 3_600_000 },
    { id: 'seven_day', used: 1.2, resetsAt: NOON + 30 * 3_600_000 },
    { id: 'a_*moon*', used: 0.02, resetsAt: null },
    { id: 'overage', used: 0.5, resetsAt: NOON - 1 },
  ]
  const lines = drawn(80, { type: 'limits_reported', windows })
  expect(lines.slice(9, 14).join('\n')).toMatchInlineSnapshot(`
    "your plan                 used  resets
    ─────────  ────────────  ─────  ──────────────
    5 hours    ██████████     83 %  14:30
    7 days     ████████████  120 %  tomorrow 18:00
    a *moon*   ▎               2 %"
  `)
  expect(drawn(80).join('\n')).not.toContain('your plan')
})

test('after a compaction the cost is shown as a lower bound', () => {
  const text = drawn(
    80,
    ...turn(0.5),
    { type: 'compaction_started' },
    { type: 'compaction_finished', summary: 'x' },
  ).join('\n')
  expect(text).toMatch(/Cost +≥ \$0\.50/)
  expect(text).toMatch(/today .*≥ \$0\.50/)
})

test('without a ledger /usage shows the session alone', () => {
  const chat = fold(timed([started]))
  expect(usageText({ chat, noted: null, now: NOON, showsUnicode: true })).not.toContain('all folders')
})

test('/usage fits 40 columns', () => {
  const lines = drawn(38, ...turn(0.5), other, ...turn(0.25))
  expect(lines.filter(line => displayWidth(line) > 38)).toEqual([])
  expect(lines.join('\n')).toContain('████')
})
