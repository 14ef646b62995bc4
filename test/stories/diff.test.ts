/** What a session changed: in real repositories, and outside of any. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeHome, type Home } from '../helpers/home.ts'
import type { OpenOptions, Screen } from '../helpers/screen.ts'
import { openZot, send } from './stage.ts'

const ready = /^ {2}anthropic\/sonnet/m
const back = /q back$/m

type Step = { run: string } | { write: string; content: string } | { edit: string; oldText: string; newText: string }

const numbers = (count: number): string =>
  Array.from({ length: count }, (_, at) => `export const n${at} = ${at}\n`).join('')

function folder(): Home {
  const home = makeHome()
  onTestFinished(() => home.remove())
  return home
}

function put(home: Home, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.project, name)), { recursive: true })
    writeFileSync(join(home.project, name), text)
  }
}

const COMMITTER = ['-c', 'user.name=a', '-c', 'user.email=a@b.c']

function git(home: Home, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...COMMITTER, ...args], { cwd: home.project, env, encoding: 'utf8' })
}

/** A repository with these files committed. */
function repository(files: Record<string, string>): Home {
  const home = folder()
  git(home, 'init', '-q')
  put(home, files)
  git(home, 'add', '-A')
  git(home, 'commit', '-qm', 'one')
  return home
}

async function openIn(home: Home, options: OpenOptions = {}): Promise<Screen> {
  const zotui = await openZot('changing', { home, ...options })
  await zotui.see(ready)
  return zotui
}

/** Has the agent do this in one turn. */
async function turn(zotui: Screen, steps: readonly Step[], how: '' | 'gated ' = ''): Promise<void> {
  writeFileSync(join(zotui.home.path, 'steps'), JSON.stringify(steps))
  await send(zotui, `${how}steps`)
  if (how === '') await zotui.see(/\d tools?$/m)
}

async function openDiff(zotui: Screen): Promise<void> {
  await send(zotui, '/diff')
  await zotui.see(back)
  await zotui.gone('Asking git')
}

describe('in a repository', () => {
  test('what the session changed, what was changed before, and one file of it', async () => {
    const home = repository({ 'src/a.ts': numbers(60), 'old.txt': 'old\n', 'mine.txt': 'mine\n' })
    put(home, { 'mine.txt': 'mine, changed\n', 'notes.txt': 'a note\n' })
    const zotui = await openIn(home)
    await turn(zotui, [
      { edit: 'src/a.ts', oldText: 'n7 = 7', newText: 'seven = 7' },
      { write: 'src/new.ts', content: 'one\ntwo\n' },
      { run: 'git mv old.txt renamed.txt; rm -f gone; sed -i "s/n40 =/forty =/" src/a.ts' },
    ])
    const before = zotui.screen()
    await openDiff(zotui)
    await zotui.see(/^changed by this session: 3 files +\+4 -2$/m)
    await zotui.see(/^› R {2}renamed.txt {2}was old.txt +renamed +\+0 -0$/m)
    await zotui.see(/^ {2}M {2}src\/a.ts +\+2 -2$/m)
    await zotui.see(/^ {2}A {2}src\/new.ts +new +\+2 -0$/m)
    await zotui.see('changed before this session, and not since then: 2 files')
    await zotui.see(/^ {2}M {2}mine.txt +\+1 -1$/m)
    await zotui.see(/^ {2}A {2}notes.txt +new +\+1 -0$/m)
    await zotui.press('down', 'enter')
    await zotui.see(/^▌ {2}8 {2}- export const n7 = 7$/m)
    await zotui.see(/^ {2}41 {2}\+ export const forty = 40$/m)
    await zotui.see('change 1 of 2')
    await zotui.type('n')
    await zotui.see('change 2 of 2')
    await zotui.see(/^▌ 41 {2}\+ export const forty = 40$/m)
    await zotui.type('n')
    await zotui.see(/^src\/new.ts/m)
    await zotui.see(/^▌ 1 {2}\+ one$/m)
    await zotui.press('esc')
    await zotui.see('changed by this session')
    await zotui.press('esc')
    await zotui.see(ready)
    expect(zotui.screen()).toEqual(before)
  })
})

describe('outside of any', () => {
  test('the calls of the agent say it, and nothing is estimated', async () => {
    const home = folder()
    put(home, { 'a.txt': 'one\ntwo\nthree\n' })
    const zotui = await openIn(home)
    await turn(zotui, [
      { edit: 'a.txt', oldText: 'two', newText: 'twice' },
      { edit: 'a.txt', oldText: 'twice', newText: 'two times' },
      { write: 'b.txt', content: 'new\n' },
    ])
    await openDiff(zotui)
    await zotui.see(/^› M {2}a.txt +\+1 -1$/m)
    await zotui.see(/^ {2}A {2}b.txt +new +\+1 -0$/m)
    await zotui.see('This is in no git repository: what commands changed is not listed.')
    await zotui.press('enter')
    await zotui.see(/^▌ 2 {2}- two$/m)
    await zotui.see(/^▌ 2 {2}\+ two times$/m)
  })
})

describe('after a turn', () => {
  test('one line names the files', async () => {
    const home = folder()
    put(home, { 'a.txt': 'one\ntwo\nthree\n' })
    const zotui = await openIn(home)
    await turn(zotui, [{ edit: 'a.txt', oldText: 'two', newText: 'twice' }])
    await zotui.see(/^ {2}changed 1 file {3}\+1 -1 {3}a.txt {3}\/diff$/m)
    await turn(zotui, [
      { edit: 'a.txt', oldText: 'twice', newText: 'two' },
      { write: 'src/deep/down/b.txt', content: 'new\n' },
    ])
    await zotui.see(/^ {2}changed 2 files {3}about \+2 -1 {3}a.txt, src\/deep\/down\/b.txt {3}\/diff$/m)
  })
})
