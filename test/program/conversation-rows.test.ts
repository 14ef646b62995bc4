/** The clock of the news: a key that allows a call waits until its line has stood for a moment. */
import { expect, test } from 'vitest'
import { elapsedHere } from '../../src/platform/ages.ts'
import { ConversationRows, type ConversationRowsOptions } from '../../src/program/conversation-rows.ts'
import type { OpenConversation } from '../../src/program/conversation.ts'
import { createAppStore, createShownStore } from '../../src/state/app-store.ts'
import { reduceApp } from '../../src/state/reduce.ts'
import { stateWith } from '../components/stage.ts'

test('a conversation that is shown gets its news with the same clock as later, and not with that of the day', () => {
  const ages: number[] = []
  const store = createAppStore(stateWith(), (state, action) => {
    if (action.type === 'conversations_changed') ages.push(action.at)
    return reduceApp(state, action)
  })
  const listed = { store, isSeen: true, isSuspended: false, backgroundId: null } as OpenConversation
  const open = {
    all: () => [],
    shown: () => listed,
    current: () => listed,
    hasBackground: () => false,
  } as unknown as ConversationRowsOptions['open']
  const rows = new ConversationRows({
    store: createShownStore(store),
    open,
    background: null,
    onNews() {},
    now: Date.now,
  })
  rows.updateShown(listed)
  rows.followList()
  rows.stop()
  expect(ages.length).toBeGreaterThan(1)
  expect(Math.max(...ages)).toBeLessThanOrEqual(elapsedHere())
})
