import { expect, test } from 'vitest'
import type { RaceCheck } from '../../../../src/race/race-record.ts'
import type { ConversationRow } from '../../../../src/state/conversations/conversations.ts'
import { settled, stage } from '../stage.ts'
import { raceOf, raceRequestFor } from './race-request.ts'

const passed: RaceCheck = { state: 'ended', at: 1, durationMs: 1200, exitCode: 0, problem: '', output: 'all passed' }
const failed: RaceCheck = { ...passed, exitCode: 1, output: '\u001b[31m1 failed\u001b[0m\u001b]0;title\u0007' }
const worktree = { folder: '/w/1', branch: 'zotui/claude-fix-1', work: '/w/1' }

const asking: ConversationRow = {
  number: 0,
  backgroundId: 's',
  isShown: false,
  title: '',
  state: 'asks',
  since: null,
  lastLine: 'I look.',
  costUsd: 0.5,
  folder: '',
  branch: null,
  call: { id: 'c', subject: 'rm -rf build', isWhole: true },
}

const four = [
  {
    step: 'done',
    check: passed,
    worktree,
    workedMs: 61_000,
    costUsd: 0.21,
    changes: { files: 2, added: 12, removed: 3 },
  },
  { name: 'codex', step: 'done', check: failed, tokens: { input: 12_300, output: 1400 }, session: 'a' },
  { name: 'zot', step: 'working', session: 's' },
  { name: 'zot', step: 'failed', problem: 'Its agent did not start: no licence.' },
] as const

test('all that is known of each stands in its row, and what the chosen one printed below', async () => {
  const on = await stage()
  on.open('race', raceRequestFor(four, { live: new Map([[2, asking]]) }))
  await settled()
  const rows = on.rows().join('\n')
  expect(rows).toMatch(/claude +done +check ok +\+12 -3 +1m01s/)
  expect(rows).toMatch(/codex +done +check exit 1/)
  expect(rows).toMatch(/zot \(1\) +asks you/)
  expect(rows).toMatch(/zot \(2\) +failed/)
  await on.press('pagedown')
  expect(on.rows().join('\n')).toContain('all passed')
  await on.press('down')
  await on.press('pagedown')
  expect(on.rows().join('\n')).toContain('1 failed␛]0;title␇')
  await on.press('down')
  expect(on.rows().join('\n')).toContain('asks: rm -rf build')
  await on.press('down')
  expect(on.rows().join('\n')).toContain('Its agent did not start: no licence.')
})

test('keys ask for what concerns the chosen one; what asks a question closes the page first', async () => {
  const on = await stage()
  const request = raceRequestFor(four, { live: new Map([[2, asking]]) })
  on.open('race', request)
  await settled()
  await on.type('cgs')
  await on.press('down')
  await on.press('down')
  await on.press('enter')
  expect([request.asked, on.page()]).toEqual([['check 0', 'go', 'stop 0', 'attach 2'], null])
  for (const letter of ['p', 'x']) {
    on.open('race', request)
    await on.type(letter)
    expect(on.page()).toBeNull()
  }
  expect(request.asked.slice(4)).toEqual(['pick 0', 'discard others 0'])
})

test('a key that begins nobody, or only looks, says so', async () => {
  const on = await stage()
  const request = raceRequestFor([{ step: 'done' }])
  on.open('race', request)
  await settled()
  await on.type('g')
  expect(on.rows().at(-1)).toContain('Nobody waits to begin.')
  request.show({ race: raceOf([{ step: 'done' }, { name: 'codex' }]) })
  await on.type('g')
  expect(on.rows().at(-1)).toContain('Those that wait begin as soon as there is room')
  request.show({ isOwn: false, note: 'Another zotui runs this race.' })
  await on.type('g')
  expect(on.rows().at(-1)).toContain('Another zotui runs this race.')
  await on.type('r')
  expect(on.rows().at(-1)).toContain('All were looked at again.')
})

test('those that wait say whether they begin, and the key for it is named', async () => {
  const on = await stage()
  const request = raceRequestFor([{ step: 'done' }, { name: 'codex' }], { isGoing: false })
  on.open('race', request)
  await settled()
  expect(on.rows().join('\n')).toMatch(/codex +not begun/)
  expect(on.rows().at(-1)).toContain('g begins 1 more')
  request.show({ isGoing: true })
  expect(on.rows().join('\n')).toMatch(/codex +waits for a turn/)
})

test('a screen with few rows shows the chosen one', async () => {
  const on = await stage()
  const many = Array.from({ length: 90 }, (_, at) => ({ name: `agent-${at}` }))
  on.open('race', raceRequestFor([], { race: raceOf(many) }))
  await settled()
  await on.press('up')
  for (let times = 0; times < 89; times += 1) await on.press('down')
  expect(on.rows().join('\n')).toContain('› ○ agent-89')
})

test('the hints name what can be done with the chosen one, and how much stands below what is shown', async () => {
  const on = await stage()
  const long = { ...passed, output: Array.from({ length: 80 }, (_, at) => `line ${at}`).join('\n') }
  const taken = { name: 'codex', step: 'done', worktree, isPicked: true, session: 'a' } as const
  on.open('race', raceRequestFor([{ step: 'done', check: long, worktree, session: 'b' }, { step: 'waiting' }, taken]))
  await settled()
  const bottom = (): string => on.rows().at(-1) ?? ''
  expect(bottom()).toMatch(/PageDown \+\d+ lines/)
  expect(bottom()).toMatch(/Enter reads it +d diff +p takes it/)
  await on.press('down')
  expect(bottom()).toMatch(/s stops/)
  expect(bottom()).not.toMatch(/p takes it|d diff/)
  await on.press('down')
  expect(bottom()).not.toMatch(/p takes it|d diff/)
})

test('what worktreeSetup prints is shown while a worktree is made', async () => {
  const on = await stage()
  on.open('race', raceRequestFor([{ step: 'making' }], { preparing: 'added 312 packages' }))
  await settled()
  expect(on.rows().join('\n')).toMatch(/worktreeSetup\s+added 312 packages/)
})
