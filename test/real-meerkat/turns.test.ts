/** A turn of a real Meerkat: text, thoughts, errors, retries, stops, and its sessions. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { hold, httpError, reply } from '../helpers/model.ts'
import { makeHome } from '../helpers/home.ts'
import { ofType, sent } from '../real-agents/converse.ts'
import { onMeerkat, talkTo } from './meerkat.ts'

onMeerkat('a turn', () => {
  test('tells thoughts, text and tokens, and an unknown cost', async () => {
    const said = reply().thought('I should ', 'think.').text('Hello ', 'world.')
    const talk = await talkTo([said.using({ input: 1000, output: 40, cacheRead: 200 })])
    expect(talk.told('agent_started')).toMatchObject([
      { agent: 'meerkat', version: expect.stringMatching(/^0\.9\./), model: 'fake', contextWindow: 200_000 },
    ])
    const turn = await talk.turn('say hello')
    expect(turn.text).toBe('Hello world.')
    const thoughts = ofType(turn.events, 'thought_received').map(({ text }) => text)
    expect(thoughts.join('').trim()).toBe('I should think.')
    expect(ofType(turn.events, 'usage_reported').map(({ usage }) => usage)).toMatchObject([
      { input: 1000, output: 40, cacheRead: 200, costUsd: null },
    ])
    expect(turn.ended?.stop).toBeUndefined()
    expect(sent(await talk.model.request(1))).toContain('say hello')
  })

  test('costs what the prices of the user say', async () => {
    const prices = { 'fa*': { input: 2, output: 10, cacheRead: 0.2 } }
    const talk = await talkTo([reply().text('Hi.').using({ input: 1000, output: 40, cacheRead: 200 })], { prices })
    const turn = await talk.turn('hello')
    const [report] = ofType(turn.events, 'usage_reported')
    expect(report?.usage.costUsd).toBeCloseTo(0.002 + 0.0004 + 0.00004, 10)
  })

  test('continues after a stop in the first turn, in a session that knows nothing of it', async () => {
    const talk = await talkTo([
      reply().text('The first half, ').wait(hold()).text('never said.'),
      reply().text('Again.'),
    ])
    const first = talk.turn('tell me')
    await talk.until('text_received')
    talk.backend.abort()
    const stopped = await first
    expect(stopped.ended).toBeDefined()
    expect(ofType(stopped.events, 'error_reported')).toEqual([])
    expect((await talk.turn('and now')).text).toBe('Again.')
    expect(sent(await talk.model.request(2))).toContain('and now')
  })

  // Meerkat takes no stop while it sets a session up.
  test.each([0, 100, 300])('stops also %d ms after it was sent', async delay => {
    const talk = await talkTo([reply().text('Here.'), reply().text('Here.')])
    const first = talk.turn('one')
    await pause(delay)
    talk.backend.abort()
    const stopped = await first
    expect(stopped.ended).toBeDefined()
    expect(ofType(stopped.events, 'error_reported')).toEqual([])
    expect((await talk.turn('two')).text).toBe('Here.')
  })

  test('stops in a later turn, and keeps what was said before', async () => {
    const talk = await talkTo([reply().text('One.'), reply().text('Two ').wait(hold()), reply().text('Three.')])
    await talk.turn('first')
    const from = talk.events.length
    const second = talk.turn('second')
    await talk.until('text_received', ({ text }) => text.includes('Two'), from)
    talk.backend.abort()
    await second
    expect((await talk.turn('third')).text).toBe('Three.')
    const asked = sent(await talk.model.request(3))
    expect(asked).toContain('first')
    expect(asked).toContain('One.')
  })

  test('tells a retry, and what failed for good', async () => {
    const talk = await talkTo([
      httpError(503, '{"error":{"message":"busy"}}'),
      reply().text('Now.'),
      httpError(401, '{"error":{"message":"no such key"}}'),
      reply().text('Well again.'),
    ])
    const first = await talk.turn('hello')
    expect(first.text).toBe('Now.')
    expect(ofType(first.events, 'retry_announced')).toHaveLength(1)
    const failed = await talk.turn('again')
    expect(ofType(failed.events, 'error_reported')).toHaveLength(1)
    expect(failed.ended).toBeDefined()
    expect((await talk.turn('once more')).text).toBe('Well again.')
  })

  test('says an answer again after its stream was cut', async () => {
    const talk = await talkTo([reply().text('Half of ').cut(), reply().text('The whole.')])
    const turn = await talk.turn('hello')
    expect(turn.text.endsWith('The whole.')).toBe(true)
    expect(ofType(turn.events, 'retry_announced')).toHaveLength(1)
  })

  test('ends with the budget, which is no error', async () => {
    const talk = await talkTo([reply().text('One.').using({ input: 900, output: 200 }), reply().text('Two.')], {
      words: '--max-tokens 1000',
    })
    await talk.turn('one')
    const second = await talk.turn('two')
    const ends = [...ofType(talk.events, 'turn_ended')].map(({ stop }) => stop)
    expect(ends).toContain('budget')
    expect(ofType(second.events, 'error_reported')).toEqual([])
  })
})

onMeerkat('its sessions', () => {
  test('survive the process, are listed, and continue with all that was said', async () => {
    const home = makeHome()
    const first = await talkTo([reply().text('Noted.'), reply().text('You said blue.')], { home })
    await first.turn('my colour is blue')
    await first.close()
    const second = await talkTo([], { home, model: first.model })
    const listed = await second.backend.listSessions()
    if (!listed?.ok) throw new Error('not listed')
    expect(listed.value).toHaveLength(1)
    const opened = await second.backend.openSession(listed.value[0]?.id ?? '')
    expect(opened).toMatchObject({ ok: true })
    expect(second.told('prompt_sent').map(({ text }) => text)).toContain('my colour is blue')
    expect((await second.turn('which colour?')).text).toBe('You said blue.')
    expect(sent(await second.model.request(2))).toContain('my colour is blue')
  })

  test('switch the model without losing the stream or what was said', async () => {
    const talk = await talkTo([reply().text('One.'), reply().text('Two, ', 'in ', 'pieces.')])
    await talk.turn('first')
    expect(await talk.backend.setModel('other')).toMatchObject({ ok: true })
    const turn = await talk.turn('second')
    expect(turn.text).toBe('Two, in pieces.')
    expect(ofType(turn.events, 'text_received').length).toBeGreaterThan(1)
    const asked = await talk.model.request(2)
    expect(asked.body).toMatchObject({ model: 'other' })
    expect(sent(asked)).toContain('first')
    expect(talk.told('model_changed')).toMatchObject([{ model: 'other' }])
  })

  test('are cut at a prompt, also by a later process: the model knows what was said before it and nothing else', async () => {
    const home = makeHome()
    const script = ['Noted.', 'Red.', 'Third.', 'Fourth.', 'Fifth.'].map(text => reply().text(text))
    const first = await talkTo(script, { home })
    const prompts = ['word one', 'word two', 'word three']
    for (const text of prompts.slice(0, 2)) await first.turn(text)
    await first.backend.prompt({ text: 'word three', images: [], before: ['the output of a command'] })
    const id = first.told('agent_session_opened').at(-1)?.id ?? ''
    const cut = { prompts, kept: 2 }
    expect(await first.backend.resumeSession({ id, copy: true, cut })).toMatchObject({ ok: true })
    expect(first.told('agent_session_opened').at(-1)).toMatchObject({ remembers: true })
    await first.turn('word four')
    const asked = sent(await first.model.request(4))
    for (const text of ['word one', 'word two', 'Red.', 'word four']) expect(asked).toContain(text)
    for (const text of ['word three', 'Third.', 'the output of a command']) expect(asked).not.toContain(text)
    await first.close()
    const second = await talkTo([], { home, model: first.model })
    expect(await second.backend.resumeSession({ id, copy: true, cut: { prompts, kept: 1 } })).toMatchObject({
      ok: true,
    })
    expect(second.told('agent_session_opened').at(-1)).toMatchObject({ remembers: true })
    await second.turn('word five')
    const askedLater = sent(await second.model.request(5))
    for (const text of ['word one', 'Noted.', 'word five']) expect(askedLater).toContain(text)
    for (const text of ['word two', 'Red.', 'word three']) expect(askedLater).not.toContain(text)
  })

  test('begin anew with /clear', async () => {
    const talk = await talkTo([reply().text('One.'), reply().text('Two.')])
    await talk.turn('a secret word')
    expect(await talk.backend.clear()).toMatchObject({ ok: true })
    await talk.turn('next')
    expect(sent(await talk.model.request(2))).not.toContain('a secret word')
  })
})
