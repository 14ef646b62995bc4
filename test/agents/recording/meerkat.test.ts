/** Recordings of a real Meerkat, replayed. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createRecorder } from '../../../src/agents/recording/record.ts'
import { parseRecording, recordedHeader, type RecordedLine } from '../../../src/agents/recording/recording.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import { createRedactor } from '../../../src/storage/sessions/secrets.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { readMeerkatRecordings } from '../../helpers/meerkat-recordings.ts'
import { eventsOf } from '../../recordings/playing.ts'
import { replayMeerkat } from '../meerkat/replay.ts'

/** The events and calls, without times. */
function said(events: readonly AgentEvent[]): string {
  return events
    .map(event => {
      if (event.type === 'text_received') return event.text
      if (event.type === 'prompt_sent') return `\n> ${event.text}`
      return TOLD.has(event.type) ? `\n${event.type}` : ''
    })
    .join('')
}

const TOLD: ReadonlySet<string> = new Set(['tool_called', 'tool_finished', 'turn_ended'])

const asFile = (lines: readonly RecordedLine[]): string =>
  [recordedHeader('meerkat'), ...lines.map(line => JSON.stringify(line))].join('\n')

/**
 * Their client was not like this one: it began on a session of before, went on in one that was gone, sent two prompts at once, or named another
 * model without a fork.
 */
const ODD = new Set([
  'bad-requests',
  'cancel-first-turn',
  'history-fork-archive',
  'interrupt-mid-text',
  'model-switch-in-fork',
  'model-switch-restart',
  'model-switch-ways',
  'queued-prompts',
  'resume-jsonl+',
  'resume-memory+',
  'resume-sqlite+',
  'set-model',
  'stop-run',
])

describe('every recording', () => {
  test.concurrent.each(readMeerkatRecordings())('$name: a replay ends with nothing open', async ({ lines }) => {
    const events = await eventsOf({ lines: parseRecording(asFile(lines)).lines })
    expect(events.reduce(reduce, initialChat).open).toBeNull()
  })

  test.concurrent.each(readMeerkatRecordings().filter(({ name }) => !ODD.has(name)))(
    '$name: a replay emits the events of the recording',
    async recording => {
      const { lines, unread } = parseRecording(asFile(recording.lines))
      expect(unread).toEqual([])
      const events = await eventsOf({ lines })
      const live = await replayMeerkat(recording)
      expect(said(events)).toBe(said(live.events))
    },
  )
})

test('a copy that was cut at a prompt is cut there again, and the replay continues in it', async () => {
  const messages = ['one', 'two'].flatMap(content => [{ role: 'user', content }, { role: 'block_assistant' }])
  let id = 0
  const asks = (method: string, params: object, result: object, told: object[] = []) => {
    id += 1
    return [
      { dir: 'in', frame: { jsonrpc: '2.0', id, method, params } },
      ...told.map(payload => ({
        dir: 'out',
        frame: { jsonrpc: '2.0', method: 'session/event', params: { ...params, event: { payload } } },
      })),
      { dir: 'out', frame: { jsonrpc: '2.0', id, result } },
    ]
  }
  const turn = (session_id: string, prompt: string) =>
    asks('turn/start', { session_id, prompt }, { text: `Told ${prompt}.` }, [
      { type: 'run_started', identity: { run_id: 'r' } },
      { type: 'text_delta', delta: `Told ${prompt}.`, assistant_message_id: 'm' },
      { type: 'turn_completed', stop_reason: 'end_turn' },
      { type: 'run_completed', identity: { run_id: 'r' }, result: '' },
    ])
  const server_info = { name: 'meerkat-rpc', version: '0.9.8' }
  const frames = [
    ...asks('initialize', {}, { server_info, contract_version: '0.9.8', methods: [] }),
    ...asks('models/catalog', {}, { providers: [] }),
    ...asks('session/create', { model: 'fake', provider: 'self_hosted' }, { session_id: 's1' }),
    ...turn('s1', 'one'),
    ...turn('s1', 'two'),
    ...asks('session/read', { session_id: 's1' }, { message_count: 4, model: 'fake', provider: 'self_hosted' }),
    ...asks('session/history', { session_id: 's1', offset: 0, limit: 100 }, { messages, has_more: false }),
    ...asks('session/fork_at', { session_id: 's1', message_index: 2 }, { session_id: 's2' }),
    ...turn('s2', 'three'),
  ]
  const { lines } = parseRecording(asFile(frames.map((frame, t) => Object.assign(frame, { t }) as RecordedLine)))
  const events = await eventsOf({ lines })
  const opened = events.flatMap(event => (event.type === 'agent_session_opened' ? [[event.id, event.remembers]] : []))
  expect(opened).toEqual([
    ['s1', undefined],
    ['s2', true],
  ])
  expect(said(events)).toContain('> threeTold three.')
})

test('a secret that is split over two pieces is not recorded', async () => {
  const secret = 'sk-ant-0123456789abcdef0123456789'
  const recorded: string[] = []
  const redactor = createRedactor([secret])
  const record = createRecorder({ write: line => recorded.push(line), now: () => 0, redactor })
  const { near, far } = createMemoryPair()
  const transport = record(near, 'meerkat')
  transport.receive(() => undefined)
  const event = (payload: object) =>
    far.write(
      JSON.stringify({
        jsonrpc: '2.0',
        method: 'session/event',
        params: { session_id: 's', event: { seq: 1, payload } },
      }),
    )
  for (const type of ['text_delta', 'reasoning_delta']) {
    event({ type, delta: `the key is ${secret.slice(0, 12)}` })
    event({ type, delta: `${secret.slice(12)}, keep it` })
  }
  event({ type: 'turn_completed', stop_reason: 'end_turn' })
  await setImmediate()
  const text = recorded.join('\n')
  expect(text).not.toContain(secret.slice(0, 12))
  expect(text).not.toContain(secret.slice(12))
  const { lines } = parseRecording(text)
  const pieces = lines.flatMap(({ frame }) => {
    const { event: told } = (frame?.['params'] ?? {}) as { event?: { payload: { delta?: string } } }
    return told?.payload.delta ?? []
  })
  expect(pieces.join('')).toMatch(/the key is .*, keep it.*the key is .*, keep it/s)
})
