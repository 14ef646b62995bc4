/** The board for people who use a screen reader. */
import { expect, test, vi } from 'vitest'
import { askAboutBoard } from '../../../components/pages/board/spoken.ts'
import type { BoardPageRequest, PageParts } from '../../../src/app/pages/pages.ts'
import type { Question } from '../../../src/app/context/choice-prompt.ts'
import { boardQuestion, boardRow } from '../../fleet/rows.ts'
import { boardRequest, fakeBoard, host } from './fake-board.ts'

function spoken(board = fakeBoard([]), request: Partial<BoardPageRequest> = {}) {
  const said: string[] = []
  const asked: Question[] = []
  const parts = {
    context: {
      addProgramNotice: (_level: string, text: string) => said.push(text),
      hint: (text: string) => said.push(text),
      now: () => 0,
    },
    choicePrompt: { ask: (question: Question) => asked.push(question) },
  } as unknown as PageParts
  let closed = 0
  askAboutBoard(boardRequest(board, { ...request, closed: () => void (closed += 1) }), parts)
  const choose = (label: string): void =>
    asked
      .at(-1)
      ?.answers.find(each => each.label === label)
      ?.run()
  return { said, asked, choose, closed: () => closed }
}

test('says what there is, and what is wrong with machines', () => {
  const rows = [boardRow({ id: 'a', title: 'Deploy', state: 'asks', questions: [boardQuestion()] })]
  const { said } = spoken(
    fakeBoard([host(rows), host([], { name: 'ssh:pi', state: 'failed', problem: 'It has no zotui.' })]),
  )
  expect(said[0]).toContain('1 conversation.')
  expect(said[0]).toContain('ssh:pi cannot be asked: It has no zotui.')
  expect(said[0]).toContain('It asks: bash ls')
})

test('reads a question whole before its answers, and closing is the first choice', async () => {
  const board = fakeBoard([boardRow({ id: 'a', title: 'Deploy', state: 'asks', questions: [boardQuestion()] })])
  const { said, asked, choose, closed } = spoken(board)
  expect(asked[0]?.answers[0]?.label).toBe('close the board')
  choose('answer Deploy')
  expect(said.at(-1)).toContain('Run this command?\nls')
  expect(asked[1]?.answers.map(({ label }) => label)).toEqual(['leave it', 'refuse', 'allow once'])
  choose('allow once')
  await Promise.resolve()
  expect(board.done).toMatchObject([['', 'a', { do: 'answer', allow: true }]])
  await Promise.resolve()
  expect(closed()).toBe(1)
})

test('what another zotui has open is moved to the background after its consequences were read, and shown here', async () => {
  const held = boardRow({ id: 'held', kind: 'ui', session: 's1', title: 'Parse', pid: 7, can: ['background'] })
  const board = fakeBoard([held])
  const opened: string[] = []
  const { said, asked, choose, closed } = spoken(board, {
    open: async (_host, row) => {
      opened.push(row.id)
      return null
    },
  })
  expect(asked[0]?.answers.map(({ label }) => label)).toEqual([
    'close the board',
    'show Parse here',
    'move Parse to the background',
  ])
  choose('show Parse here')
  expect(said.at(-1)).toContain('The zotui 7 in /work moves it to the background.')
  expect(said.at(-1)).toContain('Its turn is stopped')
  expect(asked[1]?.answers[0]?.label).toBe('leave it')
  choose('show it here')
  board.change([host([boardRow({ id: 'moved', kind: 'background', session: 's1', title: 'Parse' })])])
  await vi.waitFor(() => expect(closed()).toBe(1))
  expect(board.done).toEqual([['', 'held', { do: 'background' }]])
  expect(opened).toEqual(['moved'])
})

test('a conversation of this zotui is moved to the background from the list', async () => {
  const moved: string[] = []
  const { said, choose, closed } = spoken(fakeBoard([boardRow({ id: 'own', kind: 'ui', title: 'Parse' })]), {
    background: async ({ id }) => {
      moved.push(id)
      return 'Parse is in the background.'
    },
  })
  choose('move Parse to the background')
  await vi.waitFor(() => expect(closed()).toBe(1))
  expect([moved, said.at(-1)]).toEqual([['own'], 'Parse is in the background.'])
})

test('waits for machines that are found a moment later', () => {
  const board = fakeBoard([host([])], false)
  const { said } = spoken(board)
  expect(said).toEqual([])
  board.complete([host([]), host([boardRow({ id: 'a', title: 'Deploy' })], { name: 'ssh:build' })])
  expect(said[0]).toContain('1 conversation.')
  expect(said[0]).toContain('Deploy')
})
