/**
 * zotui is killed (SIGKILL) while a race runs: before, amid and after each write of its record, from the first one to the end of the checks.
 * The next zotui knows each worktree and each conversation that there is, no work is lost, no check runs twice in a worktree, and nothing
 * runs that no list shows.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { raceSchema, type Race } from '../../src/race/race-record.ts'
import { COMMITTER } from '../helpers/committer.ts'
import { environment, type Home } from '../helpers/home.ts'
import { isLong } from '../helpers/length.ts'
import type { Screen } from '../helpers/screen.ts'
import { allEnded, holders, recordsIn } from '../stories/holders.ts'
import { lastingHome, openIn, send } from '../stories/stage.ts'

const KILLS = isLong ? 40 : 3
const preload = fileURLToPath(new URL('../fixtures/kill-at.ts', import.meta.url))

const stateOf = ({ path }: Home): string => join(path, '.local', 'state', 'zotui')

function git(home: Home, ...args: string[]): string {
  const options = { cwd: home.project, env: environment(home.path), encoding: 'utf8' } as const
  return execFileSync('git', [...COMMITTER, ...args], options).trim()
}

function repository(): Home {
  const home = lastingHome()
  onTestFinished(() => {
    for (const { pid } of holders(home)) process.kill(pid, 'SIGKILL')
  })
  writeFileSync(join(home.project, 'a.txt'), 'one\n')
  writeFileSync(join(home.path, 'fix'), JSON.stringify([{ write: 'a.txt', content: 'agent\n' }]))
  git(home, 'init', '-q', '-b', 'main', '--template=')
  git(home, 'add', '-A')
  git(home, 'commit', '-qm', 'first')
  return home
}

/** Opens zotui; with a number it is killed at that step of what it writes of races. */
function openRacer(home: Home, kill: number | null): Promise<Screen> {
  const check = `pwd >> '${home.path}/checked'`
  const killing = {
    NODE_OPTIONS: `--import=${preload}`,
    KILL_IN: join(stateOf(home), 'races'),
    KILL_AT: String(kill),
    KILL_WHEN: home.path,
    KILL_STEPS: join(home.path, 'steps'),
  }
  const env = { ZOTUI_PERMISSIONS: 'allow', ZOTUI_RACE_CHECK: check, ...(kill !== null && killing) }
  return openIn(home, { agent: 'changing', rows: 40, columns: 110, env })
}

async function begin(zotui: Screen): Promise<void> {
  await send(zotui, '/race 2 fix')
  await zotui.see(/Begin the race/)
  await zotui.press('down', 'enter')
}

function races(home: Home): Race[] {
  const folder = join(stateOf(home), 'races')
  const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.json')) : []
  return names.map(name => raceSchema.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))))
}

const linesIn = (path: string): string[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : []

/** The steps of a race that nobody kills. */
async function allSteps(): Promise<string[]> {
  const home = repository()
  const zotui = await openRacer(home, 0)
  await begin(zotui)
  await zotui.see(/check ok[^]*check ok[^]*\npwd|\(1\) +done +check ok[^]*\(2\) +done +check ok/)
  return linesIn(join(home.path, 'steps'))
}

test('a race whose zotui is killed is taken up again, whatever was done by then', { timeout: 3_600_000 }, async () => {
  const steps = await allSteps()
  expect(steps.length).toBeGreaterThan(30)
  const all = steps.map((_, at) => at + 1)
  const chosen = isLong ? all : all.toSorted(() => Math.random() - 0.5)
  for (const number of chosen.slice(0, KILLS)) await killedAt(number, steps[number - 1] ?? '')
})

async function killedAt(number: number, where: string): Promise<void> {
  const home = repository()
  const first = await openRacer(home, number)
  await begin(first)
  expect({ where, signal: (await first.exit()).signal }).toEqual({ where, signal: 'SIGKILL' })
  const second = await openRacer(home, null)
  await send(second, '/race')
  if (races(home).length === 0) {
    await second.see('There is no race here yet')
    expect({ where, branches: git(home, 'branch', '--list', 'zotui/*') }).toEqual({ where, branches: '' })
    return
  }
  await second.see(/^ {2}race of 2/m)
  await second.type('g')
  const isOver = (): boolean =>
    races(home).every(({ entrants }) =>
      entrants.every(
        ({ step, check }) => step === 'failed' || (step === 'done' && check !== null && check.state !== 'running'),
      ),
    )
  await second.until(`the end of the race, killed at ${where}`, { check: isOver })
  if (existsSync(recordsIn(home))) await allEnded(home)
  const [race] = races(home)
  const known = race?.entrants.flatMap(({ worktree }) => worktree?.branch ?? []) ?? []
  expect({ where, known: known.toSorted() }).toEqual({
    where,
    known: git(home, 'branch', '--list', '--format=%(refname:short)', 'zotui/*').split('\n').filter(Boolean).toSorted(),
  })
  for (const { step, worktree } of race?.entrants ?? [])
    if (step === 'done') expect(readFileSync(join(worktree?.work ?? '', 'a.txt'), 'utf8')).toBe('agent\n')
  const checked = linesIn(join(home.path, 'checked'))
  expect({ where, checked: new Set(checked).size }).toEqual({ where, checked: checked.length })
}
