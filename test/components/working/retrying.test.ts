/** The working line while a failed call is repeated. */
import { expect, test } from 'vitest'
import { workingLine, workWords } from '../../../components/working/rows.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { accepted, chatAfter, prompt, step, type Told } from '../../conversation/events.ts'
import { withChat } from '../stage.ts'

const begun: readonly Told[] = [prompt('go'), accepted, step(1)]
const limited: Told = {
  type: 'step_ended',
  stop: 'error',
  error: 'anthropic: http 429: {"error":{"message":"slow down"}}',
  retryMs: 4000,
}
const told: Told = { type: 'retry_announced', attempt: 2, of: 5, delayMs: 9000, message: 'Overloaded' }

/** The line some milliseconds after the last event. */
function line(after: number, ...events: readonly Told[]): string {
  return lineAt(120, after, ...events)
}

function lineAt(width: number, after: number, ...events: readonly Told[]): string {
  const chat = chatAfter(...begun, ...events)
  const at = chat.open?.kind === 'turn' ? (chat.open.retryAt ?? 0) - (events.includes(told) ? 9000 : 4000) : 0
  return workingLine({ ...withChat(chat), now: at + after, lastEventAt: at }, createTheme(0), width)?.text ?? ''
}

test('says why a call is repeated, which try it is, and when it comes', () => {
  expect(line(0, limited)).toContain('rate limit (http 429), retry 1 in 4s')
  expect(line(2500, limited)).toContain('rate limit (http 429), retry 1 in 2s')
  expect(line(5000, limited)).toMatch(/rate limit \(http 429\), retry 1 {2,}/)
  expect(line(1000, told)).toContain('provider overloaded or unavailable, retry 2 of 5 in 8s')
})

test('in 40 columns says why in one or two words, when the next try comes, and what stops it', () => {
  expect(lineAt(40, 0, limited)).toMatch(/rate limit, retry 1 in 4s {3}Esc stops/)
  expect(lineAt(40, 0, told)).toMatch(/overloaded, retry 2 in 9s {3}Esc stops/)
})

test('for a screen reader the seconds are not counted', () => {
  expect(workWords(withChat(chatAfter(...begun, limited)))).toBe('rate limit (http 429), retry 1')
})
