/** A conversation as a row: its state, its name, and its last line. */
import { describe, expect, test } from 'vitest'
import type { ChatState } from '../../../src/conversation/state.ts'
import { promptEntry } from '../../../src/state/composer/queue-entry.ts'
import { conversationRow, stateOf } from '../../../src/state/conversations/conversation-row.ts'
import type { ConversationState } from '../../../src/state/conversations/conversations.ts'
import { initialState, type AppState } from '../../../src/state/state.ts'
import {
  accepted,
  answering,
  chatAfter,
  ended,
  prompt,
  says,
  started,
  step,
  stops,
  type Told,
} from '../../conversation/events.ts'

const asks: Told = {
  type: 'permission_requested',
  id: 'p1',
  callId: null,
  tool: 'bash',
  kind: 'command',
  arguments: {},
  folder: '/project',
  command: 'rm -rf build',
  because: 'the mode is ask',
}
const empty = initialState({ version: '1', folder: '~/project', branch: 'main', demo: false }, 0)
const withChat = (chat: ChatState, rest: Partial<AppState> = {}): AppState => ({ ...empty, ...rest, chat })
const seen = { isSeen: true, isSuspended: false }
const unseen = { isSeen: false, isSuspended: false }
const begun: readonly Told[] = [started, prompt('fix it'), accepted, step(1), answering, says('Line one.\nLine two')]
const queue = { entries: [promptEntry('next')], paused: false }

describe('the state of a conversation', () => {
  test.each<[string, AppState, typeof seen, ConversationState]>([
    ['one whose session is being read starts', { ...empty, opening: 0.5 }, seen, 'starting'],
    ['one whose agent is ready is idle', withChat(chatAfter(started)), unseen, 'idle'],
    ['an open turn works', withChat(chatAfter(...begun)), seen, 'working'],
    ['a call asks', withChat(chatAfter(...begun, asks)), seen, 'asks'],
    ['a turn that has ended unseen is done', withChat(chatAfter(...begun, stops('end'), ended)), unseen, 'done'],
    ['one that was looked at since is idle', withChat(chatAfter(...begun, stops('end'), ended)), seen, 'idle'],
    ['a stopped turn is done', withChat(chatAfter(...begun, stops('aborted'), ended)), unseen, 'done'],
    [
      'a failed turn has failed',
      withChat(chatAfter(...begun, stops('error', 'http 503'), { type: 'error_reported', message: 'http 503' }, ended)),
      unseen,
      'failed',
    ],
    ['a message that follows at once is work', withChat(chatAfter(started), { queue }), unseen, 'working'],
    [
      'a message in line waits',
      withChat(chatAfter(started), { queue: { ...queue, isInLine: true } }),
      unseen,
      'waiting',
    ],
    [
      'a held message waits for the user',
      withChat(chatAfter(started), { queue: { ...queue, paused: true } }),
      seen,
      'idle',
    ],
    ['an agent that was ended rests', withChat(chatAfter(started)), { isSeen: false, isSuspended: true }, 'resting'],
  ])('%s', (_name, state, facts, expected) => {
    expect(stateOf(state, facts)).toBe(expected)
  })
})

describe('the row of a conversation', () => {
  const facts = { ...seen, number: 2, isShown: false, title: '' }

  test('is named by its first prompt, and shows the last line that was written', () => {
    const row = conversationRow(withChat(chatAfter(...begun)), facts)
    expect(row).toMatchObject({ number: 2, title: 'fix it', lastLine: 'Line two', folder: '~/project', branch: 'main' })
  })

  test('is named by the user where there is a name', () => {
    expect(conversationRow(withChat(chatAfter(...begun)), { ...facts, title: 'Mine' }).title).toBe('Mine')
  })

  test('shows a waiting command in full, and of an edit only its file', () => {
    const { call } = conversationRow(withChat(chatAfter(...begun, asks)), facts)
    expect(call).toEqual({ id: 'p1', subject: 'bash rm -rf build', isWhole: true, asker: null })
    const { command: _command, ...rest } = asks
    const edit: Told = { ...rest, tool: 'edit', kind: 'edit', paths: ['/project/a.ts'] }
    const asked = conversationRow(withChat(chatAfter(...begun, edit)), facts).call
    expect(asked).toEqual({ id: 'p1', subject: 'edit a.ts', isWhole: false, asker: null })
  })

  test('is named after the prompt that waits, until a turn begins', () => {
    const waiting = withChat(chatAfter(started), { queue })
    expect(conversationRow(waiting, { ...unseen, number: 2, isShown: false, title: '' }).title).toBe('next')
  })
})
