/** The line after a turn: short on the screen, and nothing of it lost where everything is read. */
import { expect, test } from 'vitest'
import type { Turn } from '../../src/conversation/state.ts'
import { createTheme } from '../../src/style/theme.ts'
import { turnEndLines } from '../../src/transcript/turn-end.ts'
import type { ItemContext } from '../../src/transcript/entry-lines.ts'
import { accepted, costs, ended, fold, prompt, runsTool, says, started, step, timed } from '../conversation/events.ts'
import { samples } from '../tools/samples.ts'
import { textsOf } from '../helpers/lines.ts'

const theme = createTheme(0)
const spent = costs({ input: 12_000, output: 340, cacheRead: 9800, costUsd: 0.0213 })
const edited = [started, prompt('go'), accepted, step(1), says('I look.'), spent]

function turnOf(...events: Parameters<typeof timed>[0]): Turn {
  const turn = fold(timed([...edited, ...events, ended])).entries.findLast(entry => entry.kind === 'turn')
  if (turn?.kind !== 'turn') throw new Error('there is no turn')
  return turn
}

const linesOf = (turn: Turn, context: Partial<ItemContext> = {}): string[] =>
  textsOf(turnEndLines(turn, { theme, markdown: theme.markdown, width: 80, takesCommands: true, ...context })).map(
    line => line.replace(/\d\d:\d\d/, '14:02'),
  )

const edit = samples['edit located'] ?? []

test('is one line with the time, the cost, the number of tools, and what changed', () => {
  const [line, ...more] = linesOf(turnOf(...edit))
  expect(more).toEqual([])
  expect(line).toMatch(/^ {2}14:02 {3}\S+ {3}\$0\.021 {3}1 tool {3}\+3 -2 {3}packages\/\S+\.ts {3}\/diff$/)
})

test('drops the tools, the command and the name first, and keeps the changed lines', () => {
  const turn = turnOf(...edit)
  expect(linesOf(turn, { width: 60 })[0]).toMatch(/ {3}1 tool {3}\+3 -2 {3}\S*parser\.ts$/)
  expect(linesOf(turn, { width: 40 })[0]).toMatch(/^ {2}14:02 {3}\S+ {3}\$0\.021 {3}1 tool {3}\+3 -2$/)
  expect(linesOf(turn, { width: 28 })[0]).toMatch(/^ {2}14:02 {3}\S+ {3}\+3 -2$/)
})

test('does not offer a command to somebody who can type none', () => {
  expect(linesOf(turnOf(...edit), { takesCommands: false })[0]).not.toContain('/diff')
})

test('has the tokens and the time to the first of them below it where everything is read', () => {
  const [, below, ...more] = linesOf(turnOf(), { whole: true })
  expect(below).toMatch(/^ {2}first token \S+ {3}↑21.8k ↓340 {3}45 % cached$/)
  expect(more).toEqual([])
})

test('says where everything is read that the cost is unknown, and nothing of it on the screen', () => {
  const turn = { ...turnOf(), usage: { ...turnOf().usage, costUsd: null } }
  expect(linesOf(turn).join('')).not.toContain('cost')
  expect(linesOf(turn, { whole: true }).at(-1)).toContain('cost unknown')
})

test('is read aloud whole at any width', () => {
  const voice = createTheme(0, { unicode: false, isSpoken: true })
  const spoken = linesOf(turnOf(...edit, ...runsTool('x', 'ls')), { theme: voice, width: 40 })
  for (const line of spoken) expect(line.length).toBeLessThanOrEqual(40)
  expect(spoken.map(line => line.trim()).join(' ')).toMatch(
    /^14:02, \S+, \$0\.021, 2 tools, changed 1 file, 3 lines added, 2 removed, packages\/frontend\/src\/components\/parse r\.ts, \/diff, first token \S+, in 21.8k out 340, 45 % cached$/,
  )
})

test('offers no prompt to send again where the agent began the turn itself', () => {
  const own = fold(timed([{ type: 'turn_begun', cause: 'task' }, { type: 'abort_requested' }, ended])).entries.at(-1)
  if (own?.kind !== 'turn') throw new Error('there is no turn')
  expect(linesOf(own)[0]).toContain('Stopped.')
  expect(linesOf(own).join('\n')).not.toContain('/retry')
})
