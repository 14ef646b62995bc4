import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { AcpLimits } from '../../../src/agents/acp/limits.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat, type ChatState, type Turn } from '../../../src/conversation/state.ts'
import { speakingAgent, type SpeakingAgent } from './speaking-agent.ts'

const text = (words: string): object => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text: words },
  messageId: 'm',
})
const call = (toolCallId: string, fields: object = {}): object => ({
  sessionUpdate: 'tool_call',
  toolCallId,
  title: 'sleep 9',
  name: 'Bash',
  kind: 'execute',
  status: 'pending',
  rawInput: { command: 'sleep 9', description: 'waits' },
  ...fields,
})
const more = (toolCallId: string, fields: object): object => ({
  sessionUpdate: 'tool_call_update',
  toolCallId,
  ...fields,
})
const working = (used: number): object => ({ sessionUpdate: 'usage_update', used, size: 1000 })
const cost = (kind: string, amount = 0.5): object => ({
  ...working(10),
  cost: { amount, currency: 'USD' },
  _meta: { '_claude/origin': { kind } },
})
const status = (type: string): object => ({
  sessionUpdate: 'session_info_update',
  _meta: { codex: { threadStatus: { type } } },
})

const BACKGROUND =
  'Command running in background with ID: b1. Output is being written to: /tmp/tasks/b1.output. You will be notified when it completes.'

async function idle(known: string, limits: Partial<AcpLimits> = {}): Promise<SpeakingAgent> {
  const agent = speakingAgent({ known, modes: ['default'], limits })
  await agent.backend.open()
  await settle()
  return agent
}

async function settle(): Promise<void> {
  for (let round = 0; round < 4; round += 1) await setImmediate()
}

function chatOf({ events }: SpeakingAgent): ChatState {
  return events.reduce(reduce, initialChat)
}

function turnsOf(agent: SpeakingAgent): Turn[] {
  const { entries, open } = chatOf(agent)
  return [...entries, ...(open ? [open] : [])].flatMap(entry => (entry.kind === 'turn' ? [entry] : []))
}

const textOf = ({ parts }: Turn): string =>
  [...parts].map(part => (part.kind === 'text' ? part.text : part.kind)).join(' ')

/** Claude Code begins a command in the background, in a turn. */
async function begun(): Promise<SpeakingAgent> {
  const agent = speakingAgent({
    known: 'claude',
    modes: ['default'],
    answers: ({ method, id }) => {
      if (method !== 'session/prompt') return undefined
      agent.say(call('t1', { rawInput: { command: 'sleep 9', description: 'waits', run_in_background: true } }))
      agent.say(working(5))
      agent.say(more('t1', { _meta: { claudeCode: { toolName: 'Bash', toolResponse: { backgroundTaskId: 'b1' } } } }))
      agent.say(more('t1', { status: 'completed', rawOutput: BACKGROUND }))
      agent.say(text('It runs.'))
      agent.say(cost('human', 0.1))
      agent.answer(id, { stopReason: 'end_turn' })
      return null
    },
  })
  await agent.backend.open()
  await agent.backend.prompt({ text: 'go', images: [] })
  return agent
}

describe('a turn that Claude Code begins itself', () => {
  test('begins with the first work of its model, and ends with its cost', async () => {
    const agent = await begun()
    const [task] = chatOf(agent).tasks
    expect(task).toMatchObject({
      kind: 'command',
      name: 'sleep 9',
      about: 'waits',
      state: 'running',
      canStop: true,
      outputPath: '/tmp/tasks/b1.output',
      callId: agent.told('tool_called')[0]?.id,
    })
    agent.say(working(6))
    agent.say(text('The command '))
    agent.say(call('t2', { rawInput: { command: 'true' } }))
    agent.say(more('t2', { status: 'completed', rawOutput: 'fine' }))
    agent.say(text('has ended.'))
    await settle()
    expect(chatOf(agent).open).toMatchObject({ unprompted: { cause: 'task', about: 'sleep 9', task: task?.id } })
    agent.say(cost('task-notification'))
    await settle()
    const [, turn, ...others] = turnsOf(agent)
    expect(others).toEqual([])
    expect(turn && textOf(turn)).toBe('The command  tool has ended.')
    expect(turn).toMatchObject({ outcome: 'done', prompt: '' })
    expect(chatOf(agent).open).toBeNull()
    expect([...chatOf(agent).tasks]).toMatchObject([{ state: 'done', canStop: false }])
    expect(chatOf(agent).reportedCost).toBe(0.5)
  })

  test('without a known cause says nothing of one', async () => {
    const agent = await idle('claude')
    agent.say({ sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' } })
    agent.say(text('I am awake.'))
    agent.say(cost('peer'))
    await settle()
    expect(agent.told('turn_begun')).toMatchObject([{ cause: 'other' }])
    expect(turnsOf(agent).map(textOf)).toEqual(['thought I am awake.'])
    expect(chatOf(agent).open).toBeNull()
  })

  test('asks for permissions as any turn does', async () => {
    const agent = await idle('claude')
    agent.say(call('t1'))
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }]
    agent.ask(5, 'session/request_permission', { sessionId: 's1', toolCall: { toolCallId: 't1' }, options })
    await settle()
    const [asked] = agent.told('permission_requested')
    expect(asked).toMatchObject({ command: 'sleep 9', callId: agent.told('tool_called')[0]?.id })
    agent.backend.answerPermission(asked?.id ?? '', { answer: 'option', option: 'yes' })
    await settle()
    expect(agent.frames.at(-1)).toMatchObject({ id: 5, result: { outcome: { optionId: 'yes' } } })
    agent.say(more('t1', { status: 'completed', rawOutput: 'x' }))
    agent.say(cost('task-notification'))
    await settle()
    expect(chatOf(agent)).toMatchObject({ open: null, questions: [] })
  })

  test('is stopped, and is over also where the agent does not say so', async () => {
    const agent = await idle('claude', { ownTurnStop: 10 })
    agent.say(text('I work '))
    await settle()
    agent.backend.abort()
    await settle()
    expect(agent.frames.at(-1)).toMatchObject({ method: 'session/cancel', params: { sessionId: 's1' } })
    await expect.poll(() => chatOf(agent).open).toBeNull()
    expect(turnsOf(agent)).toMatchObject([{ outcome: 'aborted' }])
    agent.backend.abort()
    await settle()
    expect(agent.heard.filter(method => method === 'session/cancel')).toHaveLength(1)
  })

  test('takes no more words once it is being stopped, and gives those back whose fate is open', async () => {
    const agent = speakingAgent({
      known: 'claude',
      modes: ['default'],
      answers: ({ method }) => {
        if (method === 'initialize')
          return { result: { protocolVersion: 1, agentCapabilities: {}, _meta: { steering: { supported: true } } } }
        return method === '_session/steering' ? null : undefined
      },
    })
    await agent.backend.open()
    agent.say(text('I work '))
    await settle()
    const first = agent.backend.steer({ id: 'one', prompt: { text: 'look', images: [] } })
    await expect.poll(() => agent.heard).toContain('_session/steering')
    agent.backend.abort()
    expect(await first).toMatchObject({ how: 'unknown', message: expect.stringContaining('was stopped') as string })
    expect(await agent.backend.steer({ id: 'two', prompt: { text: 'look', images: [] } })).toEqual({ how: 'over' })
    agent.say(cost('task-notification'))
    agent.say(text('I work again'))
    await settle()
    void agent.backend.steer({ id: 'three', prompt: { text: 'look', images: [] } })
    await settle()
    expect(agent.heard.filter(method => method === '_session/steering')).toHaveLength(2)
  })

  test('is over when a prompt is sent, which loses nothing', async () => {
    const agent = await idle('claude')
    agent.say(text('I work '))
    await settle()
    await agent.backend.prompt({ text: 'hello', images: [] })
    expect(turnsOf(agent).map(turn => [turn.prompt, textOf(turn), turn.outcome])).toEqual([
      ['', 'I work ', 'done'],
      ['hello', '', 'done'],
    ])
  })

  test('leaves no question open when it is over', async () => {
    const agent = await idle('claude')
    agent.say(call('t1'))
    const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }]
    agent.ask(5, 'session/request_permission', { sessionId: 's1', toolCall: { toolCallId: 't1' }, options })
    await settle()
    await agent.backend.prompt({ text: 'hello', images: [] })
    expect(agent.frames.find(({ id, method }) => id === 5 && method === undefined)).toMatchObject({
      result: { outcome: { outcome: 'cancelled' } },
    })
    expect(chatOf(agent).questions).toEqual([])
  })

  test('whose end is lost is over after a silence, but not while a call runs', async () => {
    const agent = await idle('claude', { ownTurn: 20 })
    agent.say(call('t1', { status: 'in_progress' }))
    agent.say(working(3))
    await settle()
    const begin = agent.told('turn_begun')
    expect(begin).toHaveLength(1)
    agent.say(more('t1', { status: 'completed', rawOutput: 'x' }))
    await expect.poll(() => agent.told('turn_ended').length).toBe(1)
    expect(chatOf(agent).open).toBeNull()
  })

  test('keeps the session from being left meanwhile', async () => {
    const agent = await idle('claude')
    agent.say(text('I work '))
    await settle()
    expect(await agent.backend.clear()).toMatchObject({ ok: false })
    agent.say(cost('task-notification'))
    await settle()
    expect(await agent.backend.clear()).toMatchObject({ ok: true })
  })

  test('does not begin by the last words of a turn that was stopped', async () => {
    let prompt: unknown
    const agent = speakingAgent({
      known: 'claude',
      modes: ['default'],
      limits: { textPause: 5 },
      answers: ({ method, id }) => (method === 'session/prompt' ? ((prompt = id), null) : undefined),
    })
    await agent.backend.open()
    const done = agent.backend.prompt({ text: 'go', images: [] })
    await expect.poll(() => agent.heard).toContain('session/prompt')
    agent.backend.abort()
    agent.answer(prompt, { stopReason: 'cancelled' })
    agent.say(text('half a wor'))
    await done
    await expect.poll(() => agent.told('remark_made').map(({ text: words }) => words)).toContain('half a wor')
    expect(agent.told('turn_begun')).toEqual([])
  })

  test('is cut by the end of the agent', async () => {
    const agent = await begun()
    agent.say(text('I work '))
    await settle()
    agent.end()
    await expect.poll(() => agent.told('agent_ended').length).toBe(1)
    expect(chatOf(agent).open).toBeNull()
    expect(turnsOf(agent).at(-1)).toMatchObject({ outcome: 'agent_ended' })
    expect([...chatOf(agent).tasks].map(({ state }) => state)).toEqual(['stopped'])
  })
})

test('a turn that Codex begins itself is the time in which it works', async () => {
  const agent = await idle('codex')
  agent.say(status('active'))
  agent.say(text('The goal '))
  agent.say(status('active'))
  agent.say(text('is near.'))
  agent.say(status('idle'))
  agent.say(status('idle'))
  await settle()
  expect(agent.told('turn_begun')).toMatchObject([{ cause: 'other' }])
  expect(turnsOf(agent).map(textOf)).toEqual(['The goal is near.'])
  expect(chatOf(agent).open).toBeNull()
})

test.each<[what: string, goesOn: (agent: SpeakingAgent) => unknown]>([
  ['a prompt is sent', agent => agent.backend.prompt({ text: 'hello', images: [] })],
  ['the agent begins a turn', agent => agent.say(status('active'))],
  ['another session is opened', agent => agent.backend.clear()],
])('what Codex asks between two turns is not left without an answer when %s', async (_, goesOn) => {
  const agent = await idle('codex')
  const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }]
  agent.ask(5, 'session/request_permission', { sessionId: 's1', toolCall: { toolCallId: 't1' }, options })
  await settle()
  expect(chatOf(agent).questions).toHaveLength(1)
  await goesOn(agent)
  await settle()
  expect(chatOf(agent).questions).toEqual([])
  expect(agent.frames.find(({ id, method }) => id === 5 && method === undefined)).toMatchObject({
    result: { outcome: { outcome: 'cancelled' } },
  })
})

test('a turn that Codex begins itself says which goal the user has set, until they clear it', async () => {
  const agent = speakingAgent({ known: 'codex', modes: ['read-only'] })
  await agent.backend.open()
  const goesOn = async (): Promise<void> => {
    agent.say(status('active'))
    agent.say(text('On it.'))
    agent.say(status('idle'))
    await settle()
  }
  for (const words of ['/goal  finish the parser\n', '/goal', '/goal pause', '/goal resume']) {
    await agent.backend.prompt({ text: words, images: [] })
    await goesOn()
  }
  expect(agent.told('turn_begun')).toMatchObject([
    { cause: 'goal', about: 'finish the parser' },
    { cause: 'goal', about: 'finish the parser' },
    { cause: 'other' },
    { cause: 'goal' },
  ])
})

test.each(['codex', 'gemini'])(
  'work of %s outside of a turn that it does not announce is a notice, as before',
  async known => {
    const agent = await idle(known, { textPause: 5 })
    agent.say(text('Between.'))
    agent.say(call('t1'))
    await settle()
    expect(agent.told('turn_begun')).toEqual([])
    expect(agent.told('remark_made').map(({ text: words }) => words)).toEqual(['Between.', 'sleep 9'])
  },
)

/** Codex ends its turn while a command runs. */
async function outlived(): Promise<SpeakingAgent> {
  const agent = speakingAgent({
    known: 'codex',
    modes: ['read-only'],
    answers: ({ method, id }) => {
      if (method !== 'session/prompt' || agent.told('turn_ended').length > 0) return undefined
      agent.say(call('t1', { status: 'in_progress', name: 'exec_command' }))
      agent.say(more('t1', { _meta: { terminal_output_delta: { data: 'begun\n' } } }))
      agent.say(text('I leave it.'))
      agent.answer(id, { stopReason: 'end_turn' })
      return null
    },
  })
  await agent.backend.open()
  await agent.backend.prompt({ text: 'go', images: [] })
  return agent
}
const firstPart = (agent: SpeakingAgent): unknown => {
  const [turn] = turnsOf(agent)
  return turn?.parts.get(0)
}
const endOf = (exit_code: number): object =>
  more('t1', { status: exit_code === 0 ? 'completed' : 'failed', _meta: { terminal_exit: { exit_code } } })

describe('a command of Codex that outlives its turn', () => {
  test('that could not be stopped has not been stopped when it ends', async () => {
    const agent = await outlived()
    const [task] = chatOf(agent).tasks
    expect(await agent.backend.stopTask(task?.id ?? '')).toMatchObject({ ok: false })
    agent.say(endOf(0))
    await settle()
    expect([...chatOf(agent).tasks]).toMatchObject([{ state: 'done' }])
  })

  test('is a task, and its call has not failed', async () => {
    const agent = await outlived()
    expect([...chatOf(agent).tasks]).toMatchObject([{ kind: 'command', name: 'sleep 9', state: 'running' }])
    expect(firstPart(agent)).toMatchObject({
      state: 'ok',
      result: [{ text: expect.stringContaining('begun') }, { text: '[It goes on in the background.]' }],
    })
    expect(turnsOf(agent)).toMatchObject([{ outcome: 'done' }])
  })

  test('ends after it, in the turn that began it', async () => {
    const agent = await outlived()
    agent.say(more('t1', { _meta: { terminal_output_delta: { data: 'done\n' } } }))
    agent.say(endOf(3))
    await settle()
    expect([...chatOf(agent).tasks]).toMatchObject([{ state: 'failed', summary: 'exit code 3', canStop: false }])
    expect(firstPart(agent)).toMatchObject({
      state: 'failed',
      result: [{ text: expect.stringMatching(/begun\ndone\n[^]*3/) }],
    })
    expect(chatOf(agent).open).toBeNull()
    expect(agent.told('warning_raised')).toEqual([])
    agent.say(endOf(0))
    await settle()
    expect(agent.told('tool_finished')).toHaveLength(2)
  })

  test('ends in a later turn without being a part of it', async () => {
    const agent = await outlived()
    const next = agent.backend.prompt({ text: 'and now', images: [] })
    agent.say(endOf(0))
    await next
    await settle()
    expect(turnsOf(agent).map(textOf)).toEqual(['tool I leave it.', 'notice'])
    expect([...chatOf(agent).tasks]).toMatchObject([{ state: 'done' }])
  })
})

const wakeup = (id: string, rawInput: object, response: object = {}): object[] => [
  call(id, { name: 'ScheduleWakeup', kind: 'other', title: 'Wake up', rawInput }),
  more(id, { _meta: { claudeCode: { toolName: 'ScheduleWakeup', toolResponse: response } } }),
  more(id, { status: 'completed', rawOutput: 'ok' }),
]

describe('a wake-up of Claude Code', () => {
  test('is a task with a time, and the turn that it begins says so', async () => {
    const agent = await idle('claude')
    const before = Date.now()
    for (const update of wakeup('w1', { delaySeconds: 5, reason: 'the build', prompt: 'look again' })) agent.say(update)
    for (const update of wakeup('w2', { delaySeconds: 90, reason: 'later', prompt: 'x' }, { scheduledFor: before }))
      agent.say(update)
    agent.say(cost('task-notification'))
    await settle()
    const [first, second] = chatOf(agent).tasks
    expect(first).toMatchObject({ kind: 'wakeup', name: 'the build', about: 'look again', state: 'running' })
    expect(first?.dueAt).toBeGreaterThanOrEqual(before + 60_000)
    expect(second).toMatchObject({ dueAt: before, state: 'running' })
    agent.say(text('I wake.'))
    await settle()
    expect(agent.told('turn_begun').at(-1)).toMatchObject({ cause: 'wakeup', about: 'later', task: second?.id })
    expect([...chatOf(agent).tasks].map(({ state }) => state)).toEqual(['running', 'done'])
    for (const update of wakeup('w3', { stop: true })) agent.say(update)
    agent.say(cost('task-notification'))
    await settle()
    expect([...chatOf(agent).tasks].map(({ state }) => state)).toEqual(['stopped', 'done'])
  })

  test('that does not come ends some time after it was due', async () => {
    const agent = await idle('claude', { commands: 1 })
    for (const update of wakeup('w1', { delaySeconds: 90 }, { scheduledFor: Date.now() - 1000 })) agent.say(update)
    await settle()
    expect([...chatOf(agent).tasks].map(({ state }) => state)).toEqual(['running'])
    await expect.poll(() => [...chatOf(agent).tasks].map(({ state }) => state)).toEqual(['unknown'])
  })
})
