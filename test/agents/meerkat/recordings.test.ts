import { describe, expect, test } from 'vitest'
import { makeEventSchema, type AgentEvent } from '../../../src/agent/event.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { readMeerkatRecordings } from '../../helpers/meerkat-recordings.ts'
import { replayMeerkat } from './replay.ts'

const schema = makeEventSchema()
const recordings = readMeerkatRecordings().map(recording => [recording.name, recording] as const)

describe('every recording', () => {
  test.each(recordings)('folds without loss and ends with nothing open: %s', async (_name, recording) => {
    const { events, unknown, heard } = await replayMeerkat(recording)
    for (const event of events) expect(schema.parse(event)).toEqual(event)
    expect(unknown.filter(line => !isKnownOddity(line))).toEqual([])
    const state = events.reduce(reduce, initialChat)
    expect(state.open).toBeNull()
    expect(state.questions).toEqual([])
    expectNoLoss(heard, events)
  })
})

/** Things that the recorded client did and this one does not. */
function isKnownOddity(line: string): boolean {
  return /^(?:an event outside of a turn|a reply to no known request: .*"id":null|unsupported request: tool\/execute|unknown notification: session\/stream_|no copy for another model)/.test(
    line,
  )
}

/** Every text, thought, call and argument that was heard is told. */
function expectNoLoss(heard: readonly Record<string, unknown>[], events: readonly AgentEvent[]): void {
  const told = events.map(textIn).join('')
  const pieces = heard.flatMap(({ type, delta, content }) =>
    type === 'text_delta' || type === 'reasoning_delta'
      ? [String(delta)]
      : type === 'text_complete'
        ? [String(content)]
        : [],
  )
  expect(pieces.filter(piece => !told.includes(piece))).toEqual([])
  const called = events.flatMap(event => (event.type === 'tool_called' ? [[event.name, event.arguments]] : []))
  const requested = heard.filter(({ type }) => type === 'tool_call_requested')
  expect(called).toEqual(requested.map(({ name, args }) => [name, args]))
  const steps = heard.filter(({ type }) => type === 'turn_completed')
  expect(events.filter(({ type }) => type === 'usage_reported').length).toBeGreaterThanOrEqual(
    steps.filter(({ usage }) => usage !== undefined && usage !== null).length,
  )
}

function textIn(event: AgentEvent): string {
  if (event.type === 'text_received' || event.type === 'thought_received') return event.text
  if (event.type !== 'answer_finished') return ''
  return event.content.map(part => (part.type === 'text' ? part.text : '')).join('')
}
