import { expect, test } from 'vitest'
import type { EventOf } from '../../../src/agent/event.ts'
import { reduce } from '../../../src/conversation/reduce.ts'
import { initialChat } from '../../../src/conversation/state.ts'
import { hasTasksAtWork } from '../../../src/state/conversations/at-work.ts'

test.each<[string, Partial<EventOf<'task_reported'>>, boolean]>([
  ['a command that runs', { kind: 'command', state: 'running' }, true],
  ['a subagent that waits for the user', { kind: 'subagent', state: 'waiting' }, true],
  ['a command that is not observed any more', { kind: 'command', state: 'unknown' }, false],
  ['a wake-up with a time', { kind: 'wakeup', state: 'running', dueAt: 5 }, true],
  ['a wake-up that comes again and again', { kind: 'wakeup', state: 'running' }, false],
])('whether the agent must go on for %s', (_case, facts, isNeeded) => {
  expect(hasTasksAtWork(reduce(initialChat, { type: 'task_reported', at: 1, id: 't', ...facts }))).toBe(isNeeded)
})
