/** The changes of a session: in real repositories, and outside of any. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { createWorktrees } from '../../src/worktrees/worktrees.ts'
import { environment, type Home } from '../helpers/home.ts'
import { share, type OpenOptions, type Screen } from '../helpers/screen.ts'
import {
  expectDraft,
  lastingHome,
  letGo,
  logged,
  openIn,
  openZot,
  program,
  ready,
  send,
  startAfresh,
  withCheckpoints,
} from './stage.ts'
import { COMMITTER } from '../helpers/committer.ts'
import { turnsEnded } from '../helpers/turn-end.ts'

type Files = Record<string, string>

const closes = /q closes$/m

type Step = { run: string } | { write: string; content: string } | { edit: string; oldText: string; newText: string }

const numbers = (count: number): string =>
  Array.from({ length: count }, (_, at) => `export const n${at} = ${at}\n`).join('')

function put(home: Home, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.project, name)), { recursive: true })
    writeFileSync(join(home.project, name), text)
  }
}

function git(home: Home, ...args: string[]): string {
  const env = { PATH: process.env['PATH'], HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' }
  return execFileSync('git', [...COMMITTER, ...args], { cwd: home.project, env, encoding: 'utf8' })
}

function commitAll(home: Home, files: Files): void {
  if (!existsSync(join(home.project, '.git'))) git(home, 'init', '-q', '--template=')
  put(home, files)
  git(home, 'add', '-A')
  git(home, 'commit', '-qm', 'one', '--allow-empty')
}

/** A repository with these files committed. */
function repository(files: Files): Home {
  const home = lastingHome()
  commitAll(home, files)
  return home
}

const openChanging = (home: Home, options: OpenOptions = {}): Promise<Screen> =>
  openIn(home, { agent: 'changing', ...options })

/** Has the agent do this in one turn. */
async function turn(zotui: Screen, steps: readonly Step[], how: '' | 'gated ' = ''): Promise<void> {
  writeFileSync(join(zotui.home.path, 'steps'), JSON.stringify(steps))
  rmSync(join(zotui.home.path, 'change'), { force: true })
  const finished = () => logged(zotui.home).split('"answer_finished"').length
  const before = finished()
  const ended = turnsEnded(zotui.history())
  await send(zotui, 'gated steps')
  if (how === 'gated ') return
  // The tools run when zotui has read the calls, and with them the files that they are about to change.
  await zotui.until('zotui to know the calls', { check: () => finished() > before })
  letGo(zotui, 'change')
  await zotui.until('the turn to end', { check: () => turnsEnded(zotui.history()) > ended })
}

/** An editor that says what it was given, and waits for Enter. */
function withEditor({ path }: Home): Record<string, string> {
  const file = join(path, 'nvim')
  writeFileSync(file, '#!/bin/sh\necho "$@" > "$HOME/arguments"\necho the editor\nread -r _\n')
  chmodSync(file, 0o755)
  return { EDITOR: file }
}

/** Waits until the editor was given this. */
async function opened(zotui: Screen, given: string): Promise<void> {
  const file = join(zotui.home.path, 'arguments')
  const check = (): boolean => existsSync(file) && readFileSync(file, 'utf8') === `${given}\n`
  await zotui.until(`the editor to be given ${given}`, { check })
}

async function openDiff(zotui: Screen): Promise<void> {
  await send(zotui, '/diff')
  await zotui.see(closes)
  await zotui.gone('Checking for changes')
}

const inOneFolder = share(async () => {
  const zotui = await openZot('changing', { env: withEditor })
  await zotui.see(ready)
  return zotui
}, startAfresh)

/**
 * A program that several tests share: each has a conversation of its own, which begins with these files, committed, and these changed.
 * The folder is no repository if nothing is committed. The counts of files that commands change are estimates if an earlier test has
 * changed them.
 */
async function newConversation(files: Files | null, changed: Files = {}): Promise<{ home: Home; zotui: Screen }> {
  const zotui = await inOneFolder()
  const { home } = zotui
  for (const name of readdirSync(home.project).filter(each => each !== '.git' || files === null))
    rmSync(join(home.project, name), { recursive: true })
  if (files) commitAll(home, files)
  put(home, changed)
  await send(zotui, '/clear')
  await zotui.see('New conversation')
  await startAfresh(zotui)
  return { home, zotui }
}

test('in a repository that the session makes, the turn and /diff name what commands made, committed or not', async () => {
  const { zotui } = await newConversation(null, { 'mine.txt': 'mine\n' })
  await turn(zotui, [{ run: 'echo early > early.txt' }])
  await turn(zotui, [
    { run: 'git init -q; echo one > in.txt; git add -A; git commit -qm one; printf "1\\n2\\n" > out.txt' },
  ])
  await zotui.see(/ \+3 -0 +in\.txt, out\.txt|Commands changed 2 files: in\.txt, out\.txt/)
  await openDiff(zotui)
  await zotui.see(/^ {2}changed by this session: 3 files +\+4 -0$/m)
  await zotui.see(/^. A {2}out\.txt +new +\+2 -0$/m)
  await zotui.see('changed before this session, and not since then: 1 file')
  await zotui.press('q')
})

test('compares with a branch, whose name is completed, and shows a pull request that gh gives', async () => {
  const home = repository({ 'src/a.ts': numbers(9) })
  git(home, 'branch', 'old-parser')
  commitAll(home, { 'src/a.ts': numbers(9).replace('n4 = 4', 'four = 4') })
  put(home, { 'new.txt': 'new\n' })
  const patch = 'diff --git a/theirs.txt b/theirs.txt\n--- a/theirs.txt\n+++ b/theirs.txt\n@@ -1 +1 @@\n-one\n+two\n'
  const bin = join(home.path, 'bin')
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'gh'),
    `#!/bin/sh\n[ "$3" = 12 ] && printf '%s' '${patch}' || { echo no such pull request >&2; exit 1; }\n`,
    { mode: 0o755 },
  )
  const zotui = await openChanging(home, { env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` } })
  await zotui.see(ready)
  await zotui.type('/diff old')
  await zotui.see(/› .*old-parser/)
  await zotui.press('ctrl+c')
  await send(zotui, '/diff old-parser')
  await zotui.see(/^ {2}changed since old-parser: 2 files +\+2 -1$/m)
  await zotui.see(/^. A {2}new.txt +new +\+1 -0$/m)
  await zotui.press('q')
  await send(zotui, '/diff #12')
  await zotui.see(/^ {2}changed by pull request #12: 1 file +\+1 -1$/m)
  await zotui.press('enter')
  await zotui.see(/\+ two/)
  await zotui.press('left')
  await zotui.see(/^› M {2}theirs\.txt/m)
  await zotui.press('q')
  await send(zotui, '/diff #13')
  await zotui.see('gh failed: no such pull request')
  await zotui.press('q')
  await send(zotui, '/diff no-such-branch')
  await zotui.see('There is no branch, tag or commit no-such-branch here.')
  await expectDraft(zotui, '')
})

describe('in a repository', () => {
  test('shows changes of the session, earlier changes, and one file', async () => {
    const files = { 'src/a.ts': numbers(60), 'old.txt': 'old\n', 'mine.txt': 'mine\n' }
    const { zotui } = await newConversation(files, { 'mine.txt': 'mine, changed\n', 'notes.txt': 'a note\n' })
    await turn(zotui, [
      { edit: 'src/a.ts', oldText: 'n7 = 7', newText: 'seven = 7' },
      { write: 'src/new.ts', content: 'one\ntwo\n' },
      { run: 'git mv old.txt renamed.txt; rm -f gone; sed -i "s/n40 =/forty =/" src/a.ts' },
    ])
    await zotui.see('Commands changed 1 file: renamed.txt.')
    const before = zotui.screen()
    await openDiff(zotui)
    await zotui.see(/^ {2}changed by this session: 3 files +\+4 -2$/m)
    await zotui.see(/^› R {2}renamed.txt {2}was old.txt +renamed +\+0 -0$/m)
    await zotui.see(/^ {2}M {2}src\/a.ts +\+2 -2$/m)
    await zotui.see(/^ {2}A {2}src\/new.ts +new +\+2 -0$/m)
    await zotui.see('changed before this session, and not since then: 2 files')
    await zotui.see(/^ {2}M {2}mine.txt +\+1 -1$/m)
    await zotui.see(/^ {2}A {2}notes.txt +new +\+1 -0$/m)
    await zotui.press('down', 'enter')
    await zotui.see(/^› {2}8 {2}- export const n7 = 7$/m)
    await zotui.see(/^ {2}41 {2}\+ export const forty = 40$/m)
    await zotui.see('change 1 of 2')
    await zotui.type('n')
    await zotui.see('change 2 of 2')
    await zotui.see(/^▌ 41 {2}\+ export const forty = 40$/m)
    await zotui.type('n')
    await zotui.see(/^ {2}src\/new.ts/m)
    await zotui.see(/^› 1 {2}\+ one$/m)
    await zotui.press('esc')
    await zotui.see('changed by this session')
    await zotui.press('esc')
    await zotui.see(ready)
    expect(zotui.screen()).toEqual(before)
  })

  test('updates while the agent works, without stopping the turn', async () => {
    const { zotui } = await newConversation({ 'a.txt': 'one\ntwo\n' })
    await turn(zotui, [{ edit: 'a.txt', oldText: 'two', newText: 'twice' }, { run: 'echo new > b.txt' }], 'gated ')
    await zotui.see('I change things.')
    await openDiff(zotui)
    await zotui.see('No changes.')
    letGo(zotui, 'change')
    await zotui.see(/^› M {2}a.txt +\+1 -1$/m)
    await zotui.see(/^ {2}A {2}b.txt +new +\+1 -0$/m)
    await zotui.press('enter')
    await zotui.see(/^▌ 2 {2}\+ twice$/m)
    await zotui.press('esc', 'q')
    await zotui.see(/^ {2}\d\d:\d\d .* {3}\+1 -1 {3}a.txt {3}\/diff$/m)
    expect(zotui.history().filter(line => line.trim() === 'Changed.')).toHaveLength(1)
  })

  test('opens the editor at the line, and restores the screen', async () => {
    const { home, zotui } = await newConversation({ 'a.ts': numbers(60) })
    await turn(zotui, [{ run: 'sed -i "s/n40 =/forty =/; s/n7 =/seven =/" a.ts' }])
    await openDiff(zotui)
    await zotui.type('e')
    await opened(zotui, join(home.project, 'a.ts'))
    // The editor writes down that it runs; what left the screen before it may still be on its way to us.
    await zotui.until('the screen of the shell', { check: () => !zotui.mode(1049) })
    await zotui.press('enter')
    await zotui.see(closes)
    await zotui.press('enter')
    await zotui.see('change 1 of 2')
    await zotui.type('n')
    await zotui.see('change 2 of 2')
    await zotui.type('e')
    await opened(zotui, `+41 ${join(home.project, 'a.ts')}`)
    await zotui.press('enter')
    await zotui.see('change 2 of 2')
    await zotui.press('q', 'q')
    await zotui.see(ready)
  })

  test('reverts, stages and unstages a change or a line, marks it, and undoes each', async () => {
    const { home, zotui } = await newConversation({ 'a.ts': numbers(60), 'b.ts': numbers(3) })
    const old = numbers(60)
    const seven = old.replace('n7 =', 'seven =')
    const both = seven.replace('n40 =', 'forty =')
    const file = (): string => readFileSync(join(home.project, 'a.ts'), 'utf8')
    await turn(zotui, [{ run: 'sed -i "s/n40 =/forty =/; s/n7 =/seven =/" a.ts; rm b.ts' }])
    await openDiff(zotui)
    await zotui.press('enter')
    await zotui.see('change 1 of 2')
    await zotui.type('n')
    await zotui.see('change 2 of 2')
    await zotui.type('x')
    await zotui.see('Reverted a change of a.ts. z undoes it.')
    expect(file()).toBe(seven)
    await zotui.see(/^ {2}a.ts +\+1 -1$/m)
    await zotui.type('z')
    await zotui.see('a.ts is as it was before.')
    expect(file()).toBe(both)
    await zotui.see(/^ {2}a.ts +\+2 -2$/m)
    await zotui.see(/^› +41 +- export const n40/m)
    await zotui.type('+')
    await zotui.see(/line 38, staged$/m)
    expect(git(home, 'diff', '--cached', '--stat')).toContain('1 insertion(+), 1 deletion(-)')
    await zotui.type('-')
    await zotui.gone(/line 38, staged$/m)
    expect(git(home, 'diff', '--cached', '--stat')).toBe('')
    // Only the line that is removed.
    await zotui.type('X')
    await zotui.see('Reverted a line of a.ts.')
    expect(file()).toBe(both.replace('export const forty', 'export const n40 = 40\nexport const forty'))
    await zotui.type('z')
    await zotui.see('a.ts is as it was before.')
    // In the list the whole file is reverted, when the key is pressed twice.
    await zotui.press('left', 'down')
    await zotui.see(/^› D {2}b.ts/m)
    await zotui.type('x')
    await zotui.see('x again reverts all of b.ts.')
    await zotui.type('x')
    await zotui.see('b.ts is there again.')
    expect(readFileSync(join(home.project, 'b.ts'), 'utf8')).toBe(numbers(3))
    await zotui.gone(/^. D {2}b.ts/m)
    // What was done is undone also when the page was closed meanwhile.
    await zotui.press('q')
    await openDiff(zotui)
    await zotui.type('z')
    await zotui.see(/^. D {2}b.ts/m)
    expect(existsSync(join(home.project, 'b.ts'))).toBe(false)
    await zotui.press('q')
  })

  test('does nothing with a file that has changed since it was shown, and says so', async () => {
    const { home, zotui } = await newConversation({ 'a.txt': 'one\ntwo\n' })
    await turn(zotui, [{ run: 'echo twice > a.txt' }])
    await openDiff(zotui)
    await zotui.press('enter')
    await zotui.see(/\+ twice$/m)
    put(home, { 'a.txt': 'mine\n' })
    await zotui.type('x')
    await zotui.see('a.txt has changed since it was shown: nothing was done.')
    const file = (): string => readFileSync(join(home.project, 'a.txt'), 'utf8')
    expect(file()).toBe('mine\n')
    await zotui.see(/\+ mine$/m)
    // An undo that is refused stays, to be tried again.
    await zotui.type('x')
    await zotui.see('Reverted a change of a.txt.')
    put(home, { 'a.txt': 'theirs\n' })
    await zotui.type('z')
    await zotui.see('a.txt has changed since then: it is not undone.')
    expect(file()).toBe('theirs\n')
    put(home, { 'a.txt': 'one\ntwo\n' })
    await zotui.type('z')
    await zotui.see('a.txt is as it was before.')
    expect(file()).toBe('mine\n')
    await zotui.see(/\+ mine$/m)
    await zotui.press('q', 'q')
  })

  test('reports a deleted file and does not open it', async () => {
    const { zotui } = await newConversation({ 'a.txt': 'one\n' })
    await turn(zotui, [{ run: 'rm a.txt' }])
    await openDiff(zotui)
    await zotui.see(/^› D {2}a.txt +deleted +\+0 -1$/m)
    await zotui.see('Changed by a command or by someone else.')
    await zotui.type('e')
    await zotui.see('a.txt no longer exists.')
    await zotui.press('enter')
    await zotui.see(/^› 1 {2}- one$/m)
    await zotui.press('q', 'q')
  })

  test('file names cannot control the terminal', async () => {
    const { zotui } = await newConversation({ 'a.txt': 'one\n' })
    const names = ['with blank', 'two\nlines', '\u001B[31mred\u001B[2J', '"quoted"', '\u202Egnp.exe']
    await turn(zotui, [
      { run: 'printf "\\033[2Jx\\n" > a.txt' },
      ...names.map(name => ({ write: name, content: 'x\n' })),
    ])
    await openDiff(zotui)
    await zotui.see('changed by this session: 6 files')
    await zotui.see('␛[31mred␛[2J')
    await zotui.see('two⏎lines')
    await zotui.see('⟦U+202E⟧gnp.exe')
    await zotui.press('down', 'down')
    await zotui.see(/^› M {2}a.txt/m)
    await zotui.press('enter')
    await zotui.see('+ ␛[2Jx')
    await zotui.press('q', 'q')
  })

  test('scrolls through a hundred thousand lines', async () => {
    const { zotui } = await newConversation({ 'a.ts': 'one\n' })
    await turn(zotui, [{ run: 'seq 1 100000 > a.ts' }])
    await openDiff(zotui)
    await zotui.see(/^› M {2}a.ts +\+100000 -1$/m)
    await zotui.press('enter')
    await zotui.see(/^▌ +1 {2}\+ 1$/m)
    await zotui.press('end')
    await zotui.see(/^› 100000 {2}\+ 100000$/m)
    await zotui.press('pageup')
    await zotui.gone(/\+ 100000$/m)
    await zotui.type('s')
    await zotui.see(/│ +\d+ {2}\+ \d+$/m)
    await zotui.press('home')
    await zotui.see(/- one +│ +1 {2}\+ 1$/m)
    await zotui.type('s')
    await zotui.press('q', 'q')
  })

  test('a new session has no changes', async () => {
    const { zotui } = await newConversation({ 'a.txt': 'one\n' })
    await turn(zotui, [{ edit: 'a.txt', oldText: 'one', newText: 'two' }])
    await send(zotui, '/clear')
    await zotui.see('New conversation')
    await openDiff(zotui)
    await zotui.see('No changes.')
    await zotui.see('changed before this session, and not since then: 1 file')
    await zotui.press('q')
  })

  test('at 80 by 24, 120 by 40, and 40 by 20 columns and rows', async () => {
    const home = repository({ 'src/a/long/way/down/a.ts': 'one\ntwo\nthree\n' })
    const zotui = await openChanging(home)
    const told = () => zotui.history().filter(row => /^ {2}\d\d:\d\d .*\+1 -1/.test(row)).length
    const words = ['two', 'twice', 'double', 'again']
    for (const [at, [columns, rows]] of [[80, 24] as const, [120, 40] as const, [40, 20] as const].entries()) {
      const [before = '', after = ''] = words.slice(at)
      zotui.resize(columns, rows)
      await turn(zotui, [{ edit: 'src/a/long/way/down/a.ts', oldText: before, newText: after }])
      await zotui.until('a line after the turn', { check: () => told() === at + 1 })
      await openDiff(zotui)
      await zotui.see(/^› M {2}\S*a.ts +\+1 -1$/m)
      await zotui.press('enter')
      const inOne = new RegExp(`^▌ 2 {2}\\+ ${after}$`, 'm')
      const split = new RegExp(`^› 2 {2}- two +│ 2 {2}\\+ ${after}$`, 'm')
      await zotui.see(columns === 120 ? split : inOne)
      await zotui.type('s')
      await zotui.see(columns === 120 ? inOne : split)
      zotui.resize(columns - 4, rows - 3)
      const isDrawn = () => zotui.screen()[rows - 4]?.endsWith('closes') === true
      await zotui.until('a page of the new size', { check: isDrawn })
      await zotui.type('?')
      await zotui.see('Esc closes')
      await zotui.press('end')
      await zotui.see(/^ {2}q, Esc, Ctrl\+C\s+close$/m)
      await zotui.press('esc', 'esc', 'esc')
      await zotui.see(/^ {2}(?:anthropic\/)?sonnet/m)
    }
  })

  test('works in ASCII', async () => {
    const home = repository({ 'a.txt': 'one\n' })
    const zotui = await openChanging(home, { args: ['--ascii'] })
    await turn(zotui, [{ edit: 'a.txt', oldText: 'one', newText: 'two' }])
    await openDiff(zotui)
    await zotui.see(/^> M {2}a.txt +\+1 -1$/m)
    await zotui.press('enter')
    await zotui.see(/^\| 1 {2}\+ two$/m)
    await zotui.type('s')
    await zotui.see(/^> 1 {2}- one +\| 1 {2}\+ two$/m)
    expect(zotui.screen().join('')).toMatch(/^[\u0020-\u007E]*$/)
  })
})

test('a resumed session shows its earlier changes, from its calls', async () => {
  const { home, zotui: first } = await newConversation({ 'a.txt': 'one\ntwo\n', 'b.txt': 'b\n' })
  await turn(first, [
    { edit: 'a.txt', oldText: 'one', newText: 'eins' },
    { edit: 'b.txt', oldText: 'b', newText: 'c' },
  ])
  await send(first, '/clear')
  await first.see('New conversation')
  const zotui = await openChanging(home, { args: ['--continue'] })
  await turn(zotui, [{ edit: 'a.txt', oldText: 'two', newText: 'zwei' }])
  await openDiff(zotui)
  await zotui.see(/^› M {2}a.txt +about \+2 -2$/m)
  await zotui.see(/^ {2}M {2}b.txt +\+1 -1$/m)
  await zotui.press('enter')
  await zotui.see('earlier in this session: edit')
  await zotui.see(/\+ eins$/m)
  await zotui.see(/\+ zwei$/m)
})

const hang = (git: string): void => writeFileSync(git, '#!/bin/sh\nsleep 1000\n', { mode: 0o755 })

/** A `PATH` with few programs, and without git. */
function tools(home: Home): Record<string, string> {
  const path = join(home.path, 'tools')
  mkdirSync(path)
  for (const name of ['sh', 'sed', 'cat', 'sleep']) symlinkSync(`/bin/${name}`, join(path, name))
  return { PATH: path }
}

test('a missing git is replaced by the calls, one that hangs blocks nothing, and zotui ends with it', async () => {
  const home = repository({ 'a.txt': 'one\n', 'b.txt': 'one\n' })
  const zotui = await openChanging(home, { env: tools })
  await turn(zotui, [{ edit: 'b.txt', oldText: 'one', newText: 'two' }])
  await openDiff(zotui)
  await zotui.see('git was not found: changes made by commands are not listed.')
  await zotui.see(/^› M {2}b.txt +\+1 -1$/m)
  await zotui.press('q')
  hang(join(home.path, 'tools', 'git'))
  await send(zotui, '/clear')
  await zotui.see('New conversation')
  await startAfresh(zotui)
  await turn(zotui, [{ edit: 'a.txt', oldText: 'one', newText: 'two' }])
  await send(zotui, '/diff')
  await zotui.see(/^› M {2}a.txt +\+1 -1$/m)
  await zotui.see('Checking for changes')
  await zotui.press('enter')
  await zotui.see(/^▌ 1 {2}\+ two$/m)
  await zotui.press('q', 'q')
  await expectDraft(zotui, '')
  await send(zotui, '/exit')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})

test('with a screen reader it shows a list with numbers, and the lines as text', async () => {
  const home = repository({ 'a.txt': 'one\ntwo\n' })
  const zotui = await openZot('changing', { home, rows: 60, args: ['--screen-reader'], env: withEditor })
  await zotui.see(/^> $|^>$/m)
  const steps = [{ edit: 'a.txt', oldText: 'two', newText: 'twice' }, { run: 'echo new > b.txt' }]
  writeFileSync(join(home.path, 'steps'), JSON.stringify(steps))
  await zotui.type('steps')
  await zotui.press('enter')
  await zotui.see(/changed 1 file, 1 line added, 1 removed, a.txt/)
  await zotui.type('/diff')
  await zotui.press('enter')
  await zotui.see(/^1\. a.txt, \+1 -1$/m)
  await zotui.see(/^2\. b.txt, new, \+1 -0$/m)
  await zotui.type('1')
  await zotui.press('enter')
  await zotui.see(/^-two$/m)
  await zotui.see(/^\+twice$/m)
  await zotui.see(/^2\. open it in the editor, at line 2$/m)
  await zotui.type('2')
  await zotui.press('enter')
  await opened(zotui, `+2 ${join(home.project, 'a.txt')}`)
  await zotui.press('enter')
})

test('with a screen reader a change is chosen from lists and reverted', async () => {
  const home = repository({ 'a.txt': 'one\ntwo\n' })
  const zotui = await openZot('changing', { home, rows: 60, args: ['--screen-reader'] })
  await zotui.see(/^> $|^>$/m)
  writeFileSync(join(home.path, 'steps'), JSON.stringify([{ edit: 'a.txt', oldText: 'two', newText: 'twice' }]))
  const answer = async (text: string, next: RegExp): Promise<void> => {
    await zotui.type(text)
    await zotui.press('enter')
    await zotui.see(next)
  }
  await answer('steps', /changed 1 file, 1 line added, 1 removed, a.txt/)
  await answer('/diff', /^1\. a.txt, \+1 -1$/m)
  await answer('1', /^3\. revert or stage it, a change of it, or all of it$/m)
  await answer('3', /^1\. change 1, at line 2$/m)
  await answer('1', /^1\. revert, the file is as before$/m)
  await answer('1', /^Reverted a change of a.txt\.$/m)
  expect(readFileSync(join(home.project, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
})

test('before a change is reverted there is a checkpoint of the files', async () => {
  const home = repository({ 'a.txt': 'one\ntwo\n' })
  const zotui = await openIn(home, { agent: 'changing', env: withCheckpoints })
  await turn(zotui, [{ run: 'echo twice >> a.txt' }])
  await openDiff(zotui)
  await zotui.press('enter')
  await zotui.see(/\+ twice$/m)
  // Without this nothing would have changed since the end of the turn, which has a checkpoint.
  put(home, { 'b.txt': 'mine\n' })
  await zotui.type('x')
  await zotui.see('Reverted a change of a.txt.')
  const options = { cwd: home.project, env: environment(home.path, withCheckpoints), encoding: 'utf8' } as const
  expect(execFileSync(process.execPath, [program, 'checkpoints'], options)).toContain('Before reverting a.txt')
})

test('outside of a repository a line after the turn and /diff name the changes of the calls, without estimates', async () => {
  const { zotui } = await newConversation(null, { 'a.txt': 'one\ntwo\nthree\n' })
  await turn(zotui, [{ edit: 'a.txt', oldText: 'two', newText: 'twice' }])
  await zotui.see(/^ {2}\d\d:\d\d .* {3}\+1 -1 {3}a.txt {3}\/diff$/m)
  await turn(zotui, [
    { edit: 'a.txt', oldText: 'twice', newText: 'two' },
    { write: 'src/deep/down/b.txt', content: 'new\n' },
  ])
  await zotui.see(/^ {2}\d\d:\d\d .* {3}\+2 -1 {3}a.txt, src\/deep\/down\/b.txt {3}\/diff$/m)
  await turn(zotui, [
    { edit: 'a.txt', oldText: 'two', newText: 'twice' },
    { edit: 'a.txt', oldText: 'twice', newText: 'two times' },
  ])
  await zotui.until('the third line', {
    check: () => zotui.history().filter(row => row.endsWith('/diff')).length === 3,
  })
  await openDiff(zotui)
  await zotui.see(/^› M {2}a.txt +\+1 -1$/m)
  await zotui.see(/^ {2}A {2}src\/deep\/down\/b.txt +new +\+1 -0$/m)
  await zotui.see(/not in a git repository: changes made by commands are not\s+listed\./)
  await zotui.press('enter')
  await zotui.see(/^› 2 {2}- two$/m)
  await zotui.see(/^▌ 2 {2}\+ two times$/m)
  await zotui.press('q', 'q')
})

describe('after a turn', () => {
  test('the line names files that commands changed, with counts of git', async () => {
    const files = { 'a.txt': 'one\n', 'gone.txt': 'x\n', 'long.txt': 'one\ntwo\n', 'mine.txt': 'x\n' }
    const { home, zotui } = await newConversation(files, { 'mine.txt': 'changed by me\n' })
    const steps = [
      { run: 'echo three >> long.txt; rm gone.txt; printf "1\\n2" > new.txt' },
      { edit: 'a.txt', oldText: 'one', newText: 'two' },
    ]
    writeFileSync(join(home.path, 'steps'), JSON.stringify(steps))
    const told = () => logged(home).split('"commands_changed"').length
    const before = told()
    await send(zotui, 'thoughtful steps')
    await zotui.until('git to have told', { check: () => told() > before })
    letGo(zotui, 'close')
    await zotui.see(/^ {2}\d\d:\d\d .* {3}\+4 -2 {3}a.txt, gone.txt, 2 more {3}\/diff$/m)
    expect(zotui.history().join('\n')).not.toContain('Commands changed')
  })

  test('late results of git are printed below', async () => {
    const { zotui } = await newConversation({ 'a.txt': 'one\n' })
    await turn(zotui, [{ run: 'for n in 1 2 3 4 5; do echo x > $n.txt; done' }])
    await zotui.see('Commands changed 5 files: 1.txt, 2.txt, 3.txt and 2 more. /diff shows what.')
    await turn(zotui, [{ run: 'true' }])
    await zotui.until('git to be asked no more', { check: () => zotui.children().length <= 1 })
    expect(zotui.history().join('\n').split('Commands changed')).toHaveLength(2)
  })

  test('an export, a note and a merge in another zotui are not listed as changes of the agent', async () => {
    const { home, zotui } = await newConversation({ 'a.txt': 'one\n' })
    const worktrees = createWorktrees({
      stateFolder: join(home.path, '.local', 'state', 'zotui'),
      env: environment(home.path),
      now: Date.now,
    })
    const created = await worktrees.create({ folder: home.project, prompt: 'merge me' })
    if (!created.ok) throw new Error(created.why)
    const { worktree, folder } = created.value
    writeFileSync(join(folder, 'merged.txt'), 'from the worktree\n')
    writeFileSync(join(home.path, 'steps'), JSON.stringify([{ run: 'echo x > made.txt' }]))
    await send(zotui, 'gated steps')
    await zotui.see('I change things.')
    await send(zotui, '/export talk.md')
    await zotui.see(/Written: .*talk\.md/)
    await zotui.type('#')
    await zotui.type(' always run the tests')
    await zotui.see(/# always run the tests/)
    await zotui.press('enter')
    await zotui.see(/Added to .*AGENTS\.md/)
    const preview = await worktrees.preview(worktree, 'merge')
    if (!preview.ok) throw new Error(preview.why)
    const taken = await worktrees.take(worktree, preview.value)
    expect(taken.ok).toBe(true)
    letGo(zotui, 'change')
    await zotui.see(/Commands changed 1 file: made\.txt\.|\+\d -\d {3}made\.txt/)
    for (const name of ['talk.md', 'AGENTS.md', 'merged.txt']) expect(existsSync(join(home.project, name))).toBe(true)
    await openDiff(zotui)
    await zotui.see('made.txt')
    await zotui.see(/Not listed: [^]*1\s+file exported/)
    await zotui.see(/1\s+file with a note of yours/)
    await zotui.see(/1\s+file merged from a worktree/)
    expect(zotui.screen().join('\n')).not.toMatch(/talk\.md|AGENTS\.md|merged\.txt/)
    await zotui.press('q')
  })
})
