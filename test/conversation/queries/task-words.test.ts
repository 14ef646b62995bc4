/** What lists say of a task. */
import { expect, test } from 'vitest'
import { lastLineOf, taskTitle } from '../../../src/conversation/queries/task-words.ts'

test.each([
  ['done\n', 'done'],
  ['one\n  two \n\n \t', 'two'],
  [`${'a'.repeat(1000)}\nx`, 'x'],
  ['\n \n', ''],
  ['', ''],
])('the last line of %j is %j', (summary, line) => {
  expect(lastLineOf({ chat: null, summary, state: 'done' })).toBe(line)
})

test('a title is short, whatever the agent calls its task', () => {
  const long = 'x'.repeat(1_000_000)
  expect(taskTitle({ kind: 'subagent', name: long, about: `y${long}` }).length).toBeLessThan(1100)
  expect(taskTitle({ kind: 'subagent', name: ' ', about: 'read it' })).toBe('subagent: read it')
})
