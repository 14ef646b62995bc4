/** The sources of the board in one list. */
import { expect, test } from 'vitest'
import { createBoard, inBoardOrder } from '../../src/fleet/board.ts'
import type { BoardSource } from '../../src/fleet/board-source.ts'
import { boardQuestion, boardRow, MadeSource } from './rows.ts'

/** A clock that the test moves. */
class MadeTime {
  now = 0
  #waiting: { at: number; run: () => void }[] = []

  after = (ms: number, run: () => void): (() => void) => {
    const waits = { at: this.now + ms, run }
    this.#waiting.push(waits)
    return () => void (this.#waiting = this.#waiting.filter(each => each !== waits))
  }

  pass(ms: number): void {
    this.now += ms
    const due = this.#waiting.filter(({ at }) => at <= this.now)
    this.#waiting = this.#waiting.filter(({ at }) => at > this.now)
    for (const { run } of due) run()
  }
}

function board(...sources: readonly BoardSource[]) {
  const time = new MadeTime()
  const made = createBoard({ sources, after: time.after, elapsed: () => time.now })
  return { board: made, time }
}

const ids = (rows: readonly { row: { id: string } }[]): string => rows.map(({ row }) => row.id).join(' ')

test('what waits for an answer comes first, then what failed, works, is done, and is idle', () => {
  const rows = [
    boardRow({ id: 'idle', state: 'idle' }),
    boardRow({ id: 'done', state: 'done' }),
    boardRow({ id: 'works', state: 'working' }),
    boardRow({ id: 'failed', state: 'failed' }),
    boardRow({ id: 'asks', state: 'working', questions: [boardQuestion()] }),
  ]
  expect(ids(inBoardOrder([{ name: '', state: 'connected', problem: '', rows }]))).toBe('asks failed works done idle')
})

const of = (state: 'working' | 'done', since: number | null) => boardRow({ id: `${state}${since}`, state, since })

test('of those that wait or work the oldest comes first, of those that have ended the latest', () => {
  const rows = [of('done', 1), of('done', 2), of('done', null), of('working', 4), of('working', 3), of('working', null)]
  expect(ids(inBoardOrder([{ name: '', state: 'connected', problem: '', rows }]))).toBe(
    'working3 working4 workingnull done2 done1 donenull',
  )
})

test('the rows of a dead host come last, and say so', () => {
  const asks = boardRow({ id: 'far', state: 'asks', questions: [boardQuestion()] })
  const sources = [
    new MadeSource({ name: 'ssh:build', state: 'lost', problem: 'It does not answer.', rows: [asks] }),
    new MadeSource({ rows: [boardRow({ id: 'near', state: 'idle' })] }),
  ]
  const { board: made } = board(...sources)
  expect(made.rows().map(({ row, isStale }) => [row.id, isStale])).toEqual([
    ['near', false],
    ['far', true],
  ])
  expect(made.hosts().map(({ problem }) => problem)).toEqual(['It does not answer.', ''])
})

test('changes are told at once, and those that follow together', () => {
  const source = new MadeSource()
  const { board: made, time } = board(source)
  let told = 0
  made.onChange(() => (told += 1))
  source.set({ rows: [boardRow()] })
  source.set({ rows: [boardRow(), boardRow({ id: 'two' })] })
  time.pass(0)
  expect(told).toBe(1)
  for (let change = 0; change < 10; change += 1) source.set({ rows: [boardRow({ lastLine: String(change) })] })
  time.pass(20)
  expect(told).toBe(1)
  time.pass(30)
  expect(told).toBe(2)
  expect(made.rows()[0]?.row.lastLine).toBe('9')
  time.pass(1000)
  expect(told).toBe(2)
})

test('an action goes to the source of its host, and a host that is not there does not get it', async () => {
  const [here, there] = [new MadeSource(), new MadeSource({ name: 'ssh:build' })]
  const { board: made } = board(here, there)
  await expect(made.act('ssh:build', 'one', { do: 'stop' })).resolves.toEqual({ ok: true, how: 'done' })
  expect(there.done).toEqual([['one', { do: 'stop' }]])
  expect(here.done).toEqual([])
  await expect(made.act('ssh:other', 'one', { do: 'stop' })).resolves.toMatchObject({ why: 'gone' })
  expect(made.opens('ssh:build', 'one')).toEqual({ file: 'open', args: ['one'] })
  expect(made.opens('ssh:other', 'one')).toBeNull()
})

test('a closed board closes its sources, tells nothing more and carries nothing out', async () => {
  const source = new MadeSource()
  const { board: made, time } = board(source)
  let told = 0
  made.onChange(() => (told += 1))
  source.set({ rows: [boardRow()] })
  made.close()
  source.set({ rows: [] })
  time.pass(1000)
  expect(source.isClosed).toBe(true)
  expect(told).toBe(0)
  await expect(made.act('', 'one', { do: 'stop' })).resolves.toMatchObject({ why: 'gone' })
  expect(source.done).toEqual([])
})
