import { array, assert, boolean, constantFrom, integer, property, record, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DueNotices, type NotifiedConversation } from '../../../src/serve/notify/due-notices.ts'

const PATIENCE = 20_000
const AT = 1_000_000

const conversation = (more: Partial<NotifiedConversation> = {}): NotifiedConversation => ({
  id: 'c1',
  folder: '/home/me/project',
  title: 'Mend the parser',
  state: 'idle',
  questions: [],
  isWatched: false,
  ...more,
})
const question = (id: string) => ({ id, kind: 'call' as const, title: `Run ${id}` })
const asks = (...ids: string[]) => conversation({ state: 'asks', questions: ids.map(question) })

/** Sees these one second apart, and lists what is due at each time, in seconds. */
function play(steps: readonly [seconds: number, NotifiedConversation | null][], until = 400): string[] {
  const due = new DueNotices()
  const said: string[] = []
  const left = [...steps]
  for (let second = 0; second <= until; second += 1) {
    const now = AT + second * 1000
    if (left[0]?.[0] === second) {
      const [, next] = left.shift() ?? []
      due.see(next ? [next] : [], now, PATIENCE)
    }
    for (const { questions, ended } of due.take(now, PATIENCE))
      said.push(`${second}: ${ended ?? questions.map(({ id }) => id).join()}`)
  }
  return said
}

describe('a question', () => {
  test('is said once, after the person had time to answer it', () => {
    expect(play([[0, asks('a')]])).toEqual(['20: a'])
  })
  test('that was answered in time is not said', () => {
    expect(
      play([
        [0, asks('a')],
        [19, conversation({ state: 'working' })],
      ]),
    ).toEqual([])
  })
  test('is not said while a device shows it; the time begins when that puts it away', () => {
    expect(
      play([
        [0, asks('a')],
        [10, { ...asks('a'), isWatched: true }],
        [50, asks('a')],
      ]),
    ).toEqual(['70: a'])
    expect(play([[0, { ...asks('a'), isWatched: true }]])).toEqual([])
  })
  test('that was said is not said again after it was looked at', () => {
    expect(
      play([
        [0, asks('a')],
        [30, { ...asks('a'), isWatched: true }],
        [50, asks('a')],
      ]),
    ).toEqual(['20: a'])
  })
  test('that comes soon after another waits for half a minute, with all that came meanwhile', () => {
    expect(
      play([
        [0, asks('a')],
        [21, asks('a', 'b')],
        [25, asks('a', 'b', 'c')],
      ]),
    ).toEqual(['20: a', '50: b,c'])
  })
  test('of a conversation that is gone is not said', () => {
    expect(
      play([
        [0, asks('a')],
        [10, null],
      ]),
    ).toEqual([])
  })
})

describe('the end of a turn', () => {
  const working = conversation({ state: 'working' })
  test('is said if the turn was long, and nobody looked', () => {
    expect(
      play([
        [0, working],
        [30, conversation({ state: 'done' })],
      ]),
    ).toEqual(['50: ended'])
    expect(
      play([
        [0, working],
        [30, conversation({ state: 'failed' })],
      ]),
    ).toEqual(['50: failed'])
  })
  test('of a short turn is not said', () => {
    expect(
      play([
        [0, working],
        [19, conversation({ state: 'done' })],
      ]),
    ).toEqual([])
  })
  test('is not said if a device shows it then or soon after, or if the next turn has begun', () => {
    expect(
      play([
        [0, working],
        [30, conversation({ isWatched: true })],
        [31, conversation()],
      ]),
    ).toEqual([])
    expect(
      play([
        [0, working],
        [30, conversation()],
        [35, conversation({ isWatched: true })],
        [36, conversation()],
      ]),
    ).toEqual([])
    expect(
      play([
        [0, working],
        [30, conversation()],
        [40, working],
      ]),
    ).toEqual([])
  })
  test('of a turn that was over before the server began is not said', () => {
    expect(play([[0, conversation({ state: 'done' })]])).toEqual([])
  })
  test('counts a turn with a question in it as one turn', () => {
    expect(
      play([
        [0, working],
        [10, asks('a')],
        [15, working],
        [25, conversation()],
      ]),
    ).toEqual(['45: ended'])
  })
})

test('an agent that asks without end wakes the person up at most sixty times in an hour, and once in half a minute', () => {
  const due = new DueNotices()
  const times: number[] = []
  for (let second = 0; second < 7200; second += 1) {
    const now = AT + second * 1000
    due.see([asks(`q${second}`, `q${second - 1}`)], now, 0)
    for (const _ of due.take(now, 0)) times.push(second)
  }
  expect(times.filter(time => time < 3600)).toHaveLength(60)
  expect(times.every((time, at) => at === 0 || time - (times[at - 1] ?? 0) >= 30)).toBe(true)
  expect(times.filter(time => time >= 3600).length).toBeGreaterThan(0)
})

test('a question of two conversations with the same ID is two questions', () => {
  const due = new DueNotices()
  due.see([asks('a'), { ...asks('a'), id: 'c2' }], AT, PATIENCE)
  expect(due.take(AT + PATIENCE, PATIENCE).map(({ conversation: id }) => id)).toEqual(['c1', 'c2'])
})

test('whatever happens: nothing twice, nothing that was answered, nothing while somebody looks, and it says when to ask again', () => {
  const step = record({
    wait: integer({ min: 0, max: 40_000 }),
    ids: uniqueArray(constantFrom('a', 'b', 'c', 'constructor', '__proto__'), { maxLength: 4 }),
    state: constantFrom<NotifiedConversation['state']>('working', 'idle', 'done', 'failed', 'asks', 'resting'),
    isWatched: boolean(),
  })
  assert(
    property(array(step, { maxLength: 40 }), steps => {
      const due = new DueNotices()
      let now = AT
      let said = new Set<string>()
      for (const { wait, ids, state, isWatched } of steps) {
        const current = conversation({ state, isWatched, questions: ids.map(question) })
        due.see([current], now, PATIENCE)
        // A question that is gone may come again under its ID.
        said = new Set([...said].filter(id => ids.some(each => each === id)))
        const end = now + wait
        for (let next = due.nextAt(PATIENCE); next !== null && next <= end; next = due.nextAt(PATIENCE)) {
          now = Math.max(now, next)
          const notices = due.take(now, PATIENCE)
          // Otherwise the timer would run without end.
          expect(notices).not.toEqual([])
          expect(isWatched).toBe(false)
          for (const { questions, ended } of notices) {
            expect(questions.length > 0).toBe(ended === null)
            for (const { id } of questions) {
              expect(ids.some(each => each === id)).toBe(true)
              expect(said).not.toContain(id)
              said.add(id)
            }
          }
        }
        now = end
      }
    }),
  )
})
