import { expect, test } from 'vitest'
import { literalPrompt } from '../../../src/published/answers/literal-prompt.ts'

test.each([
  ['run the tests', 'run the tests'],
  ['/clear', 'As text: /clear'],
  ['  !ls', 'As text: !ls'],
  ['\u{7}/clear', 'As text: /clear'],
  ['\u{1B}[A/clear', 'As text: /clear'],
  ['what does a/b mean?', 'what does a/b mean?'],
])('%j from a device is sent as %j', (typed, sent) => {
  expect(literalPrompt(typed)).toBe(sent)
})
