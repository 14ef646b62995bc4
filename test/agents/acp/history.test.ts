/** The history of a session that an agent goes on telling after its answer to `session/load`. */
import { expect, test } from 'vitest'
import { PING } from '../../../src/agents/acp/sessions.ts'
import { speakingAgent, type SpeakingAgent } from './speaking-agent.ts'

const chunk = (kind: 'user' | 'agent', text: string) => ({
  sessionUpdate: `${kind}_message_chunk`,
  content: { type: 'text', text },
})

/** An agent that tells one of these after each answer to a ping, `gaps` of which pass in silence before each. */
function slow(history: readonly object[], { pings = true, gaps = 0 } = {}): SpeakingAgent {
  const left = history.flatMap(part => [...Array.from({ length: gaps }, () => null), part])
  const agent = speakingAgent({
    answers({ method }) {
      if (method === 'session/prompt') agent.say(chunk('agent', 'Third.'))
      if (method !== PING) return undefined
      const next = left.shift()
      if (next) agent.say(next)
      return pings ? undefined : null
    },
  })
  return agent
}

const history = [chunk('user', 'one'), chunk('agent', 'First.'), chunk('user', 'two'), chunk('agent', 'Second.')]

test.each([
  ['one part between two pings', {}],
  ['with a ping in silence before each part', { gaps: 1 }],
  ['to a client whose pings it never answers', { pings: false }],
])('is reported whole before the session counts as open: %s', async (_case, how) => {
  const agent = slow(history, how)
  await agent.backend.open()
  const from = agent.events.length
  expect(await agent.backend.openSession('s7')).toMatchObject({ ok: true })
  const told = agent.events.slice(from)
  expect(told.filter(event => event.type === 'prompt_sent').map(({ text }) => text)).toEqual(['one', 'two'])
  expect(told.filter(event => event.type === 'text_received').map(({ text }) => text)).toEqual(['First.', 'Second.'])
  expect(told.filter(event => event.type === 'turn_ended')).toHaveLength(2)
  expect(agent.told('remark_made')).toEqual([])
})

test('is not in the answer to a prompt that was sent meanwhile', async () => {
  const agent = slow(history)
  await agent.backend.open()
  const opened = agent.backend.openSession('s7')
  await expect.poll(() => agent.heard).toContain('session/load')
  const from = agent.events.length
  await agent.backend.prompt({ text: 'three', images: [] })
  await opened
  const told = agent.events.slice(from).filter(({ type }) => /^(?:prompt_sent|text_received|turn_ended)$/.test(type))
  expect(told.map(event => ('text' in event ? event.text : event.type))).toEqual(
    'one First. turn_ended two Second. turn_ended three Third. turn_ended'.split(' '),
  )
  expect(agent.heard.lastIndexOf(PING)).toBeLessThan(agent.heard.indexOf('session/prompt'))
})

test('opens nothing if the agent ends in the middle of it', async () => {
  const agent = speakingAgent({
    answers({ method }) {
      if (method !== PING) return undefined
      agent.end()
      return null
    },
  })
  await agent.backend.open()
  expect(await agent.backend.openSession('s7')).toMatchObject({ ok: false })
  expect(agent.told('agent_session_opened').map(({ id }) => id)).toEqual(['s1'])
  expect(agent.told('agent_ended')).toHaveLength(1)
})
