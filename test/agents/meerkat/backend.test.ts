/** The backend with a Meerkat that the test speaks for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createToolHost } from '../../../src/agents/tool-host/local-tool-host.ts'
import type { TakenWords } from '../../../src/agents/tool-host/steering.ts'
import type { HostedResult, ToolHost } from '../../../src/agents/tool-host/tool-host.ts'
import { createLocalTools } from '../../../src/local-tools/local-tools.ts'
import { begun, cancelled, completed, delta, fakeMeerkat } from './fake.ts'

const prompt = (text: string) => ({ text, images: [] })

/** Runs a turn that ends well. */
async function talk(fake: ReturnType<typeof fakeMeerkat>, text: string): Promise<void> {
  const before = fake.requests('turn/start').length
  const turn = fake.backend.prompt(prompt(text))
  await expect.poll(() => fake.requests('turn/start').length).toBe(before + 1)
  fake.say(begun, delta('Yes.'), ...completed)
  fake.answer({ result: { text: 'Yes.', request_usage: [] } })
  await turn
}

/** The part of a tool host that these tests leave alone. */
const idle = {
  answerPermission: () => false,
  setPermissionMode: () => undefined,
  hasSandbox: false,
  modeNote: () => null,
  forgetMode: () => undefined,
  hasDeferred: false,
  outcomes: async () => '',
  sendOutcomes: () => undefined,
  beginTurn: () => undefined,
  steer: async () => ({ how: 'over' }) as const,
  withdrawSteer: () => undefined,
  stopTurn: () => undefined,
  endTurn: () => undefined,
  listRunning: async () => [],
  endRunning: async () => ({ ok: true, value: undefined }) as const,
  close: async () => undefined,
}

test('a start reports the model, its window and the skills', async () => {
  const { backend, events } = fakeMeerkat()
  await backend.open()
  expect(events.find(({ type }) => type === 'agent_started')).toMatchObject({
    agent: 'meerkat',
    version: '0.9.8',
    model: 'fake',
    contextWindow: 9000,
    reasoning: null,
  })
  const commands = events.find(({ type }) => type === 'agent_commands_changed')
  expect(commands).toMatchObject({ commands: [{ name: 'look', description: 'Looks.' }] })
})

test("a start without a model reports Meerkat's default", async () => {
  const { backend, events } = fakeMeerkat({ model: undefined, provider: undefined })
  await backend.open()
  expect(events.find(({ type }) => type === 'agent_started')).toMatchObject({ model: 'fake', provider: 'self_hosted' })
})

test('a skill is loaded by its command, and a prompt has its images and notes', async () => {
  const fake = fakeMeerkat()
  await fake.backend.open()
  const image = { mimeType: 'image/png', data: 'AAAA' }
  void fake.backend.prompt({ text: '/look at it', images: [image], before: ['ran ls'] })
  await expect.poll(fake.turn).toBeDefined()
  expect(fake.turn()?.params).toMatchObject({
    prompt: [
      { type: 'text', text: 'at it' },
      { type: 'image', media_type: 'image/png', source: 'inline', data: 'AAAA' },
    ],
    injected_context: ['ran ls'],
    skill_refs: [{ kind: 'structured', source_uuid: 'u', skill_name: 'look' }],
  })
})

test('a model without vision gets no images', async () => {
  const fake = fakeMeerkat({ model: 'blind' })
  await fake.backend.open()
  await fake.backend.prompt({ text: 'see', images: [{ mimeType: 'image/png', data: 'AAAA' }] })
  expect(fake.events.at(-1)).toMatchObject({ type: 'prompt_refused', message: 'blind does not take images' })
})

describe('an abort', () => {
  test('waits until the run has begun', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    const turn = fake.backend.prompt(prompt('go'))
    await expect.poll(fake.turn).toBeDefined()
    fake.backend.abort()
    expect(fake.requests('turn/interrupt')).toEqual([])
    fake.say(begun)
    await expect.poll(() => fake.requests('turn/interrupt').length).toBe(1)
    fake.say(...cancelled)
    fake.answer({ error: { code: -32005, message: 'request cancelled' } })
    await turn
    expect(fake.events.at(-1)).toEqual({ type: 'turn_ended', at: expect.any(Number) })
  })

  test('in the first turn ends the session, and the next prompt begins a new one with the conversation', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    const turn = fake.backend.prompt(prompt('Count to ten.'))
    await expect.poll(fake.turn).toBeDefined()
    fake.say(begun, delta('One, two'))
    await expect.poll(fake.types).toContain('text_received')
    fake.backend.abort()
    fake.say(...cancelled)
    fake.answer({ error: { code: -32005, message: 'request cancelled' } })
    await turn
    void fake.backend.prompt(prompt('Go on.'))
    await expect.poll(() => fake.requests('turn/start').length).toBe(2)
    expect(fake.turn()?.params).toMatchObject({ session_id: 's2', prompt: 'Go on.' })
    expect(String(fake.turn()?.params?.['injected_context'])).toMatch(/One, two[^]*Count to ten\./)
  })

  test('in a later turn stops exactly that run, and the session stays', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    await talk(fake, 'one')
    const turn = fake.backend.prompt(prompt('two'))
    await expect.poll(() => fake.requests('turn/start').length).toBe(2)
    fake.say(begun)
    await expect.poll(() => fake.types().filter(type => type === 'prompt_accepted').length).toBe(2)
    fake.backend.abort()
    await expect.poll(() => fake.requests('turn/stop_run').at(0)?.params).toMatchObject({ run_id: 'r1' })
    fake.say(...cancelled)
    fake.answer({ error: { code: -32005, message: 'request cancelled' } })
    await turn
    void fake.backend.prompt(prompt('three'))
    await expect.poll(() => fake.requests('turn/start').length).toBe(3)
    expect(fake.turn()?.params).toMatchObject({ session_id: 's1' })
  })
})

test('a session that Meerkat has forgotten is replaced, and a notice says so', async () => {
  const fake = fakeMeerkat()
  await fake.backend.open()
  await talk(fake, 'one')
  const turn = fake.backend.prompt(prompt('two'))
  await expect.poll(() => fake.requests('turn/start').length).toBe(2)
  fake.answer({ error: { code: -32001, message: 'session not found: s1' } })
  await expect.poll(() => fake.requests('turn/start').length).toBe(3)
  fake.say(begun, delta('Here.'), ...completed)
  fake.answer({ result: { text: 'Here.' } })
  await turn
  expect(fake.turn()?.params).toMatchObject({ session_id: 's2', prompt: 'two' })
  const warning = fake.events.find(({ type }) => type === 'warning_raised')
  expect(warning).toMatchObject({ message: expect.stringContaining('remembers nothing') })
})

describe('another model', () => {
  test('is sent with the first turn of a session', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    expect(await fake.backend.setModel('clever')).toMatchObject({ ok: true })
    await fake.backend.setReasoning('high')
    await talk(fake, 'one')
    expect(fake.turn()?.params).toMatchObject({
      session_id: 's1',
      model: 'clever',
      provider: 'anthropic',
      provider_params: { action: 'set', value: { provider_tag: { provider: 'anthropic', effort: 'high' } } },
    })
    await talk(fake, 'two')
    expect(fake.turn()?.params).toEqual({ session_id: 's1', prompt: 'two' })
  })

  test('is sent with a copy once a turn has run, and the former session is archived', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    await talk(fake, 'one')
    await fake.backend.setModel('clever')
    expect(fake.events.at(-1)).toMatchObject({ type: 'model_changed', model: 'clever', contextWindow: 200_000 })
    await talk(fake, 'two')
    expect(fake.requests('session/fork_at').at(0)?.params).toMatchObject({ session_id: 's1', message_index: 3 })
    expect(fake.turn()?.params).toMatchObject({ session_id: 's2', model: 'clever' })
    expect(fake.requests('session/archive').at(0)?.params).toEqual({ session_id: 's1' })
    await talk(fake, 'three')
    expect(fake.turn()?.params).toEqual({ session_id: 's2', prompt: 'three' })
  })

  test('is refused if the catalog does not have it', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    expect(await fake.backend.setModel('none')).toMatchObject({ ok: false })
    expect(await fake.backend.setReasoning('high')).toMatchObject({ ok: false })
  })

  test('drops a level of reasoning that it does not have', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    await fake.backend.setModel('clever')
    await fake.backend.setReasoning('low')
    await fake.backend.openSession('old')
    expect(fake.events.slice(-2)).toMatchObject([
      { type: 'model_changed', model: 'fake' },
      { type: 'reasoning_changed', reasoning: '' },
    ])
    await talk(fake, 'one')
    expect(fake.turn()?.params).toEqual({ session_id: 'old', prompt: 'one' })
  })

  test('stays in a new session, too', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    await fake.backend.setModel('clever')
    await fake.backend.setReasoning('low')
    await fake.backend.clear()
    expect(fake.requests('session/create').at(-1)?.params).toMatchObject({
      model: 'clever',
      provider_params: { provider_tag: { provider: 'anthropic', effort: 'low' } },
    })
    await talk(fake, 'one')
    expect(fake.turn()?.params).toEqual({ session_id: 's2', prompt: 'one' })
  })
})

describe('its sessions', () => {
  test.each([
    [true, ['s1']],
    [false, []],
  ])('a cleared one is archived if the user wants that: %s', async (archivesCleared, archived) => {
    const fake = fakeMeerkat({ archivesCleared })
    await fake.backend.open()
    await fake.backend.clear()
    expect(fake.types()).toContain('conversation_cleared')
    expect(fake.requests('session/archive').map(({ params }) => params?.['session_id'])).toEqual(archived)
  })

  test('are listed newest first with their first prompt, and without empty ones', async () => {
    const user = { role: 'user', content: 'What is it?', created_at: '2026-11-22T08:44:24Z' }
    const fake = fakeMeerkat(
      {},
      {
        'session/list': () => ({
          sessions: [
            { session_id: 'b', updated_at: 20, message_count: 3 },
            { session_id: 'empty', updated_at: 15, message_count: 0 },
            { session_id: 'a', updated_at: 10, message_count: 3 },
          ],
        }),
        'session/history': () => ({ messages: [{ role: 'system', content: 'long' }, user], has_more: false }),
      },
    )
    await fake.backend.open()
    const reply = await fake.backend.listSessions()
    expect(reply).toMatchObject({
      ok: true,
      value: [
        { id: 'b', title: 'What is it?', updatedAt: 20_000 },
        { id: 'a', title: 'What is it?', updatedAt: 10_000 },
      ],
    })
  })

  test('are opened page by page, and continue with the whole conversation', async () => {
    const at = '2026-11-22T08:44:24Z'
    const messages = [
      { role: 'user', content: 'Hello', created_at: at },
      {
        role: 'block_assistant',
        blocks: [{ block_type: 'text', data: { text: 'Hi.' } }],
        stop_reason: 'end_turn',
        created_at: at,
      },
    ]
    const fake = fakeMeerkat(
      {},
      {
        'session/history': ({ offset }) => ({
          messages: messages.slice(Number(offset), Number(offset) + 1),
          has_more: offset === 0,
        }),
      },
    )
    await fake.backend.open()
    expect(await fake.backend.openSession('old')).toMatchObject({ ok: true })
    expect(fake.types()).toEqual(expect.arrayContaining(['conversation_cleared', 'prompt_sent', 'answer_finished']))
    expect(fake.events.find(({ type }) => type === 'prompt_sent')).toMatchObject({ text: 'Hello', at: Date.parse(at) })
    await talk(fake, 'two')
    expect(fake.turn()?.params).toMatchObject({ session_id: 'old' })
  })

  test('continue at the start for a stored conversation, without repeating it', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open({ id: 'old' })
    expect(fake.events.find(({ type }) => type === 'agent_session_opened')).toMatchObject({
      id: 'old',
      remembers: true,
    })
    expect(fake.requests('session/create')).toEqual([])
    expect(fake.requests('session/history')).toEqual([])
    await talk(fake, 'two')
    expect(fake.turn()?.params).toMatchObject({ session_id: 'old' })
  })

  test('continue as a copy in the running agent', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    expect(await fake.backend.resumeSession({ id: 'old', copy: true })).toMatchObject({ ok: true })
    expect(fake.requests('session/fork_at').at(0)?.params).toMatchObject({ session_id: 'old', message_index: 3 })
    expect(fake.events.findLast(({ type }) => type === 'agent_session_opened')).toMatchObject({
      id: 's2',
      remembers: true,
    })
    expect(fake.types()).not.toContain('conversation_cleared')
  })

  test.each([
    ['ends with the prompts that are kept, as they were sent', 'Hello', 1, 's2'],
    ['is not made where its history has other prompts', 'Other', undefined, 's2'],
  ])('a copy that is cut %s', async (_name, content, index, id) => {
    const messages = [
      { role: 'user', content },
      { role: 'user', content: 'next' },
    ]
    const fake = fakeMeerkat({}, { 'session/history': () => ({ messages, has_more: false }) })
    await fake.backend.open()
    const cut = { prompts: ['/look Hello', 'next'], kept: 1 }
    expect(fake.backend.abilities.has('cutSessions')).toBe(true)
    expect(await fake.backend.resumeSession({ id: 'old', copy: true, cut })).toMatchObject({ ok: true })
    expect(fake.requests('session/fork_at').at(0)?.params?.['message_index']).toBe(index)
    const opened = fake.events.findLast(({ type }) => type === 'agent_session_opened')
    const problem = expect.stringContaining('does not show') as string
    expect(opened).toMatchObject({ id, ...(index === undefined ? { problem } : { remembers: true }) })
  })

  test('are replaced by a new one if they are gone, with the reason', async () => {
    const gone = { error: { code: -32001, message: 'Session not found: old' } }
    const fake = fakeMeerkat({}, { 'session/read': ({ session_id: id }) => (id === 'old' ? gone : {}) })
    await fake.backend.open({ id: 'old' })
    const opened = fake.events.find(({ type }) => type === 'agent_session_opened')
    expect(opened).toMatchObject({ id: 's1', problem: expect.stringMatching(/not found|does not know/i) as string })
    expect(opened).not.toHaveProperty('remembers')
  })

  test('change nothing if they do not exist', async () => {
    const fake = fakeMeerkat(
      {},
      { 'session/read': () => ({ error: { code: -32001, message: 'Session not found: x' } }) },
    )
    await fake.backend.open()
    expect(await fake.backend.openSession('x')).toMatchObject({ ok: false })
    expect(fake.types()).not.toContain('conversation_cleared')
  })
})

test('errors give advice', async () => {
  const fake = fakeMeerkat()
  await fake.backend.open()
  const turn = fake.backend.prompt(prompt('one'))
  await expect.poll(fake.turn).toBeDefined()
  fake.say(begun, {
    type: 'run_failed',
    error_report: { class: 'llm', message: 'Terminal failure: Failed (LlmFailure): LLM error (x): 401 no' },
  })
  const data = { error: { kind: 'llm_failure', reason: { reason_type: 'llm_auth_error' } } }
  fake.answer({ error: { code: -32010, message: 'turn abandoned: ...', data } })
  await turn
  expect(fake.events.slice(-2)).toMatchObject([
    { type: 'error_reported', message: '401 no; check the key of the provider' },
    { type: 'turn_ended', stop: 'error' },
  ])
})

test('a budget that is used up ends the turn with that reason', async () => {
  const fake = fakeMeerkat({ flags: { budget: { toolCalls: 2 } } })
  await fake.backend.open()
  expect(fake.requests('session/create').at(0)?.params).toMatchObject({ budget_limits: { max_tool_calls: 2 } })
  const turn = fake.backend.prompt(prompt('one'))
  await expect.poll(fake.turn).toBeDefined()
  fake.say(begun, { type: 'run_completed', result: '', terminal_cause_kind: 'budget_exhausted' })
  fake.answer({ result: { text: '' } })
  await turn
  expect(fake.events.at(-1)).toMatchObject({ type: 'turn_ended', stop: 'budget' })
})

describe('a tool of ours', () => {
  const call = {
    id: 'srv-0',
    method: 'tool/execute',
    params: { tool_use_id: 'c', name: 'run', arguments: { command: 'ls' } },
  }
  const requested = { type: 'tool_call_requested', id: 'c', name: 'run', args: { command: 'ls' } }

  test('is run by the tool host, in the place of those of Meerkat', async () => {
    const ran: unknown[] = []
    const toolHost: ToolHost = {
      tools: [{ name: 'run', kind: 'command', description: 'Runs.', schema: {} }],
      attach: () => undefined,
      judgeWith: () => undefined,
      ...idle,
      async execute({ id, name, arguments: args }) {
        ran.push([id, name, args])
        return { content: [{ type: 'text', text: 'done' }], isError: false }
      },
    }
    const fake = fakeMeerkat({ toolHost })
    await fake.backend.open()
    expect(fake.requests('tools/register').at(0)?.params).toMatchObject({ tools: [{ name: 'run', input_schema: {} }] })
    expect(fake.requests('session/create').at(0)?.params).toMatchObject({ enable_shell: false, enable_builtins: false })
    void fake.backend.prompt(prompt('go'))
    await expect.poll(fake.turn).toBeDefined()
    fake.say(begun, requested, { type: 'tool_execution_started', id: 'c', name: 'run' })
    fake.write(call)
    await expect
      .poll(() => fake.sent.find(({ id }) => id === 'srv-0'))
      .toMatchObject({ result: { content: 'done', is_error: false } })
    const called = fake.events.find(event => event.type === 'tool_called')
    expect(ran).toEqual([[called?.id, 'run', { command: 'ls' }]])
  })

  test.each([
    ['with other arguments', [requested], { arguments: { command: 'touch x' } }],
    ['by another name', [{ ...requested, name: 'read' }], {}],
    ['that already has a result', [requested, { type: 'tool_result_received', id: 'c', name: 'run', content: [] }], {}],
  ])('is not run %s: what runs is what is shown', async (_how, told, other) => {
    const ran: unknown[] = []
    const fake = fakeMeerkat({ toolHost: toolHostThat(ran) })
    await fake.backend.open()
    void fake.backend.prompt(prompt('go'))
    await expect.poll(fake.turn).toBeDefined()
    fake.say(begun, ...told)
    fake.write({ ...call, params: { ...call.params, ...other } })
    await expect
      .poll(() => fake.sent.find(({ id }) => id === 'srv-0'))
      .toMatchObject({ result: { is_error: true, content: expect.stringContaining('not run') } })
    expect(ran).toEqual([])
    expect(fake.events).toContainEqual(expect.objectContaining({ type: 'call_refused', tool: 'run' }))
  })

  test('runs once, and where its request was lost, it is shown as it runs', async () => {
    const ran: unknown[] = []
    const fake = fakeMeerkat({ toolHost: toolHostThat(ran) })
    await fake.backend.open()
    void fake.backend.prompt(prompt('go'))
    await expect.poll(fake.turn).toBeDefined()
    fake.say(begun, { type: 'tool_execution_started', id: 'c', name: 'run' })
    fake.write(call)
    fake.write({ ...call, id: 'srv-1' })
    await expect.poll(() => fake.sent.find(({ id }) => id === 'srv-1')).toMatchObject({ result: { is_error: true } })
    await expect.poll(() => fake.sent.find(({ id }) => id === 'srv-0')).toMatchObject({ result: { is_error: false } })
    const [[id] = []] = ran as string[][]
    expect(ran).toHaveLength(1)
    expect(fake.events).toContainEqual(
      expect.objectContaining({ type: 'tool_called', id, name: 'run', arguments: { command: 'ls' } }),
    )
  })

  test('is stopped when Meerkat no longer waits for it', async () => {
    let signal: AbortSignal | undefined
    const toolHost: ToolHost = {
      tools: [],
      attach: () => undefined,
      judgeWith: () => undefined,
      ...idle,
      async execute(made) {
        ;({ signal } = made)
        return new Promise(() => undefined)
      },
    }
    const fake = fakeMeerkat({ toolHost })
    await fake.backend.open()
    void fake.backend.prompt(prompt('go'))
    await expect.poll(fake.turn).toBeDefined()
    fake.say(begun, requested)
    fake.write(call)
    await expect.poll(() => signal?.aborted).toBe(false)
    fake.write({ method: '$/cancel_request', params: { requestId: 'srv-0' } })
    await expect.poll(() => signal?.aborted).toBe(true)
  })

  test('brings words of the user to the model with its result, which the user sees without them', async () => {
    const { folder, file } = textFile('what was read')
    const toolHost = createToolHost({ tools: createLocalTools({ folder, env: {} }), folder })
    const fake = fakeMeerkat({ toolHost })
    fake.backend.judgeWith(() => ({ verdict: 'ask', because: 'a test' }))
    await fake.backend.open()
    expect(await fake.backend.steer(words)).toEqual({ how: 'over' })
    const turn = fake.backend.prompt(prompt('go'))
    await expect.poll(fake.turn).toBeDefined()
    fake.say(begun, { type: 'tool_call_requested', id: 'c', name: 'read', args: { path: file } })
    fake.write({ ...call, params: { tool_use_id: 'c', name: 'read', arguments: { path: file } } })
    const asked = () => fake.events.find(event => event.type === 'permission_requested')
    await expect.poll(asked).toBeDefined()
    const steered = fake.backend.steer(words)
    fake.backend.answerPermission(asked()?.id ?? '', { answer: 'allow' })
    expect(await steered).toEqual({ how: 'delivered' })
    await expect.poll(() => fake.sent.find(({ id }) => id === 'srv-0')).toBeDefined()
    const sent = fake.sent.find(({ id }) => id === 'srv-0')?.result as { content: { text: string }[] }
    expect(sent.content.map(({ text }) => text).join()).toMatch(/^what was read.*leave the parser alone$/s)
    fake.say({ type: 'tool_result_received', id: 'c', name: 'read', content: sent.content, is_error: false })
    const late = fake.backend.steer({ ...words, id: 's-2' })
    fake.say(...completed)
    fake.answer({ result: { text: 'Yes.', request_usage: [] } })
    await turn
    expect(await late).toEqual({ how: 'over' })
    const finished = fake.events.find(event => event.type === 'tool_finished')
    expect(finished).toMatchObject({ content: [{ type: 'text', text: expect.stringMatching(/^what was read\n?$/) }] })
    expect(fake.types().filter(type => type === 'steer_delivered')).toHaveLength(1)
  })

  test('that ends after its turn brings no words to the model: nobody would read them', async () => {
    const { promise: result, resolve } = Promise.withResolvers<HostedResult>()
    const fate: string[] = []
    const taken: TakenWords = {
      text: 'stop',
      prompts: [],
      delivered: () => void fate.push('delivered'),
      back: () => void fate.push('back'),
      lost: () => void fate.push('lost'),
    }
    const fake = fakeMeerkat({ toolHost: { ...toolHostThat([]), execute: () => result } })
    await fake.backend.open()
    const turn = fake.backend.prompt(prompt('go'))
    await expect.poll(fake.turn).toBeDefined()
    fake.say(begun, requested)
    fake.write(call)
    fake.say(...completed)
    fake.answer({ result: { text: 'Yes.', request_usage: [] } })
    await turn
    resolve({ content: [{ type: 'text', text: 'done' }], isError: false, words: taken })
    await expect
      .poll(() => fake.sent.find(({ id }) => id === 'srv-0'))
      .toMatchObject({ result: { content: 'done', is_error: false } })
    expect(fate).toEqual(['back'])
  })

  test('is refused with -32601 without a tool host', async () => {
    const fake = fakeMeerkat()
    await fake.backend.open()
    void fake.backend.prompt(prompt('go'))
    await expect.poll(fake.turn).toBeDefined()
    fake.say(begun, requested)
    fake.write(call)
    await expect.poll(() => fake.sent.find(({ id }) => id === 'srv-0')).toMatchObject({ error: { code: -32601 } })
  })
})

const words = { id: 's-1', prompt: { text: 'leave the parser alone', images: [] } }

function textFile(content: string): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'meerkat-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a.txt')
  writeFileSync(file, content)
  return { folder, file }
}

/** A tool host that runs everything. */
function toolHostThat(ran: unknown[]): ToolHost {
  return {
    tools: [],
    attach: () => undefined,
    judgeWith: () => undefined,
    ...idle,
    async execute({ id, name, arguments: args }) {
      ran.push([id, name, args])
      return { content: [{ type: 'text', text: 'done' }], isError: false }
    },
  }
}
