/** What lists say of a task. */
import { expect, test } from 'vitest'
import { chatAfter } from '../events.ts'
import { askerOf, lastLineOf, taskTitle } from '../../../src/conversation/queries/task-words.ts'

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

test('the name of a task that asks does not hide what it asks', () => {
  const chat = chatAfter(
    { type: 'task_reported', id: 'a', kind: 'subagent', name: 'explorer' },
    { type: 'task_reported', id: 'b', kind: 'subagent', name: `Read one file? ${'n'.repeat(500)}` },
  )
  const names = [undefined, 'a', 'b', 'c'].map(id => askerOf(chat, id))
  expect(names).toEqual([null, 'explorer', 'Read one file? nnnnnnnnn...', 'subagent'])
})
