/** The hints that answer a key name the keys that are bound, whatever `keys.json` binds. */
import { expect, test } from 'vitest'
import { bindings, createKeymap } from '../../../src/state/keymap.ts'
import { startedStage, type Stage } from '../stage.ts'

/** Esc, Up, Ctrl+C and others do what they do under Alt+Z and so on. */
const OTHERS: Readonly<Record<string, string>> = {
  escape: 'alt+z',
  up: 'alt+j',
  'ctrl+c': 'alt+q',
  'ctrl+d': 'alt+l',
  'ctrl+s': 'alt+s',
  'alt+r': 'alt+m',
  enter: 'alt+o',
  'alt+up': 'alt+u',
}
const renamed = createKeymap(
  bindings.map(row =>
    row.context === 'composer' ? Object.assign({}, row, { keys: row.keys.map(key => OTHERS[key] ?? key) }) : row,
  ),
)
/** Raw mode and the earlier prompts have no key. */
const without = createKeymap(
  bindings.map(row => (row.action.do === 'raw' || row.action.do === 'up' ? Object.assign({}, row, { keys: [] }) : row)),
)

const cases: readonly (readonly [what: string, act: (stage: Stage) => Promise<void>, hint: string])[] = [
  [
    'a draft that would be cleared',
    async ({ type, press }) => {
      await type('x')
      await press('alt+z')
    },
    'Alt+Z again clears the draft; Alt+J brings it back.',
  ],
  ['nothing to stop', ({ press }) => press('alt+q'), 'Press Alt+Q again to exit.'],
  [
    'a turn that the exit would stop',
    async ({ type, press }) => {
      await type('go')
      await press('alt+o', 'alt+l')
    },
    'The agent is working: Alt+L again stops it and exits.',
  ],
  [
    'an abort that takes long',
    async ({ type, press }) => {
      await type('go')
      await press('alt+o', 'alt+q', 'alt+q')
    },
    'zot has not stopped yet: Alt+Q again kills it and exits.',
  ],
  [
    'a draft put aside',
    async ({ type, press }) => {
      await type('x')
      await press('alt+s')
    },
    'Stashed the draft: Alt+S brings it back.',
  ],
  ['raw mode', ({ press }) => press('alt+m'), 'Raw mode: text is shown as written. Alt+M ends it.'],
  [
    'a queued message that is edited',
    async ({ type, press }) => {
      await type('go')
      await press('alt+o')
      await type('then')
      await press('alt+o', 'alt+u')
    },
    'Editing message 1 of 1: Alt+O puts it back in its place.',
  ],
]

test.each(cases)('the hint about %s names the keys of the user', async (_what, act, hint) => {
  const stage = await startedStage(undefined, { keymap: renamed })
  await act(stage)
  expect(stage.state().hint).toBe(hint)
})

test('a hint names the command if a key is not bound, and omits actions that only a key has', async () => {
  const stage = await startedStage(undefined, { keymap: without })
  await stage.say('/raw on')
  expect(stage.state().hint).toBe('Raw mode: text is shown as written. /raw ends it.')
  await stage.type('x')
  await stage.press('escape')
  expect(stage.state().hint).toBe('Esc again clears the draft.')
})
