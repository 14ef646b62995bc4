import { describe, expect, test } from 'vitest'
import { offerPrompt } from '../../../src/app/composer/offer-prompt.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import { emptyHistory } from '../../../src/composer/history.ts'

const words = { what: 'The comments are', them: 'them' }

/** What a prompt becomes beside this draft. */
function offered(draft: string, part: { noting?: boolean; edited?: unknown } = {}) {
  const seen = { text: draft, remembered: [] as string[], hint: '' }
  const state = { editor: createEditor(draft), edited: null, noting: false, history: emptyHistory, ...part }
  const context = {
    state: () => state,
    dispatch: (action: { type: string; editor: { text: string } }) => {
      if (action.type === 'edited') seen.text = action.editor.text
    },
    hint: (text: string) => void (seen.hint = text),
    keyed: (text: string) => text,
    drafts: { remember: (text: string) => seen.remembered.push(text) },
    composerWidth: () => 80,
  }
  offerPrompt(context as never, 'line 1\nline 2', words)
  return seen
}

describe('a prompt that zotui has made', () => {
  test('is put into an empty composer', () => {
    expect(offered('')).toEqual({
      text: 'line 1\nline 2',
      remembered: [],
      hint: 'The comments are in the prompt: {composer.submit} sends them.',
    })
  })

  test('goes below a draft, which stays', () => {
    expect(offered('please do:\n')).toMatchObject({
      text: 'please do:\n\nline 1\nline 2',
      hint: expect.stringContaining('with your draft') as string,
    })
  })

  test.each([
    ['/export', {}],
    ['!git status', {}],
    ['a note', { noting: true }],
    ['a message', { edited: {} }],
  ])('is kept in the history beside %j, of which it cannot be a part', (draft, part) => {
    expect(offered(draft, part)).toMatchObject({ text: draft, remembered: ['line 1\nline 2'] })
  })
})
