/** What those who run the race of the demo do: made up, in milliseconds and US dollars. */
import type { Entrant, RaceCheck } from '../../race/race-record.ts'

export type MadeUpEntrant = Pick<Entrant, 'lastLine'> & {
  /** How long its turn takes, and what it says meanwhile. */
  turnMs: number
  says: readonly string[]
  costUsd: number
  tokens: NonNullable<Entrant['tokens']>
  /** Each with its text before and after, and the line at which that begins. */
  files: readonly { path: string; before: string; after: string; start: number }[]
  check: Pick<RaceCheck, 'exitCode' | 'output'>
}

export const CHECK_COMMAND = 'npm test'

const LENGTH = `export function length(line: string, at: number): number {
  const rest = line.slice(at)
  return rest.length
}
`
const graphemes = LENGTH.replace('rest.length', '[...segmenter.segment(rest)].length')
const points = LENGTH.replace('rest.length', 'Array.from(rest).length')
const parser = { path: 'src/parser.ts', before: LENGTH, start: 27 }
const TEST = `test('an accent is no letter of its own', () => {
  expect(length('e', 0)).toBe(1)
})
`
const tested = {
  path: 'test/parser.test.ts',
  before: TEST,
  after: `${TEST}
test('a family is one', () => {
  expect(length('👨‍👩‍👧‍👦', 0)).toBe(1)
})
`,
  start: 38,
}

const PASSED = `
> demo-project@0.2.0 test

 ✓ test/lexer.test.ts  (14 tests)
 ✓ test/parser.test.ts (14 tests)

28 passed
`

const FAILED = `
> demo-project@0.2.0 test

 ✓ test/lexer.test.ts  (14 tests)
 ✗ test/parser.test.ts (13 tests)
   length > counts what a person sees
     expected 1, got 7
     at test/parser.test.ts:41:20

1 failed, 26 passed
`

export const madeUpEntrants: readonly MadeUpEntrant[] = [
  {
    turnMs: 5200,
    says: ['I read the parser and its test first.', 'The length counts UTF-16 units.', 'I add a test for a family.'],
    lastLine: 'The length counts graphemes now, and a test says so.',
    costUsd: 0.184,
    tokens: { input: 61_300, output: 2900 },
    files: [{ ...parser, after: `const segmenter = new Intl.Segmenter()\n\n${graphemes}` }, tested],
    check: { exitCode: 0, output: PASSED },
  },
  {
    turnMs: 3400,
    says: ['I look at src/parser.ts.', 'I count code points.'],
    lastLine: 'The length counts code points now.',
    costUsd: 0.062,
    tokens: { input: 38_900, output: 1100 },
    files: [{ ...parser, after: points }],
    check: { exitCode: 1, output: FAILED },
  },
  {
    turnMs: 4300,
    says: ['Reading the parser.', 'Trying Intl.Segmenter.'],
    lastLine: 'Done: the parser counts graphemes.',
    costUsd: 0.011,
    tokens: { input: 44_200, output: 1600 },
    files: [{ ...parser, after: graphemes.replace('segmenter.segment', 'new Intl.Segmenter().segment') }],
    check: { exitCode: 0, output: PASSED.replace('(14 tests)\n\n28', '(13 tests)\n\n27') },
  },
]
