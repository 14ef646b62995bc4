/** The session of its own in which an agent remembers the conversation, and when none does. */
import { describe, expect, test } from 'vitest'
import { ownSession } from '../../../../src/conversation/queries/session/own-session.ts'
import { reduce } from '../../../../src/conversation/reduce.ts'
import { initialChat, type ChatState } from '../../../../src/conversation/state.ts'
import { accepted, ended, prompt, started, timed, type Told } from '../../events.ts'

const starts = (agent: string): Told[] => [{ type: 'agent_starting', agent }, { ...started, agent } as Told]
const opens = (id: string, how: { remembers?: true; problem?: string } = {}): Told => ({
  type: 'agent_session_opened',
  id,
  ...how,
})
const turn: Told[] = [prompt('go'), accepted, ended]
const cleared: Told = { type: 'conversation_cleared' }
const left: Told = { type: 'agent_sessions_left' }
const talk: Told[] = [...starts('claude'), opens('a'), ...turn]

const chatOf = (...events: readonly Told[]): ChatState => timed(events).reduce(reduce, initialChat)

const costs = (costUsd: number | null, sessionCostUsd?: number): Told => ({
  type: 'context_reported',
  used: 1,
  size: null,
  costUsd,
  ...(sessionCostUsd !== undefined && { sessionCostUsd }),
})
const cost = (...events: Told[]): number | undefined => ownSession(chatOf(...talk, ...events), 'claude')?.costUsd
const memoryOf = (...events: Told[]): ChatState['memory'] => chatOf(...talk, ...events).memory

describe('an agent has its own session of a conversation', () => {
  test.each<[name: string, events: Told[], id: string | undefined]>([
    ['after its first turn', talk, 'a'],
    ['not before it', [...starts('claude'), opens('a')], undefined],
    ['after a start in a new session without a prompt', [...talk, ...starts('claude'), opens('b')], 'a'],
    ['which is the new one after a prompt', [...talk, ...starts('claude'), opens('b'), ...turn], 'b'],
    ['that it has opened again', [...talk, ...starts('claude'), opens('a', { remembers: true })], 'a'],
    ['that is a copy', [...talk, left, ...starts('claude'), opens('b', { remembers: true })], 'b'],
    ['but not one that it refuses', [...talk, ...starts('claude'), opens('b', { problem: 'gone' })], undefined],
    ['but none of what was cleared', [...talk, cleared, opens('b')], undefined],
    ['of what came after a clear', [...talk, cleared, opens('b'), ...turn], 'b'],
    ['but none after a turn back', [...talk, left, ...starts('claude'), opens('b')], undefined],
    ['after another agent that was told nothing', [...talk, ...starts('zot')], 'a'],
    ['but not after a turn of an agent without sessions', [...talk, ...starts('zot'), ...turn], undefined],
    ['but not after a turn of another one', [...talk, ...starts('codex'), opens('c'), ...turn], undefined],
  ])('%s', (_name, events, id) => {
    expect(ownSession(chatOf(...events), 'claude')?.id).toBe(id)
  })

  test('as a copy where another program continues with it, and not of another folder', () => {
    const chat = chatOf(...talk)
    expect(ownSession(chat, 'claude', 'open elsewhere')).toEqual({ id: 'a', copy: true })
    expect(ownSession(chat, 'claude', 'of another folder')).toBeUndefined()
    expect(ownSession(chat, 'codex')).toBeUndefined()
  })
})

test('its own session has a cost with that of earlier runs, which counts as long as it goes on', () => {
  const again: Told[] = [...starts('claude'), opens('a', { remembers: true })]
  expect(cost()).toBeUndefined()
  expect(cost(costs(2))).toBe(2)
  expect(cost(costs(2), ...again, ...turn, costs(null))).toBe(2)
  expect(cost(costs(2), ...again, ...turn, costs(1, 3))).toBe(3)
  expect(cost(costs(2), ...starts('claude'), opens('b'), ...turn)).toBeUndefined()
  expect(ownSession(chatOf(...talk, costs(2)), 'claude', 'open elsewhere')).toEqual({ id: 'a', copy: true })
})

test('a fresh agent knows the conversation if it opened its session, and nothing of it otherwise', () => {
  expect(memoryOf(...starts('claude'), opens('a', { remembers: true }))).toBe('whole')
  expect(memoryOf(...starts('claude'), opens('b'))).toBe('none')
  expect(memoryOf(opens('b', { problem: 'gone' }))).toBe('none')
  expect(memoryOf(opens('b', { remembers: true }))).toBe('whole')
})
