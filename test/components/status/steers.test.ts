/** The line of the words that wait to reach the running turn. */
import { describe, expect, test } from 'vitest'
import { steers, steersLine } from '../../../components/queue/steers.ts'
import { createEditor } from '../../../src/composer/editor.ts'
import { promptEntry, type WaitingSteer } from '../../../src/state/composer/queue-entry.ts'
import type { AppState } from '../../../src/state/state.ts'
import { accepted, chatAfter, prompt, runsTool, started, step, type Told } from '../../conversation/events.ts'
import { theme, withChat } from '../stage.ts'

const running: readonly Told[] = [started, prompt('go'), accepted, step(1)]

function waiting(texts: readonly string[], changes: Partial<WaitingSteer> = {}, ...more: readonly Told[]): AppState {
  const own = texts.map((text, id) => ({ id, entry: promptEntry(text), isSent: true, isTakenBack: false, ...changes }))
  return withChat(chatAfter(...running, ...more), { steers: own })
}

const line = (state: AppState, width = 100): string | null => steersLine(state, theme, width)?.text ?? null
const calling = runsTool('a', 'bash', { command: 'make' })

describe('the words for the running turn', () => {
  test.each<[what: string, state: AppState, words: string]>([
    ['a call that runs', waiting(['use tabs'], {}, ...calling), 'steers: waits for the running call'],
    ['a turn between two calls', waiting(['use tabs']), 'steers: waits for the next step'],
    ['hooks and files', waiting(['use tabs'], { isSent: false }), 'steers: preparing (hooks, files)'],
    ['an agent that may have them', waiting(['use tabs'], { isTakenBack: true }), 'steers: on the way back to you'],
  ])('say that they wait for %s', (_, state, words) => {
    expect(line(state)).toBe(`  ${words}   Up takes it back   "use tabs"`)
  })

  test('are counted, and each is shown', () => {
    const state = { ...waiting(['use tabs', 'two\nlines'], {}, ...calling), editor: createEditor('a draft') }
    expect(line(state)).toBe('  2 steer: wait for the running call   1 "use tabs"   2 "two⏎lines"')
  })

  test('come before what they wait for, where there is no room for both', () => {
    expect(line(waiting(['use tabs'], {}, ...calling), 56)).toBe('  steers: waits for the running call   "use tabs"')
    expect(line(waiting(['use tabs everywhere'], {}, ...calling), 40)).toBe('  steers   "use tabs everywhere"')
    expect(line(waiting(['use tabs']), 12)).toBe('  steers')
  })

  test('are spoken once, when they begin to wait', () => {
    const [before, now] = [waiting([]), waiting(['use tabs'], {}, ...calling)]
    const context = { former: before, theme, columns: 80 } as unknown as Parameters<
      NonNullable<typeof steers.spoken>
    >[2]
    expect(steers.spoken?.(before, now, context)).toEqual(['steers: waits for the running call'])
    expect(steers.spoken?.(now, now, context)).toEqual([])
    expect(line(before)).toBeNull()
  })
})
