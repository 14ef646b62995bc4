/** A race as it is driven: real worktrees, and conversations that the test plays. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Reply } from '../../../src/agent/backend.ts'
import type { BackgroundPrompt } from '../../../src/app/context/conversations.ts'
import type { RaceParts } from '../../../src/app/race/race-parts.ts'
import type { RaceRun } from '../../../src/app/race/race-run.ts'
import { createRaces } from '../../../src/app/race/races.ts'
import { quietTimers } from '../../../src/platform/timers.ts'
import type { Entrant, RacePlan } from '../../../src/race/race-record.ts'
import { openRaceStore } from '../../../src/race/race-store.ts'
import { openSessions, type Sessions } from '../../../src/storage/sessions/sessions.ts'
import { createWorktrees } from '../../../src/worktrees/worktrees.ts'
import { makeRepository } from '../../changes/repositories.ts'
import {
  accepted,
  answering,
  ended,
  prompt,
  says,
  started,
  step,
  stops,
  timed,
  type Told,
} from '../../conversation/events.ts'

type Played = {
  /** How the start of an agent ends; by default it starts. */
  begins: (task: BackgroundPrompt) => Reply<string> | null
  most: number
  setup: string | null
  check: string | null
}

const DONE: readonly Told[] = [
  started,
  prompt('fix it'),
  accepted,
  step(1),
  answering,
  says('Looked.\n\nFixed it.'),
  stops('end'),
  ended,
]

function stage({ begins = () => null, most = 8, setup = null, check = null }: Partial<Played> = {}) {
  const folder = makeRepository({ 'a.txt': 'one\n' })
  const stateFolder = join(dirname(folder.path), 'state')
  const begun: BackgroundPrompt[] = []
  const said: string[] = []
  const running = new Map<string, { sessions: Sessions; onEnd: () => void }>()
  const place = { stateFolder, now: () => 1000, timers: quietTimers, onProblem: () => undefined }
  const played = { most, isDaySpent: false }
  const parts: RaceParts = {
    stateFolder,
    conversations: {
      async begin(task) {
        begun.push(task)
        const sessions = openSessions({ ...place, projectFolder: task.folder ?? '' })
        const { id } = sessions.current()
        running.set(id, { sessions, onEnd: () => undefined })
        return begins(task) ?? { ok: true, value: id }
      },
      say: (_level, words) => void said.push(words),
      turnsAtOnce: () => ({ running: 0, most: played.most }),
    },
    background: {
      list: async () => [],
      begin: async () => ({ ok: false, message: 'not played' }),
      follow(id, _onRow, onEnd) {
        const known = running.get(id)
        if (known) running.set(id, { ...known, onEnd })
        else queueMicrotask(onEnd)
        return () => undefined
      },
      answer: async () => false,
      rename: async () => ({ ok: true, value: undefined }),
      stop: async () => ({ ok: true, value: undefined }),
      end: async () => ({ ok: true, value: undefined }),
    },
    worktrees: createWorktrees({ stateFolder, env: folder.env, now: () => 1000 }),
    host: { env: folder.env },
    setup: () => ({ files: [], command: setup, ignored: [] }),
    dayCost: { isReached: () => played.isDaySpent, why: () => 'today has cost $5 of $5' },
    retentionDays: () => 0,
    redact: words => words,
    redactStream: () => ({ push: words => words, end: () => '' }),
    now: () => 1000,
  }
  const plan: RacePlan = {
    folder: folder.path,
    prompt: 'fix it',
    checkCommand: check,
    mode: 'ask',
    entrants: [
      { agent: 'claude', name: 'claude', model: 'opus' },
      { agent: null, name: 'zot', model: null },
    ],
  }
  /** The process of a conversation ends, after these events. */
  const endTurn = (id: string | null, events: readonly Told[]): void => {
    const own = running.get(id ?? '')
    if (!own) throw new Error(`${id} does not run`)
    own.sessions.add(timed(events, 1000))
    own.sessions.flush()
    own.sessions.close()
    running.delete(id ?? '')
    own.onEnd()
  }
  const races = createRaces(parts)
  return { folder, parts, plan, races, begun, said, endTurn, played, stateFolder }
}

const entrants = (run: RaceRun): readonly Entrant[] => run.view().race.entrants
const steps = (run: RaceRun): string[] => entrants(run).map(each => each.step)

async function reaches(run: RaceRun, expected: readonly string[]): Promise<void> {
  await vi.waitFor(() => expect(steps(run)).toEqual(expected), { timeout: 10_000 })
}

function opened(races: ReturnType<typeof createRaces>, plan: RacePlan): RaceRun {
  const run = races.begin(plan)
  onTestFinished(() => run.close())
  return run
}

test('each begins in a worktree of its own, with its agent, its model and the mode of the race', async () => {
  const { races, plan, begun, parts } = stage()
  const run = opened(races, plan)
  await reaches(run, ['working', 'working'])
  const [first, second] = begun
  expect(first).toMatchObject({ prompt: 'fix it', agent: 'claude', model: 'opus', mode: 'ask' })
  expect([second?.agent, second?.model]).toEqual([undefined, undefined])
  const branches = entrants(run).map(({ worktree }) => worktree?.branch)
  expect(branches).toEqual(['zotui/claude-opus-fix-it-1', 'zotui/zot-fix-it-1'])
  expect(parts.worktrees.at(first?.folder ?? '')?.branch).toBe(branches[0])
})

test('an end with its work, and one in the middle of a turn, are told apart; the end of all is said', async () => {
  const { races, plan, said, endTurn } = stage()
  const run = opened(races, plan)
  await reaches(run, ['working', 'working'])
  const [first, second] = entrants(run)
  writeFileSync(join(first?.worktree?.work ?? '', 'a.txt'), 'one\ntwo\n')
  endTurn(first?.session ?? null, DONE)
  endTurn(second?.session ?? null, DONE.slice(0, 6))
  await reaches(run, ['done', 'failed'])
  await vi.waitFor(() => expect(said).toEqual(['The race is over: 1 of 2 came through. /race shows it.']))
  await vi.waitFor(() => expect(entrants(run)[0]?.changes).toEqual({ files: 1, added: 1, removed: 0 }))
  expect(entrants(run)[0]?.lastLine).toBe('Fixed it.')
  expect(entrants(run)[1]?.problem).toBe('Its process ended in the middle of the turn.')
})

test('those for which there is no room wait, and begin as soon as there is', async () => {
  const { races, plan, begun, endTurn } = stage({ most: 1 })
  const run = opened(races, plan)
  await reaches(run, ['working', 'waiting'])
  endTurn(entrants(run)[0]?.session ?? null, DONE)
  await reaches(run, ['done', 'working'])
  expect(begun.map(({ agent }) => agent)).toEqual(['claude', undefined])
})

const withoutClaude: Played['begins'] = ({ agent }) =>
  agent === 'claude' ? { ok: false, message: 'no licence' } : null

test('an agent that does not start is shown with its reason, and the others go on', async () => {
  const { races, plan } = stage({ begins: withoutClaude })
  const run = opened(races, plan)
  await reaches(run, ['failed', 'working'])
  expect(entrants(run)[0]?.problem).toBe('Its agent did not start: No licence.')
})

test('the check runs once in each worktree, after the turn, and its output is kept', async () => {
  const { races, plan, endTurn, folder } = stage({ check: 'echo checked; pwd >> "$ZOTUI_PROJECT/../checked"; exit 3' })
  const run = opened(races, plan)
  await reaches(run, ['working', 'working'])
  for (const { session } of entrants(run)) endTurn(session, DONE)
  await vi.waitFor(() => expect(entrants(run).map(({ check }) => check?.exitCode)).toEqual([3, 3]), { timeout: 10_000 })
  expect(entrants(run)[0]?.check).toMatchObject({ state: 'ended', output: 'checked\n' })
  const lines = readFileSync(join(folder.path, '..', 'checked'), 'utf8')
    .trim()
    .split('\n')
  expect(new Set(lines)).toEqual(new Set(entrants(run).map(({ worktree }) => worktree?.work)))
  expect(lines).toHaveLength(2)
})

test('what worktreeFiles names and is not copied is said once', async () => {
  const { races, plan, parts, said, folder } = stage()
  Object.assign(parts, { setup: () => ({ files: ['*.env'], command: null, ignored: [] }) })
  writeFileSync(join(folder.path, '.git', 'info', 'exclude'), '*.env\n')
  symlinkSync('a.txt', join(folder.path, 'link.env'))
  await reaches(opened(races, plan), ['working', 'working'])
  expect(said).toEqual(['1 file of worktreeFiles was not copied: link.env is a link.'])
})

test('where worktreeSetup fails, no agent starts, and its last line is shown', async () => {
  const { races, plan, begun } = stage({ setup: 'echo broken lockfile; exit 4' })
  const run = opened(races, plan)
  await reaches(run, ['failed', 'failed'])
  expect(entrants(run)[0]?.problem).toMatch(/worktreeSetup failed with exit code 4: broken lockfile/)
  expect(begun).toEqual([])
})

test('what cannot be kept is not begun: a full disk, or a file in the place of the folder', async () => {
  const { races, plan, begun, stateFolder, folder } = stage()
  mkdirSync(stateFolder, { recursive: true })
  writeFileSync(join(stateFolder, 'races'), '')
  expect(() => races.begin(plan)).toThrow(/ENOTDIR|EEXIST|not a directory/)
  rmSync(join(stateFolder, 'races'))
  const run = opened(races, { ...plan, entrants: [] })
  expect(run.view().note).toBe('')
  expect([begun, folder.git('branch', '--list', 'zotui/*')]).toEqual([[], ''])
})

test('a disk that is full in the middle begins nothing more and loses no work, and the race goes on when there is room', async () => {
  const { races, plan, begun, endTurn, played, stateFolder, folder } = stage({ most: 1, check: 'echo checked' })
  const run = opened(races, plan)
  await reaches(run, ['working', 'waiting'])
  const records = join(stateFolder, 'races')
  // Nothing can be written there.
  renameSync(records, `${records}-away`)
  writeFileSync(records, '')
  played.most = 8
  run.go()
  await vi.waitFor(() => expect(run.view().note).toContain('cannot be saved, so nothing more begins'), {
    timeout: 10_000,
  })
  endTurn(entrants(run)[0]?.session ?? null, DONE)
  await vi.waitFor(() => expect(steps(run)[0]).toBe('done'), { timeout: 10_000 })
  expect([begun.length, steps(run), entrants(run)[0]?.check]).toEqual([1, ['done', 'waiting'], null])
  expect(folder.git('branch', '--list', 'zotui/*').trim().split('\n')).toHaveLength(1)

  rmSync(records)
  renameSync(`${records}-away`, records)
  run.go()
  await reaches(run, ['done', 'working'])
  await vi.waitFor(() => expect(entrants(run)[0]?.check?.output).toContain('checked'), { timeout: 10_000 })
  expect([begun.length, run.view().note]).toEqual([2, ''])
})

test('a race is of one program at a time: another one looks at it, and takes it over when that has ended', async () => {
  const { races, plan, parts, stateFolder } = stage({ most: 1 })
  const run = opened(races, plan)
  await reaches(run, ['working', 'waiting'])
  const others = createRaces(parts)
  const { id } = run.view().race
  const watched = await others.open(id)
  expect(watched?.view()).toMatchObject({ isOwn: false, note: expect.stringContaining('Another zotui') })
  expect(await watched?.discard(0)).toContain('Another zotui')
  watched?.close()
  // As after a kill: the claim is that of no program.
  run.close()
  rmSync(join(stateFolder, 'races', 'open'), { recursive: true })
  const taken = await createRaces(parts).open(id)
  expect(taken?.view()).toMatchObject({ isOwn: true, isGoing: false })
  expect(taken && steps(taken)).toEqual(['working', 'waiting'])
  taken?.close()
})

test('a race is claimed before it is read: what its program wrote last is not lost', async () => {
  const { races, plan, parts, stateFolder } = stage({ most: 1 })
  const run = opened(races, plan)
  await reaches(run, ['working', 'waiting'])
  const { id } = run.view().race
  run.close()
  rmSync(join(stateFolder, 'races', 'open'), { recursive: true })
  const first = createRaces(parts)
  const opening = [first.open(id), first.open(id)]
  expect(openRaceStore(stateFolder, parts.now).claim(id)).toBe(null)
  const taken = await Promise.all(opening)
  expect(taken[0]?.view().isOwn).toBe(true)
  expect(taken[0]).toBe(taken[1])
  taken[0]?.close()
  expect(await first.open('gone')).toBe(null)
  expect(readdirSync(join(stateFolder, 'races', 'open')).filter(name => name.startsWith('gone'))).toEqual([])
})

test('a race that another program runs is read again only while somebody looks at it', async () => {
  const { races, plan, parts } = stage({ most: 1 })
  const run = opened(races, plan)
  await reaches(run, ['working', 'waiting'])
  const watched = await createRaces(parts).open(run.view().race.id)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const leave = [watched?.subscribe(first), watched?.subscribe(second)]
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(1000)
  await vi.waitFor(() => expect([first, second].map(each => each.mock.calls.length)).toEqual([1, 1]))
  for (const each of leave) each?.()
  expect(vi.getTimerCount()).toBe(0)
})

test('a race that is taken off the list does not come back, also while its check runs, and nobody has it', async () => {
  const { races, plan, parts, endTurn, stateFolder } = stage({ check: 'exec sleep 60' })
  const { promise: checked, resolve: onChecked } = Promise.withResolvers<void>()
  Object.assign(parts.host, { watch: () => onChecked })
  const run = opened(races, plan)
  await reaches(run, ['working', 'working'])
  endTurn(entrants(run)[0]?.session ?? null, DONE)
  await vi.waitFor(() => expect(entrants(run)[0]?.check?.state).toBe('running'))
  races.forget(run.view().race.id)
  await checked
  await setImmediate()
  expect([await races.list(plan.folder), readdirSync(join(stateFolder, 'races', 'open'))]).toEqual([[], []])
})

const DAYS = 86_400_000

test('a race expires a month after nothing of it was left to decide, and never before', async () => {
  const { races, plan, parts, endTurn } = stage()
  const run = opened(races, plan)
  await reaches(run, ['working', 'working'])
  for (const { session } of entrants(run)) endTurn(session, DONE)
  await reaches(run, ['done', 'done'])
  run.close()
  // As after an exit: no program has it open.
  const later = async (days: number, retentionDays = 0): Promise<number> => {
    const { length } = await createRaces({
      ...parts,
      now: () => Date.now() + days * DAYS,
      retentionDays: () => retentionDays,
    }).list(plan.folder)
    return length
  }
  rmSync(join(parts.stateFolder, 'races', 'open'), { recursive: true })
  expect(await later(3650)).toBe(1)
  for (const { worktree } of entrants(run)) {
    const known = parts.worktrees.at(worktree?.folder ?? '')
    if (known) await parts.worktrees.discard(known)
  }
  expect([await later(29), await later(8, 7)]).toEqual([1, 0])
})

test('a race that waits, or that another program has open, never expires', async () => {
  const { races, plan, parts } = stage({ most: 0 })
  const waiting = opened(races, plan)
  const over = opened(races, { ...plan, entrants: [] })
  const others = createRaces({ ...parts, now: () => Date.now() + 3650 * DAYS })
  const ids = async (): Promise<string[]> => (await others.list(plan.folder)).map(({ id }) => id).toSorted()
  expect(await ids()).toEqual([waiting, over].map(run => run.view().race.id).toSorted())
  over.close()
  rmSync(join(parts.stateFolder, 'races', 'open'), { recursive: true })
  expect(await ids()).toEqual([waiting.view().race.id])
})

test('discarding one ends it, removes its worktree and its branch, and leaves its session', async () => {
  const { races, plan, endTurn, folder, parts } = stage()
  const run = opened(races, plan)
  await reaches(run, ['working', 'working'])
  const [first] = entrants(run)
  endTurn(first?.session ?? null, DONE)
  await reaches(run, ['done', 'working'])
  expect(await run.discard(0)).toBe('The worktree of claude opus was removed.')
  expect(folder.git('branch', '--list', '--format=%(refname:short)', 'zotui/*').trim()).toBe('zotui/zot-fix-it-1')
  expect(parts.worktrees.at(first?.worktree?.folder ?? '')).toBeNull()
  expect(entrants(run)[0]).toMatchObject({ isDiscarded: true, session: first?.session })
  expect(await run.discard(0)).toBe('It is gone already.')
})

test('the cost limit of the day stops what has not begun, and lets the turns end that run', async () => {
  const { races, plan, endTurn, played } = stage({ most: 1 })
  const run = opened(races, plan)
  await reaches(run, ['working', 'waiting'])
  played.isDaySpent = true
  endTurn(entrants(run)[0]?.session ?? null, DONE)
  await vi.waitFor(() => expect(run.view().note).toContain('Nothing more begins: Today has cost $5 of $5.'))
  expect([steps(run), run.view().isGoing]).toEqual([['done', 'waiting'], false])
  played.isDaySpent = false
  run.go()
  await reaches(run, ['done', 'working'])
  expect(run.view().note).toBe('')
})
