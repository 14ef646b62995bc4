/** The conversation that zotui of format 1 folded from the same events: nothing may have changed but what is new. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { eventsOf, readRecordings } from '../helpers/recording.ts'
import { fold } from './events.ts'

/** Fields that came with format 2, one that went, and an index that only makes folding faster. The sums are without `answered`, `step` and `firstTextAt`, which went later. */
const NEW = new Set([
  'root',
  'title',
  'does',
  'locations',
  'diffs',
  'shown',
  'costIsPartial',
  'retry',
  'retryAt',
  'askedModelAt',
  'compactingSince',
  'stopReason',
  'firstOpen',
  'settled',
  'forms',
  'options',
  'agentCommands',
  'login',
  'agentTitle',
  'reportedCost',
  'agentSession',
  'rememberedBy',
  'activity',
  'planInAnswer',
  'isDisplay',
  'follows',
  'mentions',
  'firstTokenAt',
  'earlyPermissions',
  'sentTo',
  'kept',
  'server',
  'sharedWith',
])

/** Events that format 1 left to the reducer. */
const IMPLIED = new Set<AgentEvent['type']>(['tool_started', 'answer_withdrawn', 'text_withdrawn'])

const folded = JSON.parse(readFileSync(new URL('../fixtures/folded-format-1.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>

function sumOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sorted)).digest('hex').slice(0, 16)
}

/** The times of a recording are those of its replay: only their order is the same each time. */
function sorted(key: string, value: unknown): unknown {
  if (NEW.has(key) || (key === 'plan' && Array.isArray(value))) return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value) || 'toJSON' in value) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The events as a file of format 1 has them, a millisecond apart. */
function asFormat1(events: readonly AgentEvent[]): AgentEvent[] {
  return events
    .filter(({ type }) => !IMPLIED.has(type))
    .map((event, index) => {
      const told = structuredClone(event)
      told.at = index
      if (told.type === 'tool_called') delete told.parent
      if (told.type === 'compaction_failed') delete told.nothing
      return told
    })
}

describe.each(readRecordings())('$zot/$name', recording => {
  test('folds to the same conversation as before, from a file of the earlier format', async () => {
    const events = asFormat1(await eventsOf(recording))
    expect(sumOf(fold(events))).toBe(folded[`${recording.zot}/${recording.name}`])
  })
})
