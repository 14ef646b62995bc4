/** What recordings of real agents say about their subagents, their commands in the background and their own turns. */
import { expect, test } from 'vitest'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat, type AgentTask, type ChatState, type Turn } from '../../../src/conversation/state.ts'
import { readAcpRecording } from '../../helpers/acp-recordings.ts'
import { replay } from './replay.ts'

async function chatOf(agent: 'claude' | 'codex', name: string): Promise<ChatState> {
  const { events } = await replay(readAcpRecording(agent, name))
  return events.reduce(reduce, initialChat)
}

function turnsOf({ entries }: ChatState): Turn[] {
  return entries.flatMap(entry => (entry.kind === 'turn' ? [entry] : []))
}

/** What the agent has said and done, without the lines about it. */
const partsOf = ({ parts }: Turn): string[] =>
  [...parts].flatMap(part => {
    if (part.kind === 'text') return [part.text.trim()]
    if (part.kind === 'tool') return [`${part.name}: ${part.state}`]
    return part.kind === 'notice' ? [] : [part.kind]
  })

function brief({ name, about, model, state, summary, chat }: AgentTask): object {
  return {
    name,
    about,
    model,
    state,
    summary,
    turns: chat && turnsOf(chat).map(turn => ({ asked: turn.prompt, parts: partsOf(turn) })),
  }
}

const ofClaude = { name: 'Look around', about: 'general-purpose', model: 'Default (recommended)', summary: '' }

test('a subagent of Claude Code that its agent waits for has its conversation, and the turn has the answer', async () => {
  const chat = await chatOf('claude', 'subagent-foreground-and-load')
  expect(turnsOf(chat).map(partsOf)).toEqual([['I delegate. \n\nPARENT done']])
  expect([...chat.tasks].map(brief)).toEqual([
    {
      ...ofClaude,
      state: 'idle',
      turns: [{ asked: 'child work @@kid@@', parts: ['kid starts', 'Bash: ok', 'KID answer'] }],
    },
  ])
})

test('a new process reads such a subagent from the history, as one that has ended', async () => {
  const { events } = await replay(readAcpRecording('claude', 'subagent-foreground-and-load+'))
  const chat = events.reduce(reduce, initialChat)
  expect(turnsOf(chat).map(partsOf)).toEqual([['I delegate. \n\nPARENT done']])
  expect([...chat.tasks].map(brief)).toMatchObject([
    { state: 'idle', turns: [{ asked: 'child work @@kid@@', parts: ['kid starts', 'Bash: ok', 'KID answer'] }] },
  ])
  expect([...chat.tasks][0]?.startedAt).toBeNull()
  const states = events.flatMap(event => (event.type === 'task_reported' && event.state ? [event.state] : []))
  expect(states).not.toContain('running')
})

test('a subagent of Claude Code in the background holds the end of the turn', async () => {
  const chat = await chatOf('claude', 'subagent-background')
  expect(turnsOf(chat).map(partsOf)).toEqual([['PARENT goes on\n\nPARENT heard of it']])
  expect([...chat.tasks].map(({ state }) => state)).toEqual(['idle'])
})

test('a subagent whose agent is stopped goes on, and its end begins a turn', async () => {
  const chat = await chatOf('claude', 'subagent-permission-cancelled')
  const [task] = chat.tasks
  expect(turnsOf(chat).map(turn => [turn.unprompted ?? turn.outcome, partsOf(turn).join()])).toEqual([
    ['aborted', 'PARENT goes on'],
    [{ cause: 'task', about: 'Look around', task: task?.id }, 'PARENT 2'],
  ])
})

test('a subagent of Codex has its conversation and its tokens', async () => {
  const chat = await chatOf('codex', 'subagent-and-load')
  expect([...chat.tasks].map(brief)).toMatchObject([
    {
      about: 'child work @@kid@@',
      state: 'idle',
      turns: [{ asked: 'child work @@kid@@', parts: ['kid starts', 'execute: ok', 'KID answer'] }],
    },
  ])
  expect([...chat.tasks][0]?.chat?.context).toBe(1290)
})

test.each(['claude', 'codex'] as const)('a subagent of %s that is stopped is shown as stopped', async agent => {
  const chat = await chatOf(agent, 'subagent-cancel')
  expect([...chat.tasks][0]).toMatchObject({ state: 'stopped' })
})

test('without subagents of their own sessions, their calls are nested as before', async () => {
  const chat = await chatOf('claude', 'subagent-not-declared')
  expect(chat.tasks.size).toBe(0)
  const [turn] = turnsOf(chat)
  const calls = [...(turn?.parts ?? [])].flatMap(part => (part.kind === 'tool' && !part.withdrawn ? [part] : []))
  const outer = calls.find(({ name }) => name === 'Agent')
  expect(calls.find(({ name }) => name === 'Bash')?.parent).toBe(outer?.id)
})

test('the end of a command of Claude Code in the background begins a turn', async () => {
  const chat = await chatOf('claude', 'background-command')
  const [task] = chat.tasks
  expect(task).toMatchObject({
    kind: 'command',
    name: 'sleep 4; echo background done',
    about: 'wait in the background',
    state: 'done',
  })
  expect(turnsOf(chat).map(turn => [turn.unprompted ?? null, partsOf(turn).join()])).toEqual([
    [null, 'Bash: ok,TURN ends now'],
    [{ cause: 'task', about: 'sleep 4; echo background done', task: task?.id }, 'AUTONOMOUS text'],
  ])
})

test('a command that Claude Code moves to the background for words to its turn is a task, and its end begins a turn', async () => {
  const chat = await chatOf('claude', 'steer-tool')
  expect([...chat.tasks]).toMatchObject([
    { kind: 'command', name: 'sleep 5; touch slow.txt; echo slow done', state: 'done' },
  ])
  expect(turnsOf(chat).map(({ unprompted }) => unprompted?.cause)).toEqual([undefined, 'task'])
})

test('a command of Codex that ends after its turn is a task, and its call has the output', async () => {
  const chat = await chatOf('codex', 'background-command')
  expect([...chat.tasks]).toMatchObject([
    { kind: 'command', name: 'sleep 5; echo bg done', state: 'done', summary: 'exit code 0' },
  ])
  const [turn] = turnsOf(chat)
  const call = [...(turn?.parts ?? [])].find(({ kind }) => kind === 'tool')
  expect(call).toMatchObject({ state: 'ok', result: [{ text: expect.stringContaining('bg done') }] })
})
