import { array, assert, constantFrom, property, record as object, type Arbitrary } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DayReader } from '../../../components/pages/usage/day-reader.ts'
import { usageKeys } from '../../../components/pages/usage/keys.ts'
import { usageAfter } from '../../../components/pages/usage/moves.ts'
import { createUsageReader, type UsageReading } from '../../../components/pages/usage/reading.ts'
import { usageRows } from '../../../components/pages/usage/rows.ts'
import { initialUsage, type UsageMove, type UsageState } from '../../../components/pages/usage/state.ts'
import { rowsOfPage } from '../../../components/pages/page-rows.ts'
import { initialState, type AppState } from '../../../src/state/state.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { displayWidth, type Size } from '../../../src/text/lines/width.ts'
import { lastDays } from '../../../src/usage/days.ts'
import { cellsOf } from '../../../src/usage/groups.ts'
import type { UsageRecord } from '../../../src/usage/record.ts'
import { textsOf } from '../../helpers/lines.ts'
import { accepted, chatAfter, costs, ended, prompt, started } from '../../conversation/events.ts'

const NOON = new Date(2026, 10, 22, 12).getTime()
const DAY = 24 * 3600 * 1000
const theme = createTheme(0)
const ascii = createTheme(0, { unicode: false })
const start = initialState({ version: '1', folder: '~', branch: null, demo: false }, 0)
const keys = [['k', 'does']] as const
const wide = { columns: 80, rows: 24 }

type Used = {
  ago?: number
  agent?: string
  model?: string
  folder?: string
  costUsd?: number | null
  input?: number
  waited?: number
}

function recordsOf({
  ago = 0,
  agent = 'zot',
  model = 'm',
  folder = '/app',
  costUsd = 0.5,
  input = 1000,
  waited = 0,
}: Used): UsageRecord[] {
  const common = { at: NOON - ago * DAY, session: 's1', folder, agent, provider: 'p', model }
  const usage = { input, output: 500, cacheRead: 3000, cacheWrite: 0, costUsd, reasoning: null }
  const call: UsageRecord = { kind: 'call', ...common, usage }
  const wait: UsageRecord = { kind: 'wait', ...common, duration: waited }
  return [call, ...(waited > 0 ? [wait] : []), { kind: 'turn', ...common, duration: 60_000 }]
}

function opened(used: readonly Used[], note = ''): UsageState {
  const cells = cellsOf(used.flatMap(recordsOf))
  return { ...initialUsage(note), now: NOON, found: { cells, own: [], isReading: false } }
}

type Shown = { state: UsageState; reading: UsageReading; rows: string[] }

/** The page after these moves. */
function page(
  from: UsageState,
  moves: readonly UsageMove[] = [],
  { size = wide, app = start, look = theme }: { size?: Size; app?: AppState; look?: typeof theme } = {},
): Shown {
  const reader = createUsageReader()
  const read = (state: UsageState): UsageReading => reader(state, app, { theme: look, size, keys })
  const state = moves.reduce((now, move) => usageAfter(read(now), { kind: 'move', move }) ?? now, from)
  return { state, reading: read(state), rows: textsOf(rowsOfPage(usageRows(read(state)))) }
}

const some = [
  { ago: 0, waited: 5000 },
  { ago: 2, agent: 'claude', model: 'big', costUsd: 2 },
  { ago: 40, folder: '/web' },
]

describe('/usage', () => {
  test('shows a bar for each day, newest first, with the days between them', () => {
    expect(page(opened(some)).rows.slice(0, 9).join('\n')).toMatchInlineSnapshot(`
      "  usage by day, 30 days                          $2.50   8k in   1k out   2m00s
        this session   nothing used yet

        tokens ›cost  time  waiting    ›day  model  agent  folder     7 ›30  90  all 

      › 2026-11-22 Sun  ███████▊                         $0.50   4.5k tokens   1 turn
        2026-11-21 Sat                                                               
        2026-11-20 Fri  ███████████████████████████████  $2.00   4.5k tokens   1 turn
      "
    `)
  })

  test('shows what is left of a plan, and this session', () => {
    const windows = [{ id: 'five_hour', used: 0.83, resetsAt: NOON + 2.5 * 3_600_000 }]
    const chat = chatAfter(
      started,
      prompt('go'),
      accepted,
      costs({ input: 100, cacheRead: 900, output: 50, costUsd: 0.5 }),
      ended,
      { type: 'limits_reported', windows },
    )
    expect(
      page(opened(some), [], { app: { ...start, chat } })
        .rows.slice(1, 6)
        .join('\n'),
    ).toMatchInlineSnapshot(`
      "  this session   1 turn   1k in   90 % cached   50 out   $0.50   3.0s
        context <1 % of 200k
        your plan
        5 hours   ██████████     83 %   resets 14:30
      "
    `)
  })

  test('shows tokens where nothing has a price, with the part from the cache', () => {
    const { rows } = page(opened([{ costUsd: null }]))
    expect(rows.find(row => row.includes('2026-11-22'))).toMatch(/█+░+ +4\.5k +4k in +75 % cached +500 out$/)
    expect(rows.join('\n')).toContain('█ in and out   ░ in, from the cache')
  })

  test('shows each measure and each grouping in turn', () => {
    const measures = [1, 2, 3, 4].map(
      count =>
        page(
          opened(some),
          Array.from({ length: count }, () => 'next_measure'),
        ).reading.plot.measure,
    )
    expect(measures).toEqual(['time', 'waiting', 'tokens', 'cost'])
    const groupings = [1, 2, 3, 4].map(
      count =>
        page(
          opened(some),
          Array.from({ length: count }, () => 'next_grouping'),
        ).state.selection.grouping,
    )
    expect(groupings).toEqual(['model', 'agent', 'folder', 'day'])
    expect(page(opened(some), ['previous_measure']).reading.plot.measure).toBe('tokens')
    expect(page(opened(some), ['previous_grouping']).state.selection.grouping).toBe('folder')
  })

  test('shows a longer or shorter time, as far as there is one', () => {
    const days = (...moves: UsageMove[]): unknown => page(opened(some), moves).state.selection.days
    expect([days('shorter'), days('shorter', 'shorter'), days('longer'), days('longer', 'longer', 'longer')]).toEqual([
      7,
      7,
      90,
      null,
    ])
    expect(page(opened(some), ['longer']).reading.plot.groups).toHaveLength(41)
    expect(page(opened(some), ['longer', 'longer']).rows[0]).toContain('usage by day, all days')
  })

  test('opens a row, and Esc goes back before it closes the page', () => {
    const from = opened(some)
    const days = page(from, ['down', 'down', 'open'])
    expect(days.rows[0]).toContain('usage of 2026-11-20 by model, 30 days')
    expect(days.reading.plot.groups.map(({ name }) => name)).toEqual(['p/big'])
    expect(page(from, ['down', 'open']).state.selection.only).toBeNull()
    const agents = page(from, ['next_grouping', 'next_grouping', 'open'])
    expect(agents.rows[0]).toContain('usage of claude by day')
    const back = page(agents.state, ['leave'])
    expect(back.state.selection).toEqual({ grouping: 'agent', days: 30, only: null })
    expect(usageAfter(back.reading, { kind: 'move', move: 'leave' })).toBeNull()
    expect(page(agents.state, ['back']).state.selection.only).toBeNull()
  })

  test('shows the exact numbers of the selected row', () => {
    const { rows } = page(opened([{ input: 1_234_567, costUsd: 1.23456, waited: 65_000 }]))
    expect(rows.slice(-3).join('\n')).toMatch(
      /2026-11-22 Sun +1,234,567 in +3,000 in from the cache +500 out\s+\$1\.2346\s+1 turn +1 call +1m00s +waited 1m05s for 1 answer/,
    )
  })

  test('says that nothing was used, or that more is being read', () => {
    expect(page(opened([])).rows.join('\n')).toContain('No usage in the last 30 days.')
    expect(page(opened([]), ['longer', 'longer']).rows.join('\n')).toContain('No usage yet.')
    const reading = { ...opened([]), found: { cells: [], own: [], isReading: true } }
    expect(page(reading).rows.join('\n')).not.toContain('No usage')
    expect(page(reading).rows.at(-1)).toContain('reading …')
  })

  test('shows its keys, and a note', () => {
    expect(page(opened(some), ['help']).rows.slice(0, 2)).toEqual(['  keys', '  k  does'])
    expect(page(opened(some, 'Made up.')).rows.join('\n')).toContain('Made up.')
  })

  test('chooses what is clicked, and opens a row that is clicked twice', () => {
    const from = opened(some)
    const { reading, rows } = page(from)
    const clicked = (word: string, on = reading, shown = rows): UsageState => {
      const y = shown.findIndex((row, index) => index > 0 && row.includes(word))
      return usageAfter(on, { kind: 'click', x: shown[y]?.indexOf(word) ?? 0, y }) ?? from
    }
    expect(clicked('waiting').measure).toBe('waiting')
    expect(clicked('agent').selection.grouping).toBe('agent')
    expect(clicked('90').selection.days).toBe(90)
    const once = page(clicked('2026-11-20'))
    expect(once.state.selected).toBe(2)
    expect(clicked('2026-11-20', once.reading, once.rows).selection.only).toEqual({
      grouping: 'day',
      name: '2026-11-20',
    })
    expect(usageAfter(reading, { kind: 'click', x: 0, y: 0 })).toEqual(from)
  })

  test('makes names of agents and folders harmless', () => {
    const { rows } = page(opened([{ agent: 'a\u001b[2Jb\nc\u202e', folder: `/${'x'.repeat(300)}` }]), [
      'next_grouping',
      'next_grouping',
    ])
    expect(rows.join('')).not.toMatch(/[\u001b\u202e]/)
    expect(rows.every(row => displayWidth(row) <= wide.columns)).toBe(true)
  })

  test('has rows of 10,000 days in any case, without drawing them all', () => {
    const { reading, rows } = page(opened([{}, { ago: 10_000 }]), ['longer', 'longer', 'bottom'])
    expect(reading.plot.groups).toHaveLength(3660)
    expect(rows).toHaveLength(wide.rows)
  })

  const move: Arbitrary<UsageMove> = constantFrom(
    ...usageKeys.rows.flatMap(({ how }) =>
      ['copy', 'save_csv', 'save_json', 'save_html', 'reload', 'leave'].includes(how) ? [] : [how as UsageMove],
    ),
  )
  const used = object({
    ago: constantFrom(0, 1, 3, 50, 400),
    agent: constantFrom('zot', 'claude', '日本語のエージェント'),
    folder: constantFrom('/app', '/a/very/long/path/to/a/folder'),
    costUsd: constantFrom(null, 0, 0.5),
    waited: constantFrom(0, 70_000),
  })

  test.each([
    [120, 40],
    [80, 24],
    [40, 20],
    [20, 8],
    [10, 3],
  ])('fills %i columns and %i rows after any moves, in ASCII, too', (columns, rows) => {
    assert(
      property(array(used, { maxLength: 8 }), array(move, { maxLength: 12 }), (all, moves) => {
        for (const look of [theme, ascii]) {
          const shown = page(opened(all), moves, { size: { columns, rows }, look })
          expect(shown.rows).toHaveLength(rows)
          expect(shown.rows.filter(row => displayWidth(row) > columns)).toEqual([])
          const isPlain = look === ascii && !all.some(({ agent }) => agent.startsWith('日'))
          expect(shown.rows.join('')).toMatch(isPlain ? /^[ -~]*$/ : /^/)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('keeps the selected row on the screen', () => {
    const from = opened(Array.from({ length: 60 }, (_, ago) => ({ ago })))
    assert(
      property(
        array(constantFrom<UsageMove>('up', 'down', 'page_up', 'page_down', 'half_up', 'half_down', 'top', 'bottom'), {
          maxLength: 30,
        }),
        moves => {
          const { reading, rows } = page(from, ['longer', ...moves, 'down'])
          const name = reading.plot.names[reading.selected] ?? ''
          expect(rows.slice(1, 1 + reading.area).some(row => row.startsWith(`› ${name}`))).toBe(true)
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('the reader of the days', () => {
  const days = lastDays(NOON, 50).toReversed()
  const ledger = (asked: string[] = []) => ({
    days: () => days,
    readDay(day: string) {
      asked.push(day)
      const at = new Date(`${day}T12:00:00`).getTime()
      return [recordsOf({ ago: (NOON - at) / DAY }), recordsOf({ ago: (NOON - at) / DAY, model: 'other' })]
    },
  })

  test('reads no more days than are needed, and goes on later', () => {
    const asked: string[] = []
    const reader = new DayReader(ledger(asked), 's1')
    const first = days[6] ?? ''
    while (reader.step(first));
    expect([reader.count, asked.length, reader.hasMore(first), reader.hasMore('')]).toEqual([7, 7, false, true])
    expect(reader.found().own.map(({ name, sum }) => [name, sum.turns])).toEqual([
      ['p/m', 7],
      ['p/other', 7],
    ])
    while (reader.step(''));
    expect([reader.count, reader.hasMore('')]).toEqual([50, false])
    expect(new Set(asked).size).toBe(50)
  })

  test('reads a day again without counting it twice', () => {
    const reader = new DayReader(ledger(), 'another')
    while (reader.step(''));
    const before = reader.found()
    reader.again(days[0] ?? '')
    while (reader.step(''));
    expect(reader.found()).toEqual(before)
    expect(before.own).toEqual([])
  })
})
