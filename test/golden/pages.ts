/** The board and the page of a race: their states at the sizes that count. */
import { boardField, boardScreen, raceScreen } from './page-reading.ts'
import type { BoardState } from '../../components/pages/board/state.ts'
import type { RaceView } from '../../src/app/race/race-run.ts'
import type { BoardHost } from '../../src/fleet/board-source.ts'
import type { Entrant, RaceCheck } from '../../src/race/race-record.ts'
import type { Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { host } from '../components/pages/fake-board.ts'
import { raceOf } from '../components/pages/race/race-request.ts'
import { boardQuestion, boardRow } from '../fleet/rows.ts'

/** A page in a state. */
export type PageShot = {
  name: string
  rows: (theme: Theme, size: { columns: number; rows: number }) => Styled[]
}

/** 2026-03-14, 14:02 in UTC. */
const NOON = Date.UTC(2026, 2, 14, 14, 2)
const ago = (seconds: number): number => NOON - seconds * 1000
const all = ['attach', 'answer', 'stop', 'rename', 'end', 'archive', 'diff'] as const

const short = boardQuestion({
  title: 'bash ./deploy.sh staging',
  text: 'Run this command in ~/src/app?\n  ./deploy.sh staging --wait\nIt reaches the network.',
})
const change = [
  'Change src/parser.ts?',
  ' 39     const depth = this.depth + 1',
  ' 40     if (depth > LIMIT) throw new ParseError(this.at)',
  '-41     return rest.length',
  '+41     return [...segmenter.segment(rest)].length',
  ' 42   }',
]
const diff = boardQuestion({ kind: 'call', title: 'edit src/parser.ts', text: change.join('\n') })
const long = boardQuestion({
  title: 'bash scripts/release.sh',
  text: [
    'Run this command in ~/src/app?',
    ...Array.from({ length: 60 }, (_, at) => `  step ${at + 1}: scripts/release.sh --part ${at + 1} --registry local`),
  ].join('\n'),
})
const ownTerminalOnly = boardQuestion({
  title: 'Leave the plan?',
  text: 'Accept this plan and switch to another mode?',
  answers: [],
  note: 'A mode is switched at its own terminal only.',
})

const asking = boardRow({
  id: 'asking',
  title: 'Deploy to staging',
  state: 'asks',
  folder: '/home/me/src/app',
  since: ago(90),
  costUsd: 0.42,
  changes: { files: 3, added: 41, removed: 7 },
  questions: [short],
  can: [...all],
})
const editing = boardRow({
  ...asking,
  id: 'editing',
  title: 'Count graphemes in the parser',
  agent: 'claude',
  branch: 'zotui/count-graphemes',
  worktreeOf: '/home/me/src/app',
  folder: '/state/worktrees/app/count-graphemes',
  since: ago(12),
  questions: [diff, short],
  can: [...all, 'merge'],
})
const working = boardRow({
  id: 'tree',
  title: 'Split the parser into a lexer and a parser, and test both',
  state: 'working',
  agent: 'claude',
  model: 'claude-opus-4-6',
  folder: '/state/worktrees/app/split',
  worktreeOf: '/home/me/src/app',
  branch: 'zotui/split-the-parser',
  since: ago(723),
  lastLine: 'Running the tests of the parser once more.',
  costUsd: 1.2,
  changes: { files: 9, added: 310, removed: 122 },
  can: ['attach', 'stop', 'rename', 'end', 'archive', 'diff', 'merge'],
})
const others = [
  boardRow({ id: 'starts', title: 'Look at the logs', state: 'starting', agent: 'codex', since: ago(2) }),
  boardRow({ id: 'waits', title: 'Wait for a turn', state: 'waiting', agent: 'gemini', since: ago(40) }),
  boardRow({ id: 'done', title: 'Update the changelog', state: 'done', folder: '/home/me/docs', since: ago(7200) }),
  boardRow({ id: 'cjk', title: '日本語のタイトルも切れずに並ぶ', state: 'done', since: ago(90_000), costUsd: 12.4 }),
  boardRow({ id: 'idle', kind: 'ui', attach: null, title: '', state: 'idle', pid: 4711, since: ago(300), can: [] }),
  boardRow({ id: 'rests', title: 'A question about the schema', state: 'resting', since: ago(86_400 * 3) }),
]
const build = host(
  [
    boardRow({
      id: 'r1',
      title: 'Fuzz the decoder',
      state: 'failed',
      folder: '/srv/fuzz',
      agent: 'codex',
      since: ago(300),
      lastLine: 'Its agent has ended: codex-acp crashed.',
    }),
    boardRow({ id: 'job', kind: 'job', title: 'job bench-x7f2', state: 'starting', folder: '/work', since: ago(30) }),
  ],
  { name: 'ssh:build' },
)
const lost = host([boardRow({ id: 'r2', title: 'Measure on ARM', folder: '/srv/arm', since: ago(60) })], {
  name: 'ssh:pi',
  state: 'lost',
  problem: 'No route to host. The next try is in 8 s.',
})
const bare = host([], { name: 'ssh:lab', state: 'failed', problem: 'zotui is not there. Install it: npm i -g zotui' })
const fresh = host([], { name: 'ssh:new', state: 'connecting' })

const busy: readonly BoardHost[] = [host([...others, working, asking]), build, lost, bare, fresh]
const day = { spentUsd: 4.2, limitUsd: 5 } as const
/** The key of the question of a row, as it is once it can be answered. */
const answerable = (id: string, question: { id: string; digest: string }, name = ''): Partial<BoardState> => {
  const key = `${name}\n${id}\n${question.id}\n${question.digest}`
  return { selected: `${name}\n${id}`, armed: key, seen: key }
}

const board = (name: string, hosts: readonly BoardHost[], parts: Partial<BoardState> = {}): PageShot => ({
  name: `board ${name}`,
  rows: (theme, size) => boardScreen(hosts, NOON, parts, theme, size),
})
const of = (question: typeof short): BoardHost[] => [host([{ ...asking, questions: [question] }, working])]
const tree = '\ntree'
const held: readonly BoardHost[] = [
  host([
    boardRow({
      id: 'held',
      kind: 'ui',
      attach: null,
      title: 'Count graphemes in the parser instead of UTF-16 units',
      state: 'asks',
      pid: 48_211,
      since: ago(40),
      folder: '/home/me/work/customers/acme-international/services/billing-and-invoices/packages/parser',
      questions: [short],
      can: ['background', 'answer', 'stop', 'diff'],
    }),
    working,
  ]),
]
const many = Array.from({ length: 60 }, (_, at) =>
  boardRow({ id: `many${at}`, title: `Translate chapter ${at + 1}`, state: 'done', since: ago(60 * (at + 2)) }),
)
const merge = {
  title: 'Merge zotui/split-the-parser into main?',
  lines: ['9 files changed, +310 -122', '2 commits of the agent, and what is not committed'],
  run: async () => '',
}

export const boardShots: readonly PageShot[] = [
  board('empty', [host([])]),
  board('empty, a machine is lost', [host([]), { ...lost, rows: [] }]),
  board('busy', busy, { ...answerable('asking', short), day: { spentUsd: 2.31, limitUsd: null } }),
  board('near the limit of the day', busy, { day }),
  board('over the limit of the day', busy, { day: { spentUsd: 5.02, limitUsd: 5 } }),
  board('cost unknown', busy, { day: { spentUsd: null, limitUsd: 5 } }),
  board('works', busy, { selected: tree }),
  board('failed', busy, { selected: 'ssh:build\nr1' }),
  board('idle in another zotui', busy, { selected: '\nidle' }),
  board('out of reach', busy, { selected: 'ssh:pi\nr2' }),
  board('not armed yet', of(short)),
  board('a long question', of(long), { ...answerable('asking', long), seen: null }),
  board('a change', [host([editing, working])], answerable('editing', diff)),
  board('a question for its own terminal', of(ownTerminalOnly), answerable('asking', ownTerminalOnly)),
  board('an answer on its way', of(short), { ...answerable('asking', short), sent: `\nasking\nq1\n${short.digest}` }),
  board('a refusal', of(short), {
    ...answerable('asking', short),
    field: boardField('words', '\nasking', 'Not before the tests have passed'),
  }),
  board('a filter', busy, { filter: 'parser', field: boardField('filter', '', 'parser') }),
  board('filtered', busy, { filter: 'parser' }),
  board('nothing is left by the filter', busy, { filter: 'nothing' }),
  board('a new name', busy, { selected: tree, field: boardField('name', tree, 'Split the parser') }),
  board('to end', busy, { selected: tree, doubt: { kind: 'end', key: tree, armed: true } }),
  board('to archive', busy, { selected: tree, doubt: { kind: 'archive', key: tree, armed: true } }),
  board('to merge', busy, { selected: tree, doubt: { kind: 'merge', key: tree, armed: true, merge } }),
  board('to show here', held, {
    selected: '\nheld',
    doubt: { kind: 'take', key: '\nheld', armed: true, opens: true },
  }),
  board('to the background', held, {
    selected: '\nheld',
    doubt: { kind: 'take', key: '\nheld', armed: true, opens: false },
  }),
  board('more than fits', [host([asking, ...many])], answerable('asking', short)),
  board('machines', busy, { showsHosts: true }),
  board('keys', busy, { help: 0 }),
]

const passed: RaceCheck = {
  state: 'ended',
  at: 1,
  durationMs: 41_000,
  exitCode: 0,
  problem: '',
  output: ' ✓ test/parser.test.ts (12 tests)\n\n Tests  12 passed (12)\n',
}
const red: RaceCheck = {
  ...passed,
  exitCode: 1,
  output: ' FAIL keeps its depth\n   expected 3, got 2\n\n Tests  1 failed',
}
const worktree = (name: string) => ({ folder: `/w/${name}`, branch: `zotui/${name}-fix-1`, work: `/w/${name}` })
const finished = {
  step: 'done',
  worktree: worktree('claude'),
  workedMs: 61_000,
  costUsd: 0.21,
  tokens: { input: 12_300, output: 1400 },
  changes: { files: 2, added: 12, removed: 3 },
  lastLine: 'Fixed: `length` now counts graphemes, and the test passes.',
  check: passed,
} as const

const race = (
  name: string,
  entrants: readonly Partial<Entrant>[],
  { selected = 0, help = null, ...view }: Partial<RaceView> & { selected?: number; help?: number | null } = {},
): PageShot => ({
  name: `race ${name}`,
  rows: (theme, size) =>
    raceScreen(
      {
        race: raceOf(entrants, { at: ago(180), prompt: 'Fix the failing test in parser.ts, and count graphemes' }),
        live: new Map(),
        printed: '',
        preparing: '',
        isOwn: true,
        isGoing: true,
        note: '',
        ...view,
      },
      { now: NOON, selected, help },
      theme,
      size,
    ),
})

const live = { backgroundId: 's', isShown: false, title: '', since: null, folder: '', branch: null }
const running: readonly Partial<Entrant>[] = [
  { ...finished, check: { ...passed, state: 'running', durationMs: 0, exitCode: null, output: '' } },
  { name: 'codex', model: 'gpt-5-codex', step: 'working', startedAt: ago(95), worktree: worktree('codex') },
  { name: 'zot', step: 'working', startedAt: ago(61), worktree: worktree('zot') },
  { name: 'zot', model: 'openrouter/qwen3-coder', step: 'making' },
  { name: 'gemini', step: 'waiting' },
]
const over: readonly Partial<Entrant>[] = [
  { ...finished, isPicked: true },
  {
    ...finished,
    name: 'codex',
    model: 'gpt-5-codex',
    check: red,
    costUsd: 1.42,
    changes: { files: 11, added: 240, removed: 96 },
    workedMs: 723_000,
  },
  { name: 'zot', step: 'failed', problem: 'Its agent did not start: no licence. Run `zot` once and /login.' },
  { ...finished, name: 'zot', model: 'openrouter/qwen3-coder', isDiscarded: true, costUsd: null, check: null },
  { name: 'gemini', step: 'stopped', workedMs: 4000, changes: { files: 0, added: 0, removed: 0 } },
]
const asks = {
  number: 0,
  state: 'asks',
  lastLine: 'I look at the parser first.',
  costUsd: 0.05,
  call: { id: 'c', subject: 'rm -rf build', isWhole: true },
} as const

export const raceShots: readonly PageShot[] = [
  race('at work', running, { live: new Map([[2, { ...live, ...asks }]]), printed: '> vitest run\n ✓ lexer\n' }),
  race('one asks', running, { live: new Map([[2, { ...live, ...asks }]]), selected: 2 }),
  race('over', over),
  race('a red check', over, { selected: 1 }),
  race('one did not start', over, { selected: 2 }),
  race('half, after an exit', [...over.slice(1, 3), { name: 'gemini' }, { name: 'roz' }], { isGoing: false }),
  race('of another zotui', running, { isOwn: false, note: 'Another zotui (process 4711) runs this race.' }),
  race('a check that did not end', [
    { ...finished, check: { ...passed, state: 'cut' } },
    { ...finished, name: 'codex', check: { ...passed, state: 'stopped' } },
    { ...finished, name: 'zot', check: { ...passed, exitCode: null, problem: 'The shell was not found.', output: '' } },
  ]),
  race('keys', over, { help: 0 }),
]
