import { describe, expect, test } from 'vitest'
import { makeEventSchema, type AgentEvent } from '../../../src/agent/event.ts'
import { foldHistory } from '../../../src/agents/meerkat/session/history.ts'
import { initialChat, type Turn } from '../../../src/conversation/state.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { readMeerkatRecordings } from '../../helpers/meerkat-recordings.ts'

const schema = makeEventSchema()
const time = (seconds: number): string => `2026-11-22T08:41:${String(seconds).padStart(2, '0')}.500123456+00:00`
const at = (seconds: number): number => Date.parse(time(seconds))

const system = { role: 'system', content: '(3191 characters)', created_at: time(0) }
const user = (content: unknown, seconds: number, more = {}) => ({
  role: 'user',
  content,
  created_at: time(seconds),
  ...more,
})
const block = (type: string, data: object) => ({ block_type: type, data })
const answer = (blocks: object[], seconds: number, stop = 'end_turn') => ({
  role: 'block_assistant',
  blocks,
  stop_reason: stop,
  created_at: time(seconds),
})
const call = (id: string, command: string) => block('tool_use', { id, name: 'shell', args: { command } })
const results = (list: object[], seconds: number) => ({
  role: 'tool_results',
  results: list,
  created_at: time(seconds),
})
const notice = (more: object) => ({ role: 'system_notice', kind: 'generic', created_at: time(4), ...more })

function folded(...messages: unknown[]) {
  const events = foldHistory(messages)
  for (const event of events) expect(schema.parse(event)).toEqual(event)
  const state = events.reduce(reduce, initialChat)
  expect(state.open).toBeNull()
  return { events, entries: state.entries.map(entry => entry) }
}

function turnsOf(entries: ReturnType<typeof folded>['entries']): Turn[] {
  return entries.filter(entry => entry.kind === 'turn')
}

describe('the history of a session', () => {
  test('becomes turns that have their times, without the instructions of Meerkat', () => {
    const { entries } = folded(system, user('hello', 1), answer([block('text', { text: 'Hi.' })], 3), user('more', 9))
    const turns = turnsOf(entries)
    expect(turns.map(({ prompt, startedAt, endedAt }) => [prompt, startedAt, endedAt])).toEqual([
      ['hello', at(1), at(3)],
      ['more', at(9), at(9)],
    ])
    expect(entries).toHaveLength(2)
    expect(turns[0]?.parts.get(0)).toMatchObject({ kind: 'text', text: 'Hi.', final: true })
  })

  test('has thoughts, calls and results, each call with a unique id', () => {
    const structured = { type: 'structured', data: { status: 'success' } }
    const { events, entries } = folded(
      user('work', 1),
      answer(
        [block('reasoning', { text: 'Hm.' }), block('text', { text: 'I look.' }), call('call_1', 'ls')],
        2,
        'tool_use',
      ),
      results([{ tool_use_id: 'call_1', content: 'exit code 3\na', is_error: false }], 3),
      answer([call('call_1', 'rm a'), call('call_2', 'true')], 4, 'tool_use'),
      results(
        [
          { tool_use_id: 'call_2', content: [structured] },
          { tool_use_id: 'call_1', content: 'no', is_error: true },
        ],
        5,
      ),
      answer([block('text', { text: 'Done.' })], 6, 'max_tokens'),
    )
    const [turn] = turnsOf(entries)
    expect([...(turn?.parts ?? [])].map(part => part.kind)).toEqual(['thought', 'text', 'tool', 'tool', 'tool', 'text'])
    const tools = [...(turn?.parts ?? [])].filter(part => part.kind === 'tool')
    expect(new Set(tools.map(({ id }) => id)).size).toBe(3)
    expect(tools.map(({ state }) => state)).toEqual(['ok', 'failed', 'ok'])
    expect(turn).toMatchObject({ stop: 'length' })
    expect(events.filter(({ type }) => type === 'step_started')).toMatchObject([{ step: 1 }, { step: 2 }, { step: 3 }])
    expect(texts(events, 'tool_finished')).toContain('{\n  "status": "success"\n}')
  })

  test('closes a call that has no result', () => {
    const { entries } = folded(user('work', 1), answer([call('call_1', 'sleep 9')], 2, 'tool_use'), user('on', 3))
    const [first] = turnsOf(entries)
    expect(first?.endedAt).toBe(at(2))
    expect([...(first?.parts ?? [])]).toMatchObject([{ kind: 'tool', state: 'not_run' }])
  })

  test('keeps notes with their prompt, and shows notes that no prompt followed', () => {
    const context = (text: string, seconds: number) => user(text, seconds, { transcript_role: 'injected_context' })
    const { entries } = folded(context('a', 1), context('b', 1), user('look', 2), context('c', 3))
    expect(turnsOf(entries)).toMatchObject([{ prompt: 'look', before: ['a', 'b'] }])
    expect(entries.at(-1)).toMatchObject({ kind: 'notice', text: 'c' })
  })

  test('names images by their type, and their size where it is known', () => {
    const text = { type: 'text', text: 'look' }
    const blob = { type: 'image', media_type: 'image/png', source: 'blob', blob_id: 'sha256:2a' }
    const inline = { type: 'image', media_type: 'image/gif', source: 'inline', data: 'QUJDREVG' }
    const { entries } = folded(user([text, blob, inline], 1))
    const images = [
      { mimeType: 'image/png', bytes: 0 },
      { mimeType: 'image/gif', bytes: 6 },
    ]
    expect(turnsOf(entries)).toMatchObject([{ prompt: 'look', images }])
  })

  test("shows system notices quietly, and describes a fork in zotui's words", () => {
    const { entries } = folded(
      user('one', 1),
      answer([block('text', { text: 'One.' })], 2),
      notice({ body: 'A previous run was interrupted.' }),
      notice({ blocks: [{ type: 'fork_boundary', fork: 'transcript', summary: 'tools: {}' }] }),
      user('two', 5),
    )
    const kinds = [...(turnsOf(entries)[0]?.parts ?? [])].map(part => (part.kind === 'notice' ? part.text : part.kind))
    expect(kinds).toEqual(['text', 'A previous run was interrupted.', 'The session was forked here.'])
  })

  test('has the summary of a compaction', () => {
    const summary = user('What was done.', 1, { transcript_role: 'compaction_summary' })
    const { entries } = folded(system, summary, user('go on', 2))
    expect(entries.map(entry => entry.kind)).toEqual(['compaction', 'turn'])
  })

  test('omits unreadable parts, and never goes back in time', () => {
    const { events } = folded(
      null,
      'text',
      { role: 'oracle', content: 'x' },
      user('later', 9),
      answer([block('oracle', {}), block('tool_use', { id: 1 }), block('text', { text: 'Hi.' })], 2),
      results([{ tool_use_id: 'unknown', content: 'x' }], 1),
      { role: 'user', content: 'no time' },
      user('bad time', 1, { created_at: 'yesterday' }),
    )
    expect(events.map(event => event.at)).toEqual(events.map(() => at(9)))
    expect(events.filter(({ type }) => type === 'prompt_sent')).toHaveLength(2)
  })

  test('begins a turn for an answer without a prompt, and is empty without messages', () => {
    expect(turnsOf(folded(answer([block('text', { text: 'Hi.' })], 1)).entries)).toMatchObject([{ prompt: '' }])
    expect(foldHistory([])).toEqual([])
  })
})

function texts(events: readonly AgentEvent[], type: AgentEvent['type']): string[] {
  return events.flatMap(event =>
    event.type === type && 'content' in event
      ? event.content.flatMap(part => (part.type === 'text' ? [part.text] : []))
      : [],
  )
}

type HistoryMessages = { role: string; content?: unknown; blocks?: { block_type: string }[]; results?: unknown[] }[]

const histories = readMeerkatRecordings().flatMap(({ name, lines }) =>
  lines.flatMap(({ frame }) => {
    const { messages } = (frame?.['result'] ?? {}) as { messages?: HistoryMessages }
    return messages ? [[name, messages] as const] : []
  }),
)

test.each(histories)('a history of the recording %s folds without loss', (_name, messages) => {
  const { events } = folded(...messages)
  const count = (type: AgentEvent['type']): number => events.filter(event => event.type === type).length
  const of = (role: string): HistoryMessages => messages.filter(message => message.role === role)
  const prompts = of('user').filter(message => !('transcript_role' in message))
  expect(count('prompt_sent')).toBe(prompts.length)
  expect(count('answer_finished')).toBe(of('block_assistant').length)
  const blocks = of('block_assistant').flatMap(message => message.blocks ?? [])
  expect(count('tool_called')).toBe(blocks.filter(each => each.block_type === 'tool_use').length)
  expect(count('thought_received')).toBe(blocks.filter(each => each.block_type === 'reasoning').length)
  expect(count('text_received')).toBe(blocks.filter(each => each.block_type === 'text').length)
  expect(count('tool_finished')).toBe(of('tool_results').flatMap(message => message.results ?? []).length)
  expect(count('remark_made')).toBe(of('system_notice').length)
})
