/** A recording of a conversation: all of it but the secrets, and enough to have it again. */
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createDemoTransport } from '../../../src/agents/demo/transport.ts'
import { createRedactor } from '../../../src/storage/sessions/secrets.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import { createZotBackend } from '../../../src/agents/zot/backend.ts'
import { createRecorder } from '../../../src/agents/recording/record.ts'
import { parseRecording, type RecordedLine } from '../../../src/agents/recording/recording.ts'
import { eventsOf } from '../../recordings/playing.ts'

const SECRET = 'sk-very-secret-value'

function recorder(secrets: readonly string[] = []) {
  const written: string[] = []
  let clock = 100
  const record = createRecorder({
    write: line => written.push(line),
    now: () => (clock += 1),
    redactor: createRedactor(secrets),
  })
  return { record, written, lines: (): readonly RecordedLine[] => parseRecording(written.join('\n')).lines }
}

async function wire(secrets: readonly string[], out: readonly object[]) {
  const { record, written, lines } = recorder(secrets)
  const { near, far } = createMemoryPair()
  const heard: string[] = []
  const transport = record(near)
  transport.receive(line => heard.push(line))
  far.receive(() => undefined)
  for (const frame of out) far.write(JSON.stringify(frame))
  far.end()
  await transport.ended
  return { written, lines: lines(), heard }
}

const textOf = (frame: RecordedLine['frame']): string => {
  const text = frame?.['delta'] ?? frame?.['text']
  return typeof text === 'string' ? text : ''
}

describe('a recording', () => {
  test('has both directions, times since the first line, and lines that are not JSON', async () => {
    const { record, lines } = recorder()
    const { near, far } = createMemoryPair()
    const transport = record(near)
    transport.receive(() => undefined)
    far.receive(() => {
      far.write('no JSON')
      far.end()
    })
    transport.write('{"type":"hello","id":"1"}')
    await transport.ended
    expect(lines()).toEqual([
      { t: 0, dir: 'in', frame: { type: 'hello', id: '1' } },
      { t: 1, dir: 'out', raw: 'no JSON' },
    ])
  })

  test('has no secret at any depth or in arguments, and the client still gets every line unchanged', async () => {
    const frames = [
      { type: 'tool_call', id: 'a', name: 'bash', args: { command: [`echo ${SECRET}`], [SECRET]: 1 } },
      { type: 'done' },
    ]
    const { written, heard } = await wire([SECRET], frames)
    expect(written.join('\n')).not.toContain(SECRET)
    expect(written.join('\n')).toContain('echo sk-[hidden]')
    expect(heard.join('\n')).toContain(SECRET)
  })

  test.each<[string, (text: string) => object]>([
    ['text_delta', (text: string) => ({ type: 'text_delta', delta: text })],
    ['tool_use_args', (text: string) => ({ type: 'tool_use_args', id: 'a', delta: text })],
    ['tool_progress', (text: string) => ({ type: 'tool_progress', id: 'a', text })],
  ])('nor one that comes in pieces of %s', async (_, piece) => {
    const pieces = `it is ${SECRET} indeed`.split('').map(piece)
    const { written, lines } = await wire([SECRET], [...pieces, { type: 'done' }])
    const text = lines.map(({ frame }) => textOf(frame)).join('')
    expect(text).toBe('it is sk-[hidden] indeed')
    expect(written.at(-1)).toContain('"done"')
  })

  test('that is torn or has odd lines is read as far as possible', () => {
    const good = '{"t":1,"dir":"in","frame":{"type":"ping"}}'
    const { lines, unread } = parseRecording(`${good}\n{"t":"x"}\n\nnonsense\n${good}\n{"t":2,"di`)
    expect({ count: lines.length, unread }).toEqual({ count: 2, unread: [2, 4, 6] })
  })
})

const untimed = (events: readonly AgentEvent[]): object[] =>
  events.filter(event => event.type !== 'agent_starting').map(event => Object.assign(event, { at: 0 }))

describe('a replay', () => {
  test('emits the recorded events', async () => {
    const { record, lines } = recorder()
    const told: AgentEvent[] = []
    const backend = createZotBackend({ connect: () => record(createDemoTransport({ speed: 0 })) })
    backend.subscribe(event => told.push(event))
    await backend.open()
    await backend.prompt({ text: 'tools', images: [] })
    await backend.setModel('demo-small')
    await backend.compact()
    await backend.clear()
    await backend.prompt({ text: 'thanks', images: [] })
    expect(untimed(await eventsOf({ lines: lines() }))).toEqual(untimed(told))
    await backend.close()
  })

  test.each([
    ['zot', '{"type":"hello","id":"1"}'],
    ['an agent', '{"id":1,"method":"initialize"}'],
    ['meerkat', '{"id":1,"method":"initialize"}'],
  ])('names a line that was too long to keep, in its place: %s', async (agent, greeting) => {
    const { record, lines } = recorder()
    const { near, far } = createMemoryPair()
    const transport = record(near, agent)
    const heard: unknown[] = []
    transport.receive(
      line => heard.push(line),
      bytes => heard.push(bytes),
    )
    const [before, after] = ['no JSON', 'neither']
    transport.write(greeting)
    far.write(before)
    far.writeDropped(70_000_000)
    far.write(after)
    far.end()
    await transport.ended
    expect(heard).toEqual([before, 70_000_000, after])
    expect(lines()).toMatchObject([{ dir: 'in' }, { raw: before }, { dir: 'out', dropped: 70_000_000 }, { raw: after }])
    const warned = (await eventsOf({ lines: lines() })).filter(({ type }) => type === 'warning_raised')
    expect(JSON.stringify(warned)).toContain('70.0 MB')
  })

  test('emits them across a restart, and ends a turn in which the recording breaks off', async () => {
    const { record, lines } = recorder()
    const backend = createZotBackend({ connect: () => record(createDemoTransport({ speed: 0 })) })
    for (const prompt of ['thanks', 'tools']) {
      await backend.open()
      await backend.prompt({ text: prompt, images: [] })
      await backend.close()
    }
    const whole = await eventsOf({ lines: lines() })
    const types = whole.map(event => event.type)
    expect(types.filter(type => type === 'agent_started')).toHaveLength(2)
    expect(types.filter(type => type === 'turn_ended')).toHaveLength(2)
    const cut = lines().findLastIndex(({ frame }) => frame?.['type'] === 'tool_result')
    const broken = await eventsOf({ lines: lines().slice(0, cut) })
    expect(broken.at(-1)).toMatchObject({ type: 'agent_ended', reason: 'the recording ends here', hint: '' })
  })
})

const chunk = (text: string) => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId: 's1', update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } } },
})

test('A secret that is split over two pieces of another agent is not in the recording', async () => {
  const end = { jsonrpc: '2.0', id: 3, result: { stopReason: 'end_turn' } }
  const { written, lines } = await wire([SECRET], [chunk('the key is sk-very-'), chunk('secret-value.'), end])
  expect(written.join('')).not.toContain('sk-very')
  const texts = lines.flatMap(({ frame }) => JSON.stringify(frame).match(/"text":"([^"]*)"/)?.[1] ?? [])
  expect(texts.join('')).toMatch(/^the key is .*\.$/)
  expect(lines.every(({ frame }) => frame?.['jsonrpc'] === '2.0')).toBe(true)
  expect(lines.at(-1)?.frame).toEqual(end)
})

test('A key that an agent logs in with is not in the recording, and the agent gets it', async () => {
  const { record, written } = recorder()
  const { near, far } = createMemoryPair()
  const heard: string[] = []
  far.receive(line => heard.push(line))
  const transport = record(near, 'codex')
  transport.receive(() => undefined)
  const params = { methodId: 'api-key', _meta: { 'api-key': { apiKey: 'typed-by-the-user' } } }
  transport.write(JSON.stringify({ id: 2, method: 'authenticate', params }))
  await expect.poll(() => heard.join()).toContain('typed-by-the-user')
  far.write('{"id":2,"result":{}}')
  far.end()
  await transport.ended
  expect(written.join('\n')).toContain('"methodId":"api-key"')
  expect(written.join('\n')).not.toContain('typed-by-the-user')
})
