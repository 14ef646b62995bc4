/** The line that a command of the user prints, below the status line. */
import { describe, expect, test } from 'vitest'
import { customStatusLine } from '../../../components/status/custom-status.ts'
import { createTheme } from '../../../src/style/theme.ts'
import type { AppState } from '../../../src/state/state.ts'
import { paintLine } from '../../../src/terminal/output/paint.ts'
import { textsOf } from '../../helpers/lines.ts'
import { rowsBelow, stateWith, theme } from '../stage.ts'

const saying = (text: string, changes: Partial<AppState> = {}): AppState =>
  stateWith({ customStatus: { text, problem: null }, ...changes })
const lineOf = (state: AppState, width = 80): string | undefined => customStatusLine(state, theme, width)?.text
const below = (state: AppState): string[] => textsOf(rowsBelow(state, 80, 10)).map(row => row.trim())
const facts = expect.stringContaining('anthropic/claude') as string

describe('the custom line', () => {
  test.each([
    ['plain', '  plain'],
    ['\u001B[31mred\u001B[0m', '  red'],
    ['a\tb', '  a b'],
    ['', ''],
    ['\u001B]0;title\u0007 \u202Eabc', '  ␛]0;title␇ ⟦U+202E⟧abc'],
    ['\u001B[2Jgone', '  ␛[2Jgone'],
    ['x'.repeat(200), `  ${'x'.repeat(77)}…`],
  ])('%j is shown as %j', (text, line) => expect(lineOf(saying(text))).toBe(line))

  test('keeps its colours as the theme shows them', () => {
    const painted = customStatusLine(saying('\u001B[31mred\u001B[0m and \u001B[38;2;0;200;0mgreen'), createTheme(1), 80)
    expect(painted && paintLine(painted)).toMatch(/\u001B\[31mred/)
    expect(painted?.text).toBe('  red and green')
  })

  test('says in a few words why there is none', () => {
    const failed = stateWith({ customStatus: { text: '', problem: 'failed with exit code 1' } })
    expect(lineOf(failed)).toBe('  statusLine failed with exit code 1')
    expect(lineOf(failed, 12)).toHaveLength(12)
  })

  test.each<[string, AppState, string[]]>([
    ['below the facts', saying('mine'), [facts, 'mine']],
    ['alone without facts', saying('mine', { statusFacts: [] }), ['mine']],
    ['not without a command', stateWith({ statusFacts: [] }), ['']],
    ['below a hint', saying('mine', { hint: 'A hint.' }), ['A hint.', 'mine']],
    ['not where a hint has its row', saying('mine', { hint: 'A hint.', statusFacts: [] }), ['A hint.']],
  ])('stands %s', (_name, state, rows) => expect(below(state)).toEqual(rows))
})
