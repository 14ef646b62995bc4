import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openLedger, type Ledger } from '../../../src/storage/usage/ledger.ts'
import { lastDays } from '../../../src/usage/days.ts'
import { createMeter } from '../../../src/usage/record.ts'
import { emptySummary, summarise } from '../../../src/storage/sessions/summary.ts'
import { sumOf, sumsBy, modelOf } from '../../../src/usage/sums.ts'
import { usageBars } from '../../../src/usage/table.ts'
import { compiled } from '../../helpers/home.ts'
import { accepted, costs, ended, prompt, started, timed, type Told } from '../../conversation/events.ts'

const NOON = new Date(2026, 10, 22, 12).getTime()

function makeState(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-usage-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function ledgerIn(stateFolder: string, now = NOON, problems: string[] = []): Ledger {
  return openLedger({ stateFolder, projectFolder: '/app', now: () => now, onProblem: words => problems.push(words) })
}

const turn = (costUsd: number): Told[] => [
  prompt('go'),
  accepted,
  costs({ input: 10, cacheRead: 30, output: 5, costUsd }),
  ended,
]

const records = (...events: readonly Told[]) => {
  const meter = createMeter('/app')
  return timed(events, NOON).flatMap(event => meter.read(event, 's1'))
}

const sum = (costUsd: number, input = 100) =>
  sumOf([
    {
      kind: 'call',
      at: 0,
      session: '',
      folder: '',
      agent: '',
      provider: '',
      model: '',
      usage: { input, output: 0, cacheRead: 0, cacheWrite: 0, costUsd, reasoning: null },
    },
  ])

test('a day that cannot be read is told in these words, and the others are still read', () => {
  const folder = makeState()
  ledgerIn(folder).add(timed([started, ...turn(1)], NOON), 's1')
  mkdirSync(join(folder, 'usage', '2026-11-21.jsonl'))
  const problems: string[] = []
  expect(ledgerIn(folder, NOON, problems).read(2)).toHaveLength(2)
  expect(problems).toEqual([expect.stringMatching(/^Usage cannot be read: /)])
})

describe('the meter', () => {
  test('notes each call with the model that answered, and each turn with its time', () => {
    const switched: Told = {
      type: 'model_changed',
      provider: 'openai',
      model: 'gpt',
      contextWindow: null,
      reasoningLevels: [],
    }
    const found = records(started, ...turn(0.5), switched, ...turn(0.25))
    expect(found.map(record => [record.kind, record.provider, record.model])).toEqual([
      ['call', 'anthropic', 'claude'],
      ['turn', 'anthropic', 'claude'],
      ['call', 'openai', 'gpt'],
      ['turn', 'openai', 'gpt'],
    ])
    expect(sumOf(found)).toEqual({
      turns: 2,
      calls: 2,
      input: 20,
      output: 10,
      cacheRead: 60,
      cacheWrite: 0,
      costUsd: 0.75,
      isPartial: false,
      duration: 6000,
      waits: 0,
      waited: 0,
    })
    expect(sumsBy(found, modelOf).map(({ name, sum }) => [name, sum.costUsd])).toEqual([
      ['anthropic/claude', 0.5],
      ['openai/gpt', 0.25],
    ])
  })

  test.each<[name: string, events: Told[], turns: number, isPartial: boolean]>([
    ['a refused prompt is no turn', [prompt('go'), { type: 'prompt_refused', message: 'no' }, ended], 0, false],
    ['an end without a beginning', [ended], 0, false],
    [
      'an agent that died',
      [prompt('go'), { type: 'agent_ended', code: 1, signal: null, reason: '', hint: '', expected: false }],
      1,
      false,
    ],
    [
      'a compaction costs what nobody tells',
      [{ type: 'compaction_started' }, { type: 'compaction_finished', summary: '' }],
      0,
      true,
    ],
    [
      'one that failed costs nothing',
      [{ type: 'compaction_started' }, { type: 'compaction_failed', message: '' }],
      0,
      false,
    ],
  ])('%s', (_name, events, turns, isPartial) => {
    expect(sumOf(records(...events))).toMatchObject({ turns, isPartial })
  })
})

const told = (costUsd: number): Told => ({ type: 'context_reported', used: 10, size: 100, costUsd })
const call = costs({ input: 10, costUsd: null })

describe('an agent that reports what all of its work has cost', () => {
  test.each<[name: string, events: Told[], costUsd: number | null, isPartial: boolean]>([
    ['costs what it says, not the sum of it', [started, told(0.5), call, told(0.75), call], 0.75, false],
    [
      'counts from the beginning again after a start',
      [started, told(0.5), call, started, told(0.25), call],
      0.75,
      false,
    ],
    ['may tell it after the call', [started, call, told(0.5)], 0.5, false],
    ['costs an unknown amount if it tells nothing', [started, call, call], null, false],
    ['makes a known cost a minimum if it tells nothing', [started, ...turn(0.5), call], 0.5, true],
  ])('%s', (_name, events, costUsd, isPartial) => {
    expect(sumOf(records(...events))).toMatchObject({ costUsd, isPartial })
    const lines = timed(events, NOON).reduce(summarise, emptySummary('s1'))
    expect(lines).toMatchObject({ costUsd, costIsPartial: isPartial })
  })
})

describe('the usage ledger', () => {
  test('reads saved entries by day', () => {
    const state = makeState()
    ledgerIn(state).add(timed([started, ...turn(0.5)], NOON - 24 * 3600 * 1000), 's1')
    ledgerIn(state).add(timed([started, ...turn(0.25)], NOON), 's2')
    const ledger = ledgerIn(state)
    expect(sumOf(ledger.read(1)).costUsd).toBe(0.25)
    expect(sumsBy(ledger.read(2), ({ session }) => session).map(({ name }) => name)).toEqual(['s1', 's2'])
    const files = readdirSync(join(state, 'usage'))
    expect(files).toEqual(['2026-11-21.jsonl', '2026-11-22.jsonl'])
    expect(files.map(file => statSync(join(state, 'usage', file)).mode & 0o777)).toEqual([0o600, 0o600])
  })

  test('lists its days, newest first, and reads a large one in pieces', () => {
    const state = makeState()
    const ledger = ledgerIn(state)
    ledger.add(timed([started, ...turn(0.5)], NOON - 24 * 3600 * 1000), 's1')
    for (let count = 0; count < 300; count += 1) ledger.add(timed(turn(0.25), NOON), 's1')
    writeFileSync(join(state, 'usage', 'notes.txt'), '')
    expect(ledger.days()).toEqual(['2026-11-22', '2026-11-21'])
    const pieces = [...ledger.readDay('2026-11-22')]
    expect(pieces.length).toBeGreaterThan(1)
    expect(sumOf(pieces.flat())).toEqual(sumOf(ledger.read(1)))
    expect(sumOf(pieces.flat()).turns).toBe(300)
  })

  test('creates no file by reading', () => {
    const state = makeState()
    expect(ledgerIn(state).read(30)).toEqual([])
    expect(readdirSync(state)).toEqual([])
  })

  test('loses only its damaged lines', () => {
    const state = makeState()
    const ledger = ledgerIn(state)
    ledger.add(timed([started, ...turn(0.5)], NOON), 's1')
    appendFileSync(join(state, 'usage', '2026-11-22.jsonl'), '{"kind":"call","at":\n[1]\n{"kind":"later"}\n{"kind":"ca')
    ledger.add(timed(turn(0.25), NOON), 's1')
    expect(sumOf(ledger.read(1))).toMatchObject({ costUsd: 0.75, turns: 2 })
  })

  test('that cannot be written is reported once', () => {
    const state = makeState()
    writeFileSync(join(state, 'usage'), 'in the way')
    const problems: string[] = []
    const ledger = ledgerIn(state, NOON, problems)
    ledger.add(timed([started, ...turn(0.5), ...turn(0.5)], NOON), 's1')
    expect(problems).toHaveLength(1)
  })

  test('in an unreadable folder is empty', () => {
    const state = makeState()
    mkdirSync(join(state, 'usage', '2026-11-22.jsonl'), { recursive: true })
    chmodSync(join(state, 'usage'), 0o755)
    const problems: string[] = []
    expect(ledgerIn(state, NOON, problems).read(1)).toEqual([])
    expect(problems).toHaveLength(1)
  })

  test('loses nothing with many programs at once', async () => {
    const state = makeState()
    const writer = fileURLToPath(new URL('writer.ts', import.meta.url))
    // Stripping types takes longer than all that it does else.
    const env = { NODE_COMPILE_CACHE: join(compiled, 'agents') }
    await Promise.all([1, 2, 3, 4].map(each => execa(process.execPath, [writer, state, `s${each}`, '50'], { env })))
    // It may be midnight meanwhile, and events last a second each.
    const records = ledgerIn(state, Date.now() + 24 * 3600 * 1000).read(3)
    expect(sumOf(records)).toMatchObject({ calls: 200, turns: 200 })
    expect(sumsBy(records, ({ session }) => session).map(({ sum }) => sum.calls)).toEqual([50, 50, 50, 50])
  })
})

test('days are counted correctly over a change of the clocks', () => {
  expect(lastDays(NOON, 3)).toEqual(['2026-11-20', '2026-11-21', '2026-11-22'])
  expect(new Set(lastDays(NOON, 400)).size).toBe(400)
})

describe('the bars of the chart', () => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-22']

  test('are as long as the cost of a day', () => {
    const sums = new Map([
      ['2026-11-20', sum(12)],
      ['2026-11-22', sum(0.01)],
    ])
    expect(usageBars(days, sums, false)).toEqual(['11-20  ████████████  $12.00', '11-22  ▏             $0.010'])
    expect(usageBars(days, sums, true)).toEqual(['11-20  ############  $12.00', '11-22  #             $0.010'])
  })

  test('show tokens for models without a price', () => {
    const sums = new Map([
      ['2026-11-20', sum(0, 2000)],
      ['2026-11-22', sum(0, 1000)],
    ])
    expect(usageBars(days, sums, false)).toEqual(['11-20  ████████████  2k', '11-22  ██████        1k'])
  })

  test('are empty for days without usage', () => {
    expect(usageBars(days, new Map(), false)).toEqual([])
  })
})
