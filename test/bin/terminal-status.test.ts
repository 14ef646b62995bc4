/** The notification that something has ended. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followState } from '../../bin/wiring/ui/terminal/terminal-status.ts'
import { unsavedSettings } from '../../src/config/settings.ts'
import { createAppStore } from '../../src/state/app-store.ts'
import { reduceApp } from '../../src/state/reduce.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { stateWith } from '../components/stage.ts'
import { accepted, ended, prompt, started, stops, type Told } from '../conversation/events.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

function watched() {
  const store = createAppStore(stateWith(), reduceApp)
  const said: string[] = []
  const surroundings = { show() {}, notify: (_method: string, _title: string, body: string) => void said.push(body) }
  const terminal = { surroundings, hasFocus: () => false } as unknown as Parameters<typeof followState>[0]['terminal']
  followState({ store, settings: unsavedSettings({}), terminal, env: {}, folder: '/p' })
  return {
    said,
    tells: (seconds: number, ...events: readonly Told[]): void => {
      for (const event of events) {
        const { chat } = store.get()
        store.dispatch({ type: 'conversation_folded', chat: reduce(chat, { ...event, at: performance.now() }) })
      }
      vi.advanceTimersByTime(seconds * 1000)
    },
  }
}

const own: Told = { type: 'turn_begun', cause: 'task', about: 'npm test ended' }
const compacts: Told = { type: 'compaction_started' }
const compacted: Told = { type: 'compaction_finished', summary: 'all' }

test('comes after a short turn that the agent began itself, and not again after a compaction or a start', () => {
  const { said, tells } = watched()
  tells(1, own)
  tells(1, ended)
  expect(said).toEqual([expect.stringMatching(/^done after 1.*npm test ended/)])
  tells(1, compacts)
  tells(1, compacted)
  tells(60, { type: 'agent_starting', agent: 'zot' })
  tells(1, started)
  expect(said).toHaveLength(1)
})

test('comes after a long turn or compaction, and says which of them', () => {
  const { said, tells } = watched()
  tells(60, prompt('fix it'), accepted)
  tells(1, stops('end'), ended)
  tells(60, compacts)
  tells(1, compacted)
  expect(said).toEqual([expect.stringContaining(': fix it'), expect.stringContaining(': compaction')])
})
