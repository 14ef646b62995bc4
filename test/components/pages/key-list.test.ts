/** Keys and what they do, in two columns that are the same on the whole page. */
import { expect, test } from 'vitest'
import { keyRows } from '../../../components/pages/key-list.ts'
import type { PageContext } from '../../../components/pages/page-rows.ts'
import { textsOf } from '../../helpers/lines.ts'
import { theme } from '../stage.ts'

const short: PageContext['keys'] = [['Esc', 'stops the agent; the draft stays']]
const long: PageContext['keys'] = [
  ['Alt+B, Ctrl+Left', 'a word back'],
  ['Ctrl+J, Shift+Enter, Alt+Enter', 'a new line'],
]
const all = [...short, ...long]
const rowsOf = (keys: PageContext['keys'], columns: number): string[] =>
  textsOf(keyRows({ theme, size: { columns, rows: 24 }, keys }, all))

test.each([
  [80, 32],
  [120, 34],
])('in %i columns the actions of all sections begin in one column', (columns, at) => {
  const column = Math.min(at, 4 + Math.floor(columns * 0.35))
  expect(rowsOf(short, columns)[0]?.indexOf('stops')).toBe(column)
  expect(rowsOf(long, columns)[0]?.indexOf('a word')).toBe(column)
  expect(
    rowsOf(long, columns)
      .find(row => row.includes('a new'))
      ?.indexOf('a new'),
  ).toBe(column)
})

test('a key that is wider than its column has its action below it', () => {
  expect(rowsOf(long, 80)).toEqual([
    `  ${'Alt+B, Ctrl+Left'.padEnd(28)}  a word back`,
    '  Ctrl+J, Shift+Enter, Alt+Enter',
    `${' '.repeat(32)}a new line`,
  ])
})

test('in 40 columns all actions are below their keys', () => {
  expect([...rowsOf(short, 40), ...rowsOf(long, 40)].filter(row => !row.startsWith('    '))).toEqual([
    '  Esc',
    '  Alt+B, Ctrl+Left',
    '  Ctrl+J, Shift+Enter, Alt+Enter',
  ])
})
