/** Conversations that work in git worktrees of their own, with real repositories. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { openFolderPermissions } from '../../src/config/trust/folder-permissions.ts'
import { createWorktrees } from '../../src/worktrees/worktrees.ts'
import { environment, type Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { allEnded, begin, holders, zotui } from './holders.ts'
import { expectDraft, homeAfter, installZot, openIn, openQuickDemo, program, send } from './stage.ts'
import { COMMITTER } from '../helpers/committer.ts'

type Step = { run: string } | { write: string; content: string }

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

/** A repository with one commit; b.txt has a change that is not committed. */
const repository = homeAfter(async home => {
  writeFileSync(at(home, 'a.txt'), 'one\n')
  writeFileSync(at(home, 'b.txt'), 'two\n')
  const git = gitOf(home)
  git('init', '-q', '-b', 'main', '--template=')
  git('add', '-A')
  git('commit', '-qm', 'first')
  writeFileSync(at(home, 'b.txt'), 'mine\n')
})

/** The agent carries these out when it gets this prompt. */
function teach(home: Home, prompt: string, steps: readonly Step[]): void {
  writeFileSync(join(home.path, prompt), JSON.stringify(steps))
}

async function goTo(zotui: Screen, number: number): Promise<void> {
  await zotui.press('alt+a')
  await zotui.see(/Enter or a digit/)
  await zotui.type(String(number))
  await zotui.gone(/Enter or a digit/)
}

/** Opens zotui and lets a second conversation answer the prompt `fix` in a worktree. */
async function spawned(home: Home, steps: readonly Step[]): Promise<Screen> {
  teach(home, 'fix', steps)
  const zotui = await openIn(home, { agent: 'changing', rows: 45 })
  await send(zotui, '/spawn fix')
  await zotui.see(/It works on the\s+branch\s+zotui\/fix-1/)
  await zotui.see(/ 2● /)
  return zotui
}

describe('/spawn', () => {
  test('works in a worktree if the folder has changes and edits are allowed; /worktree shows and merges them', async () => {
    const home = await repository()
    const zotui = await spawned(home, [{ write: 'a.txt', content: 'agent\n' }, { run: 'echo made > made.txt' }])
    await zotui.see(/Your 1\s+uncommitted change is\s+not in it\./)
    expect([read(home, 'a.txt'), read(home, 'b.txt'), existsSync(at(home, 'made.txt'))]).toEqual([
      'one\n',
      'mine\n',
      false,
    ])
    await goTo(zotui, 2)
    await zotui.see(/2 files changed, \+2 -1 on the\s+branch zotui\/fix-1/)
    await send(zotui, '/diff')
    await zotui.see(/made\.txt +new +\+1 -0/)
    await zotui.press('q')
    await zotui.gone(/made\.txt +new/)
    expect(gitOf(home)('status', '--porcelain')).toBe('M b.txt')
    await choose(zotui, 'diff')
    await zotui.see(/made\.txt +new +\+1 -0/)
    await zotui.press('q')
    await choose(zotui, 'merge')
    await zotui.see(/Merging zotui\/fix-1 into main:[^]*changes a\.txt \(\+1 -1\)[^]*adds made\.txt \(\+1 -0\)/)
    expect(read(home, 'a.txt')).toBe('one\n')
    await zotui.see(/Merge it +2 files changed, \+2 -1/)
    await zotui.press('down', 'enter')
    await zotui.see('Cancelled: merge of zotui/fix-1, 2 files changed, +2 -1.')
    await zotui.gone('Merging zotui/fix-1 into main:')
    expect(read(home, 'a.txt')).toBe('one\n')
    await choose(zotui, 'merge')
    await zotui.see(/Merge it +2 files changed, \+2 -1/)
    await zotui.press('enter')
    await zotui.see(/Merged: 2 files changed, \+2 -1\. main is at/)
    await zotui.see(/git reset --keep/)
    expect([read(home, 'a.txt'), read(home, 'b.txt'), read(home, 'made.txt')]).toEqual(['agent\n', 'mine\n', 'made\n'])
    expect(gitOf(home)('log', '--format=%s')).toMatch(/^Merge branch 'zotui\/fix-1'\n/)
    expect(gitOf(home)('status', '--porcelain')).toBe('M b.txt')
  })

  test('--here works in the folder, --worktree makes a worktree also without changes, if there is a repository, and none asks for edits that are allowed', async () => {
    const home = await repository()
    teach(home, 'fix', [{ write: 'a.txt', content: 'agent\n' }])
    renameSync(at(home, '.git'), join(home.path, 'away'))
    const zotui = await openIn(home, { agent: 'changing', rows: 45, env: { ZOTUI_PERMISSIONS: 'edits' } })
    await send(zotui, '/spawn --worktree fix')
    await zotui.see('No worktree was made: this folder is not in a git repository.')
    await expectDraft(zotui, '/spawn --worktree fix')
    await zotui.press('ctrl+u')
    renameSync(join(home.path, 'away'), at(home, '.git'))
    await send(zotui, '/spawn --here fix')
    await zotui.until('the change in the folder', { check: () => read(home, 'a.txt') === 'agent\n' })
    expect(gitOf(home)('branch', '--list')).toBe('* main')
    gitOf(home)('checkout', '-q', '--', '.')
    await send(zotui, '/spawn fix')
    await zotui.see(/Started conversation 3/)
    await zotui.until('the change in the folder', { check: () => read(home, 'a.txt') === 'agent\n' })
    gitOf(home)('checkout', '-q', '--', '.')
    await send(zotui, '/spawn --worktree fix')
    await zotui.see(/Started conversation 4[^]*on the\s+branch\s+zotui\/fix-1/)
    await zotui.see(/ 4● /)
    expect(read(home, 'a.txt')).toBe('one\n')
    writeFileSync(at(home, 'b.txt'), 'mine\n')
    // Elsewhere in zotui's own folder it would ask.
    await send(zotui, '/spawn fix')
    await zotui.see(/zotui\/fix-2/)
    await zotui.see(/ 5● /)
    await goTo(zotui, 5)
    await zotui.see(/1 file changed, \+1 -1 on the\s+branch zotui\/fix-2/)
  })

  test('--worktree says why the demo makes no worktree', async () => {
    const demo = await openQuickDemo()
    await send(demo, '/spawn --worktree unicode')
    await demo.see('No worktree was made: the demo changes no files.')
  })
})

/** Opens the list of /worktree in the second conversation, and chooses an answer by its first letters. */
async function choose(zotui: Screen, answer: string): Promise<void> {
  await send(zotui, '/worktree')
  await zotui.see(/Discard +asks first/)
  await zotui.type(answer)
  await zotui.gone(/Keep +leave it/)
  await zotui.press('enter')
}

test('/worktree overwrites no file that the user has changed, names conflicts, lets the agent resolve them, and discards after confirmation', async () => {
  const home = await repository()
  const zotui = await spawned(home, [{ write: 'b.txt', content: 'agent\n' }])
  await goTo(zotui, 2)
  await choose(zotui, 'cherry')
  await zotui.see(/changes b\.txt \(\+1 -1, changed by you too\)/)
  await zotui.see(/Nothing was changed: you have changed b\.txt, too\./)
  expect(read(home, 'b.txt')).toBe('mine\n')
  await choose(zotui, 'discard')
  await zotui.see(/Discard it +1 uncommitted file will be lost/)
  await zotui.press('enter')
  await zotui.gone(/Discard it/)
  gitOf(home)('commit', '-qam', 'mine')
  const before = gitOf(home)('rev-parse', 'HEAD')
  await choose(zotui, 'rebase')
  await zotui.see(/changes b\.txt \(.*conflict\)/)
  await zotui.see(/conflicts in b\.txt/)
  await zotui.see(/Let the agent resolve them/)
  expect(zotui.screen().join('\n')).not.toContain('Merge with conflicts')
  await zotui.press('enter')
  await choose(zotui, 'merge')
  await zotui.see(/Merge with conflicts/)
  await zotui.type('merge w')
  await zotui.press('enter')
  await zotui.see(/A merge with conflicts is in progress in/)
  expect(read(home, 'b.txt')).toContain('<<<<<<<')
  gitOf(home)('merge', '--abort')
  expect([gitOf(home)('rev-parse', 'HEAD'), gitOf(home)('status', '--porcelain')]).toEqual([before, ''])
  await choose(zotui, 'discard')
  await zotui.see(/Discard it/)
  await zotui.press('down')
  await zotui.press('enter')
  await zotui.see(/zotui\/fix-1 and its worktree are gone\./)
  await zotui.see(/── conversation 1|── 1 /)
  expect(gitOf(home)('branch', '--list')).toBe('* main')
  expect(gitOf(home)('worktree', 'list').split('\n')).toHaveLength(1)
  expect(read(home, 'b.txt')).toBe('mine\n')
  await send(zotui, '/worktree')
  await zotui.see(/This conversation works in your folder/)
})

test('/worktree also works in a conversation that another process runs', async () => {
  const home = await repository()
  const zotui = await spawned(home, [{ write: 'a.txt', content: 'agent\n' }])
  await zotui.press('alt+a')
  await zotui.see(/Enter or a digit/)
  await zotui.press('down')
  await zotui.type('b')
  await zotui.until('a holder', { check: () => holders(home).length === 1 })
  await goTo(zotui, 2)
  await choose(zotui, 'merge')
  await zotui.see(/Merge it +1 file changed/)
  await zotui.press('enter')
  await zotui.see(/Merged: 1 file changed/)
  expect(read(home, 'a.txt')).toBe('agent\n')
  await choose(zotui, 'discard')
  await zotui.see(/Discard it +nothing is lost/)
  await zotui.press('down')
  await zotui.press('enter')
  await zotui.see(/zotui\/fix-1 and its worktree are gone\./)
  await allEnded(home)
  expect(gitOf(home)('worktree', 'list').split('\n')).toHaveLength(1)
})

async function shell(home: Home, ...args: string[]) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, 'worktrees', ...args], {
    cwd: home.project,
    env: environment(home.path),
    extendEnv: false,
    reject: false,
  })
  return { code: exitCode, stdout, stderr }
}

describe('/worktrees', () => {
  test('lists worktrees, opens their conversations, and discards them', async () => {
    const home = await repository()
    const zotui = await spawned(home, [{ write: 'a.txt', content: 'agent\n' }])
    await send(zotui, '/worktrees')
    await zotui.see(/zotui\/fix-1 .*now, 1 uncommitted, conversation 2/)
    await zotui.press('enter')
    await zotui.see(/── 2 /)
    expect(await shell(home)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^zotui\/fix-1 {2}.*in use/) })
    await zotui.press('ctrl+d')
    await zotui.exit()
    const again = await openIn(home, { agent: 'changing', rows: 45 })
    await send(again, '/worktrees')
    await again.see(/zotui\/fix-1 .*1 uncommitted, no conversation/)
    await again.press('enter')
    await again.see(/Open its conversation/)
    await again.press('enter')
    await again.see(/── fix +~\/project +zotui\/fix-1|── conversation 2 +~\/project +zotui\/fix-1/)
    await again.see(/▌ fix/)
    await choose(again, 'merge')
    await again.see(/Merge it +1 file changed/)
    await again.press('enter')
    await again.see(/Merged: 1 file changed/)
    expect(read(home, 'a.txt')).toBe('agent\n')
    await goTo(again, 1)
    await again.press('alt+a')
    await again.see(/Enter or a digit/)
    await again.press('down')
    await again.type('e')
    await again.see(/end it/)
    await again.press('down')
    await again.press('enter')
    await again.see(/── conversation 1[^]*all allowed {5}/)
    await send(again, '/worktrees')
    await again.see(/zotui\/fix-1 .*nothing new, no conversation/)
    await again.press('enter')
    await again.see(/Open its conversation/)
    await again.type('discard')
    await again.press('enter')
    await again.see(/Discard it +nothing is lost/)
    await again.press('down')
    await again.press('enter')
    await again.see(/zotui\/fix-1 and its worktree are gone/)
  })
})

/** A worktree of the project that no conversation works in. */
async function worktreeOf(home: Home, prompt = 'fix'): Promise<string> {
  const state = join(home.path, '.local', 'state', 'zotui')
  mkdirSync(state, { recursive: true })
  const worktrees = createWorktrees({ stateFolder: state, env: environment(home.path), now: Date.now })
  const made = await worktrees.create({ folder: home.project, prompt })
  if (!made.ok) throw new Error(made.why)
  return made.value.folder
}

test('zotui worktrees clean removes only worktrees without unmerged work, and none where a conversation works in the background', async () => {
  const home = await repository()
  writeFileSync(join(await worktreeOf(home), 'a.txt'), 'agent\n')
  const folder = await worktreeOf(home, 'idle')
  const { stdout } = await shell(home, '--json')
  expect(JSON.parse(stdout)).toMatchObject([{ branch: 'zotui/idle-1' }, { branch: 'zotui/fix-1', uncommitted: 1 }])
  const id = await begin(home, ['--cwd', folder, 'stream'], { ZOTUI_ZOT: installZot(home, 'busy') })
  expect(await shell(home, 'clean')).toMatchObject({ stderr: expect.stringContaining('Removed 0 of 2') })
  await zotui(home, ['stop', id])
  await allEnded(home)
  const cleaned = await shell(home, 'clean')
  expect(cleaned).toMatchObject({ code: 0, stderr: expect.stringContaining('Removed 1 of 2 worktrees.') })
  expect(cleaned.stderr).toContain('zotui/fix-1 stays: 1 uncommitted file would be lost.')
  expect(gitOf(home)('branch', '--list')).toBe('* main\n+ zotui/fix-1')
  expect(await shell(home, 'burn')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no `zotui worktrees burn`'),
  })
})

test('the stored permissions of the folder apply in its worktrees', async () => {
  const home = await repository()
  const folder = await worktreeOf(home)
  const stored = await openFolderPermissions(join(home.path, '.local', 'state', 'zotui'), home.project)
  await stored.rememberMode('edits')
  await stored.addRule('allow', 'Bash(make:*)')
  const { stdout } = await execa(process.execPath, [program, 'permissions', 'test', 'make all', '--json'], {
    cwd: folder,
    env: environment(home.path, { ZOTUI_PERMISSIONS: undefined }),
    extendEnv: false,
  })
  expect(JSON.parse(stdout)).toMatchObject({ mode: 'edits', verdict: 'allow' })
})
