/** The working line of a turn that the agent began itself. */
import { expect, test } from 'vitest'
import { workingLine } from '../../../components/working/rows.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { calls, chatAfter, step, type Told } from '../../conversation/events.ts'
import { withChat } from '../stage.ts'

const begins = (about: string): Told => ({ type: 'turn_begun', cause: 'task', about })

function line(width: number, ...events: readonly Told[]): string {
  return workingLine({ ...withChat(chatAfter(...events)), now: 4000 }, createTheme(0), width)?.text ?? ''
}

test('says that it works on its own, and why', () => {
  expect(line(120, begins('npm test ended'), step(1))).toMatch(/thinking, on its own: npm test ended {3}/)
  const runs: Told = { type: 'tool_started', id: 'c' }
  expect(line(120, begins(''), step(1), calls('c', 'bash'), runs)).toMatch(
    /running bash, on its own: its background work has ended/,
  )
})

test('in a narrow terminal drops the cause first, and never the key that stops it', () => {
  expect(line(60, begins('npm test ended with one failure'), step(1))).toMatch(/thinking, on its own {3}.*Esc stops/)
  expect(line(24, begins('npm test ended'), step(1))).toMatch(/thinking .*Esc stops/)
})

test('shows no escape sequence of the words of the agent, and one line of them', () => {
  const drawn = line(120, begins('a\u001b[31mb\nc'), step(1))
  expect(drawn).not.toContain('\u001b')
  expect(drawn.split('\n')).toHaveLength(1)
})
