import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StartupContext } from '../../../src/agent/startup-context.ts'
import { usageKinds, contextUsageOf, type ContextUsage } from '../../../src/conversation/queries/context-usage.ts'
import { runs } from '../../helpers/length.ts'
import { anyEvents, conversation } from '../arbitrary-events.ts'
import {
  accepted,
  answered,
  call,
  calls,
  costs,
  ended,
  fold,
  prompt,
  returns,
  says,
  started,
  step,
  timed,
  type Told,
} from '../events.ts'

const words = (count: number): string => 'word '.repeat(count).trim()

const reading: StartupContext = {
  systemPrompt: null,
  ownTokens: 1000,
  instructions: { items: [{ path: '/AGENTS.md', tokens: 300, problem: null }], read: 'yes', why: null },
  skills: {
    items: (['taken', 'hidden'] as const).map(state => ({
      name: 'one',
      description: '',
      path: '/SKILL.md',
      from: 'project',
      within: null,
      listedTokens: 20,
      loadedTokens: 900,
      state,
      note: null,
    })),
    read: 'yes',
    why: null,
  },
  isWhole: true,
}

const after = (...events: readonly Told[]): ContextUsage => contextUsageOf(fold(timed([started, ...events])), reading)
const turn = (said: string, ...rest: readonly Told[]): Told[] => [prompt(said), accepted, step(1), ...rest, ended]

const thinking = (tokens: number): Told => costs({ input: 9000, output: 2 * tokens, reasoning: tokens })

describe('the usage of the context window', () => {
  test('is estimated before the first answer', () => {
    const { parts, used, isReported } = after()
    expect(parts).toMatchObject({ system: 1000, instructions: 300, skills: 20, prompts: 0 })
    expect([used, isReported]).toEqual([1320, false])
  })

  test('does not count files that the agent does not read', () => {
    const none = { ...reading, instructions: { ...reading.instructions, read: 'unknown' as const, why: 'Old.' } }
    expect(contextUsageOf(fold(timed([started])), none).parts.instructions).toBe(0)
  })

  test('counts prompts, answers and tools by their text', () => {
    const { parts, used, isReported } = after(
      ...turn(
        words(400),
        says(words(200)),
        answered({ type: 'text', text: words(200) }, call('a', 'read', { path: 'a.ts' })),
        calls('a', 'read', { path: 'a.ts' }),
        returns('a', words(800)),
        costs({ input: 3100, output: 60 }),
      ),
    )
    expect([used, isReported]).toEqual([3160, true])
    expect(parts.tools).toBeGreaterThan(parts.prompts)
    expect(parts.prompts).toBeGreaterThan(parts.answers)
    expect(parts.answers).toBeGreaterThan(200)
  })

  test('counts the rest as system, including tools of extensions', () => {
    const { parts } = after(...turn('hi', costs({ input: 20_000, output: 10 })))
    expect(parts.system).toBeGreaterThan(19_000)
  })

  test('counts the reasoning of the last turn only', () => {
    const { parts } = after(...turn('hi', thinking(5000)), ...turn('go on', thinking(400)))
    expect(parts.reasoning).toBeGreaterThanOrEqual(400)
    expect(parts.reasoning).toBeLessThanOrEqual(500)
  })

  test('counts only what followed a clear or a compaction', () => {
    const long = turn(words(4000), costs({ input: 8000, output: 10 }))
    expect(after(...long, { type: 'conversation_cleared' }).parts.prompts).toBe(0)
    const compacted = after(
      ...long,
      { type: 'compaction_started' },
      { type: 'compaction_finished', summary: words(100) },
      ...turn(words(10)),
    )
    expect(compacted.parts.memory).toBeGreaterThan(100)
    expect(compacted.parts.prompts).toBeLessThan(30)
  })

  test('is empty for a restarted agent', () => {
    const { parts } = after(...turn(words(4000)), { type: 'agent_starting', agent: 'zot' }, started)
    expect(parts.prompts).toBe(0)
  })

  test('always adds up to the total, without negative parts', () => {
    fc.assert(
      fc.property(fc.oneof(anyEvents, conversation), fc.constantFrom(reading, null), (events, files) => {
        const { parts, used } = contextUsageOf(fold(timed(events)), files)
        const sum = usageKinds.reduce((total, kind) => total + parts[kind], 0)
        expect(sum).toBeCloseTo(used)
        for (const kind of usageKinds) expect(parts[kind]).toBeGreaterThanOrEqual(0)
      }),
      runs(100),
    )
  })
})
