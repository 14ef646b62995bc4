/** New worktrees are made ready to work: files that git ignores go along, and a command of the settings runs there once. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTrust } from '../../src/config/trust/trust.ts'
import { storedFolderName } from '../../src/storage/folder-name.ts'
import { COMMITTER } from '../helpers/committer.ts'
import { environment, type Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { expectDraft, homeAfter, openIn, send } from './stage.ts'

/** A repository with one commit, an ignored file, and another in a folder. */
const repository = homeAfter(async home => {
  const git = (...args: string[]) =>
    execFileSync('git', [...COMMITTER, ...args], { cwd: home.project, env: environment(home.path) })
  put(home.project, { 'a.txt': 'one\n', '.gitignore': '.env\nlocal/\n.zotui/\n' })
  git('init', '-q', '-b', 'main', '--template=')
  git('add', '-A')
  git('commit', '-qm', 'first')
  put(home.project, { '.env': 'KEY=1\n', 'local/config.json': '{}\n' })
})

function put(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

const stateFolder = (home: Home): string => join(home.path, '.local', 'state', 'zotui')

/** The worktrees of the project, as paths. */
function worktreesOf(home: Home): string[] {
  const folder = join(stateFolder(home), 'worktrees', storedFolderName(home.project))
  return existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter(entry => entry.isDirectory() && entry.name !== 'in-use')
        .map(({ name }) => join(folder, name))
    : []
}

async function openWith(home: Home, settings: object, where = join(home.path, '.config/zotui')): Promise<Screen> {
  put(where, { 'config.json': JSON.stringify(settings) })
  return openIn(home, { rows: 45, env: { SHELL: '/bin/sh' } })
}

test('the files are copied, the command runs in the worktree with its output seen, and then the agent begins', async () => {
  const home = await repository()
  const command = 'cat .env local/config.json; echo "$ZOTUI_PROJECT|$ZOTUI_WORKTREE" > facts; pwd'
  const zotui = await openWith(home, { worktreeSetup: command, worktreeFiles: ['.env', 'local/**'] })
  await send(zotui, '/spawn --worktree fix')
  await zotui.see(/KEY=1/)
  await zotui.see(/2 ignored files were copied into\s+it/)
  await zotui.see(/ 2●/)
  const [worktree = ''] = worktreesOf(home)
  expect(readFileSync(join(worktree, 'facts'), 'utf8')).toBe(`${home.project}|${worktree}\n`)
  expect(readFileSync(join(worktree, '.env'), 'utf8')).toBe('KEY=1\n')
  await zotui.close()
})

test('a command that fails is shown and asked about: it is tried again, the agent begins anyway, or the worktree goes', async () => {
  const home = await repository()
  const zotui = await openWith(home, { worktreeSetup: 'echo attempt >> ../attempts; echo broken; exit 3' })
  await send(zotui, '/spawn --worktree fix')
  await zotui.see(/broken[^]*worktreeSetup failed with exit code 3[^]*Try again +in the worktree/)
  expect(worktreesOf(home)).toHaveLength(1)
  await zotui.press('enter')
  const attempts = join(worktreesOf(home)[0] ?? '', '../attempts')
  await zotui.until('a second attempt', { check: () => readFileSync(attempts, 'utf8') === 'attempt\nattempt\n' })
  await zotui.see(/broken[^]*broken[^]*worktreeSetup failed with exit code 3[^]*Try again +in the worktree/)
  await zotui.type('discard')
  await zotui.press('enter')
  await zotui.see(/Nothing was started: worktreeSetup failed/)
  expect(worktreesOf(home)).toEqual([])
  await expectDraft(zotui, '/spawn --worktree fix')
  await zotui.press('enter')
  await zotui.see(/Try again +in the worktree/)
  await zotui.type('start')
  await zotui.press('enter')
  await zotui.see(/ 2●/)
  await zotui.close()
})

test('Esc ends the command, and the worktree stays if the user says no more', async () => {
  const home = await repository()
  const zotui = await openWith(home, { worktreeSetup: 'echo begins; sleep 600' })
  await send(zotui, '/spawn --worktree fix')
  await zotui.see(/^.*begins\s*$/m)
  await zotui.press('esc')
  await zotui.see(/worktreeSetup was stopped/)
  await zotui.press('esc')
  await zotui.see(/Nothing was started: worktreeSetup was stopped\.\s+The worktree stays: \/worktrees has it\./)
  expect(worktreesOf(home)).toHaveLength(1)
  await zotui.close()
})

test('the settings of a project count once the user trusts it, as they are in the folder that is trusted', async () => {
  const home = await repository()
  const project = join(home.project, '.zotui')
  const settings = { worktreeSetup: 'echo from-the-project > ran', worktreeFiles: ['.env'] }
  const first = await openWith(home, settings, project)
  await send(first, '/spawn --worktree fix')
  await first.see(/ 2●/)
  const [untrusted = ''] = worktreesOf(home)
  expect([existsSync(join(untrusted, 'ran')), existsSync(join(untrusted, '.env'))]).toEqual([false, false])
  await first.close()
  openTrust(stateFolder(home), home.project).set(true)
  const second = await openIn(home, { rows: 45 })
  await send(second, '/spawn --worktree again')
  await second.see(/1 ignored file was copied into\s+it/)
  const trusted = worktreesOf(home).find(path => path !== untrusted) ?? ''
  expect(readFileSync(join(trusted, 'ran'), 'utf8')).toBe('from-the-project\n')
  await second.close()
})

test('an agent that has written settings into its worktree sets up no other one', async () => {
  const home = await repository()
  const zotui = await openWith(home, {})
  await send(zotui, '/spawn --worktree fix')
  await zotui.see(/ 2●/)
  await zotui.close()
  const [worktree = ''] = worktreesOf(home)
  put(worktree, { '.zotui/config.json': JSON.stringify({ worktreeSetup: 'touch sprung', worktreeFiles: ['.env'] }) })
  openTrust(stateFolder(home), worktree).set(true)
  const there = await openIn({ ...home, project: worktree }, { rows: 45 })
  await send(there, '/spawn --worktree again')
  await there.see(/worktreeSetup is not used: it is written in the worktree of an agent\./)
  await there.see(/ 2●/)
  const nested = join(stateFolder(home), 'worktrees', storedFolderName(worktree), 'again-1')
  expect([existsSync(nested), existsSync(join(nested, 'sprung'))]).toEqual([true, false])
  await there.close()
})
