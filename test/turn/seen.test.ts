/** What the machine sees in the app's state. */
import { expect, test } from 'vitest'
import { promptEntry } from '../../src/state/composer/queue-entry.ts'
import { createEditor } from '../../src/composer/editor.ts'
import { initialChat } from '../../src/conversation/state.ts'
import { seenIn } from '../../src/turn/seen.ts'
import { withChat } from '../components/stage.ts'

test.each<[what: string, changes: Parameters<typeof withChat>[1], isFree: boolean]>([
  ['an empty draft', {}, true],
  ['a draft', { editor: createEditor('a') }, false],
  // Words for the agent would be written into a file.
  ['a note that has no words yet', { noting: true }, false],
  ['a queued message that is edited', { edited: { at: 0, draft: '', entry: promptEntry('next') } }, false],
])('a text that comes back finds %s', (_, changes, isFree) => {
  const others = { isLimitReached: false, isTurnOverLimit: false, mayBegin: true }
  expect(seenIn(withChat(initialChat, changes), others).isComposerFree).toBe(isFree)
})
