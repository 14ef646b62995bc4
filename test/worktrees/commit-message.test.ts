import { expect, test } from 'vitest'
import { messageFor } from '../../src/worktrees/seal.ts'

const long = 'please mend the parser so that it counts graphemes and not code units, and add a test for it'

test.each([
  ['', 'Changes of an agent\n'],
  ['  \n', 'Changes of an agent\n'],
  ['fix the test', 'fix the test\n'],
  ['fix the test\n\nIt fails in CI.', 'fix the test\n\nfix the test\n\nIt fails in CI.\n'],
  [long, `please mend the parser so that it counts graphemes and not code units,…\n\n${long}\n`],
  ['x'.repeat(80), `${'x'.repeat(71)}…\n\n${'x'.repeat(80)}\n`],
  ['a\u001b[31mb', 'a␛[31mb\n'],
])('the commit of what an agent left has a subject and the prompt: %j', (prompt, message) => {
  expect(messageFor(prompt)).toBe(message)
  expect(message.split('\n')[0]?.length).toBeLessThanOrEqual(72)
})
