/** The line that stands for the model's thinking once it is over. */
import { expect, test } from 'vitest'
import type { ThoughtPart } from '../../src/conversation/state.ts'
import { thoughtLines } from '../../src/transcript/thought.ts'
import { textsOf } from '../helpers/lines.ts'
import { plainTheme as theme } from '../tools/samples.ts'

test.each([
  [20, '  Thought'],
  [900, '  Thought for 0.9s'],
])('A thought of %d ms has its time only if that says something', (endedAt, line) => {
  const thought: ThoughtPart = { kind: 'thought', text: 'Hm', startedAt: 0, endedAt, withdrawn: false }
  expect(textsOf(thoughtLines(thought, { theme, markdown: theme.markdown, width: 40 }))).toEqual([line])
})
