/** A stream that is lost in a turn or between turns, and the session that is begun in its place. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { status } from '@grpc/grpc-js'
import { describe, expect, test } from 'vitest'
import { startFakeRoz } from './fake-server.ts'
import { openRoz } from './open-roz.ts'

describe('a stream that is lost', () => {
  test('in a turn ends the turn with one line, and a new stream gets the conversation', async () => {
    const roz = await openRoz({
      onPrompt(session, text) {
        if (text !== 'two') return session.answer(`You said: ${text}.`)
        session.call('c1', 'bash', { command: 'echo hi' })
      },
      onRequest(session, { tool_result: result }) {
        if (result) session.end(status.INTERNAL, 'the worker crashed')
        return result !== undefined
      },
    })
    await roz.ask('one')
    await roz.ask('two')
    expect(roz.of('error_reported')).toMatchObject([
      { message: expect.stringMatching(/^the connection to roz was lost: .*the worker crashed$/) as string },
    ])
    await expect.poll(() => roz.fake.sessions.length).toBe(2)
    await expect
      .poll(() => roz.of('remark_made').map(({ text }) => text))
      .toContainEqual('Connected to roz again, and sent it the conversation so far (2 turns).')
    const history = roz.fake.session.of('start')[0]?.history ?? []
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user'])
    expect(JSON.stringify(history)).toMatch(/one.*You said: one\..*two.*bash.*echo hi.*hi/s)
    await roz.ask('three')
    expect(roz.said()).toContain('You said: three.')
  })

  test('by a restart of the server (GOAWAY) is made again', async () => {
    const roz = await openRoz()
    await roz.ask('one')
    roz.fake.drain(20)
    await expect.poll(() => roz.fake.sessions.length).toBe(2)
    await roz.ask('two')
    expect(roz.said()).toBe('You said: one.You said: two.')
  })

  test('while a deferred call runs is made again before the outcome of the call is sent', async () => {
    const roz = await openRoz(
      {
        onPrompt(session, text) {
          if (text === 'go')
            session.call('c1', 'bash', { command: 'until [ -e over ]; do sleep 0.05; done; echo seen' }, 200)
          else session.answer('I see.')
        },
        onRequest(session, { tool_result: result }) {
          if (result) session.answer('')
          return result !== undefined
        },
      },
      { limits: { silence: 100, pong: 100 } },
    )
    const turn = roz.ask('go')
    await expect.poll(() => roz.types()).toContain('usage_reported')
    roz.fake.stop()
    await expect.poll(() => roz.types()).toContain('warning_raised')
    const back = await startFakeRoz({ port: roz.fake.port, onPrompt: session => session.answer('I see.') })
    writeFileSync(join(roz.folder, 'over'), '')
    await turn
    expect(roz.said()).toBe('I see.')
    expect(back.session.of('user_message').map(({ content }) => content)).toEqual([expect.stringContaining('seen')])
    expect(JSON.stringify(back.session.of('start')[0]?.history)).not.toContain('calls that were held')
    expect(roz.chat().entries.at(-1)).toMatchObject({ kind: 'turn', outcome: 'done' })
  })

  test('for good while a deferred call runs ends the turn with a reason', async () => {
    const roz = await openRoz({
      onPrompt: session => session.call('c1', 'bash', { command: 'until [ -e over ]; do sleep 0.05; done' }, 200),
      onRequest(session, { tool_result: result }) {
        if (result) session.answer('')
        return result !== undefined
      },
    })
    const turn = roz.ask('go')
    await expect.poll(() => roz.types()).toContain('usage_reported')
    roz.fake.stop()
    await expect.poll(() => roz.types()).toContain('warning_raised')
    writeFileSync(join(roz.folder, 'over'), '')
    await turn
    expect(roz.of('prompt_refused')).toEqual([])
    expect(roz.events.slice(-2)).toMatchObject([
      { type: 'error_reported', message: expect.stringContaining('cannot be reached') as string },
      { type: 'turn_ended', stop: 'error' },
    ])
  })

  test('with its server is reported, and a prompt works once the server is back', async () => {
    const roz = await openRoz()
    await roz.ask('one')
    roz.fake.stop()
    await expect
      .poll(() => roz.of('warning_raised').map(({ message }) => message))
      .toContainEqual(expect.stringMatching(/^The connection to roz was lost: .*The next prompt retries\.$/))
    await roz.ask('two')
    expect(roz.of('prompt_refused')).toMatchObject([{ message: expect.stringContaining('cannot be reached') }])
    const back = await startFakeRoz({ port: roz.fake.port })
    await roz.ask('three')
    expect(roz.said()).toBe('You said: one.You said: three.')
    const told = JSON.stringify(back.session.of('start')[0]?.history)
    expect(told).toContain('You said: one.')
    expect(told).not.toContain('three')
  })

  test('half open, so that nothing comes any more, is given up and made again', async () => {
    let isDeaf = true
    const roz = await openRoz(
      {
        onRequest: (_session, { request }) => isDeaf && request !== 'start',
        onPrompt: session => session.answer('Back.'),
      },
      { limits: { silence: 100, pong: 100 } },
    )
    await roz.ask('one')
    isDeaf = false
    expect(roz.of('prompt_refused')).toMatchObject([{ message: expect.stringContaining('no longer responds') }])
    await roz.ask('two')
    expect(roz.said()).toBe('Back.')
  })

  test('is not given up while the server only thinks: it answers when it is asked', async () => {
    const roz = await openRoz(
      {
        onPrompt: () => undefined,
        onRequest(session, { request }) {
          if (session.received.filter(each => each.request === 'ping').length === 2) session.answer('Slow.')
          if (request === 'ping') session.raw({ pong: {} })
          return request === 'ping'
        },
      },
      { limits: { silence: 50, pong: 5000 } },
    )
    await roz.ask('one')
    expect(roz.said()).toBe('Slow.')
    expect(roz.fake.sessions).toHaveLength(1)
  })
})

describe('a reconnection in progress', () => {
  test('is dropped after /clear, and the next session knows nothing', async () => {
    const roz = await reconnecting()
    const cleared = roz.backend.clear()
    await expect.poll(() => roz.fake.sessions.length).toBe(3)
    roz.greet()
    expect(await cleared).toMatchObject({ ok: true })
    await roz.ask('two')
    expect(roz.fake.session.of('start')[0]?.history).toEqual([])
    expect(roz.fake.session.of('user_message').map(({ content }) => content)).toEqual(['two'])
  })

  test('is dropped after /model, and the next session has that model', async () => {
    const roz = await reconnecting()
    const chosen = roz.backend.setModel('max')
    await expect.poll(() => roz.fake.sessions.length).toBe(3)
    roz.greet()
    expect(await chosen).toMatchObject({ ok: true })
    expect(roz.fake.session.of('start')[0]?.model).toBe('max')
    await roz.ask('two')
    expect(roz.fake.session.of('user_message')).toHaveLength(1)
    expect(roz.of('model_changed')).toMatchObject([{ model: 'max' }])
  })
})

test('an image that is sent during a reconnection reaches the next session', async () => {
  const roz = await reconnecting()
  const asked = roz.ask('look', { images: [{ mimeType: 'image/png', data: 'AAAA' }] })
  await expect.poll(() => roz.fake.sessions.length).toBe(3)
  roz.greet()
  await asked
  const history = roz.fake.session.of('start')[0]?.history ?? []
  expect(history.at(-1)?.parts).toMatchObject([{ image: { media_type: 'image/png' } }])
})

/** A server whose second session begins only when the test says so. */
async function reconnecting() {
  let greet: (() => void) | undefined
  let starts = 0
  const roz = await openRoz({
    onRequest(session, { start }) {
      if (!start || (starts += 1) !== 2) return false
      greet = () => session.say('session_started', { session_id: 's2', model_name: start.model ?? 'standard' })
      return true
    },
  })
  await roz.ask('one')
  roz.fake.session.end(status.INTERNAL, 'it crashed')
  await expect.poll(() => roz.fake.sessions.length).toBe(2)
  await expect.poll(() => roz.fake.session.of('start').length).toBe(1)
  return { ...roz, greet: () => greet?.() }
}
