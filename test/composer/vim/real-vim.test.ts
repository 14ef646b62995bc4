/**
 * The vim editor against a real vim: random commands on random texts lead to the same text, caret and registers. Ten seeds by
 * default; `ZOTUI_VIM_SEEDS=1-100` takes others, and `ZOTUI_VIM` names the vim.
 */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { vimCase } from './commands.ts'
import { compare } from './compare.ts'
import { findVim, runInVim } from './real-vim.ts'

const CASES = 60
const vim = findVim()
const [from = 1, to = from] = (process.env['ZOTUI_VIM_SEEDS'] ?? '1-10').split('-').map(Number)
const seeds = Array.from({ length: to - from + 1 }, (_, index) => from + index)

describe.skipIf(vim === null)(
  `a real vim${vim === null ? ' is not installed: NOTHING is compared with it' : ''}`,
  () => {
    test.each(seeds)('does the same with seed %i', seed => {
      const cases = fc.sample(vimCase, { seed, numRuns: CASES })
      const differences = compare(cases, runInVim(vim ?? '', cases))
      expect(differences.map(({ words }) => words).join('\n')).toBe('')
    })

    test('fails the comparison if a caret, a text or a register differs', () => {
      const cases = [{ lines: ['one two'], line: 1, column: 0, steps: [['w'], ['x']] }]
      const [states = []] = runInVim(vim ?? '', cases)
      const changed = (change: Partial<(typeof states)[number]>) => [states.map(state => ({ ...state, ...change }))]
      expect(compare(cases, [states])).toEqual([])
      for (const change of [{ caret: 3 }, { text: 'one' }, { registers: {} }]) {
        expect(compare(cases, changed(change))).toHaveLength(1)
      }
    })
  },
)
