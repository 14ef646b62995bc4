import { expect, test } from 'vitest'
import { missingText, fullTranscript } from '../../../src/app/context/full-transcript.ts'
import type { Sessions } from '../../../src/storage/sessions/sessions.ts'
import { ended, fold, prompt, returns, runsTool, timed } from '../../conversation/events.ts'
import { stateWith } from '../../components/stage.ts'

const output = 'all of it\n'.repeat(20_000)
const events = timed([prompt('go'), ...runsTool('a', 'grep'), returns('a', output), ended])
const state = stateWith({ chat: fold(events) })

/** Sessions whose file has these events, or is gone. */
const sessionsWith = (kept: typeof events | null): Sessions =>
  ({
    current: () => ({ id: 'now' }),
    flush: () => {},
    read: () => kept && { header: null, title: '', events: kept, skipped: 0 },
  }) as unknown as Sessions

test('the output omitted from memory is read back from the session', () => {
  const { chat, missing } = fullTranscript({ state: () => state, sessions: sessionsWith(events) })
  expect(missing).toBe(0)
  expect(JSON.stringify(chat)).toContain(JSON.stringify(output))
})

test.each([
  ['its file is gone', sessionsWith(null)],
  ['nothing is kept', undefined],
])('where %s, the output stays shortened, and a note says so', (_name, sessions) => {
  const { chat, missing } = fullTranscript({ state: () => state, ...(sessions && { sessions }) })
  expect(chat).toEqual(state.chat)
  expect(missing).toBe(1)
  expect(missingText(missing)).toMatch(/1 long tool output is shortened/)
})

test('a conversation before /clear belongs to another session and is not missing here', () => {
  const again = timed([prompt('go'), ended], 5_000)
  const cleared = stateWith({ chat: fold([...events, { type: 'conversation_cleared', at: 4_000 }, ...again]) })
  const { chat, missing } = fullTranscript({ state: () => cleared, sessions: sessionsWith(again) })
  expect(chat.entries.map(entry => entry.kind)).toEqual(['turn'])
  expect(missing).toBe(0)
})

test('a complete conversation reads no session', () => {
  const small = stateWith()
  expect(fullTranscript({ state: () => small })).toEqual({ chat: small.chat, missing: 0 })
})
