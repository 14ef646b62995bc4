/** The first screen: until when it is shown, and which prompt Tab writes. */
import { describe, expect, test } from 'vitest'
import { createEditor } from '../../src/composer/editor.ts'
import { promptEntry } from '../../src/state/composer/queue-entry.ts'
import { reduceApp } from '../../src/state/reduce.ts'
import { initialState, type AppState, type Welcome } from '../../src/state/state.ts'
import { nextSuggestion, visibleWelcome } from '../../src/state/welcome.ts'
import { accepted, chatAfter, ended, prompt, started } from '../conversation/events.ts'

const welcome: Welcome = {
  greeting: 'Welcome.',
  suggestions: ['one', 'two', '/three'].map(each => ({ prompt: each, about: '' })),
}
const first: AppState = {
  ...initialState({ version: '1', folder: '~/project', branch: null, demo: true }, 0),
  welcome,
}

describe('the first screen', () => {
  test('is shown until something is said', () => {
    expect(visibleWelcome(first)).toBe(welcome)
    expect(visibleWelcome({ ...first, chat: chatAfter(started) })).toBe(welcome)
    expect(visibleWelcome({ ...first, chat: chatAfter(started, prompt('go')) })).toBeNull()
    expect(visibleWelcome({ ...first, chat: chatAfter(started, prompt('go'), accepted, ended) })).toBeNull()
  })

  test('goes for good when a draft is taken', () => {
    expect(reduceApp(first, { type: 'prompt_taken', history: first.history }).welcome).toBeNull()
    expect(reduceApp({ ...first, welcome: null }, { type: 'welcomed', welcome }).welcome).toBe(welcome)
  })

  test('is not shown above a queue, below a session that was resumed, and where there is none', () => {
    const queue = { entries: [promptEntry('later')], paused: false }
    expect(visibleWelcome({ ...first, queue })).toBeNull()
    expect(visibleWelcome({ ...first, restored: { times: 1, shown: 0 } })).toBeNull()
    expect(visibleWelcome({ ...first, welcome: null })).toBeNull()
  })
})

const draft = (text: string): AppState => ({ ...first, editor: createEditor(text) })

describe('Tab', () => {
  test('writes one prompt after the other', () => {
    expect(['', 'one', 'two', '/three'].map(text => nextSuggestion(draft(text)))).toEqual([
      'one',
      'two',
      '/three',
      'one',
    ])
  })

  test('leaves a draft of the user alone, and does nothing later', () => {
    expect(nextSuggestion(draft('one more'))).toBeNull()
    expect(nextSuggestion({ ...first, chat: chatAfter(started, prompt('go')) })).toBeNull()
    expect(nextSuggestion({ ...first, welcome: { greeting: '', suggestions: [] } })).toBeNull()
  })
})
