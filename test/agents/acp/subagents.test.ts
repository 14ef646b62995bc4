import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat, type AgentTask } from '../../../src/conversation/state.ts'
import { speakingAgent, type SpeakingAgent } from './speaking-agent.ts'

const announced = (sessionId: string, fields: object = {}): object => ({
  sessionUpdate: 'subagent_update',
  sessionId,
  title: `name of ${sessionId}`,
  capabilities: { cancel: {} },
  state: { state: 'running' },
  ...fields,
})
const inState = (sessionId: string, state: string, more: object = {}): object => ({
  sessionUpdate: 'subagent_update',
  sessionId,
  state: { state, ...more },
})
const text = (words: string): object => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: words },
  messageId: 'm',
})
const message = (messageId: string, from: string, to: string, words: string): object => ({
  sessionUpdate: 'session_message',
  messageId,
  senderSessionId: from,
  recipientSessionId: to,
  content: [{ type: 'text', text: words }],
})
const call = (toolCallId: string, fields: object = {}): object => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: `call ${toolCallId}`,
  kind: 'execute',
  status: 'pending',
  rawInput: { command: 'touch kid.txt' },
  ...fields,
})
const options = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
]
const permission = (sessionId: string, toolCallId: string): object => ({
  sessionId,
  toolCall: { toolCallId, title: `call ${toolCallId}`, kind: 'execute', rawInput: { command: 'touch kid.txt' } },
  options,
})

async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await setImmediate()
}

/** An agent with a prompt that is open until `end` is called. */
async function working(): Promise<
  SpeakingAgent & { finish: (stopReason?: string) => Promise<void>; settle: () => Promise<void> }
> {
  let prompt: unknown
  const agent = speakingAgent({
    known: 'claude',
    modes: ['default'],
    answers: frame => {
      if (frame.method !== 'session/prompt') return undefined
      prompt = frame.id
      return null
    },
  })
  await agent.backend.open()
  const done = agent.backend.prompt({ text: 'go', images: [] })
  await expect.poll(() => agent.heard).toContain('session/prompt')
  return {
    ...agent,
    settle,
    async finish(stopReason = 'end_turn') {
      agent.answer(prompt, { stopReason })
      await done
    },
  }
}

function tasksOf(events: readonly AgentEvent[]): AgentTask[] {
  return [...events.reduce(reduce, initialChat).tasks]
}

function said({ chat }: AgentTask): string[] {
  const turns = [...(chat?.entries ?? []), ...(chat?.open ? [chat.open] : [])].flatMap(each =>
    each.kind === 'turn' ? [each] : [],
  )
  return turns.map(({ prompt, parts }) =>
    [prompt, ...[...parts].map(part => (part.kind === 'text' ? part.text : part.kind))].join(' | '),
  )
}

describe('a subagent', () => {
  test('has its own conversation, and its report is not shown twice', async () => {
    const agent = await working()
    agent.say(announced('kid', { description: 'general-purpose' }))
    agent.say(message('c1', 's1', 'kid', 'look around'))
    agent.sayIn('kid', message('c1', 's1', 'kid', 'look around'))
    agent.sayIn('kid', text('It is so.'))
    agent.sayIn('kid', call('t1'))
    agent.sayIn('kid', { sessionUpdate: 'tool_call_update', toolCallId: 't1', status: 'completed' })
    agent.sayIn('kid', text('Done.'))
    agent.say(inState('kid', 'idle', { stopReason: 'end_turn' }))
    agent.say(message('c1:reply', 'kid', 's1', '<tools-used-before-summary>Bash</tools-used-before-summary>\n\nDone.'))
    agent.say(text('All is well.'))
    await agent.settle()
    await agent.finish()
    const chat = agent.events.reduce(reduce, initialChat)
    const [task] = tasksOf(agent.events)
    expect(task).toMatchObject({
      kind: 'subagent',
      name: 'name of kid',
      about: 'general-purpose',
      state: 'idle',
      canStop: true,
      summary: '',
    })
    expect(task && said(task)).toEqual(['look around | It is so. | tool | Done.'])
    expect(task?.chat?.open).toBeNull()
    expect(
      chat.entries.map(entry => (entry.kind === 'turn' ? [...entry.parts].map(part => part.kind) : entry.kind)),
    ).toEqual([['notice', 'text']])
  })

  test('whose report says more than it did has that as its summary', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    agent.say(inState('kid', 'idle', { stopReason: 'cancelled' }))
    agent.say(message('c1:reply', 'kid', 's1', '<a>x</a>\n<b>y</b>\nHalf of it.'))
    await agent.finish()
    expect(tasksOf(agent.events)).toMatchObject([{ state: 'stopped', summary: 'Half of it.' }])
  })

  test('whose report begins with very many lines for a model is read to its end', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    agent.say(message('c1:reply', 'kid', 's1', `${'<a>x</a>\n'.repeat(20_000)}Half of it.`))
    await agent.finish()
    expect(tasksOf(agent.events)).toMatchObject([{ summary: 'Half of it.' }])
  })

  test('that is announced after its first words loses none of them', async () => {
    const agent = await working()
    agent.sayIn('kid', message('c1', 's1', 'kid', 'look'))
    agent.sayIn('kid', text('Early.'))
    await agent.settle()
    expect(tasksOf(agent.events)).toEqual([])
    agent.say(announced('kid'))
    await agent.finish()
    const [task] = tasksOf(agent.events)
    expect(task && said(task)).toEqual(['look | Early.'])
  })

  test('without a message was asked its description, as Codex reports it', async () => {
    const agent = await working()
    agent.say({ sessionUpdate: 'subagent_update', sessionId: 'kid', capabilities: {}, description: 'count the files' })
    agent.say({ sessionUpdate: 'subagent_update', sessionId: 'kid', capabilities: { cancel: {} } })
    agent.sayIn('kid', text('Three.'))
    agent.say(inState('kid', 'idle', { stopReason: 'end_turn' }))
    agent.say({ sessionUpdate: 'subagent_update', sessionId: 'kid', capabilities: { cancel: null } })
    await agent.finish()
    const [task] = tasksOf(agent.events)
    expect(task).toMatchObject({ about: 'count the files', canStop: false, state: 'idle' })
    expect(task && said(task)).toEqual(['count the files | Three.'])
  })

  test('may get more after its end, and words after its end are not lost', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    agent.sayIn('kid', message('c1', 's1', 'kid', 'one'))
    agent.sayIn('kid', text('First.'))
    agent.say(inState('kid', 'idle'))
    agent.sayIn('kid', text('Late.'))
    await expect.poll(() => tasksOf(agent.events)[0]?.chat?.open).toBeNull()
    agent.say(inState('kid', 'running'))
    agent.sayIn('kid', message('c2', 's1', 'kid', 'two'))
    agent.sayIn('kid', text('Second.'))
    agent.say(inState('kid', 'unknown'))
    await agent.finish()
    const [task] = tasksOf(agent.events)
    expect(task && said(task)).toEqual(['one | First.', ' | Late.', 'two | Second.'])
    expect(task?.state).toBe('unknown')
  })

  test('that failed says why', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    agent.sayIn('kid', text('I try.'))
    agent.say(inState('kid', 'idle', { error: { code: 1, message: 'no more tokens' } }))
    await agent.finish()
    expect(tasksOf(agent.events)).toMatchObject([{ state: 'failed', summary: 'no more tokens' }])
  })

  test('of a subagent names it as its parent, and none is its own', async () => {
    const agent = await working()
    agent.say(announced('s1'))
    agent.say(announced('kid'))
    agent.sayIn('kid', announced('grandkid'))
    agent.sayIn('grandkid', announced('kid', { title: 'another name' }))
    agent.sayIn('grandkid', announced('grandkid'))
    agent.sayIn('grandkid', text('Small.'))
    await agent.finish()
    const [kid, grandkid, ...others] = tasksOf(agent.events)
    expect(others).toEqual([])
    expect(kid).toMatchObject({ name: 'another name', parent: null })
    expect(grandkid).toMatchObject({ name: 'name of grandkid', parent: kid?.id })
  })

  test('is stopped by itself, only while it can be', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    await agent.settle()
    const id = tasksOf(agent.events)[0]?.id ?? ''
    expect(agent.backend.abilities.has('stopTask')).toBe(true)
    expect(await agent.backend.stopTask(id)).toEqual({ ok: true, value: undefined })
    await agent.settle()
    expect(agent.frames.at(-1)).toMatchObject({ method: 'session/cancel', params: { sessionId: 'kid' } })
    agent.say({ sessionUpdate: 'subagent_update', sessionId: 'kid', capabilities: { cancel: null } })
    await agent.settle()
    expect(await agent.backend.stopTask(id)).toMatchObject({ ok: false })
    expect(await agent.backend.stopTask('nobody')).toMatchObject({ ok: false })
    await agent.finish()
  })

  test('of an agent that ends has stopped, and its turn is over', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    agent.sayIn('kid', text('I begin.'))
    await agent.settle()
    agent.end()
    await expect.poll(() => agent.told('agent_ended').length).toBe(1)
    const [task] = tasksOf(agent.events)
    expect(task).toMatchObject({ state: 'stopped', canStop: false })
    expect(task?.chat?.open).toBeNull()
  })
})

/** One whose subagent asks for a permission. */
async function asking(): Promise<Awaited<ReturnType<typeof working>> & { task: string }> {
  const agent = await working()
  agent.say(announced('kid'))
  agent.sayIn('kid', call('t1'))
  agent.say(inState('kid', 'requires_action'))
  agent.ask(7, 'session/request_permission', permission('kid', 't1'))
  await expect.poll(() => agent.told('permission_requested').length).toBe(1)
  return { ...agent, task: tasksOf(agent.events)[0]?.id ?? '' }
}

describe('a question of a subagent', () => {
  test('says who asks and about which call, and the call runs after the answer', async () => {
    const agent = await asking()
    const [asked] = agent.told('permission_requested')
    expect(asked).toMatchObject({ task: agent.task, command: 'touch kid.txt' })
    expect(tasksOf(agent.events)[0]?.state).toBe('waiting')
    agent.backend.answerPermission(asked?.id ?? '', { answer: 'option', option: 'yes' })
    await agent.settle()
    expect(agent.frames.at(-1)).toMatchObject({ id: 7, result: { outcome: { outcome: 'selected', optionId: 'yes' } } })
    const started = agent.told('task_event').filter(({ event }) => event.type === 'tool_started')
    expect(started).toMatchObject([{ id: agent.task, event: { id: asked?.callId } }])
    await agent.finish()
  })

  test('outlives the turn of its agent, and its answer still reaches it', async () => {
    const agent = await asking()
    agent.backend.abort()
    await agent.finish('cancelled')
    expect(agent.told('permission_decided')).toEqual([])
    expect(agent.events.reduce(reduce, initialChat).questions).toHaveLength(1)
    agent.backend.answerPermission(agent.told('permission_requested')[0]?.id ?? '', { answer: 'option', option: 'no' })
    await agent.settle()
    expect(agent.frames.at(-1)).toMatchObject({ id: 7, result: { outcome: { outcome: 'selected', optionId: 'no' } } })
    expect(agent.events.reduce(reduce, initialChat).questions).toEqual([])
  })

  test('stays after the turn of its agent also where the subagent had said that it is done', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    agent.say(inState('kid', 'idle'))
    agent.ask(7, 'session/request_permission', permission('kid', 't1'))
    await expect.poll(() => agent.told('permission_requested').length).toBe(1)
    await agent.finish()
    const chat = agent.events.reduce(reduce, initialChat)
    expect([chat.questions.length, [...chat.tasks].map(({ state }) => state)]).toEqual([1, ['running']])
    agent.say(inState('kid', 'idle'))
    await expect.poll(() => agent.told('permission_decided').length).toBe(1)
    expect(agent.frames.at(-1)).toMatchObject({ id: 7, result: { outcome: { outcome: 'cancelled' } } })
  })

  test('is withdrawn by the agent, or by the end of the subagent', async () => {
    const agent = await asking()
    agent.ask(8, 'session/request_permission', permission('kid', 't2'))
    await expect.poll(() => agent.told('permission_requested').length).toBe(2)
    agent.withdraw(8)
    await expect.poll(() => agent.told('permission_decided').length).toBe(1)
    agent.say(inState('kid', 'idle', { stopReason: 'cancelled' }))
    await expect.poll(() => agent.told('permission_decided').length).toBe(2)
    expect(agent.told('permission_decided')).toMatchObject([{ by: 'end' }, { by: 'end' }])
    await agent.finish()
  })

  test('that is answered with a stop stops the subagent alone', async () => {
    const agent = await asking()
    agent.backend.answerPermission(agent.told('permission_requested')[0]?.id ?? '', { answer: 'stop' })
    await agent.settle()
    const cancelled = agent.frames.filter(({ method }) => method === 'session/cancel')
    expect(cancelled).toMatchObject([{ params: { sessionId: 'kid' } }])
    expect(agent.told('abort_requested')).toEqual([])
    await agent.finish()
  })

  test('is refused by a rule as one of the agent itself is', async () => {
    const agent = await working()
    agent.backend.judgeWith(() => ({ verdict: 'refuse', because: 'a rule', words: '' }))
    agent.say(announced('kid'))
    agent.ask(7, 'session/request_permission', permission('kid', 't1'))
    await expect.poll(() => agent.told('call_refused').length).toBe(1)
    await agent.settle()
    expect(agent.frames.at(-1)).toMatchObject({ id: 7, result: { outcome: { optionId: 'no' } } })
    await agent.finish()
  })

  test('may be a form', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
    agent.ask(9, 'elicitation/create', { mode: 'form', message: 'Who?', sessionId: 'kid', requestedSchema })
    await expect.poll(() => agent.told('question_asked').length).toBe(1)
    const [asked] = agent.told('question_asked')
    expect(asked?.task).toBe(tasksOf(agent.events)[0]?.id)
    await agent.finish()
    agent.backend.answerQuestion(asked?.id ?? '', { name: 'me' }, 'given')
    await agent.settle()
    expect(agent.frames.at(-1)).toMatchObject({ id: 9, result: { action: 'accept', content: { name: 'me' } } })
  })

  test('of a session that nobody announced is not asked', async () => {
    const agent = await working()
    agent.ask(7, 'session/request_permission', permission('stranger', 't1'))
    await agent.settle()
    expect(agent.frames.at(-1)).toMatchObject({ id: 7, result: { outcome: { outcome: 'cancelled' } } })
    expect(agent.told('permission_requested')).toEqual([])
    await agent.finish()
  })
})

describe('many subagents', () => {
  test('are known by the hundred, each with its own words', async () => {
    const agent = await working()
    const names = Array.from({ length: 300 }, (_, at) => `kid-${at}`)
    for (const name of names) agent.say(announced(name))
    for (const name of names) agent.sayIn(name, text(`I am ${name}.`))
    await agent.settle()
    await agent.finish()
    const tasks = tasksOf(agent.events)
    expect(tasks.map(task => said(task)[0])).toEqual(names.map(name => ` | I am ${name}.`))
  })

  test('are shown up to a thousand at work, and one warning speaks of the others', async () => {
    const agent = await working()
    for (let at = 0; at < 1100; at += 1) agent.say(announced(`kid-${at}`))
    await agent.settle()
    await agent.finish()
    expect(tasksOf(agent.events)).toHaveLength(1000)
    expect(agent.told('warning_raised')).toHaveLength(1)
  })

  test('may send a hundred thousand updates that nobody looks at: all are passed on, and the last ones are kept', async () => {
    const agent = await working()
    agent.say(announced('kid'))
    for (let at = 0; at < 100_000; at += 1) agent.sayIn('kid', text(`word ${at} `.padEnd(200, 'x')))
    agent.say(inState('kid', 'idle'))
    await expect.poll(() => tasksOf(agent.events)[0]?.state, { timeout: 60_000, interval: 500 }).toBe('idle')
    await agent.finish()
    expect(agent.told('task_event').length).toBeGreaterThanOrEqual(100_000)
    const [task] = tasksOf(agent.events)
    expect(task && said(task).join('').length).toBeLessThan(5_000_000)
    expect(task && said(task).join('')).toContain('word 99999')
  }, 120_000)

  test('may be announced after their words, of which a bounded number is kept', async () => {
    const agent = await working()
    for (let at = 0; at < 1000; at += 1) agent.sayIn(`stranger-${at}`, text('x'))
    agent.say(announced('stranger-5'))
    agent.say(announced('stranger-900'))
    await agent.settle()
    await agent.finish()
    expect(tasksOf(agent.events).map(said)).toEqual([[' | x'], []])
  })
})
