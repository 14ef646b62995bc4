/** An agent may use a name that every object inherits for anything: a kind, an id, a tool, a field. It is a text like any other. */
import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createAcpBackend } from '../../src/agents/acp/backend.ts'
import { createMemoryPair } from '../../src/agents/transport/memory-pair.ts'
import { expectCarried } from '../conversation/carried.ts'
import { greeting, promptOf, session, update } from '../fixtures/agents/acp-wire.ts'
import { readAcpRecordings, recordedAgents } from '../helpers/acp-recordings.ts'
import { eachWithInheritedName, inheritedNames, ofEachShape } from '../helpers/inherited-names.ts'
import { readMeerkatRecordings } from '../helpers/meerkat-recordings.ts'
import { outputOf, readRecordings } from '../helpers/recording.ts'
import { fakeMeerkat } from './meerkat/fake.ts'
import { openRoz } from './roz/open-roz.ts'
import { openStage } from './zot/scripted-zot.ts'

const prompt = (text: string) => ({ text, images: [] })

type Params = Record<string, unknown>
type Wire = { id?: unknown; method?: string; params?: Params; result?: Params }

describe('zot', () => {
  test('in its greeting, its models and in every frame of a turn', async () => {
    const frames = ofEachShape(
      readRecordings()
        .flatMap(outputOf)
        .map((line): unknown => JSON.parse(line)),
    )
    const { backend, zot, events } = await openStage()
    const turn = backend.prompt(prompt('go'))
    zot.reply(await zot.next('prompt'), { started: true })
    for (const frame of frames)
      for (const changed of eachWithInheritedName(frame)) if (!ends(changed)) zot.far.write(JSON.stringify(changed))
    zot.say({ type: 'done' })
    await turn
    expect(events.length).toBeGreaterThan(300)
    await expectCarried(events)
  })

  test.each(inheritedNames)('as its stop reason, model and level: %s', async name => {
    const models = [{ id: name, provider: name, context_window: 1, max_output: 1, reasoning: true }]
    const { backend, zot, events } = await openStage({
      handshake: {
        hello: { protocol_version: 1, version: name, provider: name, model: name },
        get_state: { provider: name, model: name, reasoning: name },
        get_models: { models },
      },
    })
    const turn = backend.prompt(prompt(name))
    zot.reply(await zot.next('prompt'), { started: true })
    zot.say({ type: 'turn_start', step: 1 }, { type: 'turn_end', stop: name, error: name }, { type: 'done' })
    await turn
    await expectCarried(events)
  })
})

/** Nothing else of the turn would come after it. */
function ends(frame: unknown): boolean {
  return (
    typeof frame === 'object' && frame !== null && 'type' in frame && ['done', 'error'].includes(String(frame.type))
  )
}

/** An agent of the Agent Client Protocol that a test speaks for. It ends each turn with the prompt as its reason. */
function acp() {
  const { near, far } = createMemoryPair()
  const agent = { name: 'fake', file: 'fake', args: [], known: null }
  const backend = createAcpBackend({ agent, connect: () => near, folder: '/PROJECT', env: {}, version: '0' })
  const events: AgentEvent[] = []
  backend.subscribe(event => {
    events.push(event)
    if (event.type === 'permission_requested')
      backend.answerPermission(event.id, { answer: 'option', option: event.options?.[0]?.id ?? '' })
    if (event.type === 'question_asked') backend.answerQuestion(event.id, null, 'declined')
  })
  onTestFinished(() => backend.kill())
  const say = (frame: object): void => far.write(JSON.stringify({ jsonrpc: '2.0', ...frame }))
  /** Written before the end of the next turn. */
  const amid: object[] = []
  far.receive(line => {
    const { id, method, params } = JSON.parse(line) as Wire
    if (method === 'initialize') say({ id, result: greeting })
    if (method === 'session/new') say({ id, result: { sessionId: session } })
    if (method !== 'session/prompt') return
    for (const frame of amid.splice(0)) say(frame)
    say({ id, result: { stopReason: promptOf({ params: params ?? {} }) } })
  })
  far.onInputClosed(() => far.end())
  return { backend, events, amid }
}

describe('an agent of the Agent Client Protocol', () => {
  const frames = recordedAgents.flatMap(agent =>
    readAcpRecordings(agent).flatMap(({ lines }) =>
      lines.flatMap(({ dir, frame }) => (dir === 'out' && frame?.['params'] ? [frame as Wire] : [])),
    ),
  )
  const paramsOf = (method: string): unknown[] =>
    ofEachShape(frames.flatMap(frame => (frame.method === method ? [frame.params] : [])))

  test('in every update of a session', async () => {
    const { backend, events, amid } = acp()
    await backend.open()
    for (const params of paramsOf('session/update'))
      for (const changed of eachWithInheritedName(params))
        amid.push({ method: 'session/update', params: { ...(changed as object), sessionId: session } })
    await backend.prompt(prompt('end_turn'))
    expect(events.length).toBeGreaterThan(500)
    await expectCarried(events)
  })

  test('in every question: kinds of answers, calls, forms', async () => {
    const { backend, events, amid } = acp()
    await backend.open()
    let id = 0
    for (const method of ['session/request_permission', 'elicitation/create'])
      for (const params of paramsOf(method))
        for (const changed of eachWithInheritedName(params))
          amid.push({ id: (id += 1), method, params: { ...(changed as object), sessionId: session } })
    expect(amid.length).toBeGreaterThan(50)
    await backend.prompt(prompt('end_turn'))
    await settled()
    expect(events.filter(({ type }) => type === 'permission_requested').length).toBeGreaterThan(50)
    await expectCarried(events)
  })

  test('as the reason why a turn ended, and as the id of a call', async () => {
    const { backend, events, amid } = acp()
    await backend.open()
    for (const name of inheritedNames) {
      amid.push(
        update('tool_call', { toolCallId: name, title: name, kind: name, status: name, rawInput: { [name]: name } }),
      )
      amid.push(update('tool_call_update', { toolCallId: name, status: 'completed', rawOutput: { [name]: name } }))
      await backend.prompt(prompt(name))
    }
    const stops = events.flatMap(event => (event.type === 'turn_ended' ? [event.stop] : []))
    expect(stops).toEqual(inheritedNames)
    await expectCarried(events)
  })
})

test('Meerkat, in every event of a turn', async () => {
  const payloads = readMeerkatRecordings().flatMap(({ lines }) =>
    lines.flatMap(({ dir, frame }) => {
      const event = (frame as Wire | undefined)?.params?.['event'] as { payload?: object } | undefined
      return dir === 'out' && event?.payload ? [event.payload as { type: string }] : []
    }),
  )
  const fake = fakeMeerkat()
  await fake.backend.open()
  const turn = fake.backend.prompt(prompt('go'))
  await expect.poll(fake.turn).toBeDefined()
  for (const payload of ofEachShape(payloads).filter(({ type }) => !type.startsWith('run_')))
    for (const changed of eachWithInheritedName(payload)) fake.say(changed as object)
  for (const name of inheritedNames) fake.say({ type: 'turn_completed', stop_reason: name, assistant_message_id: name })
  fake.answer({ result: { text: 'Yes.', request_usage: [] } })
  await turn
  expect(fake.events.length).toBeGreaterThan(100)
  await expectCarried(fake.events)
})

test.each(inheritedNames)('roz, in everything that it says: %s', async name => {
  const roz = await openRoz({
    onPrompt(spoken) {
      spoken.say('activity_changed', { state: name, reason: name })
      spoken.say('tool_call_started', { call_id: name, tool_name: name, words: name })
      spoken.say('tool_call_finished', { call_id: name, tool_name: name, words: name })
      spoken.call(name, name, { [name]: name, inner: { [name]: [name] } })
      spoken.say('skill_loaded', { name, version: name })
      spoken.say('mcp_server_degraded', { server_name: name, failure_count: 1, last_error: name })
      spoken.say('session_rejected', { code: name, message: '', retryable: true })
      spoken.answer(name)
    },
  })
  await roz.ask(name)
  await expectCarried(roz.events)
})
