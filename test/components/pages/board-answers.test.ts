/** What keys do on the board to conversations, and when a yes and a no count. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { BoardPageRequest } from '../../../src/app/pages/pages.ts'
import type { BoardRow } from '../../../src/fleet/board-row.ts'
import type { FleetBoard } from '../../../src/fleet/board.ts'
import { boardQuestion, boardRow } from '../../fleet/rows.ts'
import { boardRequest, fakeBoard, host } from './fake-board.ts'
import { settled, size, stage } from './stage.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

const QUIET = 400
const can = ['attach', 'answer', 'stop', 'rename', 'end', 'archive', 'diff', 'merge'] as const
const question = boardQuestion({ text: 'ls' })
const other = boardQuestion({ id: 'q2', title: 'bash rm -r build', text: 'rm -r build', digest: 'b'.repeat(64) })
const long = boardQuestion({ text: Array.from({ length: 9 }, (_, at) => `line ${at + 1}`).join('\n') })
const asks = boardRow({ id: 'asks', title: 'Deploy', state: 'asks', questions: [question], can })
const works = boardRow({ id: 'works', title: 'Parse', since: 10, can })

async function opened(rows: readonly BoardRow[] = [asks, works], parts: Partial<BoardPageRequest> = {}) {
  const on = await stage()
  const board = fakeBoard(rows)
  const timers = vi.getTimerCount()
  on.open('board', boardRequest(board, parts))
  on.rows()
  return { on, board, timers, text: () => on.rows().join('\n') }
}

const answered = (allow: boolean, words?: string) =>
  [
    '',
    'asks',
    { do: 'answer', question: 'q1', digest: question.digest, allow, ...(words !== undefined && { words }) },
  ] as const

describe('a question', () => {
  test.each([
    ['y', true],
    ['n', false],
  ])('is answered by %s after a pause', async (key, allow) => {
    const { on, board } = await opened()
    vi.advanceTimersByTime(QUIET)
    await on.press(key)
    expect(board.done).toEqual([answered(allow)])
  })

  test('takes no key that was meant for something else, nor one too soon after another key', async () => {
    const { on, board } = await opened()
    await on.press('y')
    vi.advanceTimersByTime(QUIET - 1)
    await on.press('up')
    vi.advanceTimersByTime(QUIET - 1)
    await on.press('y')
    expect(board.done).toEqual([])
  })

  test.each(['y', 'n', 'w'])('says so when %s comes too soon, and takes it after a pause', async key => {
    const { on, board, text } = await opened()
    await on.press(key)
    expect([board.done, text()]).toEqual([[], expect.stringContaining('Too soon after the question or another key')])
    vi.advanceTimersByTime(QUIET)
    await on.press(key)
    expect(text()).not.toContain('Too soon')
    expect(text()).toMatch(key === 'w' ? /refuse with/ : /Refused: |Allowed once: /)
  })

  test('that changes in the moment of the key says so', async () => {
    const { on, board, text } = await opened()
    vi.advanceTimersByTime(QUIET)
    expect(text()).toContain('n refuses')
    board.change([host([{ ...asks, questions: [other] }, works])])
    await on.press('n')
    expect([board.done, text()]).toEqual([[], expect.stringContaining('Too soon after the question or another key')])
  })

  test('offers a yes only when one counts, also where a higher window has brought its end', async () => {
    const { on, board, text } = await opened([{ ...asks, questions: [long] }, works])
    vi.advanceTimersByTime(QUIET)
    expect(text()).not.toContain('line 9')
    const { rows } = size
    onTestFinished(() => void (size.rows = rows))
    size.rows = 30
    expect(text()).toContain('line 9')
    expect(text()).not.toContain('y allows once')
    on.source()?.work()
    vi.advanceTimersByTime(QUIET)
    expect(text()).toContain('y allows once')
    await on.press('y')
    expect(board.done).toHaveLength(1)
  })

  test('takes no answer while a list covers it', async () => {
    const { on, board, text } = await opened()
    for (const list of ['?', 'h']) {
      await on.press(list)
      vi.advanceTimersByTime(QUIET)
      await on.press('n')
      expect(text()).toContain('closes this list first')
      await on.press('escape')
    }
    expect(board.done).toEqual([])
    vi.advanceTimersByTime(QUIET)
    await on.press('n')
    expect(board.done).toHaveLength(1)
  })

  test('is allowed only when its end was on the screen', async () => {
    const { on, board, text } = await opened([boardRow({ id: 'asks', questions: [long], can }), works])
    vi.advanceTimersByTime(QUIET)
    expect(text()).not.toContain('y allows once')
    expect(text()).toContain('n refuses')
    await on.press('y')
    expect(board.done).toEqual([])
    while (!text().includes('line 9')) await on.press('pagedown')
    vi.advanceTimersByTime(QUIET)
    await on.press('pageup')
    vi.advanceTimersByTime(QUIET)
    expect(text()).toContain('y allows once')
    await on.press('y')
    expect(board.done).toHaveLength(1)
  })

  test('that has changed needs another look, and its answer names what was shown', async () => {
    const { on, board } = await opened()
    vi.advanceTimersByTime(QUIET)
    board.change([host([{ ...asks, questions: [{ ...question, digest: 'c'.repeat(64), text: 'ls -la' }] }, works])])
    await on.press('y')
    expect(board.done).toEqual([])
    on.rows()
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(board.done).toMatchObject([['', 'asks', { digest: 'c'.repeat(64) }]])
  })

  test('that somebody else has answered says so', async () => {
    const { on, board, text } = await opened()
    board.reply = { ok: false, why: 'answered', message: 'It was answered in its terminal.' }
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(text()).toContain('It was answered in its terminal.')
  })

  test('is answered once, however often the key is pressed', async () => {
    const { on, board } = await opened()
    vi.advanceTimersByTime(QUIET)
    await on.press('y', 'y', 'y')
    vi.advanceTimersByTime(QUIET)
    expect(board.done).toHaveLength(1)
  })

  test('gives way to the next one that waits', async () => {
    const next = boardRow({ id: 'next', title: 'Clean', state: 'asks', questions: [other], since: 5000, can })
    const { on, board } = await opened([asks, next])
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    board.change([host([{ ...asks, questions: [], state: 'working' }, next])])
    on.rows()
    await on.press('y')
    expect(board.done).toHaveLength(1)
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(board.done.at(-1)).toMatchObject(['', 'next', { question: 'q2' }])
  })

  test('is refused with words, which Esc throws away', async () => {
    const { on, board, text } = await opened()
    vi.advanceTimersByTime(QUIET)
    await on.press('w')
    await on.type('y n')
    expect(text()).toContain('refuse with  y n')
    await on.press('escape')
    vi.advanceTimersByTime(QUIET)
    await on.press('w')
    await on.type('use the staging key')
    await on.press('enter')
    expect(board.done).toEqual([answered(false, 'use the staging key')])
  })

  test('that changes while the words are written gets none of them, and they stay', async () => {
    const { on, board, text } = await opened()
    vi.advanceTimersByTime(QUIET)
    await on.press('w')
    await on.type('no')
    board.change([host([{ ...asks, questions: [other] }, works])])
    await on.press('enter')
    expect(board.done).toEqual([])
    expect(text()).toContain('refuse with  no')
    expect(text()).toContain('The question has changed')
  })

  test('of a lost machine takes no answer', async () => {
    const { on, board, text } = await opened([])
    board.change([host([]), host([asks], { name: 'ssh:pi', state: 'lost', problem: 'No route to host.' })])
    on.rows()
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(board.done).toEqual([])
    expect(text()).toContain('No route to host.')
  })

  test('that can only be answered in its place says why', async () => {
    const { on, board, text } = await opened([
      boardRow({
        id: 'asks',
        questions: [boardQuestion({ answers: [], note: 'A form is filled in over there.' })],
        can,
      }),
    ])
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(board.done).toEqual([])
    expect(text()).toContain('A form is filled in over there.')
  })
})

describe('keys', () => {
  test('stop, and rename with the text field', async () => {
    const { on, board } = await opened()
    await on.press('down', 's', 'r')
    await on.press('ctrl+u')
    await on.type('Parser')
    await on.press('enter')
    expect(board.done).toEqual([
      ['', 'works', { do: 'stop' }],
      ['', 'works', { do: 'rename', title: 'Parser' }],
    ])
  })

  test.each([
    ['e', 'end'],
    ['a', 'archive'],
  ])('%s asks first, and takes a yes only after a pause', async (key, does) => {
    const { on, board } = await opened()
    await on.press('down', key, 'y')
    expect([board.done, on.rows().join('\n')]).toEqual([[], expect.stringContaining('Too soon after the question')])
    on.rows()
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(board.done).toEqual([['', 'works', { do: does }]])
    await on.press(key)
    vi.advanceTimersByTime(QUIET)
    await on.press('n')
    expect(board.done).toHaveLength(1)
  })

  test('a yes counts only when all of what is asked was on the screen: the list gives it room, and it scrolls', async () => {
    const { rows } = size
    onTestFinished(() => void (size.rows = rows))
    size.rows = 8
    const held = boardRow({
      id: 'held',
      kind: 'ui',
      pid: 7,
      folder: `/code/${'deep/'.repeat(40)}app`,
      can: ['background'],
    })
    const { on, board, text } = await opened([held, asks])
    await on.press('down', 'b')
    expect(text()).toContain('Move "Fix the test" to the background?')
    expect(text()).toContain('The zotui 7 in /code/…/')
    vi.advanceTimersByTime(QUIET)
    expect(text()).not.toContain('y yes')
    await on.press('y')
    expect([board.done, text()]).toEqual([[], expect.stringContaining('PageDown shows more')])
    while (!text().includes('asks its person once')) await on.press('pagedown')
    vi.advanceTimersByTime(QUIET)
    expect(text()).toContain('y yes')
    await on.press('y')
    expect(board.done).toEqual([['', 'held', { do: 'background' }]])
  })

  test('act on the row that was on the screen, whatever came since', async () => {
    const { on, board } = await opened([works])
    board.change([host([asks, works])])
    await on.press('s')
    expect(board.done).toEqual([['', 'works', { do: 'stop' }]])
  })

  test('keep the selected conversation while others come and go', async () => {
    const { on, board, text } = await opened()
    await on.press('down')
    board.change([host([{ ...works, state: 'done' }, boardRow({ id: 'new', title: 'New', since: 1 }), asks])])
    expect(text()).toContain('› ● Parse')
  })

  test('say what cannot be done', async () => {
    const held = boardRow({ id: 'ui', kind: 'ui', pid: 42, folder: '/there', can: ['attach'] })
    const { on, text } = await opened([held])
    for (const [key, word] of [
      ['e', 'ended'],
      ['a', 'archived'],
      ['r', 'renamed'],
      ['d', 'compared'],
    ] as const) {
      await on.press(key)
      expect(text()).toContain(`It cannot be ${word} from here: the zotui 42 in /there holds it`)
    }
    await on.press('w')
    expect(text()).toContain('This conversation asks nothing.')
    await on.press('m')
    expect(text()).toContain('It works in no worktree')
    await on.press('ctrl+a')
    expect(text()).toContain('no list of conversations')
  })

  test('merge after the lines of a preview and a yes', async () => {
    const runs: string[] = []
    const merge = {
      title: 'Merge zotui/split into main?',
      lines: ['changes a.ts (+1 -0)'],
      run: async () => {
        runs.push('merged')
        return 'Merged: 1 file.'
      },
    }
    const tree = { ...works, worktreeOf: '/work' }
    const { on, text } = await opened([tree], { merge: async () => ({ ok: true, value: merge }) })
    await on.press('m')
    expect(text()).toContain('changes a.ts (+1 -0)')
    await on.press('y')
    expect(runs).toEqual([])
    vi.advanceTimersByTime(QUIET)
    await on.press('y')
    expect(runs).toEqual(['merged'])
    expect(text()).toContain('Merged: 1 file.')
  })

  test('a merge that its own conversation asks about names the key that goes there', async () => {
    const why = 'Conflicts: {board.end}.ts.'
    const tree = { ...works, worktreeOf: '/work' }
    const { on, text } = await opened([tree], { merge: async () => ({ ok: false, why, isAskedThere: true }) })
    await on.press('m')
    expect(text()).toContain(`Enter goes there, and /worktree asks what to do. ${why}`)
  })

  test('filter as one types, and Esc takes the filter away before it closes the board', async () => {
    const { on, text } = await opened()
    await on.press('/')
    await on.type('pars')
    expect(text()).not.toContain('Deploy')
    await on.press('enter')
    expect(text()).toContain('only "pars"')
    await on.press('escape')
    expect(text()).toContain('Deploy')
    await on.press('escape')
    expect(on.isOpen()).toBe(false)
  })

  test('open a conversation, or say why not', async () => {
    const { on, text } = await opened([asks], { open: async (...[, row]) => `No way to ${row.id}.` })
    await on.press('enter')
    expect(text()).toContain('No way to asks.')
  })

  test('Ctrl+A goes back to the list', async () => {
    let isBack = false
    const { on } = await opened([asks], { back: () => void (isBack = true) })
    await on.press('ctrl+a')
    expect([isBack, on.isOpen()]).toEqual([true, false])
  })
})

test('an empty board says what comes there, and the machines are a key away', async () => {
  const { on, text, board } = await opened([])
  expect(text()).toContain('No conversation runs.')
  board.change([host([]), host([], { name: 'ssh:build', state: 'failed', problem: 'It has no zotui.' })])
  await on.press('h')
  expect(text()).toContain('ssh:build cannot be asked: It has no zotui.')
})

test('the cost of today stands in the head line, and warns near the limit', async () => {
  const { text } = await opened([works], { dayCost: () => ({ spentUsd: 4.2, limitUsd: 20 }) })
  vi.advanceTimersByTime(1000)
  expect(text()).toContain('today $4.20 of $20.00')
})

test('a board that was asked for before another page was opened is closed, and the screen says so', async () => {
  const { promise, resolve } = Promise.withResolvers<FleetBoard>()
  const asked = Promise.withResolvers<void>()
  const openBoard = async (): Promise<FleetBoard> => {
    asked.resolve()
    return promise
  }
  const on = await stage({ openBoard })
  await on.type('/board')
  await on.press('enter')
  await asked.promise
  await on.type('?')
  expect(on.page()).toBe('viewer')
  let isClosed = false
  resolve({ ...fakeBoard([works]), rows: () => [], opens: () => null, close: () => void (isClosed = true) })
  await settled()
  expect([isClosed, on.page()]).toEqual([true, 'viewer'])
  expect(on.rows().at(-1)).toContain('The board was not opened over this page')
})

test('the closed board listens to nothing, and leaves no timer', async () => {
  let isClosed = false
  const { on, board, timers } = await opened([asks], { closed: () => void (isClosed = true) })
  expect(board.listening()).toBe(1)
  await on.press('escape')
  await settled()
  expect([board.listening(), vi.getTimerCount(), isClosed]).toEqual([0, timers, true])
})
