/** The line that stands for the model's thinking once it is over. */
import { expect, test } from 'vitest'
import type { ThoughtPart } from '../../src/conversation/part.ts'
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

const context = { theme, markdown: theme.markdown, width: 40 }
const long = (endedAt: number | null): ThoughtPart => {
  const text = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join('\n')
  return { kind: 'thought', text, startedAt: 0, endedAt, withdrawn: false }
}

test('An unfolded thought is shown in full, and its last rows while it grows', () => {
  const lines = textsOf(thoughtLines(long(3000), { ...context, thoughts: true }))
  expect([lines.length, lines[0], lines[1], lines.at(-1)]).toEqual([21, '  Thought for 3.0s', '  line 1', '  line 20'])
  const growing = textsOf(thoughtLines(long(null), { ...context, thoughts: true }))
  expect([growing.length, growing[0], growing.at(-1)]).toEqual([12, '  line 9', '  line 20'])
})

test('A folded thought shows its last two rows while it grows', () => {
  expect(textsOf(thoughtLines(long(null), context))).toEqual(['  line 19', '  line 20'])
})
