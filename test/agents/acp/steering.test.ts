/** Words to the running turn of an agent that takes them, and of agents that say so and do something else. */
import { expect, test, vi } from 'vitest'
import type { Prompt } from '../../../src/agent/backend.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { speakingAgent, type Frame, type SpeakingAgent } from './speaking-agent.ts'

const STEER = '_session/steering'
const GREETING = { protocolVersion: 1, agentCapabilities: { promptCapabilities: { image: true } } }
const chunk = (messageId: string, text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
})

/** An agent in a turn that ends when the test answers its prompt. */
async function inTurn(
  answers: (frame: Frame) => ReturnType<NonNullable<Parameters<typeof speakingAgent>[0]['answers']>> = () => null,
  greeting: object = { ...GREETING, _meta: { steering: { supported: true } } },
): Promise<{ agent: SpeakingAgent; prompt: Promise<void>; end: () => Promise<void> }> {
  const agent = speakingAgent({
    answers: frame => {
      if (frame.method === 'initialize') return { result: greeting }
      if (frame.method === 'session/prompt') return null
      return frame.method === STEER ? answers(frame) : undefined
    },
  })
  await agent.backend.open()
  const prompt = agent.backend.prompt({ text: 'go', images: [] })
  await vi.waitFor(() => expect(agent.heard).toContain('session/prompt'))
  const end = async (): Promise<void> => {
    const asked = agent.frames.find(({ method }) => method === 'session/prompt')
    agent.reply(asked, { result: { stopReason: 'end_turn' } })
    await prompt
  }
  return { agent, prompt, end }
}

const words = (text: string, more: Partial<Prompt> = {}) => ({ id: 's-1', prompt: { text, images: [], ...more } })
const sent = (agent: SpeakingAgent): Frame[] => agent.frames.filter(({ method }) => method === STEER)
const injected = () => ({ result: { outcome: 'injected' } })
const orderOf = (events: readonly AgentEvent[]): string[] =>
  events.flatMap(event =>
    event.type === 'text_received' ? [event.text] : event.type === 'steer_delivered' ? [`you: ${event.text}`] : [],
  )

test('words reach the turn with their images and the files that they mention, and are shown where the agent took them', async () => {
  const { agent, end } = await inTurn(injected)
  agent.say(chunk('m1', 'I begin.'))
  const image = { mimeType: 'image/png', data: 'iVBORw0KGgo=' }
  const outcome = await agent.backend.steer(
    words('look here', { typed: '@a.ts look here', images: [image], before: ['The content of a.ts'] }),
  )
  expect(outcome).toEqual({ how: 'delivered' })
  expect(sent(agent)[0]?.params).toEqual({
    sessionId: 's1',
    prompt: [
      { type: 'text', text: 'The content of a.ts' },
      { type: 'text', text: 'look here' },
      { type: 'image', ...image },
    ],
    _meta: { steering: { idleBehavior: 'promptRequired' } },
  })
  expect(agent.told('steer_delivered')).toMatchObject([
    {
      id: 's-1',
      text: 'look here',
      typed: '@a.ts look here',
      images: [{ mimeType: 'image/png', bytes: 8 }],
      before: ['The content of a.ts'],
    },
  ])
  await end()
})

test('what the agent had half said stays, and its answer to the words under another id is no second try', async () => {
  const { agent, end } = await inTurn(injected)
  agent.say(chunk('m1', 'One, two'))
  await agent.backend.steer(words('count down'))
  // The last piece of the old answer may come late.
  agent.say(chunk('m1', ', '))
  agent.say(chunk('m2', ', as you wish: three.'))
  await end()
  expect(orderOf(agent.events)).toEqual(['One, two', 'you: count down', ', ', ', as you wish: three.'])
  expect(agent.told('retry_announced')).toEqual([])
})

test('an answer that begins as the half said one did is shown as a whole', async () => {
  const { agent, end } = await inTurn(injected)
  agent.say(chunk('m1', 'I will'))
  await agent.backend.steer(words('go on'))
  agent.say(chunk('m2', 'I will do that.'))
  await end()
  expect(orderOf(agent.events)).toEqual(['I will', 'you: go on', 'I will do that.'])
})

test('a second try after the answer to the words is one again', async () => {
  const { agent, end } = await inTurn(injected)
  await agent.backend.steer(words('go on'))
  agent.say(chunk('m2', 'Half an'))
  agent.say(chunk('m3', 'Half an answer.'))
  await end()
  expect(orderOf(agent.events)).toEqual(['you: go on', 'Half an', ' answer.'])
  expect(agent.told('retry_announced')).toHaveLength(1)
})

test('a command that the agent moves to the background ends with the words of the agent', async () => {
  const { agent, end } = await inTurn(injected)
  const call = { toolCallId: 'c1', title: 'sleep 60', kind: 'execute', rawInput: { command: 'sleep 60' } }
  agent.say({ sessionUpdate: 'tool_call', status: 'in_progress', ...call })
  await agent.backend.steer(words('do not wait'))
  const text = 'Command running in background with ID: b1'
  const content = [{ type: 'content', content: { type: 'text', text } }]
  agent.say({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'completed', content })
  agent.say(chunk('m2', 'It runs on.'))
  await end()
  expect(agent.told('tool_finished')).toMatchObject([{ failed: false, content: [{ type: 'text', text }] }])
  const turn = agent.events.reduce(reduce, initialChat).entries.at(-1)
  const parts = turn?.kind === 'turn' ? [...turn.parts] : []
  expect(parts).toMatchObject([{ kind: 'tool', state: 'ok' }, { kind: 'steer', text: 'do not wait' }, { kind: 'text' }])
})

test.each([
  ['says that it is idle', { result: { outcome: 'promptRequired', reason: 'noRunningTurn' } }, 'over'],
  ['fails', { result: { outcome: 'failed' } }, 'refused'],
  ['answers with an error', { error: { code: -32602, message: 'no such session' } }, 'refused'],
  ['does not know the request', { error: { code: -32601, message: 'Method not found' } }, 'refused'],
  ['answers with another shape', { result: { outcome: ['injected'] } }, 'unknown'],
  ['answers with another outcome', { result: { outcome: 'later' } }, 'unknown'],
  ['answers with nothing', { result: {} }, 'unknown'],
] as const)('an agent that %s has shown no words', async (_what, answer, how) => {
  const { agent, end } = await inTurn(() => answer)
  expect(await agent.backend.steer(words('hello'))).toMatchObject({ how })
  await end()
  expect(agent.told('steer_delivered')).toEqual([])
})

test('an agent that takes the words into a turn of its own has got them', async () => {
  const { agent, end } = await inTurn(() => ({ result: { outcome: 'startedNewTurn' } }))
  expect(await agent.backend.steer(words('hello'))).toEqual({ how: 'delivered' })
  await end()
  expect(agent.told('steer_delivered')).toHaveLength(1)
})

test('an agent that does not answer may have got the words, and a late answer changes nothing', async () => {
  const { agent, end } = await inTurn()
  const steered = agent.backend.steer(words('hello'))
  expect(await steered).toEqual({ how: 'unknown', message: 'stranger did not say whether it got your words' })
  agent.reply(sent(agent)[0], injected())
  await end()
  expect(agent.told('steer_delivered')).toEqual([])
  expect(agent.heard).toContain('$/cancel_request')
})

test('the second of two answers changes nothing', async () => {
  const { agent, end } = await inTurn(injected)
  expect(await agent.backend.steer(words('hello'))).toEqual({ how: 'delivered' })
  agent.reply(sent(agent)[0], injected())
  agent.reply(sent(agent)[0], { result: { outcome: 'failed' } })
  await end()
  expect(agent.told('steer_delivered')).toHaveLength(1)
})

test('an answer after that to the prompt still belongs to the turn', async () => {
  const { agent, end } = await inTurn()
  const steered = agent.backend.steer(words('hello'))
  await vi.waitFor(() => expect(sent(agent)).toHaveLength(1))
  const ended = end()
  agent.reply(sent(agent)[0], injected())
  expect(await steered).toEqual({ how: 'delivered' })
  await ended
  expect(agent.events.map(({ type }) => type).slice(-2)).toEqual(['steer_delivered', 'turn_ended'])
})

test('words that come too late for the turn are over before it is', async () => {
  const { agent, end } = await inTurn()
  const steered = agent.backend.steer(words('hello'))
  await vi.waitFor(() => expect(sent(agent)).toHaveLength(1))
  const ended = end()
  agent.reply(sent(agent)[0], { result: { outcome: 'promptRequired' } })
  expect(await steered).toEqual({ how: 'over' })
  await ended
})

test('after a stop nobody knows whether words on their way arrived, and the turn ends without waiting for them', async () => {
  const { agent, end } = await inTurn()
  const steered = agent.backend.steer(words('hello'))
  await vi.waitFor(() => expect(sent(agent)).toHaveLength(1))
  agent.backend.abort()
  expect(await steered).toMatchObject({ how: 'unknown' })
  expect(await agent.backend.steer({ ...words('more'), id: 's-2' })).toEqual({ how: 'over' })
  expect(sent(agent)).toHaveLength(1)
  await end()
  expect(agent.events.at(-1)?.type).toBe('turn_ended')
})

test('words on their way to an agent that ends may have arrived', async () => {
  const { agent, prompt } = await inTurn()
  const steered = agent.backend.steer(words('hello'))
  await vi.waitFor(() => expect(sent(agent)).toHaveLength(1))
  agent.end()
  expect(await steered).toMatchObject({ how: 'unknown' })
  await prompt
})

test('an idle agent, and one that does not say that it takes words, is not asked', async () => {
  const { agent, end } = await inTurn(injected)
  await end()
  expect(await agent.backend.steer(words('hello'))).toEqual({ how: 'over' })
  const { agent: other, end: endOther } = await inTurn(injected, GREETING)
  expect(other.backend.abilities.has('steer')).toBe(false)
  expect(await other.backend.steer(words('hello'))).toMatchObject({ how: 'refused' })
  await endOther()
  expect([...sent(agent), ...sent(other)]).toEqual([])
})

test('words without a word, and images for an agent that takes none, are not sent', async () => {
  const { agent, end } = await inTurn(injected, {
    ...GREETING,
    _meta: { steering: { supported: true } },
    agentCapabilities: {},
  })
  expect(await agent.backend.steer(words(''))).toMatchObject({ how: 'refused' })
  const images = [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }]
  expect(await agent.backend.steer(words('see', { images }))).toMatchObject({ how: 'refused' })
  await end()
  expect(sent(agent)).toEqual([])
})

test('a file that words to the turn mention goes apart from them, where the agent takes that', async () => {
  const agentCapabilities = { promptCapabilities: { embeddedContext: true } }
  const { agent, end } = await inTurn(injected, {
    ...GREETING,
    agentCapabilities,
    _meta: { steering: { supported: true } },
  })
  const resources = [{ path: '/project/a.ts', text: 'one', instead: 'The content of a.ts' }]
  await agent.backend.steer(words('look here', { before: ['The content of a.ts'], resources }))
  expect(sent(agent)[0]?.params?.['prompt']).toEqual([
    { type: 'text', text: 'look here' },
    { type: 'resource', resource: { uri: 'file:///project/a.ts', mimeType: 'text/plain', text: 'one' } },
  ])
  expect(agent.told('steer_delivered')).toMatchObject([{ before: ['The content of a.ts'] }])
  await end()
})
