import { describe, expect, test } from 'vitest'
import { boardAfter } from '../../../components/pages/board/moves.ts'
import { createBoardReader, type BoardReading } from '../../../components/pages/board/reading.ts'
import { boardRows } from '../../../components/pages/board/rows.ts'
import { initialBoard, type BoardMove, type BoardState } from '../../../components/pages/board/state.ts'
import { fullKeymap } from '../../../components/pages/keymap.ts'
import { rowsOfPage } from '../../../components/pages/page-rows.ts'
import type { BoardHost } from '../../../src/fleet/board-source.ts'
import { initialState } from '../../../src/state/state.ts'
import { createTheme } from '../../../src/style/theme.ts'
import { displayWidth, type Size } from '../../../src/text/lines/width.ts'
import { boardQuestion, boardRow } from '../../fleet/rows.ts'
import { textsOf } from '../../helpers/lines.ts'
import { host } from './fake-board.ts'

const NOON = new Date(2026, 10, 28, 12).getTime()
const theme = createTheme(1)
const ascii = createTheme(1, { unicode: false })
const first = initialState({ version: '1', folder: '~', branch: null, demo: false }, 0)
const app = { ...first, keyNames: fullKeymap.names }
const label = (folder: string): string => folder.replace(/^\/home\/me/, '~')

type Look = { size?: Size; look?: typeof theme; hasBack?: boolean }

function page(from: BoardState, moves: readonly BoardMove[] = [], { size, look = theme, hasBack = true }: Look = {}) {
  const reader = createBoardReader(label, hasBack)
  const context = { theme: look, size: size ?? { columns: 80, rows: 24 }, keys: [['k', 'does']] as const }
  const read = (state: BoardState): BoardReading => reader(state, app, context)
  const state = moves.reduce((now, move) => boardAfter(read(now), { kind: 'move', move }) ?? now, from)
  return { state, reading: read(state), rows: textsOf(rowsOfPage(boardRows(read(state)))).map(row => row.trimEnd()) }
}

const deploy = boardQuestion({
  title: 'bash ./deploy.sh staging',
  text: ['Run this command in /home/me/app?', '  ./deploy.sh staging --wait', 'It reaches the network.'].join('\n'),
})

const asking = boardRow({
  id: 'asking',
  title: 'Deploy to staging',
  state: 'asks',
  folder: '/home/me/app',
  since: NOON - 90_000,
  costUsd: 0.42,
  changes: { files: 3, added: 41, removed: 7 },
  questions: [deploy],
  can: ['attach', 'answer', 'stop', 'rename', 'end', 'archive', 'diff'],
})
const busy: readonly BoardHost[] = [
  host([
    boardRow({
      id: 'done',
      title: 'Update the changelog',
      state: 'done',
      folder: '/home/me/docs',
      since: NOON - 7_200_000,
    }),
    boardRow({
      id: 'tree',
      title: 'Split the parser',
      state: 'working',
      agent: 'claude',
      folder: '/state/worktrees/app/split',
      worktreeOf: '/home/me/app',
      branch: 'zotui/split-the-parser',
      since: NOON - 723_000,
      lastLine: 'Running the tests of the parser once more.',
      costUsd: 1.2,
      changes: { files: 9, added: 310, removed: 122 },
      can: ['attach', 'stop', 'rename', 'end', 'archive', 'diff', 'merge'],
    }),
    asking,
  ]),
  host(
    [
      boardRow({
        id: 'r1',
        title: 'Fuzz the decoder',
        state: 'failed',
        folder: '/srv/fuzz',
        agent: 'codex',
        since: NOON - 300_000,
      }),
    ],
    {
      name: 'ssh:build',
    },
  ),
  host([boardRow({ id: 'r2', title: 'Measure on ARM', state: 'working', folder: '/srv/arm', since: NOON - 60_000 })], {
    name: 'ssh:pi',
    state: 'lost',
    problem: 'No route to host. The next try is in 8 s.',
  }),
]
const shown = (hosts: readonly BoardHost[] = busy, parts: Partial<BoardState> = {}): BoardState =>
  initialBoard(hosts, NOON, parts)

describe('the board', () => {
  test('puts what waits first, and shows its question whole', () => {
    expect(page(shown()).rows.join('\n')).toMatchInlineSnapshot(`
      "  board     1 asks you   1 failed   1 at work   1 done   1 machine out of reach
        waits for you 1
      › ? Deploy to staging                                   +41 -7   $0.42    1m30s
        failed 1
        ✗ Fuzz the decoder                     ssh:build                       5m ago
        works 1
        ◐ Split the parser   Running the te…               +310 -122   $1.20   12m03s
        done 1
        ● Update the changelog                                                 2h ago
        out of reach 1
        ◐ Measure on ARM                       ssh:pi                           1m00s
        ssh:pi is lost: No route to host. The next try is in 8 s.

        asks you, ~/app on main, zot m, mode ask, 3 files +41 -7, $0.42, in the backg…
        bash ./deploy.sh staging
        Run this command in /home/me/app?
          ./deploy.sh staging --wait
        It reaches the network.





        Enter opens   s stops   d diff   e ends   f filter   ? keys   q closes"
    `)
  })

  test('has the question beside the list on a wide screen', () => {
    expect(page(shown(), [], { size: { columns: 140, rows: 24 } }).rows.join('\n')).toMatchInlineSnapshot(`
      "  board                                                                 1 asks you   1 failed   1 at work   1 done   1 machine out of reach
        waits for you 1                                                              asks you, ~/app on main, zot m, mode ask, 3 files +41 -7, $…
      › ? Deploy to staging                                         $0.42    1m30s   bash ./deploy.sh staging
        failed 1                                                                     Run this command in /home/me/app?
        ✗ Fuzz the decoder                              ssh:build           5m ago     ./deploy.sh staging --wait
        works 1                                                                      It reaches the network.
        ◐ Split the parser   Running the tests of th…               $1.20   12m03s
        done 1
        ● Update the changelog                                              2h ago
        out of reach 1
        ◐ Measure on ARM                                ssh:pi               1m00s
        ssh:pi is lost: No route to host. The next try is in 8 s.











        Enter opens   s stops   d diff   e ends   f filter   h machines   ? keys   q closes"
    `)
  })

  test('keeps sign, title and time on a narrow screen', () => {
    expect(page(shown(), [], { size: { columns: 40, rows: 20 } }).rows.join('\n')).toMatchInlineSnapshot(`
      "  board           1 asks you   1 failed
        waits for you 1
      › ? Deploy to staging             1m30s
        failed 1
        ✗ Fuzz the decoder             5m ago
        works 1
        ◐ Split the parser             12m03s
        done 1
        ● Update the changelog         2h ago
        out of reach 1
                                     +1 below
        asks you, ~/app on main, zot m, mode …
        bash ./deploy.sh staging
        Run this command in /home/me/app?
          ./deploy.sh staging --wait
        It reaches the network.



        Enter opens   ? keys   q closes"
    `)
  })

  test('says in ASCII what it says otherwise', () => {
    expect(page(shown(), ['down', 'down'], { look: ascii }).rows.join('\n')).toMatchInlineSnapshot(`
      "  board     1 asks you   1 failed   1 at work   1 done   1 machine out of reach
        waits for you 1
        ? Deploy to staging                                   +41 -7   $0.42    1m30s
        failed 1
        x Fuzz the decoder                     ssh:build                       5m ago
        works 1
      > ~ Split the parser   Running the ...               +310 -122   $1.20   12m03s
        done 1
        * Update the changelog                                                 2h ago
        out of reach 1
        ~ Measure on ARM                       ssh:pi                           1m00s
        ssh:pi is lost: No route to host. The next try is in 8 s.

        Split the parser
        working, a worktree of ~/app on zotui/split-the-parser, claude m, mode ask, 9
        files +310 -122, $1.20, in the background

        Running the tests of the parser once more.





        Enter opens   s stops   d diff   m merges   e ends   ? keys   q closes"
    `)
  })

  test.each([
    { columns: 200, rows: 60 },
    { columns: 120, rows: 40 },
    { columns: 80, rows: 24 },
    { columns: 40, rows: 20 },
    { columns: 20, rows: 8 },
    { columns: 12, rows: 4 },
  ])('fills a screen of %o, and no row is wider', size => {
    const doubt = { kind: 'end', key: '\nasking', armed: true } as const
    const views: readonly (readonly [BoardState, readonly BoardMove[]])[] = [
      ...([[], ['down', 'down'], ['help'], ['hosts'], ['filter']] as const).map(moves => [shown(), moves] as const),
      [{ ...shown(), doubt }, []],
    ]
    for (const [state, moves] of views) {
      const { reading } = page(state, moves, { size })
      const rows = rowsOfPage(boardRows(reading))
      expect(rows).toHaveLength(Math.max(3, size.rows))
      for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(size.columns)
    }
  })
})
