/** What a conversation does, in a few words that cannot mislead. */
import { expect, test } from 'vitest'
import type { PublishedRow } from '../../../src/published/protocol.ts'
import { pageStatus } from '../../../src/serve/hub/status.ts'
import { accepted, chatAfter, prompt, runsTool, started, step } from '../../conversation/events.ts'

const row: PublishedRow = {
  key: '1',
  kind: 'ui',
  session: null,
  folder: '/work',
  branch: null,
  agent: 'zot',
  model: 'm',
  title: '',
  state: 'working',
  since: null,
  lastLine: '',
  costUsd: null,
  mode: 'ask',
  takes: [],
  stays: '',
}
const queue = { entries: [], paused: false }

function activityOf(command: string): string {
  const chat = chatAfter(started, prompt('Fix it'), accepted, step(1), ...runsTool('a', 'bash', { command }))
  return pageStatus({ chat, queue, models: [] }, row, []).activity
}

test('a command is named while it runs, on one line, and not all of a long one', () => {
  expect(activityOf('npm test\nnpm run lint')).toContain('npm test')
  expect(activityOf('x'.repeat(5000)).length).toBeLessThan(220)
})

test('a mark that turns text around is shown, and does not turn it around', () => {
  const words = activityOf('cat ./notes\u202Etxt.sh')
  expect(words).toContain('U+202E')
  expect(words).not.toContain('\u202E')
})
