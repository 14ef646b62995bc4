/** The list of sessions: aligned, however narrow. */
import { expect, test } from 'vitest'
import { defaultKeymap } from '../../../src/state/keymap.ts'
import { sessionRows } from '../../../src/state/pickers/session-rows.ts'
import { emptySummary } from '../../../src/storage/sessions/summary.ts'
import { displayWidth } from '../../../src/text/lines/width.ts'
import { listLines } from '../../../components/picker/list.ts'
import { sessionList } from '../../../components/picker/sessions.ts'
import { textsOf } from '../../helpers/lines.ts'
import { theme } from '../stage.ts'
import type { SessionSummary } from '../../../src/conversation/queries/session/session-summary.ts'

const HOUR = 3_600_000
const NOW = 1000 * HOUR

function session(id: string, hours: number, changes: Partial<SessionSummary>): SessionSummary {
  return { ...emptySummary(id), at: NOW - hours * HOUR, folder: `/home/me/${id}`, model: 'claude-x', ...changes }
}

const sessions = [
  session('zotui', 0, {
    firstPrompt: 'Why is the build slower since the last release of it?',
    turns: 12,
    costUsd: 1.87,
  }),
  session('fork', 5, {
    lastPrompt: 'Say it differently',
    turns: 1,
    costUsd: 0.021,
    parent: { id: 'zotui', turn: 1, at: 0 } as unknown as SessionSummary['parent'],
  }),
  session('parser', 300, { firstPrompt: '直す the parser', turns: 123, costUsd: 12.4, costIsPartial: true }),
  session('zots', 9000, { firstPrompt: 'hello', turns: 2, model: 'a-model-with-a-very-long-name', origin: 'zot' }),
]

function drawn(columns: number, scope: 'folder' | 'all', kept = sessions, current = 'zotui'): string[] {
  const picker = {
    kind: 'sessions',
    scope,
    filter: '',
    selected: 0,
    sessions: kept,
    found: sessionRows(kept, ''),
    current,
  } as const
  const lines = listLines(
    sessionList(picker, { now: NOW, hint: null, keyNames: defaultKeymap.names }, theme),
    { theme, columns },
    7,
  )
  return textsOf(lines.slice(0, kept.length))
}

test.each([40, 80, 120])('in %i columns the facts stand below each other', columns => {
  const both = [...drawn(columns, 'folder'), ...drawn(columns, 'all')]
  expect(both.map(line => line.trimEnd())).toMatchSnapshot()
  for (const line of both) expect(displayWidth(line)).toBe(columns)
})

test('in 40 columns each row says why --continue passes it over', () => {
  const first = { firstPrompt: 'Why is the build slower since the last release of it?', turns: 1 }
  const kept = [
    session('here', 0, first),
    session('printed', 5, { firstPrompt: 'hello', turns: 1, kind: 'print' }),
    session('beside', 300, { ...first, kind: 'spawned' }),
  ]
  expect(drawn(40, 'folder', kept, 'here').map(line => line.trimEnd())).toEqual([
    '  › Why is the bui…   this one   now',
    '    hello             of -p      5h ago',
    '    Why is the bui…   spawned    12d ago',
  ])
})
