/** The things that a real agent keeps and offers between turns: its memory, options, commands and sessions; and its words about errors. */
import { expect, test } from 'vitest'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { httpError, reply } from '../helpers/model.ts'
import { converse, ofType, onRealAgents, sent, type Conversation } from './converse.ts'

/** Milliseconds for a test of several processes. */
const LONG = 120_000

const dear = () => reply().text('Yes.').using({ input: 100_000, output: 100 })

const costOf = (talk: Conversation): number | null => talk.told('context_reported').at(-1)?.costUsd ?? null

onRealAgents('its session', agent => {
  test('remembers one prompt at the next, and forgets both in a new session', async () => {
    const talk = await converse(agent, [reply().text('Noted.'), reply().text('Blue.'), reply().text('What?')])
    await talk.turn('my colour is blue')
    expect((await talk.turn('which colour')).text).toBe('Blue.')
    expect(sent(await talk.model.request(2))).toContain('my colour is blue')
    expect(await talk.backend.clear()).toMatchObject({ ok: true })
    expect((await talk.turn('and now')).text).toBe('What?')
    expect(sent(await talk.model.request(3))).not.toContain('my colour is blue')
  })

  test('offers its modes and models, and sets them', async () => {
    const talk = await converse(agent, [])
    const options = talk.told('options_changed').at(-1)?.options ?? []
    const [mode, model] = ['mode', 'model'].map(category => options.find(option => option.category === category))
    expect(mode?.choices.length).toBeGreaterThan(2)
    expect(model?.choices.length).toBeGreaterThan(2)
    for (const option of [mode, model]) {
      const other = option?.choices.find(({ value }) => value !== option.value)
      if (!option || !other) throw new Error('there is nothing to choose')
      const from = talk.events.length
      expect(await talk.backend.setOption(option.id, other.value)).toMatchObject({ ok: true })
      const changed = await talk.until('options_changed', () => true, from)
      expect(changed.options.find(({ id }) => id === option.id)?.value).toBe(other.value)
    }
    expect(await talk.backend.setOption(mode?.id ?? '', 'no such mode')).toMatchObject({ ok: false })
  })

  test('lists its commands', async () => {
    const talk = await converse(agent, [])
    const { commands } = await talk.until('agent_commands_changed')
    expect(commands.map(({ name }) => name)).toContain(agent.name === 'claude' ? 'init' : 'review')
    expect(commands.every(({ description }) => description !== '')).toBe(true)
  })

  test('continues with a session of an earlier process', async () => {
    const first = await converse(agent, [reply().thought('Hm.').text('Noted.'), reply().text('Blue.')])
    await first.turn('my colour is blue')
    await first.close()
    expect(first.told('agent_ended')).toMatchObject([{ expected: true }])

    const { home, model } = first
    const talk = await converse(agent, [], { home, model })
    const listed = await talk.backend.listSessions()
    if (!listed?.ok) throw new Error('it listed nothing')
    expect(listed.value).toMatchObject([{ folder: home.project }])
    const from = talk.events.length
    expect(await talk.backend.openSession(listed.value[0]?.id ?? '')).toMatchObject({ ok: true })
    const replay = talk.events.slice(from)
    expect(ofType(replay, 'prompt_sent')).toMatchObject([{ text: 'my colour is blue', remembered: true }])
    expect(JSON.stringify(replay)).toContain('Noted.')
    expect((await talk.turn('which colour')).text).toBe('Blue.')
    expect(sent(await model.request(2))).toContain('my colour is blue')
    expect(await talk.backend.openSession('no-such-session')).toMatchObject({ ok: false })
  })

  test('remembers its session in a fresh process, which repeats nothing of it', { timeout: LONG }, async () => {
    const said = ['Noted.', 'Blue.'].map(text => reply().text(text).using({ input: 1000, output: 500 }))
    const first = await converse(agent, said)
    await first.turn('my colour is blue')
    const { id } = await first.until('agent_session_opened')
    const costUsd = costOf(first)
    await first.close()

    const { home, model } = first
    const talk = await converse(agent, [], { home, model, session: { id, ...(costUsd !== null && { costUsd }) } })
    expect(talk.told('agent_session_opened')).toMatchObject([{ id, remembers: true }])
    expect(talk.told('agent_started')[0]?.model).not.toBe('')
    expect(talk.told('prompt_sent')).toEqual([])
    expect((await talk.turn('which colour')).text).toBe('Blue.')
    expect(sent(await model.request(2))).toContain('my colour is blue')
    // Claude Code counts the cost of all processes that had the session.
    expect(costOf(talk) ?? 0).toBeCloseTo(costUsd ?? 0)
  })

  test('remembers its session in a copy, and in a process that takes over', { timeout: LONG }, async () => {
    const talk = await converse(agent, [reply().text('Noted.'), reply().text('Blue.'), reply().text('Still blue.')])
    const opened = () => talk.told('agent_session_opened').at(-1)
    await talk.turn('my colour is blue')
    const { id } = await talk.until('agent_session_opened')
    expect(await talk.backend.resumeSession({ id, copy: true })).toMatchObject({ ok: true })
    const copy = opened()?.id ?? ''
    expect(opened()).toMatchObject({ remembers: true })
    expect(copy).not.toBe(id)
    expect((await talk.turn('which colour')).text).toBe('Blue.')
    expect(sent(await talk.model.request(2))).toContain('my colour is blue')

    expect(await talk.backend.replace({}, { id: copy })).toMatchObject({ ok: true })
    expect(opened()).toMatchObject({ id: copy, remembers: true })
    expect((await talk.turn('still')).text).toBe('Still blue.')
    expect(sent(await talk.model.request(3))).toContain('which colour')
    expect(talk.told('prompt_sent').map(({ text }) => text)).toEqual(['my colour is blue', 'which colour', 'still'])
    expect(talk.told('conversation_cleared')).toEqual([])

    expect(await talk.backend.resumeSession({ id: 'no-such-session' })).toMatchObject({ ok: true })
    expect(opened()?.problem).toMatch(/./)
  })

  test('recovers from a provider that is busy for a moment', async () => {
    const busy = httpError(429, '{"error":{"type":"rate_limit_error","message":"slow down"}}', { 'retry-after': '0' })
    const talk = await converse(agent, [busy, reply().text('Here again.'), reply().text('Here again.')])
    const turn = await talk.turn('hello')
    // Codex tries 429 again only where the stream was lost; in any case the next prompt is answered.
    const ended = turn.text === 'Here again.' || turn.ended?.stop === 'error'
    expect({ ended, events: turn.events }).toMatchObject({ ended: true })
    expect((await talk.turn('hello')).text).toBe('Here again.')
  })

  test('says that the user must log in', async () => {
    // Claude Code says so without a key. Codex says so when the provider refuses the one it has, twice.
    const refused = httpError(401, '{"error":{"type":"authentication_error","message":"no such key"}}')
    const asked = agent.name === 'codex'
    const talk = await converse(agent, asked ? [refused, refused] : [], { key: asked })
    const turn = await talk.turn('hello')
    expect(ofType(turn.events, 'text_received')).toEqual([])
    expect(ofType(talk.events, 'login_needed')).toHaveLength(1)
    expect(turn.ended).toBeDefined()
  })

  test.skipIf(agent.name !== 'codex')('says why a turn failed that its agent calls a success', async () => {
    const talk = await converse(agent, [httpError(400, '{"error":{"message":"no such thing"}}')])
    const turn = await talk.turn('hello')
    expect(turn.ended?.stop).toBe('error')
    expect(ofType(turn.events, 'error_reported').at(-1)?.message).toContain('no such thing')
  })

  test.skipIf(agent.name !== 'codex')('is warned of its unknown model once, not with every turn', async () => {
    const talk = await converse(agent, [reply().text('One.'), reply().text('Two.')])
    await talk.turn('one')
    await talk.turn('two')
    expect(talk.told('warning_raised').filter(({ message }) => message.includes('metadata'))).toHaveLength(1)
  })

  test('ends with its children, in the middle of a turn too', async () => {
    // The agent may ask the model once more before it stops.
    const again = reply().text('Stopped.')
    const talk = await converse(agent, [reply().tool(...agent.shell('touch begun; sleep 41337')), again])
    void talk.turn('sleep')
    await talk.until('permission_requested')
    await talk.close()
    expect(talk.told('agent_ended')).toMatchObject([{ expected: true }])
  })

  test.skipIf(agent.name !== 'claude')('counts the cost of a new conversation from its beginning', async () => {
    const talk = await converse(agent, [dear(), dear(), dear()])
    const cost = () => talk.events.reduce(reduce, initialChat).usage.costUsd ?? 0
    await talk.turn('one')
    const one = cost()
    await talk.turn('two')
    expect(cost()).toBeCloseTo(2 * one)
    expect(await talk.backend.clear()).toMatchObject({ ok: true })
    await talk.turn('three')
    expect(one).toBeGreaterThan(0)
    expect(cost()).toBeCloseTo(one)
  })
})
