/** Events that are lost, late or doubled: a turn ends once, with nothing open. */
import { expect, test } from 'vitest'
import { makeEventSchema, type AgentEvent } from '../../../src/agent/event.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { readMeerkatRecording, readMeerkatRecordings } from '../../helpers/meerkat-recordings.ts'
import type { PackedRecording } from '../../helpers/packed-recordings.ts'
import { replayMeerkat } from './replay.ts'

const schema = makeEventSchema()
type Lines = PackedRecording['lines']

function expectWhole(events: readonly AgentEvent[]): void {
  expect(events.filter(event => !schema.safeParse(event).success)).toEqual([])
  let open = 0
  for (const { type } of events) {
    if (type === 'prompt_sent') open += 1
    if (type === 'turn_ended' || type === 'prompt_refused') open -= 1
    if (type === 'agent_ended') open = 0
    expect([0, 1]).toContain(open)
  }
  expect(open).toBe(0)
  expect(events.reduce(reduce, initialChat).open).toBeNull()
}

function answersOf(events: readonly AgentEvent[]): string[] {
  return events.flatMap(event =>
    event.type === 'answer_finished'
      ? [event.content.map(part => (part.type === 'text' ? part.text : '')).join('')]
      : [],
  )
}

function tokensOf(events: readonly AgentEvent[]): number {
  return events.reduce((sum, event) => (event.type === 'usage_reported' ? sum + event.usage.output : sum), 0)
}

function typeOf(line: Lines[number]): unknown {
  const { event } = (line.frame?.['params'] ?? {}) as { event?: { payload?: { type?: unknown } } }
  return line.dir === 'out' ? event?.payload?.type : undefined
}

const isEvent = (line: Lines[number]): boolean => typeOf(line) !== undefined

/** Moves each answer to `turn/start` before the last event of its run. */
function overtaking(lines: Lines): Lines {
  const moved = [...lines]
  for (let at = 1; at < moved.length; at += 1) {
    const [last, answer] = [moved[at - 1], moved[at]]
    const isLast = last && /^run_(?:completed|failed)$/.test(String(typeOf(last)))
    if (last && answer && isLast && answer.dir === 'out' && !isEvent(answer)) moved.splice(at - 1, 2, answer, last)
  }
  return moved
}

test.each(readMeerkatRecordings().map(recording => [recording.name, recording] as const))(
  'an answer that overtakes the last event changes nothing: %s',
  async (_name, recording) => {
    const plain = await replayMeerkat(recording)
    const { events } = await replayMeerkat(recording, { change: overtaking })
    expectWhole(events)
    expect(answersOf(events)).toEqual(answersOf(plain.events))
    expect(tokensOf(events)).toBe(tokensOf(plain.events))
  },
)

const whole = ['text', 'tool-shell', 'tools-parallel-unknown', 'error-cut', 'test-client'] as const

test.each(whole)('any single event may be lost: %s', async name => {
  const recording = readMeerkatRecording(name)
  const plain = await replayMeerkat(recording)
  for (const [at, line] of recording.lines.entries()) {
    if (!isEvent(line)) continue
    const { events } = await replayMeerkat(recording, { change: lines => lines.filter((_, each) => each !== at) })
    expectWhole(events)
    expect(tokensOf(events)).toBe(tokensOf(plain.events))
    expect(answersOf(events).at(-1)).toBe(answersOf(plain.events).at(-1))
  }
})

const isDoubled = (line: Lines[number]): boolean =>
  isEvent(line) && !/_delta$|^tool_call_requested$|^retrying$/.test(String(typeOf(line)))
const doubled = (lines: Lines): Lines => lines.flatMap(line => (isDoubled(line) ? [line, line] : [line]))

test.each(whole)('any event may come twice: %s', async name => {
  const recording = readMeerkatRecording(name)
  const plain = await replayMeerkat(recording)
  const { events } = await replayMeerkat(recording, { change: doubled })
  expectWhole(events)
  expect(answersOf(events)).toEqual(answersOf(plain.events))
})

test('a turn without any event comes from its answer', async () => {
  const { events } = await replayMeerkat(readMeerkatRecording('text'), {
    change: lines => lines.filter(line => !isEvent(line)),
  })
  expectWhole(events)
  expect(answersOf(events)).toEqual(['Hello there. This is **streamed** text.\n\n- one\n- two\n', 'And more.'])
  expect(tokensOf(events)).toBe(68)
})

test('a turn without an answer comes from its events', async () => {
  const { events } = await replayMeerkat(readMeerkatRecording('test-client'), {
    change: lines =>
      lines.filter(
        ({ dir, frame }) => dir === 'in' || frame?.['result'] === undefined || !('text' in (frame['result'] as object)),
      ),
  })
  expectWhole(events)
  expect(answersOf(events).at(0)).toBe('ok')
})
