import { expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat, type ChatState } from '../../src/conversation/state.ts'
import { OUTPUT_LIMIT } from '../../src/conversation/calls/trim-output.ts'

const at = 1
const prompt: AgentEvent = { type: 'prompt_sent', at, text: 'go', images: [] }
const turn = (id: string): AgentEvent[] => [
  prompt,
  { type: 'tool_called', at, id, name: 'Bash', arguments: { command: 'sleep 9' } },
  { type: 'tool_finished', at, id, failed: false, content: [{ type: 'text', text: '[It goes on.]' }] },
  { type: 'task_reported', at, id: 'task', kind: 'command', callId: id, state: 'running' },
  { type: 'turn_ended', at },
]
const end = (id: string, text = 'done', failed = false): AgentEvent => ({
  type: 'tool_finished',
  at: 2,
  id,
  failed,
  content: [{ type: 'text', text }],
})
const fold = (...events: AgentEvent[]): ChatState => events.reduce(reduce, initialChat)
const callsOf = ({ entries }: ChatState) =>
  entries
    .flatMap(entry => (entry.kind === 'turn' ? [...entry.parts] : []))
    .flatMap(part => (part.kind === 'tool' ? [part] : []))

test('a command that goes on after its turn ends in that turn', () => {
  const chat = fold(...turn('a'), end('a', 'failed with 3', true))
  expect(callsOf(chat)).toMatchObject([{ state: 'failed', endedAt: 2, result: [{ text: 'failed with 3' }] }])
  expect(chat.entries).toHaveLength(1)
})

test('it ends in that turn also while another one runs', () => {
  const chat = fold(...turn('a'), prompt, end('a'))
  expect(callsOf(chat)).toMatchObject([{ state: 'ok', result: [{ text: 'done' }] }])
  expect(chat.open).toMatchObject({ kind: 'turn', parts: expect.objectContaining({ length: 0 }) })
})

test('a long result of it is shortened as any other is', () => {
  const [call] = callsOf(fold(...turn('a'), end('a', 'x'.repeat(10 * OUTPUT_LIMIT))))
  expect(JSON.stringify(call?.result).length).toBeLessThan(2 * OUTPUT_LIMIT)
})

test('of a conversation that was cleared it is no notice, and of no task it is a warning', () => {
  expect(fold(...turn('a'), { type: 'conversation_cleared', at }, end('b')).entries.at(-1)).toMatchObject({
    level: 'warn',
  })
  const known = fold(
    { type: 'task_reported', at, id: 'task', kind: 'command', callId: 'a', state: 'running' },
    end('a'),
  )
  expect(known.entries).toEqual([])
})
