/** The backend with a server that the test speaks for. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fromStruct } from '../../../src/agents/roz/wire/struct.ts'
import { startFakeRoz, type FakeSession } from './fake-server.ts'
import { makeRoz, openRoz } from './open-roz.ts'

test("a start sends the environment, the tools with their categories, and the project's instructions", async () => {
  const fake = await startFakeRoz()
  const { backend, folder, of } = makeRoz(fake, { model: 'max' })
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, 'AGENTS.md'), 'Be brief.')
  await backend.open()
  const [start] = fake.session.of('start')
  expect(start).toMatchObject({ environment_id: 'an-environment', model: 'max', history: [] })
  expect(start?.project_context.join('\n')).toMatch(/in the folder .*Be brief\./s)
  expect(start?.tools.map(({ name, category }) => [name, category])).toEqual([
    ['read', 2],
    ['list', 2],
    ['search', 2],
    ['write', 1],
    ['edit', 1],
    ['bash', 1],
  ])
  expect(fromStruct(start?.tools[5]?.parameters_schema)).toMatchObject({ type: 'object', required: ['command'] })
  expect(of('agent_started')).toMatchObject([
    { agent: 'roz', model: 'max', reasoning: null, server: expect.stringMatching(/:\d+$/) },
  ])
  expect(of('remark_made').map(({ text }) => text)).toEqual([expect.stringContaining('runs tools on its server')])
})

test('a turn has a prompt, an answer and its tokens', async () => {
  const { ask, chat, fake, types, of } = await openRoz()
  await ask('hello', { before: ['ran ls'] })
  expect(fake.session.of('user_message')).toMatchObject([
    { content: 'hello', context: [{ label: 'Context', text: 'ran ls' }] },
  ])
  expect(types().slice(-9)).toEqual([
    'prompt_sent',
    'prompt_accepted',
    'step_started',
    'answer_started',
    'text_received',
    'answer_finished',
    'usage_reported',
    'step_ended',
    'turn_ended',
  ])
  expect(of('usage_reported')).toMatchObject([
    { usage: { input: 10, output: 5, cacheRead: 2, cacheWrite: 1, costUsd: null }, auxiliary: false },
  ])
  expect(chat().entries.at(-1)).toMatchObject({ kind: 'turn', outcome: 'done', prompt: 'hello' })
})

test('images are sent with the conversation of a new session, since a prompt of roz has none', async () => {
  const { ask, fake, of, said } = await openRoz()
  await ask('one')
  await ask('look', { images: [{ mimeType: 'image/png', data: 'AAAA' }] })
  expect(fake.sessions).toHaveLength(2)
  const history = fake.session.of('start')[0]?.history ?? []
  expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  expect(history.at(-1)?.parts).toMatchObject([
    { image: { media_type: 'image/png', data: Buffer.from('AAAA', 'base64') } },
  ])
  expect(fake.session.of('user_message')).toMatchObject([{ content: 'look', context: [] }])
  expect(said()).toBe('You said: one.You said: look.')
  expect(of('remark_made')).toHaveLength(1)
  expect(of('warning_raised')).toEqual([])
})

test('thoughts and activities of the agent are reported', async () => {
  const { ask, of } = await openRoz({
    onPrompt(session) {
      session.say('activity_changed', { state: 'waiting_model', reason: 'turn 1 started' })
      session.say('presence_hinted', { level: 'full', reason: 'on\nit' })
      session.say('thinking_delta', { content: 'Hm.' })
      session.answer('Done.')
    },
  })
  await ask('go')
  expect(of('activity_told').map(({ text }) => text)).toEqual(['waiting model', 'on it'])
  expect(of('thought_received').map(({ text }) => text)).toEqual(['Hm.'])
})

test('events of a newer server are ignored', async () => {
  const { ask, said } = await openRoz({
    onPrompt(session) {
      session.raw({})
      session.raw({ session_event: { event_id: 'x', event_type: 'from_tomorrow' } })
      session.answer('Done.')
    },
  })
  await ask('go')
  expect(said()).toBe('Done.')
})

describe('a call', () => {
  test('runs here once it is allowed, and its result goes back', async () => {
    const { ask, fake, folder, of, backend } = await openRoz(
      {
        onPrompt(session) {
          session.say('text_delta', { content: 'I look. ' })
          session.call('c1', 'bash', { command: 'echo out; echo made > made' })
        },
        onRequest(session, { tool_result: result }) {
          if (result) session.answer('It ran.')
          return result !== undefined
        },
      },
      { judge: () => ({ verdict: 'ask', because: 'a test' }) },
    )
    const turn = ask('go')
    await expect.poll(() => of('permission_requested').length).toBe(1)
    const [question] = of('permission_requested')
    expect(question).toMatchObject({ tool: 'bash', kind: 'command', command: 'echo out; echo made > made', folder })
    expect(existsSync(join(folder, 'made'))).toBe(false)
    backend.answerPermission(question?.id ?? '', { answer: 'allow' })
    await turn
    expect(existsSync(join(folder, 'made'))).toBe(true)
    expect(fake.session.of('tool_result')).toMatchObject([
      { tool_call_id: 'c1', success: true, exit_code: 0, truncated: false, result: expect.stringContaining('out') },
    ])
    expect(Number(fake.session.of('tool_result')[0]?.duration_ms)).toBeLessThan(5000)
    expect(of('tool_progressed').map(({ text }) => text)).toEqual(['out\n'])
    expect(of('tool_finished')).toMatchObject([{ failed: false }])
    expect(of('step_ended').map(({ stop }) => stop)).toEqual(['tool_use', 'end'])
    expect(of('usage_reported')).toMatchObject([{ auxiliary: true }])
  })

  test('that the user refuses does not run, and the model gets the refusal', async () => {
    const { ask, fake, folder } = await openRoz(
      { onPrompt: session => session.call('c1', 'bash', { command: 'touch made' }), onRequest: answerAfterResult },
      { judge: () => ({ verdict: 'refuse', because: 'a test', words: 'Not now.' }) },
    )
    await ask('go')
    expect(fake.session.of('tool_result')).toMatchObject([{ success: false, result: 'Not now.' }])
    expect(existsSync(join(folder, 'made'))).toBe(false)
  })

  test('reports a failed exit code, and how much was cut', async () => {
    const { ask, fake } = await openRoz({
      onPrompt: session => session.call('c1', 'bash', { command: 'seq 100000; exit 3' }),
      onRequest: answerAfterResult,
    })
    await ask('go')
    expect(fake.session.of('tool_result')).toMatchObject([{ success: false, exit_code: 3, truncated: true }])
  })

  test.each([
    ['of an unknown tool', 'rm', {}],
    ['with odd arguments', 'bash', { command: { nested: [1, null, 'x'] } }],
    ['that leads nowhere', 'read', { path: '../../nowhere/at all' }],
  ])('%s fails in words', async (_name, tool, args) => {
    const { ask, fake } = await openRoz({
      onPrompt: session => session.call('c1', tool, args),
      onRequest: answerAfterResult,
    })
    await ask('go')
    expect(fake.session.of('tool_result')).toMatchObject([{ tool_call_id: 'c1', success: false }])
  })

  test('that comes twice runs once', async () => {
    const { ask, fake, of } = await openRoz({
      onPrompt(session) {
        session.call('c1', 'bash', { command: 'echo x >> made; wc -l < made' })
        session.call('c1', 'bash', { command: 'echo x >> made; wc -l < made' })
      },
      onRequest: answerAfterResult,
    })
    await ask('go')
    expect(fake.session.of('tool_result')).toHaveLength(1)
    expect(of('tool_called')).toHaveLength(1)
  })

  test('beside another one is of the same step, and each gets its own result', async () => {
    const roz = await openRoz({
      onPrompt(session) {
        session.call('slow', 'bash', { command: 'until [ -e fast ]; do sleep 0.05; done; echo slow' })
        session.call('fast', 'bash', { command: 'echo fast' })
      },
      onRequest(session, { tool_result: result }) {
        if (result?.tool_call_id === 'fast') writeFileSync(join(roz.folder, 'fast'), '')
        if (result && session.of('tool_result').length === 2) session.answer('Both.')
        return result !== undefined
      },
    })
    const { of, chat } = roz
    await roz.ask('go')
    expect(roz.fake.session.of('tool_result').map(each => each.tool_call_id)).toEqual(['fast', 'slow'])
    expect(of('step_started')).toHaveLength(2)
    expect(chat().entries.at(-1)).toMatchObject({ kind: 'turn', outcome: 'done' })
  })

  test('that takes longer than the server waits is reported with another prompt in the same turn', async () => {
    const prompts: string[] = []
    const { ask, of, fake } = await openRoz({
      onPrompt(session, text) {
        prompts.push(text)
        if (prompts.length === 1) session.call('c1', 'bash', { command: 'sleep 1; echo over' }, 200)
        else session.answer('I see.')
      },
      onRequest: answerAfterResult,
    })
    await ask('go')
    expect(fake.session.of('tool_result')).toMatchObject([{ success: false }])
    expect(prompts[1]).toMatch(/^The calls that were held have been decided.*over/s)
    expect(of('turn_ended')).toHaveLength(1)
    expect(of('tool_finished')).toHaveLength(1)
  })

  test('brings words of the user to the model with its result, which the user sees without them', async () => {
    const { ask, of, fake, backend } = await openRoz(
      {
        onPrompt: session => session.call('c1', 'bash', { command: 'echo out' }),
        onRequest(session, { tool_result: result }) {
          if (result) session.answer('I see.')
          return result !== undefined
        },
      },
      { judge: () => ({ verdict: 'ask', because: 'a test' }) },
    )
    const words = { id: 's-1', prompt: { text: 'leave the parser alone', images: [] } }
    expect(await backend.steer(words)).toEqual({ how: 'over' })
    const turn = ask('go')
    await expect.poll(() => of('permission_requested').length).toBe(1)
    const steered = backend.steer(words)
    backend.answerPermission(of('permission_requested')[0]?.id ?? '', { answer: 'allow' })
    expect(await steered).toEqual({ how: 'delivered' })
    await turn
    const results = fake.session.of('tool_result').map(({ result }) => result)
    expect(results.map(text => text.match(/leave the parser alone/g)?.length)).toEqual([1])
    expect(results[0]).toMatch(/out\n.*leave the parser alone$/s)
    expect(
      of('tool_finished')
        .map(({ content }) => JSON.stringify(content))
        .join(),
    ).not.toContain('parser')
    expect(of('steer_delivered')).toMatchObject([{ id: 's-1' }])
  })

  test('stopped in the middle brings no words', async () => {
    const { ask, of, fake, backend } = await openRoz(
      {
        onPrompt: session => session.call('c1', 'bash', { command: 'sleep 60' }),
      },
      { limits: { cancelled: 50 } },
    )
    const turn = ask('go')
    await expect.poll(() => of('tool_called').length).toBe(1)
    const steered = backend.steer({ id: 's-1', prompt: { text: 'leave the parser alone', images: [] } })
    backend.abort()
    expect(await steered).toEqual({ how: 'over' })
    await turn
    expect(JSON.stringify(fake.session.of('tool_result'))).not.toContain('parser')
  })

  test('of the server itself is shown if the server reports it', async () => {
    const { ask, of, fake } = await openRoz({
      onPrompt(session) {
        session.say('tool_call_started', { call_id: 'm', tool_name: 'memory_write', words: 'pure' })
        session.say('tool_call_finished', { call_id: 'm', tool_name: 'memory_write', words: 'kept' })
        session.answer('Done.')
      },
    })
    await ask('go')
    expect(of('tool_called')).toMatchObject([{ name: 'memory_write' }])
    expect(of('tool_finished')).toMatchObject([{ content: [{ type: 'text', text: 'kept' }] }])
    expect(fake.session.of('tool_result')).toEqual([])
  })
})

function answerAfterResult(session: FakeSession, { tool_result: result }: { tool_result?: object }): boolean {
  if (!result) return false
  session.answer('Done.')
  return true
}
