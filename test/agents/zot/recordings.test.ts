import { describe, expect, test } from 'vitest'
import { agentEventSchema } from '../../../src/agent/event-schema.ts'
import { decode } from '../../../src/agents/zot/decode.ts'
import { outputOf, readRecording, readRecordings } from '../../helpers/recording.ts'
import { eventsOf } from '../../recordings/playing.ts'

const recordings = readRecordings()

test('there are 23 scenarios of each of two zots', () => {
  expect(recordings).toHaveLength(46)
})

describe.each(recordings)('$zot $name', recording => {
  test('every line that is JSON decodes', () => {
    const unknown = outputOf(recording).filter(line => decode(line).kind === 'unknown')
    expect(unknown).toEqual([])
  })

  test('the backend emits valid events and ends every operation', async () => {
    const events = await eventsOf(recording)
    for (const event of events) expect(agentEventSchema.parse(event)).toEqual(event)
    const begun = events.filter(event => event.type === 'prompt_sent' || event.type === 'compaction_started')
    const ended = events.filter(event =>
      /^(?:turn_ended|prompt_refused|compaction_(?:finished|failed|aborted))$/u.test(event.type),
    )
    expect(ended).toHaveLength(begun.length)
    expect(events.slice(0, 2).map(event => event.type)).toEqual(['agent_starting', 'agent_started'])
  })
})

const typesOf = async (name: string): Promise<string[]> => {
  const events = await eventsOf(readRecording('zot-0.3.3x', name))
  return events.slice(2).map(event => event.type)
}

test('an abort in the middle of a text ends the turn', async () => {
  expect(await typesOf('abort-mid-text')).toEqual([
    'prompt_sent',
    'prompt_accepted',
    'step_started',
    'answer_started',
    'text_received',
    'text_received',
    'abort_requested',
    'usage_reported',
    'answer_finished',
    'step_ended',
    'turn_ended',
  ])
})

test.each([
  ['compact-ok', 'compaction_finished'],
  ['compact-nothing', 'compaction_failed'],
  ['compact-http-401', 'compaction_failed'],
  ['compact-abort', 'compaction_aborted'],
])('%s ends with %s', async (name, end) => {
  expect((await typesOf(name)).filter(type => type.startsWith('compaction_'))).toEqual(['compaction_started', end])
})

test('prompts that were sent at once run one after the other', async () => {
  const turns = (await typesOf('queued-five-prompts')).filter(type => type === 'prompt_sent' || type === 'turn_ended')
  expect(turns).toEqual(Array.from({ length: 5 }, () => ['prompt_sent', 'turn_ended']).flat())
})
