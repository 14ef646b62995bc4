/** The screen of the first frame draws what the whole screen draws, and passes everything on to it. */
import { describe, expect, test } from 'vitest'
import { createFirstScreen } from '../../../components/screen/first-screen.ts'
import { createScreen } from '../../../components/screen/screen.ts'
import { linesOfLive } from '../../../components/regions.ts'
import { initialState, type AppState, type Startup } from '../../../src/state/state.ts'
import { commands, theme } from '../stage.ts'

const plain: Startup = { version: '1.0.0', folder: '~/project', branch: null, demo: false }

const starts: Record<string, AppState> = {
  'a new user': initialState(plain, 0),
  'the demo on a branch': initialState({ ...plain, branch: 'topic/one', demo: true }, 0),
  'an agent that can only read': initialState({ ...plain, toolLimit: 'read-only' }, 0),
  'a replay': initialState({ ...plain, isReplay: true }, 0),
  'a folder with a long name': initialState({ ...plain, folder: `~/${'deep/'.repeat(40)}end`, branch: 'b' }, 0),
  'a status line of their own': { ...initialState(plain, 0), customStatus: { text: '', problem: null } },
  'nothing but that': { ...initialState(plain, 0), customStatus: { text: '', problem: null }, statusFacts: [] },
  'few details': initialState(plain, 0, undefined, 'names'),
}

const sizes = [3, 6, 7, 8, 9, 10, 24].flatMap(rows => [1, 4, 20, 40, 80, 120].map(columns => ({ columns, rows })))

describe('the first frame has the rows and the caret of the whole screen', () => {
  test.each(Object.keys(starts))('%s', name => {
    const state = starts[name] as AppState
    for (const size of sizes) {
      const first = createFirstScreen(theme)
      const whole = createScreen(theme, () => commands)
      const early = first.draw(state, size)
      const late = whole.draw(state, size)
      expect(early).toEqual(late)
      expect(linesOfLive(early.live).length).toBeGreaterThan(0)
      expect(first.rowsAboveCaret(early.live, size, 'wraps')).toBe(whole.rowsAboveCaret(late.live, size, 'wraps'))
      expect(first.lastScreenful(size, true, 'wraps')).toEqual(whole.lastScreenful(size, true, 'wraps'))
    }
  })
})

test('the whole screen gets the theme and the texts that came before it', () => {
  const first = createFirstScreen(theme)
  const themes: unknown[] = []
  const printed: string[] = []
  const whole = createScreen(theme, () => commands)
  const other = { ...theme }
  first.print('one')
  first.setTheme(other)
  first.handOver({ ...whole, setTheme: next => void themes.push(next), print: text => void printed.push(text) })
  first.print('two')
  expect(themes).toEqual([other])
  expect(printed).toEqual(['one', 'two'])
})
