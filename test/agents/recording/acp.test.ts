/** Recordings of real agents of the Agent Client Protocol, replayed. */
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createRecorder } from '../../../src/agents/recording/record.ts'
import { parseRecording, recordedHeader, type RecordedLine } from '../../../src/agents/recording/recording.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import { createRedactor } from '../../../src/storage/sessions/secrets.ts'
import { readAcpRecording, readAcpRecordings, recordedAgents } from '../../helpers/acp-recordings.ts'
import { eventsOf } from '../../recordings/playing.ts'
import { replay } from '../acp/replay.ts'

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

const TOLD: ReadonlySet<string> = new Set(['tool_called', 'tool_finished', 'permission_decided', 'turn_ended'])

const asFile = (agent: string, lines: readonly RecordedLine[]): string =>
  [recordedHeader(agent), ...lines.map(line => JSON.stringify(line))].join('\n')

/** Their client went on after a turn that never ended, or without a session; or cancelled a question of a subagent with the turn. */
const ODD = new Set([
  'claude/error-401',
  'claude/error-cut',
  'claude/subagent-permission-cancelled',
  'codex/start-fails',
  'codex/two-sessions',
])

describe.each(recordedAgents)('%s', agent => {
  const own = readAcpRecordings(agent).filter(({ name }) => !name.endsWith('+') && !ODD.has(`${agent}/${name}`))

  test.concurrent.each(own)('$name: a replay emits the events of the recording', async recording => {
    const { lines, unread } = parseRecording(asFile(agent, recording.lines))
    expect(unread).toEqual([])
    const live = await replay(recording)
    expect(said(await eventsOf({ lines }))).toBe(said(live.events))
  })
})
const { lines: shell } = readAcpRecording('claude', 'shell')
const asRead = (...parts: readonly string[]): readonly RecordedLine[] => parseRecording(parts.join('\n')).lines

const update = (sessionUpdate: string, text: string): string => {
  const content = { type: 'text', text }
  return JSON.stringify({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { update: { sessionUpdate, content } },
  })
}

describe('a recording of an agent', () => {
  test('without its header is still one of such an agent', async () => {
    const { lines } = parseRecording(shell.map(line => JSON.stringify(line)).join('\n'))
    const headed = await eventsOf({ lines: asRead(asFile('claude', shell)) })
    expect(said(await eventsOf({ lines }))).toBe(said(headed))
    expect(headed[0]).toMatchObject({ type: 'agent_starting', agent: 'claude' })
  })

  test.each([0.3, 0.6, 0.9])('that was cut at %f of its length ends with a message', async share => {
    const cut = asRead(asFile('claude', shell.slice(0, Math.floor(shell.length * share))))
    const events = await eventsOf({ lines: cut })
    expect(events.at(-1)).toMatchObject({ type: 'agent_ended', reason: 'the recording ends here', hint: '' })
  })

  test('loses only damaged lines, whichever one it is', async () => {
    const whole = await eventsOf({ lines: asRead(asFile('claude', shell)) })
    const prompts = whole.filter(({ type }) => type === 'prompt_sent').length
    await Promise.all(
      shell.map(async (damaged, index) => {
        const events = await eventsOf({ lines: asRead(asFile('claude', shell.toSpliced(index, 1))) })
        const kept = events.filter(({ type }) => type === 'prompt_sent').length
        const lost = damaged.frame?.['method'] === 'session/prompt' ? 1 : 0
        expect({ index, kept }).toEqual({ index, kept: prompts - lost })
      }),
    )
  }, 60_000)

  test('of two agents has both, and the switch', async () => {
    const { lines: codex } = readAcpRecording('codex', 'text')
    const events = await eventsOf({ lines: asRead(asFile('claude', shell), asFile('codex', codex)) })
    const started = events.flatMap(event => (event.type === 'agent_started' ? [event.agent] : []))
    expect(started).toEqual(['claude', 'codex'])
    expect(events.filter(({ type }) => type === 'prompt_sent').length).toBeGreaterThan(1)
  })

  test('has its name, and no secret that comes in pieces', async () => {
    const secret = 'sk-very-secret-value'
    const written: string[] = []
    const record = createRecorder({
      write: line => written.push(line),
      now: () => 0,
      redactor: createRedactor([secret]),
    })
    const { near, far } = createMemoryPair()
    const transport = record(near, 'claude')
    const heard: string[] = []
    transport.receive(line => heard.push(line))
    for (const kind of ['agent_thought_chunk', 'agent_message_chunk'])
      for (const letter of `it is ${secret} indeed`) far.write(update(kind, letter))
    far.write('{"jsonrpc":"2.0","id":1,"result":{}}')
    far.end()
    await transport.ended
    expect(written[0]).toBe('{"agent":"claude"}')
    const texts = (kind: string): string =>
      parseRecording(written.join('\n'))
        .lines.map(({ frame }) => JSON.stringify(frame))
        .flatMap(line => (line.includes(kind) ? [/"text":"([^"]*)"/.exec(line)?.[1] ?? ''] : []))
        .join('')
    expect(texts('agent_message_chunk')).toBe('it is sk-[hidden] indeed')
    expect(texts('agent_thought_chunk')).toBe('it is sk-[hidden] indeed')
    expect(heard.join('')).toContain('agent_message_chunk')
  })
})
