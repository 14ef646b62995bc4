/** The cost of a day, of all conversations in all folders, and its limit. */
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDayCost, raisedPath, type DayCost } from '../../../src/storage/usage/day-cost.ts'
import { openLedger } from '../../../src/storage/usage/ledger.ts'
import { dayOf } from '../../../src/usage/days.ts'
import { accepted, costs, ended, prompt, started, timed, type Told } from '../../conversation/events.ts'
import { compiled } from '../../helpers/home.ts'

const NOON = new Date(2026, 10, 22, 12).getTime()
const HOUR = 3600 * 1000

function makeState(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-day-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What the agent says that all of its work has cost. */
const total = (costUsd: number): Told => ({ type: 'context_reported', used: 1, size: null, costUsd })

/** A turn of another program in some folder. */
function spend(stateFolder: string, costUsd: number, { at = NOON, folder = '/app' } = {}): void {
  const ledger = openLedger({
    stateFolder,
    projectFolder: folder,
    now: () => at,
    onProblem: words => expect.fail(words),
  })
  ledger.add(timed([started, prompt('go'), accepted, costs({ input: 10, costUsd }), ended], at), 's1')
}

function dayOfLimit(stateFolder: string, limit: number | null, clock = { now: NOON }): DayCost {
  return openDayCost({ stateFolder, now: () => clock.now, limit: () => limit })
}

describe('the cost of today', () => {
  test('is that of all folders, also of turns that are not over', () => {
    const state = makeState()
    const day = dayOfLimit(state, 10)
    expect(day.now()).toEqual({ spentUsd: 0, limitUsd: 10 })
    spend(state, 1, { folder: '/app' })
    spend(state, 2, { folder: '/other' })
    const running = openLedger({ stateFolder: state, projectFolder: '/third', now: () => NOON, onProblem: () => {} })
    running.add(timed([started, prompt('go'), accepted, costs({ input: 1, costUsd: 4 })], NOON), 's3')
    expect(day.now().spentUsd).toBeCloseTo(7)
    expect(day.isReached()).toBe(false)
    running.add(timed([costs({ input: 1, costUsd: 3 })], NOON), 's3')
    expect(day.isReached()).toBe(true)
    expect(day.why()).toBe('all conversations have cost $10.00 today of at most $10.00 (maxCostPerDayUsd)')
  })

  test('does not shrink, whatever an agent reports', () => {
    const state = makeState()
    const day = dayOfLimit(state, 10)
    spend(state, 10)
    spend(state, -1000)
    const ledger = openLedger({ stateFolder: state, projectFolder: '/app', now: () => NOON, onProblem: () => {} })
    ledger.add(timed([started, prompt('go'), accepted, total(-1000), ended], NOON), 's2')
    expect(day.now().spentUsd).toBe(10)
    expect(day.isReached()).toBe(true)
  })

  test('counts what agents report as a total, and no cost that is not known', () => {
    const state = makeState()
    const ledger = openLedger({ stateFolder: state, projectFolder: '/app', now: () => NOON, onProblem: () => {} })
    ledger.add(timed([started, prompt('go'), accepted, costs({ input: 5, costUsd: null })], NOON), 's1')
    ledger.add(timed([total(0.5), total(0.75), ended], NOON), 's1')
    expect(dayOfLimit(state, 1).now().spentUsd).toBeCloseTo(0.75)
  })

  test('ends at midnight of the local time', () => {
    const state = makeState()
    const clock = { now: new Date(2026, 10, 22, 23, 59).getTime() }
    const day = dayOfLimit(state, 1, clock)
    spend(state, 5, { at: clock.now })
    expect(day.isReached()).toBe(true)
    clock.now += HOUR
    expect([day.isReached(), day.now().spentUsd]).toEqual([false, 0])
  })

  test('is not spent twice by a clock that goes back over midnight', () => {
    const state = makeState()
    const clock = { now: new Date(2026, 10, 23, 0, 30).getTime() }
    const day = dayOfLimit(state, 1, clock)
    spend(state, 5, { at: clock.now })
    clock.now -= HOUR
    expect(day.isReached()).toBe(true)
  })

  test('omits damaged lines, and waits for the rest of one that is being written', () => {
    const state = makeState()
    spend(state, 1)
    const file = join(state, 'usage', `${dayOf(NOON)}.jsonl`)
    const day = dayOfLimit(state, 10)
    appendFileSync(file, '{"kind":"cost","__proto__":1}\n[1]\nnonsense\n{"kind":"cost","costUsd":"9"}\n{"kind":"cost",')
    expect(day.now().spentUsd).toBeCloseTo(1)
    appendFileSync(file, '"costUsd":2}\n')
    expect(day.now().spentUsd).toBeCloseTo(3)
  })

  test('is read anew if the file is another one', () => {
    const state = makeState()
    spend(state, 5)
    const day = dayOfLimit(state, 10)
    expect(day.now().spentUsd).toBeCloseTo(5)
    writeFileSync(join(state, 'usage', `${dayOf(NOON)}.jsonl`), '{"kind":"cost","costUsd":2}\n')
    expect(day.now().spentUsd).toBeCloseTo(2)
  })

  test('of many programs that record at once is the sum of all', async () => {
    const state = makeState()
    const writer = fileURLToPath(new URL('writer.ts', import.meta.url))
    const env = { NODE_COMPILE_CACHE: compiled }
    const day = openDayCost({ stateFolder: state, now: Date.now, limit: () => 1 })
    const programs = ['a', 'b', 'c'].map(session => execa(process.execPath, [writer, state, session, '40'], { env }))
    await Promise.all(programs)
    expect(day.now().spentUsd).toBeCloseTo(1.2)
    expect(day.isReached()).toBe(true)
  })
})

describe('a limit', () => {
  test('that is not set is never reached, even where nothing can be read', () => {
    const state = makeState()
    mkdirSync(join(state, 'usage', `${dayOf(NOON)}.jsonl`), { recursive: true })
    const day = dayOfLimit(state, null)
    expect([day.isReached(), day.warning(), day.words()]).toEqual([false, null, ''])
  })

  test.each([
    ['is a folder', (file: string) => mkdirSync(file, { recursive: true })],
    ['is a link to itself', (file: string) => symlinkSync(file, file)],
  ])('is reached if the record of today %s: nobody knows what is left', (_what, spoil) => {
    const state = makeState()
    mkdirSync(join(state, 'usage'))
    spoil(join(state, 'usage', `${dayOf(NOON)}.jsonl`))
    const day = dayOfLimit(state, 10)
    expect([day.now().spentUsd, day.isReached(), day.words()]).toEqual([
      null,
      true,
      'What today has cost cannot be read, and maxCostPerDayUsd limits it.',
    ])
  })

  test('is raised for today and for all programs, and tomorrow it is as it was', () => {
    const state = makeState()
    const clock = { now: NOON }
    const [one, other] = [dayOfLimit(state, 1, clock), dayOfLimit(state, 1, clock)]
    spend(state, 1.5)
    expect(other.isReached()).toBe(true)
    one.raise(3)
    expect([one.isReached(), other.isReached(), other.now().limitUsd]).toEqual([false, false, 3])
    clock.now += 24 * HOUR
    spend(state, 1, { at: clock.now })
    expect([other.now().limitUsd, other.isReached()]).toEqual([1, true])
  })

  test.each(['', '{"day":"2026-11-22"}', '{"day":"2026-11-22","limitUsd":"99"}', 'nonsense', '[]'])(
    'is not raised by a file with %j',
    content => {
      const state = makeState()
      spend(state, 1)
      writeFileSync(raisedPath(state), content)
      expect(dayOfLimit(state, 1).isReached()).toBe(true)
    },
  )

  test('warns once at four fifths, and once more when it was raised', () => {
    const state = makeState()
    const day = dayOfLimit(state, 10)
    spend(state, 7)
    expect(day.warning()).toBeNull()
    spend(state, 1.5)
    expect(day.warning()).toBe('All conversations together have cost $8.50 today, of at most $10.00.')
    expect(day.warning()).toBeNull()
    day.raise(10.5)
    expect(day.warning()).toMatch(/of at most \$10\.50/)
    day.raise(100)
    expect(day.warning()).toBeNull()
  })

  test('counts what this program used and could not record', () => {
    const state = makeState()
    const at = NOON + 48 * HOUR
    mkdirSync(join(state, 'usage'))
    symlinkSync(join(state, 'nowhere', 'file'), join(state, 'usage', `${dayOf(at)}.jsonl`))
    const problems: string[] = []
    const ledger = openLedger({
      stateFolder: state,
      projectFolder: '/app',
      now: () => at,
      onProblem: words => problems.push(words),
    })
    ledger.add(timed([started, prompt('go'), accepted, costs({ input: 1, costUsd: 2 }), ended], at), 's1')
    expect(problems).toHaveLength(1)
    expect(dayOfLimit(state, 2, { now: at }).isReached()).toBe(true)
    expect(dayOfLimit(makeState(), 2, { now: at }).now().spentUsd).toBe(0)
  })
})
