/** What is left to read in /diff, its tree of folders, and the search in all of it: on the real program. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { COMMITTER } from '../helpers/committer.ts'
import type { Home } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { turnsEnded } from '../helpers/turn-end.ts'
import { lastingHome, letGo, openIn, openZot, ready, send } from './stage.ts'

type Files = Record<string, string>

function put(home: Home, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home.project, name)), { recursive: true })
    writeFileSync(join(home.project, name), text)
  }
}

/** A repository with these files committed. */
function repository(files: Files): Home {
  const home = lastingHome()
  const env = { PATH: process.env['PATH'], HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' }
  const git = (...args: string[]): string =>
    execFileSync('git', [...COMMITTER, ...args], { cwd: home.project, env, encoding: 'utf8' })
  git('init', '-q', '--template=')
  put(home, files)
  git('add', '-A')
  git('commit', '-qm', 'one')
  return home
}

/** Has a command of the agent write these files. */
async function changed(zotui: Screen, files: Files): Promise<void> {
  const { home } = zotui
  const ended = turnsEnded(zotui.history())
  writeFileSync(
    join(home.path, 'steps'),
    JSON.stringify(Object.entries(files).map(([write, content]) => ({ write, content }))),
  )
  rmSync(join(home.path, 'change'), { force: true })
  await send(zotui, 'gated steps')
  letGo(zotui, 'change')
  await zotui.until('the turn to end', { check: () => turnsEnded(zotui.history()) > ended })
}

const opening = (home: Home): Promise<Screen> => openIn(home, { agent: 'changing' })

async function openDiff(zotui: Screen): Promise<void> {
  await send(zotui, '/diff')
  await zotui.see(/q closes$/m)
}

const project = { 'a.txt': 'one\n', 'src/app/b.txt': 'two\n', 'src/app/c.txt': 'three\n', 'test/d.txt': 'four\n' }
const edited = { 'a.txt': 'eins\n', 'src/app/b.txt': 'zwei\n', 'src/app/c.txt': 'drei\n', 'test/d.txt': 'vier\n' }

test('a file that was read is marked until the agent changes it, and the list says how many are left', async () => {
  const zotui = await opening(repository(project))
  await zotui.see(ready)
  await changed(zotui, edited)
  await openDiff(zotui)
  await zotui.see(/^› M {2}a.txt/m)
  await zotui.type('a')
  await zotui.see('3 of 4 left')
  await zotui.see(/^ {2}M● a.txt/m)
  await zotui.see(/^› M {2}src\/app\/b.txt/m)
  await zotui.press('enter')
  await zotui.see(/\+ zwei$/m)
  await zotui.type('a')
  await zotui.see(/^ {2}src\/app\/c.txt/m)
  await zotui.see(/\+ drei$/m)
  await zotui.type('z')
  await zotui.see('src/app/b.txt no longer counts as read.')
  await zotui.type('a')
  await zotui.see(/^ {2}test\/d.txt/m)
  await zotui.press('q', 'q')

  await changed(zotui, { 'a.txt': 'uno\n' })
  await openDiff(zotui)
  await zotui.see(/^ {2}M● src\/app\/c.txt/m)
  await zotui.see('3 of 4 left')
  await zotui.type('t')
  await zotui.see(/^ {2}▾ {2}src\/app\/ +1 of 2 left/m)
  await zotui.press('down', 'left')
  await zotui.see(/^› ▸ {2}src\/app\/ +1 of 2 left/m)
  await zotui.type('a')
  await zotui.see(/^ {2}▸ {2}src\/app\/ +all 2 read/m)
  await zotui.see('2 of 4 left')
  await zotui.press('q')
})

test('the search goes through the paths and lines of all files', async () => {
  const zotui = await opening(repository(project))
  await zotui.see(ready)
  await changed(zotui, { ...edited, 'src/app/c.txt': `${'line\n'.repeat(30)}a word\n`, 'test/word.txt': 'new\n' })
  await openDiff(zotui)
  await zotui.see('5 files')
  await zotui.type('/word')
  await zotui.see('/word   2 found')
  await zotui.press('enter')
  await zotui.see(/^ {2}src\/app\/c.txt/m)
  await zotui.see(/^› .*\+ a word$/m)
  await zotui.see('match 1 of 2 for word')
  await zotui.type('n')
  await zotui.see(/^ {2}test\/word.txt/m)
  await zotui.see('match 2 of 2 for word')
  await zotui.type('n')
  await zotui.see('match 1 of 2 for word')
  await zotui.press('esc')
  await zotui.until('the end of the search', { check: () => !zotui.screen().join('').includes('match') })
  expect(zotui.screen()[0]).toContain('src/app/c.txt')
  await zotui.type('/a line with spaces')
  await zotui.see('/a line with spaces   0 found')
  await zotui.press('backspace')
  await zotui.see(/^\/a line with space {3}/m)
  await zotui.press('esc', 'q', 'q')
})

test('with a screen reader a file is marked as read from a list, which says how many are left', async () => {
  const home = repository({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
  const zotui = await openZot('changing', { home, rows: 60, args: ['--screen-reader'] })
  await zotui.see(/^> $|^>$/m)
  const steps = [{ run: 'echo eins > a.txt; echo zwei > b.txt' }]
  writeFileSync(join(home.path, 'steps'), JSON.stringify(steps))
  const answer = async (text: string, next: RegExp): Promise<void> => {
    await zotui.type(text)
    await zotui.press('enter')
    await zotui.see(next)
  }
  await answer('steps', /changed 2 files/)
  await answer('/diff', /^2\. b.txt, \+1 -1$/m)
  await answer('2', /^4\. mark it as read, and the list again$/m)
  await answer('4', /changed by this session, 1 of 2 left/)
  await zotui.see(/^2\. b.txt, \+1 -1, read$/m)
})
