/** The backend with an agent in a process that plays recordings, and with one that a test speaks for. */
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Backend } from '../../../src/agent/backend.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import type { Judge } from '../../../src/agent/permission.ts'
import { createAcpBackend } from '../../../src/agents/acp/backend.ts'
import { launchAcp } from '../../../src/agents/acp/launch.ts'
import type { Transport } from '../../../src/agents/transport/transport.ts'
import { createMemoryPair, type FarEnd } from '../../../src/agents/transport/memory-pair.ts'

const program = fileURLToPath(new URL('../../fixtures/agents/acp-replay.ts', import.meta.url))
const folder = process.cwd()

function backendOn(connect: () => Transport): { backend: Backend; events: AgentEvent[]; types: () => string[] } {
  const agent = { name: 'fake', file: 'fake', args: [], known: null }
  const backend = createAcpBackend({ agent, connect, folder, env: {}, version: '0', limits: { closeExit: 200 } })
  // Its modes are not what is tested.
  backend.startIn({ mode: 'allow', isChosen: true })
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  onTestFinished(() => backend.kill())
  return { backend, events, types: () => events.map(({ type }) => type) }
}

function playing(recording: string) {
  const agent = { name: 'fake', file: process.execPath, args: [program], known: null }
  return backendOn(() => launchAcp({ agent, env: { PATH: process.env['PATH'], ACP_RECORDING: recording }, folder }))
}

test('a recorded agent in a process asks, gets the answer that the user chose, and ends its turn', async () => {
  const { backend, events } = playing('opencode/shell')
  backend.subscribe(event => {
    if (event.type === 'permission_requested') backend.answerPermission(event.id, { answer: 'option', option: 'once' })
  })
  await backend.open()
  await backend.prompt({ text: 'zz-shell run it', images: [] })
  const asked = events.find(event => event.type === 'permission_requested')
  expect(asked).toMatchObject({
    kind: 'command',
    because: '',
    options: [{ id: 'once' }, { id: 'always' }, { id: 'reject' }],
  })
  expect(events.find(event => event.type === 'permission_decided')).toMatchObject({
    allowed: true,
    option: 'Allow once',
  })
  expect(events.find(event => event.type === 'tool_finished')).toMatchObject({ failed: true })
  expect(events.at(-1)?.type).toBe('turn_ended')
  await backend.close()
  expect(events.at(-1)).toMatchObject({ type: 'agent_ended', expected: true })
})

const OPTIONS = [
  { optionId: 'cancel', name: 'No', kind: 'reject_once' },
  { optionId: 'once', name: 'Yes', kind: 'allow_once' },
  { optionId: 'once_and_switch', name: 'Yes, and switch', kind: 'allow_once' },
]

/** An agent that asks for a command in its turn, and ends the turn after the answer. */
function asking(
  options: readonly object[] = OPTIONS,
  content: readonly object[] = [],
  rawInput: object = { command: 'rm x' },
) {
  const { near, far } = createMemoryPair()
  const heard: string[] = []
  let prompt: unknown
  const say = (frame: object): void => far.write(JSON.stringify({ jsonrpc: '2.0', ...frame }))
  far.onInputClosed(() => far.end())
  far.receive(line => {
    const frame = JSON.parse(line) as {
      id?: unknown
      method?: string
      result?: { outcome?: { optionId?: string; outcome: string } }
    }
    const { id, method, result } = frame
    heard.push(method ?? `answer ${result?.outcome?.optionId ?? result?.outcome?.outcome ?? ''}`)
    if (method === 'initialize') say({ id, result: { protocolVersion: 1 } })
    else if (method === 'session/new') say({ id, result: { sessionId: 's' } })
    else if (method === 'session/prompt') {
      prompt = id
      const toolCall = { toolCallId: 't', title: 'rm x', kind: 'execute', rawInput, content }
      say({ id: 0, method: 'session/request_permission', params: { sessionId: 's', toolCall, options } })
    } else if (method === undefined) say({ id: prompt, result: { stopReason: 'end_turn' } })
  })
  return { ...backendOn(() => near), heard, far }
}

test('the diff of a question has a path relative to the folder, or the whole path outside of it', async () => {
  const paths = [`${folder}/src/a.ts`, 'src/b.ts', '/tmp/c.ts', `${folder}/../d.ts`]
  const { backend, events } = asking(
    OPTIONS,
    paths.map(path => ({ type: 'diff', path, oldText: 'one\n', newText: 'two\n' })),
  )
  backend.subscribe(event => {
    if (event.type === 'permission_requested') backend.answerPermission(event.id, { answer: 'allow' })
  })
  await backend.open()
  await backend.prompt({ text: 'go', images: [] })
  const asked = events.find(event => event.type === 'permission_requested')
  const heads = asked?.type === 'permission_requested' ? asked.diff?.match(/^(?:---|\+\+\+) .*/gm) : []
  expect(heads).toEqual([
    '--- a/src/a.ts',
    '+++ b/src/a.ts',
    '--- a/src/b.ts',
    '+++ b/src/b.ts',
    '--- /tmp/c.ts',
    '+++ /tmp/c.ts',
    `--- ${folder}/../d.ts`,
    `+++ ${folder}/../d.ts`,
  ])
})

test.each([
  [{ command: 'rm x' }, 'rm x'],
  [{ command: ['rm', 'x'] }, 'rm x'],
  [{ commands: ['cd a', 'rm x'] }, 'cd a\nrm x'],
  [{ commands: [{ run: 'rm x' }] }, 'rm x'],
  [{ commands: [] }, 'rm x'],
])('the command of a question with the arguments %j is %j', async (rawInput, command) => {
  const { backend, events } = asking(OPTIONS, [], rawInput)
  backend.subscribe(event => {
    if (event.type === 'permission_requested') backend.answerPermission(event.id, { answer: 'refuse', words: '' })
  })
  await backend.open()
  await backend.prompt({ text: 'go', images: [] })
  expect(events.find(event => event.type === 'permission_requested')).toMatchObject({ command })
})

describe('a question is answered', () => {
  test.each([
    ['a yes with the first that allows once', { answer: 'allow' }, 'answer once', true],
    ['a no with one that rejects once', { answer: 'refuse', words: 'never' }, 'answer cancel', false],
    ['another command with a cancellation', { answer: 'allow_changed', command: 'ls' }, 'answer cancelled', false],
    ['an option by its id', { answer: 'option', option: 'once_and_switch' }, 'answer once_and_switch', true],
  ] as const)('%s', async (_name, answer, words, allowed) => {
    const { backend, events, heard } = asking()
    backend.subscribe(event => {
      if (event.type === 'permission_requested') backend.answerPermission(event.id, answer)
    })
    await backend.open()
    await backend.prompt({ text: 'go', images: [] })
    expect(heard.at(-1)).toBe(words)
    expect(events.find(event => event.type === 'permission_decided')).toMatchObject({ allowed, by: 'user' })
  })

  test('never with "always" for a yes', async () => {
    const { backend, heard } = asking([{ optionId: 'all', name: 'Always', kind: 'allow_always' }])
    backend.subscribe(event => {
      if (event.type === 'permission_requested') backend.answerPermission(event.id, { answer: 'allow' })
    })
    await backend.open()
    await backend.prompt({ text: 'go', images: [] })
    expect(heard.at(-1)).toBe('answer cancelled')
  })

  test('by a stop with a cancellation of the turn, and then of the question', async () => {
    const { backend, events, heard, types } = asking()
    backend.subscribe(event => {
      if (event.type === 'permission_requested') backend.answerPermission(event.id, { answer: 'stop' })
    })
    await backend.open()
    await backend.prompt({ text: 'go', images: [] })
    expect(heard.slice(-2)).toEqual(['session/cancel', 'answer cancelled'])
    expect(types()).toContain('abort_requested')
    expect(events.find(event => event.type === 'permission_decided')).toMatchObject({ allowed: false })
  })

  test.each([
    ['refuse', { verdict: 'refuse', because: 'the rule', words: 'no' }, 'answer cancel', false],
    ['allow', { verdict: 'allow', because: 'the rule' }, 'answer once', true],
  ] as const)("by zotui's rules only if they %s: what they allow is asked", async (_name, verdict, words, isAsked) => {
    const { backend, heard, types } = asking()
    const judge: Judge = () => verdict
    backend.judgeWith(judge)
    backend.subscribe(event => {
      if (event.type === 'permission_requested') backend.answerPermission(event.id, { answer: 'allow' })
    })
    await backend.open()
    await backend.prompt({ text: 'go', images: [] })
    expect(heard.at(-1)).toBe(words)
    expect(types().includes('permission_requested')).toBe(isAsked)
    expect(types().includes('call_refused')).toBe(!isAsked)
  })

  test('by the end of the agent', async () => {
    const { backend, far, events } = asking()
    backend.subscribe(event => {
      if (event.type === 'permission_requested') far.end({ code: 1 })
    })
    await backend.open()
    await backend.prompt({ text: 'go', images: [] })
    expect(events.find(event => event.type === 'permission_decided')).toMatchObject({ allowed: false, by: 'end' })
    expect(events.at(-1)).toMatchObject({ type: 'agent_ended', code: 1 })
  })
})

test('an agent that reports no abilities has only those of every agent of this protocol, also once it has started', async () => {
  const { backend } = asking()
  const ofEach = [
    'clear',
    'judgeWith',
    'listRunning',
    'logInWith',
    'replace',
    'resumeSession',
    'servers',
    'setOption',
    'startIn',
    'stopTask',
  ]
  expect([...backend.abilities].toSorted()).toEqual(ofEach)
  await backend.open()
  expect([...backend.abilities].toSorted()).toEqual(ofEach)
  expect(await backend.listModels()).toEqual({ ok: true, value: [] })
  const unsupported = { ok: false, message: expect.stringContaining('does not support') as unknown }
  expect(await backend.setModel('other')).toMatchObject(unsupported)
  expect(await backend.setReasoning('high')).toMatchObject(unsupported)
  expect(await backend.listSessions()).toMatchObject(unsupported)
  expect(await backend.openSession('s')).toMatchObject(unsupported)
  expect(await backend.logOut()).toMatchObject(unsupported)
  await expect(backend.compact()).resolves.toBeUndefined()
  expect(await backend.setOption('mode', 'plan')).toMatchObject({ ok: false })
})

test('an abort before the prompt is sent sends nothing', async () => {
  const { backend, heard, types } = asking()
  await backend.open()
  const { promise, resolve } = Promise.withResolvers<void>()
  const turn = backend.prompt({ text: 'go', images: [], ready: promise })
  backend.abort()
  resolve()
  await turn
  expect(heard).toEqual(['initialize', 'session/new'])
  expect(types().slice(-3)).toEqual(['prompt_sent', 'abort_requested', 'turn_ended'])
})

test('a fresh agent takes over when it has answered, and one that does not start changes nothing', async () => {
  const ends: FarEnd[] = []
  let isBroken = false
  const { backend, types } = backendOn(() => {
    const { near, far } = createMemoryPair()
    ends.push(far)
    far.onInputClosed(() => far.end())
    far.receive(line => {
      const { id, method } = JSON.parse(line) as { id: unknown; method: string }
      if (isBroken) return far.end({ code: 3, lastWords: ['no key'] })
      far.write(JSON.stringify({ id, result: method === 'initialize' ? { protocolVersion: 1 } : { sessionId: 's' } }))
    })
    return near
  })
  await backend.open()
  isBroken = true
  expect(await backend.replace({})).toEqual({ ok: false, message: 'fake ended with exit code 3: no key' })
  expect(types()).toEqual(['agent_starting', 'agent_started', 'agent_session_opened'])
  isBroken = false
  expect(await backend.replace({})).toEqual({ ok: true, value: undefined })
  expect(types().slice(3)).toEqual(['agent_ended', 'agent_starting', 'agent_started', 'agent_session_opened'])
})

/** An agent whose process ends when its input is closed; `beforeEnd` is called then, with the number of the process. */
function restartable(beforeEnd: (number: number, ends: readonly FarEnd[]) => void) {
  const ends: FarEnd[] = []
  return backendOn(() => {
    const { near, far } = createMemoryPair()
    const number = ends.push(far)
    far.onInputClosed(() => {
      beforeEnd(number, ends)
      far.end()
    })
    far.receive(line => {
      const { id, method } = JSON.parse(line) as { id: unknown; method: string }
      far.write(JSON.stringify({ id, result: method === 'initialize' ? { protocolVersion: 1 } : { sessionId: 's' } }))
    })
    return near
  })
}

test('a fresh agent that ends while the former one is closed is reported as a failed start', async () => {
  const { backend, types } = restartable((number, ends) => {
    if (number === 1) ends[1]?.end({ code: 3, lastWords: ['out of memory'] })
  })
  await backend.open()
  const message = expect.stringContaining('fake ended with exit code 3: out of memory') as string
  expect(await backend.replace({})).toEqual({ ok: false, message })
  const started = ['agent_starting', 'agent_started', 'agent_session_opened']
  expect(types()).toEqual([...started, 'agent_ended', ...started, 'agent_ended'])
})

test('a prompt to an agent that does not run is refused, and recorded unchanged', async () => {
  const { backend, events } = restartable(() => undefined)
  await backend.prompt({ text: 'Look', images: [{ mimeType: 'image/png', data: 'AAAA' }], before: ['the output'] })
  expect(events).toMatchObject([
    { type: 'prompt_sent', text: 'Look', images: [{ mimeType: 'image/png', bytes: 3 }], before: ['the output'] },
    { type: 'prompt_refused' },
  ])
})

test('a session that cannot be opened leaves nothing of itself, and nothing else is lost meanwhile', async () => {
  const { near, far } = createMemoryPair()
  const update = (sessionId: string, text: string) => {
    const told = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } }
    far.write(JSON.stringify({ method: 'session/update', params: { sessionId, update: told } }))
  }
  far.receive(line => {
    const { id, method } = JSON.parse(line) as { id: unknown; method: string }
    const agentCapabilities = { loadSession: true }
    if (method === 'initialize') far.write(JSON.stringify({ id, result: { protocolVersion: 1, agentCapabilities } }))
    if (method === 'session/new') far.write(JSON.stringify({ id, result: { sessionId: 's' } }))
    if (method !== 'session/load') return
    update('old', 'What was said in the old one.')
    far.writeDropped(70_000_000)
    update('s', 'Said in the one that stays.')
    far.write(JSON.stringify({ id, error: { code: -32002, message: 'Resource not found' } }))
  })
  const { backend, events } = backendOn(() => near)
  await backend.open()
  expect(await backend.openSession('old')).toMatchObject({ ok: false })
  await expect.poll(() => JSON.stringify(events)).toContain('Said in the one that stays.')
  expect(events).toContainEqual(expect.objectContaining({ type: 'warning_raised' }))
  expect(JSON.stringify(events)).not.toContain('What was said in the old one.')
})
