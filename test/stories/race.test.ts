/** Races: one prompt for several agents, each in a worktree and in the background, with real repositories. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { COMMITTER } from '../helpers/committer.ts'
import { environment, type Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { allEnded, holders } from './holders.ts'
import { expectDraft, homeAfter, installAgent, logged, openIn, send } from './stage.ts'

const at = (home: Home, name: string): string => join(home.project, name)
const read = (home: Home, name: string): string => readFileSync(at(home, name), 'utf8')

function gitOf(home: Home) {
  return (...args: string[]): string =>
    execFileSync('git', [...COMMITTER, ...args], {
      cwd: home.project,
      env: environment(home.path),
      encoding: 'utf8',
    }).trim()
}

const NINE = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n'

const repository = homeAfter(async home => {
  writeFileSync(at(home, 'a.txt'), NINE)
  const git = gitOf(home)
  git('init', '-q', '-b', 'main', '--template=')
  git('add', '-A')
  git('commit', '-qm', 'first')
})

type Step = { run: string } | { write: string; content: string }

/** A home whose agent carries these out when it gets the prompt `fix`. */
async function homeWithTask(steps: readonly Step[]): Promise<Home> {
  const home = await repository()
  writeFileSync(join(home.path, 'fix'), JSON.stringify(steps))
  onTestFinished(() => {
    for (const { pid } of holders(home)) process.kill(pid, 'SIGKILL')
  })
  return home
}

const openRacer = (home: Home, env: Record<string, string> = {}): Promise<Screen> =>
  openIn(home, { agent: 'changing', rows: 40, columns: 110, env: { ZOTUI_PERMISSIONS: 'allow', ...env } })

async function begin(zotui: Screen, command: string): Promise<void> {
  await send(zotui, command)
  await zotui.see(/Begin the race/)
  await zotui.press('down', 'enter')
  await zotui.see(/^ {2}race of \d/m)
}

const branches = (home: Home): string => gitOf(home)('branch', '--list', '--format=%(refname:short)')

test('a race asks first, runs each in a worktree, checks each once, and one of them is taken', async () => {
  const home = await homeWithTask([{ write: 'a.txt', content: NINE.replace('two', 'TWO').replace('nine', 'NINE') }])
  const check = `grep -q TWO a.txt && basename "$ZOTUI_WORKTREE" >> '${home.path}/checked'; echo checked here`
  const zotui = await openRacer(home, { ZOTUI_RACE_CHECK: check })
  await send(zotui, '/race 2 fix')
  await zotui.see(/zot +cost unknown: no earlier turn here to go by/)
  await zotui.see(
    /Then once in each worktree, outside of any sandbox, on what\s+the\s+agents\s+have\s+written:\s+grep\s+-q\s+TWO/,
  )
  await zotui.see(/› Do not begin/)
  await zotui.press('enter')
  await zotui.see('No race was begun.')
  expect(branches(home)).toBe('main')

  await begin(zotui, '/race 2 fix')
  await zotui.see(/● zot \(1\) +done +check ok +\+2 -2 in 1 file[^]*● zot \(2\) +done +check ok +\+2 -2 in 1 file/)
  await zotui.see('checked here')
  expect(readFileSync(join(home.path, 'checked'), 'utf8').trim().split('\n').toSorted()).toEqual([
    'zot-fix-1',
    'zot-fix-2',
  ])
  expect(read(home, 'a.txt')).toBe(NINE)

  // A change of the first one, by the diff page.
  await zotui.press('d')
  await zotui.see(/a\.txt +\+2 -2/)
  await zotui.press('enter')
  await zotui.see(/\+ ?TWO|TWO/)
  await zotui.type('+')
  await zotui.see(/Took \d+ lines of a\.txt into your folder\./)
  await zotui.until('the change in the own folder', { check: () => read(home, 'a.txt').includes('TWO') })
  await zotui.type('z')
  await zotui.see('a.txt is as it was before.')
  expect(read(home, 'a.txt')).toBe(NINE)
  await zotui.press('q')
  await zotui.see(/a\.txt +\+2 -2/)
  await zotui.press('q')

  // All of the second one.
  await zotui.see(/^ {2}race of 2/m)
  await zotui.press('down', 'p')
  await zotui.see(/Merge +into your branch/)
  await zotui.press('enter')
  await zotui.see(/Merge it +1 file changed/)
  await zotui.press('enter')
  await zotui.see(/Merged: 1 file changed/)
  expect(read(home, 'a.txt')).toContain('TWO')

  // The others go; their sessions stay.
  await send(zotui, '/race')
  await zotui.see(/zot \(2\) +taken/)
  await zotui.press('x')
  await zotui.see(/zotui\/zot-fix-1: 1 uncommitted file will be lost/)
  await zotui.see(/› Keep them/)
  await zotui.press('down', 'enter')
  await zotui.see(/The worktree of zot \(1\) was removed\./)
  expect(branches(home).split('\n')).toEqual(['main', 'zotui/zot-fix-2'])
  await allEnded(home)
})

test('turns at once hold: the second begins when the first is over, and that is seen', async () => {
  const home = await homeWithTask([{ run: `while [ ! -e "$HOME/go" ]; do sleep 0.05; done` }])
  const zotui = await openRacer(home, { ZOTUI_TURNS_AT_ONCE: '1' })
  await begin(zotui, '/race 2 fix')
  await zotui.see(/zot \(1\) +working[^]*zot \(2\) +waits for a turn/)
  expect(holders(home)).toHaveLength(1)
  writeFileSync(join(home.path, 'go'), '')
  await zotui.see(/zot \(1\) +done[^]*zot \(2\) +done/)
  await allEnded(home)
})

test('an agent that does not start, and one that fails, are shown beside one that works', async () => {
  const home = await homeWithTask([{ write: 'a.txt', content: 'agent\n' }])
  installAgent(home, { name: 'claude-agent-acp', agent: 'acp-chaos', first: 'echo "no licence" >&2; exit 3' })
  const zotui = await openRacer(home, { PATH: `${join(home.path, 'bin')}:${process.env['PATH'] ?? ''}` })
  await begin(zotui, '/race zot,claude,zot:another-model fix')
  await zotui.see(/zot +done +\+1 -9 in 1 file/)
  await zotui.see(/zot another-model +done/)
  expect(logged(home)).toMatch(/"type":"model_changed"[^\n]*"another-model"/)
  await zotui.see(/claude +failed/)
  await zotui.press('down')
  await zotui.see(/Its agent did not start: .*no licence/)
  await allEnded(home)
})

test('what is no agent, no race and no repository is refused, and nothing typed is lost', async () => {
  const home = await homeWithTask([])
  const zotui = await openRacer(home)
  await send(zotui, '/race')
  await zotui.see('There is no race here yet')
  await send(zotui, '/race claude,nobody fix it')
  await zotui.see(/nobody is no agent here|claude is not installed/)
  await expectDraft(zotui, '/race claude,nobody fix it')
})

test('a race goes on when zotui exits, and is there again', async () => {
  const home = await homeWithTask([{ run: `while [ ! -e "$HOME/go" ]; do sleep 0.05; done` }])
  const first = await openRacer(home, {
    ZOTUI_TURNS_AT_ONCE: '1',
    ZOTUI_RACE_CHECK: `echo x >> '${home.path}/checked'`,
  })
  await begin(first, '/race 2 fix')
  await first.see(/zot \(1\) +working[^]*zot \(2\) +waits for a turn/)
  await first.press('q')
  await first.gone(/^ {2}race of 2/m)
  await send(first, '/exit')
  await first.exit()
  expect(holders(home)).toHaveLength(1)
  writeFileSync(join(home.path, 'go'), '')
  await allEnded(home)
  const second = await openRacer(home, { ZOTUI_TURNS_AT_ONCE: '1' })
  await send(second, '/race')
  await second.see(/zot \(1\) +done +check ok[^]*zot \(2\) +not begun/)
  await second.see(/g begins 1 more/)
  await second.type('g')
  await second.see(/zot \(2\) +done +check ok/)
  expect(readFileSync(join(home.path, 'checked'), 'utf8')).toBe('x\nx\n')
  const races = readdirSync(join(home.path, '.local', 'state', 'zotui', 'races')).filter(name => name.endsWith('.json'))
  expect([races.length, existsSync(at(home, 'checked'))]).toEqual([1, false])
})
