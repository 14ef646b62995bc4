/** The server's own questions, teams, models, and the words of the command line. */
import { describe, expect, test } from 'vitest'
import { assert, dictionary, jsonValue, property, string } from 'fast-check'
import { readAddress } from '../../../src/agents/roz/address.ts'
import { createSeen } from '../../../src/agents/roz/seen.ts'
import { readRozArguments, withoutKey } from '../../../src/agents/roz/arguments.ts'
import { fromStruct, toStruct } from '../../../src/agents/roz/wire/struct.ts'
import type { FakeSession } from './fake-server.ts'
import { openRoz } from './open-roz.ts'

const ask = () => ({ verdict: 'ask', because: 'a test' }) as const

const onPrompt = (session: FakeSession): void =>
  session.say('approval_requested', { approval_id: 'a1', action: 'move_arm', reason: 'the door', timeout_secs: '30' })
const onRequest = (
  session: FakeSession,
  { permission_decision: decision }: { permission_decision?: { approved: boolean } },
) => {
  if (decision) session.answer(decision.approved ? 'Yes.' : 'No.')
  return decision !== undefined
}

describe('a question of the server', () => {
  test.each([
    ['allow', { answer: 'allow' } as const, true, 'Yes.'],
    ['refuse', { answer: 'refuse', words: '' } as const, false, 'No.'],
  ])('is the question of the user: %s', async (_name, answer, approved, said) => {
    const roz = await openRoz({ onPrompt, onRequest }, { judge: ask })
    const turn = roz.ask('go')
    await expect.poll(() => roz.of('permission_requested').length).toBe(1)
    const [question] = roz.of('permission_requested')
    expect(question).toMatchObject({ tool: 'move_arm', kind: 'other', title: 'move_arm: the door' })
    roz.backend.answerPermission(question?.id ?? '', answer)
    await turn
    expect(roz.fake.session.of('permission_decision')).toEqual([{ approval_id: 'a1', approved }])
    expect(roz.said()).toBe(said)
  })

  test('is refused by a rule or the mode without asking the user', async () => {
    const roz = await openRoz(
      { onPrompt, onRequest },
      { judge: () => ({ verdict: 'refuse', because: 'plan mode', words: '' }) },
    )
    await roz.ask('go')
    expect(roz.said()).toBe('No.')
    expect(roz.of('call_refused')).toMatchObject([{ tool: 'move_arm' }])
    expect(roz.of('permission_requested')).toEqual([])
  })

  test('is closed when the server no longer waits for it', async () => {
    const roz = await openRoz(
      {
        onPrompt(session) {
          onPrompt(session)
          session.say('approval_resolved', { approval_id: 'a1' })
          session.answer('Too late.')
        },
      },
      { judge: ask },
    )
    await roz.ask('go')
    expect(roz.of('permission_decided')).toMatchObject([{ allowed: false, by: 'end' }])
    expect(roz.fake.session.of('permission_decision')).toEqual([])
  })
})

test('a question that crosses a stop is refused without asking the user', async () => {
  const roz = await openRoz(
    {
      onPrompt: session => session.say('text_delta', { content: 'Once' }),
      onRequest(session, { cancel_turn: cancel }) {
        if (cancel) onPrompt(session)
        return cancel !== undefined
      },
    },
    { judge: () => ({ verdict: 'allow', because: 'a rule' }), limits: { cancelled: 300 } },
  )
  const turn = roz.ask('go')
  await expect.poll(roz.said).toBe('Once')
  roz.backend.abort()
  await turn
  await expect.poll(() => roz.fake.session.of('permission_decision')).toEqual([{ approval_id: 'a1', approved: false }])
  expect(roz.of('permission_requested')).toEqual([])
})

test('a question that waits is refused by a stop at once', async () => {
  const roz = await openRoz({ onPrompt }, { judge: ask, limits: { cancelled: 60_000 } })
  void roz.ask('go')
  await expect.poll(() => roz.of('permission_requested').length).toBe(1)
  roz.backend.abort()
  await expect.poll(() => roz.fake.session.of('permission_decision')).toEqual([{ approval_id: 'a1', approved: false }])
  expect(roz.of('permission_decided')).toMatchObject([{ allowed: false, by: 'end' }])
})

const unheard = (): void => undefined

describe('a team', () => {
  test('is a panel with a call for each worker, which are called by the team', async () => {
    let say: (event: object) => void = unheard
    const roz = await openRoz({
      onWatch: (_task, tell) => (say = tell),
      onPrompt: session => session.raw({ task_progress: { task_id: 't1', phase: 'plan', description: '' } }),
    })
    const turn = roz.ask('go')
    await expect.poll(() => roz.types()).toContain('prompt_accepted')
    await expect.poll(() => say).not.toBe(unheard)
    for (const worker_id of ['w1', 'w2']) say({ worker_started: { worker_id, about: 'robot-7' } })
    say({ worker_tool_call: { worker_id: 'w1', about: 'grasp' } })
    say({ worker_phase: { worker_id: 'w2', phase: 2, mode: 'react' } })
    say({ worker_completed: { worker_id: 'w1', about: 'It holds the cup.' } })
    say({ worker_exited: { worker_id: 'w1', about: 't1' } })
    await expect.poll(() => roz.of('tool_finished').length).toBe(1)
    roz.fake.session.answer('They work.')
    await turn
    const [team, first, second] = roz.of('tool_called')
    expect(team).toMatchObject({ name: 'team', arguments: { task: 't1' } })
    expect([first, second].map(call => [call?.name, call?.parent, call?.arguments])).toEqual([
      ['worker', team?.id, { worker: 'w1', host: 'robot-7' }],
      ['worker', team?.id, { worker: 'w2', host: 'robot-7' }],
    ])
    expect(roz.of('tool_progressed').map(({ text }) => text)).toEqual(['calls grasp\n', 'phase 2 (react)\n'])
    expect(roz.of('tool_finished').map(({ content }) => content[0])).toEqual([
      { type: 'text', text: 'It holds the cup.' },
      { type: 'text', text: 'It is still working.' },
      { type: 'text', text: '2 workers, 1 working.' },
    ])
    expect(roz.chat().entries.at(-1)).toMatchObject({ outcome: 'done' })
  })

  test('of a task of the command line is shown again in each turn while a worker runs', async () => {
    let say: (event: object) => void = unheard
    const roz = await openRoz({ onWatch: (_task, tell) => (say = tell) }, { task: 't9' })
    await expect.poll(() => say).not.toBe(unheard)
    say({ worker_started: { worker_id: 'w1', about: '' } })
    await roz.ask('one')
    await roz.ask('two')
    expect(roz.of('tool_called').map(({ name }) => name)).toEqual(['team', 'worker', 'team', 'worker'])
  })

  test('that the server does not offer changes nothing', async () => {
    const roz = await openRoz({}, { task: 't9' })
    await roz.ask('one')
    expect(roz.of('tool_called')).toEqual([])
    expect(roz.said()).toBe('You said: one.')
  })
})

test('another model gets another session with the conversation', async () => {
  const roz = await openRoz()
  await roz.ask('one')
  expect(await roz.backend.listModels()).toMatchObject({ value: [{ id: 'fast' }, { id: 'standard' }, { id: 'max' }] })
  expect(await roz.backend.setModel('max')).toEqual({ ok: true, value: undefined })
  expect(roz.of('model_changed')).toMatchObject([{ model: 'max' }])
  const start = roz.fake.session.of('start')[0]
  expect(start?.model).toBe('max')
  expect(JSON.stringify(start?.history)).toContain('You said: one.')
  expect(roz.of('remark_made')).toHaveLength(1)
})

test('a model that the server rejects leaves the former one in use', async () => {
  const roz = await openRoz({
    onRequest(session, { start }) {
      const isBad = start?.model === 'none'
      if (isBad)
        session.say('session_rejected', { code: 'invalid_argument', message: 'no model none', retryable: false })
      return isBad
    },
  })
  expect(await roz.backend.setModel('none')).toMatchObject({ ok: false, message: 'no model none' })
  await roz.ask('one')
  expect(roz.said()).toBe('You said: one.')
})

test('/clear begins a session that knows nothing', async () => {
  const roz = await openRoz()
  await roz.ask('one')
  await roz.backend.clear()
  expect(roz.types()).toContain('conversation_cleared')
  expect(roz.fake.session.of('start')[0]?.history).toEqual([])
})

test('a server that is there answers a ping', async () => {
  const { backend, fake } = await openRoz()
  expect(await backend.ping(5000)).toBe(true)
  fake.stop()
  await expect.poll(() => backend.ping(50)).toBe(false)
})

test('an end in a turn stops it, and cancels the session', async () => {
  const roz = await openRoz({ onPrompt: session => session.say('text_delta', { content: 'Once' }) })
  const turn = roz.ask('go')
  await expect.poll(roz.said).toBe('Once')
  await roz.backend.close()
  await turn
  expect(roz.events.at(-1)).toMatchObject({ type: 'agent_ended', expected: true })
  await expect.poll(() => roz.fake.session.received.map(({ request }) => request)).toContain('cancel_session')
})

test('an end of the program ends the commands, also those in the background', async () => {
  const roz = await openRoz({
    onPrompt: session => session.call('c', 'bash', { command: 'sleep 73 >/dev/null 2>&1 & sleep 74' }),
  })
  void roz.ask('go')
  await expect.poll(async () => (await roz.backend.listRunning())?.length).toBe(1)
  await roz.backend.kill()
  await expect.poll(async () => roz.backend.listRunning()).toEqual([])
})

describe('the address', () => {
  test.each([
    ['http://localhost:8080', 'localhost:8080', false, true, false],
    ['http://127.0.0.1', '127.0.0.1:80', false, true, false],
    ['http://[::1]:1', '[::1]:1', false, true, false],
    ['http://robot.local:8080/', 'robot.local:8080', false, false, true],
    ['http://127.0.0.1.example.com', '127.0.0.1.example.com:80', false, false, true],
    ['https://roz.example.com', 'roz.example.com:443', true, false, false],
    ['https://localhost', 'localhost:443', true, true, false],
  ])('%s', (text, target, isSecure, isLocal, isExposed) => {
    expect(readAddress(text)).toEqual({ ok: true, value: { target, isSecure, isLocal, isExposed } })
  })

  test.each(['', 'localhost:8080', 'ftp://x', 'http://', 'http://x/path', 'http://me:secret@x', 'http://x?key=1'])(
    'is not %j',
    text => expect(readAddress(text)).toMatchObject({ ok: false }),
  )
})

describe('the words of --agent', () => {
  const env = { ROZ_API_KEY: 'roz_sk_1', ROZ_API_URL: 'http://localhost:8080' }

  test('name a model, an environment, a task, an authority and a server', () => {
    const words = "roz --model max --environment=e --task t --ca 'a file' --base-url https://x"
    expect(readRozArguments(words, env)).toMatchObject({
      value: { model: 'max', environment: 'e', task: 't', ca: 'a file', key: 'roz_sk_1', address: { target: 'x:443' } },
    })
    expect(readRozArguments('roz', env, 'http://y:1')).toMatchObject({ value: { address: { target: 'y:1' } } })
    expect(readRozArguments('roz', env)).toMatchObject({ value: { address: { target: 'localhost:8080' } } })
  })

  test.each([
    ['roz --api-key roz_sk_1', env, 'roz has no --api-key'],
    ['roz --model', env, '--model of roz needs a value'],
    ["roz 'x", env, 'is not a command'],
    ['roz', { ROZ_API_KEY: 'roz_sk_1' }, 'the address of the roz server is missing'],
    ['roz', { ROZ_API_URL: 'http://x' }, 'ROZ_API_KEY is not set'],
    ['roz', { ...env, ROZ_API_KEY: 'a\nb' }, 'ROZ_API_KEY contains characters that no key has'],
  ])('%s is refused in words', (words, variables, reason) => {
    expect(readRozArguments(words, variables)).toMatchObject({
      ok: false,
      reason: expect.stringContaining(reason) as string,
    })
  })

  test('commands do not get the key', () => {
    expect(withoutKey({ ...env, PATH: '/bin' })).toEqual({ ROZ_API_URL: env.ROZ_API_URL, PATH: '/bin' })
  })
})

test('JSON passes through the wire unchanged', () => {
  assert(
    property(dictionary(string(), jsonValue()), value => {
      const decoded = JSON.parse(JSON.stringify(withKinds(toStruct(value)))) as ReturnType<typeof toStruct>
      expect(fromStruct(decoded)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

/** The message as a decoder gives it: each value names its kind. */
function withKinds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withKinds)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, each]) => [name, withKinds(each)] as const)
  const kind = entries.find(([name]) => name.endsWith('_value'))?.[0]
  return { ...Object.fromEntries(entries), ...(kind !== undefined && { kind }) }
}

test('ids are known again up to a limit', () => {
  const isRepeated = createSeen(2)
  expect(['a', 'a', '', '', 'b', 'c', 'a'].map(isRepeated)).toEqual([false, true, false, false, false, false, false])
})
