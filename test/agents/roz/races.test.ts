/** The races of a server that cancels without a word, repeats itself, or is not done when it says so. */
import { describe, expect, test } from 'vitest'
import type { FakeSession } from './fake-server.ts'
import { openRoz } from './open-roz.ts'

const begin = (session: FakeSession): void => session.say('text_delta', { content: 'Once upon' })

/** Sends a prompt, and stops it once its answer has begun. */
async function stopped(roz: Awaited<ReturnType<typeof openRoz>>): Promise<void> {
  const turn = roz.ask('tell')
  await expect.poll(roz.said).toContain('Once upon')
  roz.backend.abort()
  await turn
}

describe('a stop', () => {
  test('that the server never confirms still ends the turn', async () => {
    const roz = await openRoz({ onPrompt: begin }, { limits: { cancelled: 100 } })
    await stopped(roz)
    expect(roz.fake.session.of('cancel_turn')).toHaveLength(1)
    expect(roz.events.at(-1)).toEqual({ type: 'turn_ended', at: expect.any(Number) as number })
    expect(roz.chat().entries.at(-1)).toMatchObject({ outcome: 'aborted' })
  })

  test('that the server confirms ends it at once', async () => {
    const roz = await openRoz(
      {
        onPrompt: begin,
        onRequest(session, { cancel_turn: cancel }) {
          const none = { input_tokens: 0, output_tokens: 0, cache_creation_tokens: 0, cache_read_tokens: 0 }
          if (cancel) session.say('turn_finished', { ...none, stop_reason: 'cancelled' })
          return cancel !== undefined
        },
      },
      { limits: { cancelled: 60_000 } },
    )
    await stopped(roz)
    expect(roz.chat().entries.at(-1)).toMatchObject({ outcome: 'aborted' })
    expect(roz.of('usage_reported')).toEqual([])
  })

  test('whose end comes late does not end the next turn, and no late word is in it', async () => {
    let old = ''
    const roz = await openRoz(
      {
        onPrompt(session, text) {
          const { message_id: id = '' } = session.of('user_message').at(-1) ?? {}
          if (text === 'tell') {
            old = id
            return begin(session)
          }
          const none = { input_tokens: 0, output_tokens: 0, cache_creation_tokens: 0, cache_read_tokens: 0 }
          session.say('text_delta', { content: 'LATE', message_id: old })
          session.say('turn_finished', { ...none, stop_reason: 'cancelled', message_id: old })
          session.answer('In time.')
        },
      },
      { limits: { cancelled: 50 } },
    )
    await stopped(roz)
    await roz.ask('next')
    expect(roz.said()).toBe('Once uponIn time.')
    expect(roz.chat().entries.at(-1)).toMatchObject({ prompt: 'next', outcome: 'done' })
  })

  test('voids late events also if the server sends no prompt ids', async () => {
    const roz = await openRoz(
      {
        onRequest(session, { user_message: prompt }) {
          if (prompt?.content !== 'next') return false
          const none = { input_tokens: 0, output_tokens: 0, cache_creation_tokens: 0, cache_read_tokens: 0 }
          session.say('text_delta', { content: 'LATE' })
          session.say('turn_finished', { ...none, stop_reason: 'cancelled' })
          session.say('turn_started', { turn_index: 2 })
          session.answer('In time.')
          return true
        },
        onPrompt: begin,
      },
      { limits: { cancelled: 50 } },
    )
    await stopped(roz)
    await roz.ask('next')
    expect(roz.said()).toBe('Once uponIn time.')
  })

  test('ends local commands, and refuses later calls', async () => {
    const roz = await openRoz(
      {
        onPrompt: session => session.call('c1', 'bash', { command: 'echo begun; sleep 20' }),
        onRequest(session, { cancel_turn: cancel }) {
          if (cancel) session.call('c2', 'bash', { command: 'touch late' })
          return cancel !== undefined
        },
      },
      { limits: { cancelled: 300 } },
    )
    const turn = roz.ask('go')
    await expect.poll(() => roz.of('tool_progressed').length).toBe(1)
    roz.backend.abort()
    await turn
    await expect.poll(() => roz.fake.session.of('tool_result').length).toBe(2)
    const results = roz.fake.session.of('tool_result')
    expect(results.map(({ success }) => success)).toEqual([false, false])
    expect(results.find(each => each.tool_call_id === 'c2')?.result).toMatch(/^Not run: the user stopped/)
    expect(roz.of('tool_called')).toHaveLength(1)
  })

  test('during a question refuses it', async () => {
    const roz = await openRoz(
      { onPrompt: session => session.call('c1', 'bash', { command: 'touch made' }) },
      { judge: () => ({ verdict: 'ask', because: 'a test' }), limits: { cancelled: 50 } },
    )
    const turn = roz.ask('go')
    await expect.poll(() => roz.of('permission_requested').length).toBe(1)
    roz.backend.answerPermission(roz.of('permission_requested')[0]?.id ?? '', { answer: 'stop' })
    await turn
    expect(roz.of('permission_decided')).toMatchObject([{ allowed: false, by: 'user' }])
    expect(roz.chat().entries.at(-1)).toMatchObject({ outcome: 'aborted' })
  })
})

const busy = { code: 'turn_in_progress', message: 'a turn is already in progress', retryable: false }

const staysBusy = (session: FakeSession, { user_message: prompt }: { user_message?: object }): boolean => {
  if (prompt) session.say('session_rejected', busy)
  return prompt !== undefined
}

describe('a server that is not done with the former turn', () => {
  test('is asked again until it is', async () => {
    let refusals = 3
    const roz = await openRoz(
      {
        onRequest(session, { user_message: prompt }) {
          if (!prompt || (refusals -= 1) < 0) return false
          session.say('session_rejected', busy)
          return true
        },
      },
      { limits: { pause: 20 } },
    )
    await roz.ask('hello')
    expect(roz.said()).toBe('You said: hello.')
    expect(new Set(roz.fake.session.of('user_message').map(each => each.message_id)).size).toBe(1)
  })

  test('is given up after a while', async () => {
    const roz = await openRoz({ onRequest: staysBusy }, { limits: { pause: 10, busy: 60 } })
    await roz.ask('hello')
    expect(roz.of('prompt_refused')).toMatchObject([{ message: expect.stringContaining('already in progress') }])
  })
})

test('an event that comes twice counts once', async () => {
  const roz = await openRoz({
    onPrompt(session) {
      session.say('text_delta', { content: 'Once. ' }, 'same')
      session.say('text_delta', { content: 'Once. ' }, 'same')
      session.answer('')
    },
  })
  await roz.ask('go')
  expect(roz.said()).toBe('Once. ')
})

test('a rejection of the outcome of a deferred call ends the turn, which was not refused as a whole', async () => {
  const roz = await openRoz({
    onRequest(session, { user_message: prompt, tool_result: result }) {
      if (result) session.answer('')
      if (prompt?.content === 'go') session.call('c1', 'bash', { command: 'sleep 0.4' }, 200)
      else if (prompt) session.say('session_rejected', { code: 'turn_rejected', message: 'no more', retryable: false })
      return prompt !== undefined || result !== undefined
    },
  })
  await roz.ask('go')
  expect(roz.of('prompt_refused')).toEqual([])
  expect(roz.events.slice(-2)).toMatchObject([
    { type: 'error_reported', message: 'no more' },
    { type: 'turn_ended', stop: 'error' },
  ])
  expect(roz.chat().entries.at(-1)).toMatchObject({ outcome: 'failed' })
})

describe('a rejection', () => {
  test.each([
    ['turn_rejected', 'the model failed', false, 'the model failed'],
    ['model_error', 'overloaded', true, 'overloaded; send it again'],
  ])('%s ends the turn', async (code, message, retryable, words) => {
    const roz = await openRoz({
      onPrompt(session) {
        begin(session)
        session.say('activity_changed', { state: 'idle', reason: 'turn 1 failed' })
        session.say('session_rejected', { code, message, retryable })
      },
    })
    await roz.ask('go')
    expect(roz.events.slice(-2)).toMatchObject([
      { type: 'error_reported', message: words },
      { type: 'turn_ended', stop: 'error' },
    ])
    expect(roz.chat().entries.at(-1)).toMatchObject({ outcome: 'failed' })
  })

  test('of a turn that comes in two parts is one error, also when the next prompt waits already', async () => {
    const roz = await openRoz({
      onPrompt(session, text) {
        if (text === 'next') return session.answer('Here.')
        begin(session)
        session.say('session_rejected', { code: 'turn_rejected', message: 'turn failed', retryable: false })
        session.say('activity_changed', { state: 'idle', reason: 'turn 1 failed' })
        session.say('session_rejected', { code: 'budget_exceeded', message: 'no credit', retryable: false })
      },
    })
    await roz.ask('go')
    await roz.ask('next')
    expect(roz.of('error_reported').map(({ message }) => message)).toEqual(['no credit'])
    expect(roz.of('warning_raised')).toEqual([])
    expect(roz.said()).toBe('Once uponHere.')
  })

  test('of something else is reported, and the turn continues', async () => {
    const roz = await openRoz({
      onPrompt(session) {
        begin(session)
        session.say('session_rejected', { code: 'invalid_argument', message: 'no such camera', retryable: false })
        session.say('session_rejected', { code: 'no_active_turn', message: 'none', retryable: false })
        session.answer(' a time.')
      },
    })
    await roz.ask('go')
    expect(roz.said()).toBe('Once upon a time.')
    expect(roz.of('warning_raised')).toMatchObject([{ message: 'roz: no such camera' }])
  })
})

test.each([
  ['session_failed', { failure: 'circuit_breaker_tripped' }, 'roz ended the session: circuit breaker tripped'],
  ['session_completed', { summary: 'all is well' }, 'roz completed the session: all is well'],
] as const)('%s ends the session, and another can begin', async (type, payload, reason) => {
  const roz = await openRoz({
    onPrompt(session, text) {
      if (text === 'again') return session.answer('Here.')
      begin(session)
      session.say(type, payload)
    },
  })
  await roz.ask('go')
  await expect.poll(roz.types).toContain('agent_ended')
  expect(roz.of('agent_ended')).toMatchObject([{ reason, hint: '/restart begins a new session', expected: false }])
  await roz.backend.open()
  await roz.ask('again')
  expect(roz.said()).toBe('Once uponHere.')
})
