import { expect, test } from 'vitest'
import { bindings, createKeymap, defaultKeymap } from '../../src/state/keymap.ts'
import { firstKeyNames } from '../../src/state/state.ts'
import { keyed, keyedLine, keyName, type KeyNames } from '../../src/text/key-hints.ts'

const names: KeyNames = new Map([
  ['viewer.leave', ['q', 'escape', 'ctrl+c']],
  ['viewer.open', ['space', 'o']],
  ['composer.edit', ['ctrl+x ctrl+e']],
  ['composer.none', []],
])

test.each([
  ['{viewer.leave} back', 'q back'],
  ['{viewer.leave escape} back', 'Esc back'],
  ['{viewer.leave enter} back', 'Esc back'],
  ['{viewer.open} opens', 'Space opens'],
  ['{viewer.open enter} opens', ''],
  ['{composer.edit} edits, {viewer.leave} leaves', 'Ctrl+X Ctrl+E edits, q leaves'],
  ['{composer.none} does nothing, {viewer.leave} leaves', ''],
  ['{composer.unknown} does nothing', ''],
  ['no gap', 'no gap'],
])('the hint %s is %j', (hint, text) => {
  expect(keyed(names, hint)).toBe(text)
})

test('a line of hints leaves out those without keys', () => {
  expect(keyedLine(names, ['{viewer.leave} back', '{composer.none} x', 'type to search'])).toBe(
    'q back   type to search',
  )
})

test('the first key of an action is named, in its context', () => {
  expect(keyName(defaultKeymap.names, 'picker.take')).toBe('Enter')
  expect(keyName(defaultKeymap.names, 'composer.queue_or_complete')).toBe('Tab')
  expect(keyName(createKeymap(bindings.slice(0, 1)).names, 'picker.take')).toBeNull()
})

test('the keys of the first frames are those of the keymap', () => {
  for (const [action, keys] of firstKeyNames) expect(defaultKeymap.names.get(action)).toEqual(keys)
})
