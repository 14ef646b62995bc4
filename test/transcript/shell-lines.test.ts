/** A command that the user ran is shown as far as they asked to see it. */
import { describe, expect, test } from 'vitest'
import { builtinTheme } from '../../src/style/builtin.ts'
import { createTheme } from '../../src/style/theme.ts'
import { endedShell, printed, startedShell } from '../../src/conversation/shell.ts'
import type { Shell } from '../../src/conversation/part.ts'
import { defaultKeymap } from '../../src/state/keymap.ts'
import { shellLines } from '../../src/transcript/entries.ts'
import type { ToolContext } from '../../src/tools/panel/tool-context.ts'
import { plainTheme } from '../tools/samples.ts'

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('')
const started = startedShell({ type: 'shell_started', at: 0, command: 'x', shared: true })
const ended = (output: string, exitCode = 0): Shell =>
  endedShell(started, {
    type: 'shell_ended',
    at: 1000,
    exitCode,
    stopped: false,
    durationMs: 1000,
    output,
    problem: null,
  })
const context: ToolContext = { theme: plainTheme, width: 60, now: 0, maxBody: 8, keyNames: defaultKeymap.names }
/** The rows below the title, without the line that says who is told. */
const body = (shell: Shell, rows = 24, detail: ToolContext['detail'] = 'short'): string[] =>
  shellLines(shell, { ...context, detail }, rows)
    .slice(1, shell.tool.endedAt === null ? undefined : -1)
    .map(line => line.text.slice(4))

test("A user's command stands on a band as what they typed, with its result beside it", () => {
  const dark = createTheme(3, { definition: builtinTheme('dark') })
  const title = (shell: Shell): string | undefined => shellLines(shell, { ...context, theme: dark }, 24)[0]?.text
  expect(title(ended('a\n', 3))).toBe('▌ !x   exit 3   1.0s'.padEnd(60))
  expect(title({ ...ended('a\n'), shared: false })).toBe('▌ !!x   1.0s'.padEnd(60))
  expect(shellLines(ended('a\n', 3), context, 24)[0]?.text.trimEnd()).toBe('> !x   exit 3   1.0s')
})

test('the rows of a long command of the user stand on the band below each other', () => {
  const long = startedShell({ type: 'shell_started', at: 0, command: `echo ${'word '.repeat(20)}`, shared: true })
  const rows = shellLines(long, context, 24).map(line => line.text.trimEnd())
  expect(rows[0]).toMatch(/^> !echo word/)
  expect(rows[1]).toMatch(/^ {3}word/)
})

describe("the output of a user's command", () => {
  test('is shown whole up to 20 lines, whether it went well or not', () => {
    const all = numbers(20).trimEnd().split('\n')
    expect(body(ended(numbers(20)))).toEqual(all)
    expect(body(ended(numbers(20), 1))).toEqual(all)
  })
  test('is shown from its end if it is longer, below the key that shows all', () => {
    const rows = body(ended(numbers(100)), 40)
    expect(rows).toHaveLength(21)
    expect(rows[0]).toBe('+80 lines, Ctrl+O shows all')
    expect(rows.slice(1)).toEqual(numbers(100).trimEnd().split('\n').slice(-20))
  })
  test('leaves room for that key on a small screen', () => {
    const rows = body(ended(numbers(100)), 24)
    expect(rows).toHaveLength(17)
    expect(rows[0]).toBe('+84 lines, Ctrl+O shows all')
  })
  test('takes a third of a tall screen', () => {
    expect(body(ended(numbers(100)), 90)).toHaveLength(31)
  })
  test('keeps its empty lines, and its long lines are wrapped', () => {
    expect(body(ended('a\n\nb\n'))).toEqual(['a', '', 'b'])
    expect(body(ended(`${'x'.repeat(70)}\n`))).toEqual(['x'.repeat(56), 'x'.repeat(14)])
  })
  test('says so if a single line is taller than the room', () => {
    const rows = body(ended(`${'x'.repeat(56 * 30)}\n`))
    expect(rows).toHaveLength(21)
    expect(rows[0]).toBe('+1 line, Ctrl+O shows all')
  })
  test('has a line about what is gone of a very long one', () => {
    const shell = { ...ended(numbers(3)), omittedBytes: 1_200_000 }
    expect(body(shell).slice(3)).toEqual([
      '2 MB from the middle of this output is gone. Write it to',
      'file to keep all of it.',
    ])
  })
  test('does not promise all of it where some of it is gone', () => {
    const rows = body({ ...ended(numbers(100)), omittedBytes: 1_200_000 }, 40)
    expect(rows[0]).toBe('+80 lines kept, Ctrl+O shows them')
  })
  test('is shown in full without a key if the detail is full', () => {
    expect(body(ended(numbers(100)), 24, 'full')).toEqual(numbers(100).trimEnd().split('\n'))
  })
  test('takes a third of the screen while it runs', () => {
    const running = printed(started, { type: 'shell_printed', at: 1, text: numbers(50) })
    expect(body(running, 24)).toEqual(numbers(50).trimEnd().split('\n').slice(-8))
  })
})
