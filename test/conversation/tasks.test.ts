import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { PieceGatherer } from '../../src/agent/join-pieces.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import { reduce, reduceWhole } from '../../src/conversation/reduce.ts'
import { MOST_OF_TASK } from '../../src/conversation/shorten-task.ts'
import { initialChat, type AgentTask, type ChatState } from '../../src/conversation/state.ts'
import { MOST_OF_ALL } from '../../src/conversation/task-list.ts'
import { isAtWork } from '../../src/agent/task-events.ts'
import { runs } from '../helpers/length.ts'
import { anyEvents } from './arbitrary-events.ts'
import { calls, ended, prompt, says, started, timed, type Told } from './events.ts'

const opened = (id: string): Told => ({ type: 'agent_session_opened', id })
const left: Told = { type: 'agent_ended', code: 0, signal: null, reason: '', hint: '', expected: true }
const reports = (
  id: string,
  facts: Partial<Omit<Extract<Told, { type: 'task_reported' }>, 'type' | 'id'>> = {},
): Told => ({
  type: 'task_reported',
  id,
  ...facts,
})
const inside = (id: string, told: Told): Told => {
  const [event] = timed([told])
  if (!event || event.type === 'task_event') throw new Error('it is no event of a subagent')
  return { type: 'task_event', id, event }
}
const chatOf = (...events: readonly Told[]): ChatState => timed(events).reduce(reduce, initialChat)
const taskOf = (chat: ChatState, id = 'a'): AgentTask => {
  const task = chat.tasks.get(id)
  if (!task) throw new Error('there is no such task')
  return task
}
const textOf = (chat: ChatState | null): string =>
  [...(chat?.entries ?? []), ...(chat?.open ? [chat.open] : [])]
    .flatMap(entry => (entry.kind === 'turn' ? entry.parts.slice() : []))
    .flatMap(part => (part.kind === 'text' ? [part.text] : []))
    .join('|')

const work = [
  started,
  opened('s1'),
  reports('a', { kind: 'subagent', canStop: true }),
  inside('a', prompt('look')),
  inside('a', says('I see')),
]

test.each<[string, readonly Told[], AgentTask['state'] | null]>([
  ['the agent ends', [left], 'stopped'],
  ['another agent starts', [{ type: 'agent_starting', agent: 'zot' }], 'stopped'],
  ['the agent opens another session', [opened('s2')], 'stopped'],
  ['the agent opens the same session', [opened('s1')], 'running'],
  ['the conversation is cleared', [{ type: 'conversation_cleared' }], null],
  ['the turn of the agent ends', [prompt('go'), ended], 'running'],
])('where %s, its subagent is %3$s', (_, events, state) => {
  const task = chatOf(...work, ...events).tasks.get('a')
  expect(task?.state ?? null).toBe(state)
})

test('a subagent whose agent ended is closed, and cannot be stopped', () => {
  const task = taskOf(chatOf(...work, left))
  expect(task).toMatchObject({ canStop: false, chat: { open: null } })
  expect(task.endedAt).not.toBeNull()
})

test.each<[AgentTask['state'], string]>([
  ['done', 'done'],
  ['idle', 'done'],
  ['failed', 'failed'],
  ['stopped', 'aborted'],
])('the open turn of a subagent that is %s ends as %s', (state, outcome) => {
  const { chat } = taskOf(chatOf(...work, reports('a', { state })))
  expect(chat?.open).toBeNull()
  expect(chat?.entries.at(-1)).toMatchObject({ kind: 'turn', outcome })
})

test('a subagent that was not reported begins with its first event, and its text without a prompt is kept', () => {
  const task = taskOf(chatOf(inside('a', says('hello'))))
  expect(task).toMatchObject({ kind: 'subagent', state: 'running' })
  expect(textOf(task.chat)).toBe('hello')
})

test('a report changes only what it tells', () => {
  const task = taskOf(chatOf(reports('a', { name: 'Ada', about: 'look' }), reports('a', { model: 'small' })))
  expect(task).toMatchObject({ name: 'Ada', about: 'look', model: 'small' })
})

test('a remembered task has no beginning', () => {
  expect(taskOf(chatOf(reports('a', { state: 'done', remembered: true }))).startedAt).toBeNull()
})

test('the question of a subagent in the background outlives the turn, and ends with the subagent', () => {
  const asked: Told = { type: 'question_asked', id: 'q', message: 'May I?', fields: [], task: 'a' }
  const own: Told = { type: 'question_asked', id: 'p', message: 'And you?', fields: [] }
  const after = chatOf(...work, prompt('go'), asked, own, ended)
  expect(after.forms.map(({ id }) => id)).toEqual(['q'])
  expect(timed([reports('a', { state: 'done' })]).reduce(reduce, after).forms).toEqual([])
})

test('of a long conversation of a subagent only the end is kept, and what is missing is counted', () => {
  const piece = 'word '.repeat(200)
  const events = timed([
    inside('a', prompt('go')),
    ...Array.from({ length: 1000 }, (_, index) => [
      inside('a', says(`${index} ${piece}`)),
      inside('a', calls(`c${index}`, 'bash', { command: 'true' })),
      inside('a', { type: 'tool_finished', id: `c${index}`, failed: false, content: [{ type: 'text', text: piece }] }),
    ]).flat(),
  ])
  const task = taskOf(events.reduce(reduce, initialChat))
  const text = JSON.stringify(task.chat)
  expect(text.length).toBeLessThan(8 * MOST_OF_TASK)
  expect(textOf(task.chat)).toContain(`999 ${piece}`)
  expect(textOf(task.chat)).not.toContain(`|7 ${piece}`)
  expect(task.omitted).toBeGreaterThan(MOST_OF_TASK)
  const whole = taskOf(events.reduce(reduceWhole, initialChat))
  expect(textOf(whole.chat)).toContain(`|7 ${piece}`)
  expect(whole.omitted).toBe(0)
})

test('of one endless text of a subagent the end is kept, and it goes on growing', () => {
  const chat = chatOf(
    inside('a', prompt('go')),
    ...Array.from({ length: 3000 }, () => inside('a', says('x'.repeat(1000)))),
  )
  const before = textOf(taskOf(chat).chat)
  expect(before.length).toBeLessThanOrEqual(MOST_OF_TASK)
  expect(before.length).toBeGreaterThan(MOST_OF_TASK / 4)
  expect(textOf(taskOf(timed([inside('a', says('end'))]).reduce(reduce, chat)).chat)).toBe(`${before}end`)
})

test('the conversations of the oldest tasks that are over are dropped where all are too long', () => {
  const count = Math.ceil(MOST_OF_ALL / (MOST_OF_TASK / 2)) + 2
  const chat = chatOf(
    ...Array.from({ length: count }, (_, index) => [
      inside(`t${index}`, prompt('go')),
      inside(`t${index}`, says('x'.repeat(MOST_OF_TASK / 2))),
      ...(index === 0 ? [] : [reports(`t${index}`, { state: 'done' })]),
    ]).flat(),
  )
  expect(taskOf(chat, 't0').chat).not.toBeNull()
  expect(taskOf(chat, 't1')).toMatchObject({ chat: null, kept: 0 })
  expect(taskOf(chat, 't1').omitted).toBeGreaterThan(0)
  expect(taskOf(chat, `t${count - 1}`).chat).not.toBeNull()
})

test('thousands of tasks are bounded, and those at work stay', () => {
  const chat = chatOf(
    reports('first'),
    ...Array.from({ length: 3000 }, (_, index) => reports(`t${index}`, { state: 'done' })),
  )
  expect(chat.tasks.size).toBeLessThanOrEqual(1100)
  expect(taskOf(chat, 'first').state).toBe('running')
  expect(taskOf(chat, 't2999').state).toBe('done')
  expect(chat.tasks.get('t0')).toBeUndefined()
  expect([...chat.tasks].map(({ id }) => chat.tasks.get(id)?.id)).toEqual([...chat.tasks].map(({ id }) => id))
})

test('the tokens and the cost of a subagent are its own', () => {
  const usage = { input: 5, output: 7, cacheRead: 0, cacheWrite: 0, costUsd: 1, reasoning: null }
  const chat = chatOf(...work, inside('a', { type: 'usage_reported', usage, auxiliary: false }))
  expect(chat.usage.input).toBe(0)
  expect(taskOf(chat).chat?.usage.input).toBe(5)
})

test('no task works after the end of the agent, whatever was reported', () => {
  fc.assert(
    fc.property(anyEvents, events => {
      const chat = timed([...events, left]).reduce(reduce, initialChat)
      for (const task of chat.tasks) {
        expect(isAtWork(task)).toBe(false)
        expect(task.chat?.open ?? null).toBeNull()
      }
      expect([...chat.questions, ...chat.forms]).toEqual([])
    }),
    runs(100),
  )
})

/** The text of the conversation, and of each subagent. */
function textsOf(chat: ChatState): Map<string | null, string> {
  const tasks = [...chat.tasks].map(task => [task.id, `${task.state} ${textOf(task.chat)}`] as const)
  return new Map([[null, textOf(chat)], ...tasks])
}

const alternating = [
  inside('a', says('1')),
  inside('b', says('x')),
  says('m'),
  inside('a', says('2')),
  inside('b', says('y')),
  says('n'),
]

test('the pieces of texts that alternate are joined, each where its text began', () => {
  const gatherer = new PieceGatherer((event): event is AgentEvent => 'at' in event)
  for (const event of timed(alternating)) gatherer.add(event)
  const words = gatherer.takeAll().map(event => (event.type === 'task_event' ? [event.id, event.event] : event))
  expect(words).toMatchObject([['a', { text: '12' }], ['b', { text: 'xy' }], { text: 'mn' }])
})

test('pieces are not joined across an event that may end a subagent', () => {
  const gatherer = new PieceGatherer((event): event is AgentEvent => 'at' in event)
  for (const event of timed([inside('a', says('1')), { type: 'conversation_cleared' }, inside('a', says('2'))]))
    gatherer.add(event)
  expect(gatherer.takeAll()).toHaveLength(3)
})

test('only a text that may grow waits', () => {
  const gatherer = new PieceGatherer((event): event is AgentEvent => 'at' in event)
  for (const event of timed([...alternating, inside('a', { type: 'turn_ended' })])) gatherer.add(event)
  expect(gatherer.takeSettled().map(event => event.type)).toEqual(['task_event', 'task_event'])
  for (const event of timed([inside('b', says('z'))])) gatherer.add(event)
  expect(gatherer.takeAll()).toMatchObject([{ event: { text: 'xyz' } }, { text: 'mn' }])
})

test('a command that a subagent left in the background ends in the turn that began it', () => {
  const goesOn: Told = { type: 'tool_finished', id: 'c', failed: false, content: [] }
  const ends: Told = { type: 'tool_finished', id: 'c', failed: true, content: [{ type: 'text', text: 'no' }] }
  const begun = reports('b', { kind: 'command', parent: 'a', callId: 'c' })
  const chat = chatOf(...work, ...[calls('c', 'bash'), goesOn].map(told => inside('a', told)), begun)
  const after = [inside('a', ended), inside('a', ends)]
  const { chat: own } = taskOf(timed(after).reduce(reduce, chat))
  expect(own?.entries).toHaveLength(1)
  const [turn] = own?.entries ?? []
  const parts = turn?.kind === 'turn' ? turn.parts.slice() : []
  expect(parts.at(-1)).toMatchObject({ kind: 'tool', state: 'failed', result: [{ text: 'no' }] })
})

test('joined events fold to the same conversation', () => {
  fc.assert(
    fc.property(anyEvents, events => {
      const all = timed(events)
      const gatherer = new PieceGatherer((event): event is AgentEvent => 'at' in event)
      const taken: AgentEvent[] = []
      for (const [index, event] of all.entries()) {
        gatherer.add(event)
        if (index % 7 === 0) taken.push(...gatherer.takeSettled())
      }
      taken.push(...gatherer.takeAll())
      expect(textsOf(taken.reduce(reduce, initialChat))).toEqual(textsOf(all.reduce(reduce, initialChat)))
    }),
    runs(200),
  )
})
