/** The other conversations, as an exit sees them. */
import { expect, test } from 'vitest'
import { conversationRow } from '../../../src/state/conversations/conversation-row.ts'
import { othersAtWork, type ConversationState } from '../../../src/state/conversations/conversations.ts'
import { initialState } from '../../../src/state/state.ts'

test.each<[ConversationState, boolean]>([
  ['starting', true],
  ['working', true],
  ['waiting', true],
  ['asks', true],
  ['done', false],
  ['failed', false],
  ['idle', false],
  ['resting', false],
])('an exit asks because of another conversation that is %s: %s', (state, isAsked) => {
  const own = initialState({ version: '1', folder: '~', branch: null, demo: false }, 0)
  const facts = { number: 2, title: '', isShown: false, isSeen: true, isSuspended: false }
  const other = { ...conversationRow(own, facts), state }
  const shown = { ...other, number: 1, isShown: true }
  expect(othersAtWork({ conversations: [shown, other] })).toBe(isAsked ? 1 : 0)
  expect(othersAtWork({ conversations: [shown, { ...other, backgroundId: 'h' }] })).toBe(0)
})
