/** A review of the agent's changes: comments are written on their lines, kept, sent, and heard of after the turn. */
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { COMMITTER } from '../helpers/committer.ts'
import type { Home } from '../helpers/home.ts'
import type { OpenOptions, Screen } from '../helpers/screen.ts'
import { turnsEnded } from '../helpers/turn-end.ts'
import { lastingHome, logged, openIn, openZot, ready, send } from './stage.ts'

const closes = /q closes$/m

/** A repository with one file committed, which the agent then changes. */
function repository(): Home {
  const home = lastingHome()
  const git = (...args: string[]): Buffer =>
    execFileSync('git', [...COMMITTER, ...args], {
      cwd: home.project,
      env: { PATH: process.env['PATH'], HOME: home.path, GIT_CONFIG_NOSYSTEM: '1' },
    })
  git('init', '-q', '--template=')
  writeFileSync(join(home.project, 'a.ts'), 'const one = 1\nconst two = 2\nconst three = 3\n')
  git('add', '-A')
  git('commit', '-qm', 'one')
  return home
}

/** Has the agent change the file. */
async function changed(zotui: Screen, edits: readonly [from: string, to: string][]): Promise<void> {
  const steps = edits.map(([oldText, newText]) => ({ edit: 'a.ts', oldText, newText }))
  writeFileSync(join(zotui.home.path, 'steps'), JSON.stringify(steps))
  const before = turnsEnded(zotui.history())
  await send(zotui, 'steps')
  await zotui.until('the turn to end', { check: () => turnsEnded(zotui.history()) > before })
}

async function openFile(zotui: Screen): Promise<void> {
  await send(zotui, '/diff')
  await zotui.see(closes)
  await zotui.gone('Checking for changes')
  await zotui.press('enter')
  await zotui.see(/^[›>] .*const/m)
}

const openChanging = (home: Home, options: OpenOptions = {}): Promise<Screen> =>
  openIn(home, { agent: 'changing', ...options })

test('comments on a line and on a range go into the prompt, and after the turn each says what became of its lines', async () => {
  const home = repository()
  const zotui = await openChanging(home)
  await changed(zotui, [
    ['const two = 2', 'const two = 22'],
    ['const three = 3', 'const three = 33\nconst four = 4'],
  ])
  await openFile(zotui)
  await zotui.press('down')
  await zotui.see(/^› 2 {2}\+ const two = 22$|^› 3 {2}- const three = 3$/m)
  await zotui.press('end', 'i')
  await zotui.see('new comment, line 4')
  await zotui.type('Is four needed?')
  await zotui.press('enter')
  await zotui.see(/┃ Is four needed\?$/m)
  await zotui.press('up', 'shift+up', 'i')
  await zotui.type('Say why')
  await zotui.press('ctrl+j')
  await zotui.type('in a comment.')
  await zotui.press('enter')
  await zotui.see(/┃ in a comment\.$/m)
  await zotui.see('2 comments')
  await zotui.type('S')
  await zotui.see('The comments are in the prompt')
  await zotui.press('ctrl+home')
  await zotui.see('Here are 2 comments on the changes:')
  await zotui.press('ctrl+end')
  // The next turn of this agent does what the file says.
  writeFileSync(join(home.path, 'steps'), JSON.stringify([{ edit: 'a.ts', oldText: '\nconst four = 4', newText: '' }]))
  await zotui.press('ctrl+j')
  await zotui.type('steps')
  await zotui.press('enter')
  await zotui.see(/The lines of your 2 comments: .*gone/)
  await openFile(zotui)
  await zotui.see(/comment.*sent: its lines are gone/)
})

test('what is written survives Esc, a closed page and kill -9, beside a session that is resumed', async () => {
  const home = repository()
  const zotui = await openChanging(home)
  await changed(zotui, [['const two = 2', 'const two = 22']])
  await openFile(zotui)
  await zotui.press('i')
  await zotui.type('kept words')
  await zotui.press('enter')
  await zotui.see(/┃ kept words$/m)
  await zotui.press('end', 'i')
  await zotui.type('half a')
  await zotui.press('esc')
  await zotui.see(/comment.*not finished$/m)
  await zotui.see(/┃ half a$/m)
  await zotui.press('enter')
  await zotui.type(' thought')
  await zotui.see('half a thought')
  const review = (): string => logged(home)
  await zotui.until('the words to be kept', { check: () => review().includes('half a thought') })
  zotui.kill('SIGKILL')
  await zotui.exit()
  const again = await openChanging(home, { args: ['--continue'] })
  await again.see(ready)
  await openFile(again)
  await again.see(/┃ kept words$/m)
  await again.see(/┃ half a thought$/m)
  await again.type('S')
  await again.see('1 comment that is not finished')
  await again.press('ctrl+home')
  await again.see('Here is a comment on the changes:')
  expect(again.screen().join('\n')).not.toContain('half a thought')
})

test('a comment is written in the editor of the user, deleted, brought back, and put into the prompt', async () => {
  const home = repository()
  const zotui = await openChanging(home, {
    env: ({ path }) => {
      const file = join(path, 'vi')
      writeFileSync(file, '#!/bin/sh\nprintf "from the editor\\n" > "$1"\n')
      chmodSync(file, 0o755)
      return { EDITOR: file }
    },
  })
  await changed(zotui, [['const two = 2', 'const two = 22']])
  await openFile(zotui)
  await zotui.type('i')
  await zotui.see('new comment')
  await zotui.press('ctrl+g')
  await zotui.see('from the editor')
  await zotui.press('enter')
  await zotui.see(/┃ from the editor$/m)
  // The keys of changes leave the change around the comment alone.
  await zotui.type('+')
  await zotui.see('The comment is kept already')
  await zotui.type('X')
  await zotui.see('This is a comment: x deletes it.')
  await zotui.type('x')
  await zotui.gone('from the editor')
  await zotui.type('z')
  await zotui.see(/┃ from the editor$/m)
  await zotui.type('S')
  await zotui.see('The comment is in the prompt')
  await zotui.see(/^▌ from the editor$/m)
})

test('a comment on a file whose changes the agent takes back stays, with what became of it, until it is deleted', async () => {
  const home = repository()
  const zotui = await openChanging(home)
  await changed(zotui, [['const two = 2', 'const two = 22']])
  await openFile(zotui)
  await zotui.type('i')
  await zotui.type('Take it back')
  await zotui.press('enter')
  await zotui.see(/┃ Take it back$/m)
  await zotui.type('S')
  await zotui.see('The comment is in the prompt')
  writeFileSync(
    join(home.path, 'steps'),
    JSON.stringify([{ edit: 'a.ts', oldText: 'const two = 22', newText: 'const two = 2' }]),
  )
  await zotui.press('ctrl+j')
  await zotui.type('steps')
  await zotui.press('enter')
  await zotui.see(/The lines of your comment/)
  await send(zotui, '/diff')
  await zotui.see('comments on other files: 1 file')
  await zotui.press('enter')
  await zotui.see(/┃ Take it back$/m)
  await zotui.see(/comment.*sent: its lines/)
  await zotui.see('It has comments, and is not among the changes.')
  await zotui.press('home')
  await zotui.type('x')
  await zotui.see('No changes.')
  await zotui.type('z')
  await zotui.see(/┃ Take it back$/m)
})

test('the page of a narrow terminal in ASCII shows the field and the comment', async () => {
  const zotui = await openChanging(repository(), { args: ['--ascii'] })
  await changed(zotui, [['const two = 2', 'const two = 22']])
  zotui.resize(40, 20)
  await openFile(zotui)
  await zotui.type('i')
  await zotui.type('a comment that needs more than one row of it')
  await zotui.press('enter')
  await zotui.see(/^[|] \| a comment that needs more than one$/m)
  expect(zotui.screen().join('')).toMatch(/^[\u0020-\u007E]*$/)
})

test('with a screen reader comments are listed, written and sent by answers', async () => {
  const zotui = await openZot('changing', { home: repository(), rows: 60, args: ['--screen-reader'] })
  await zotui.see(/^> $|^>$/m)
  writeFileSync(
    join(zotui.home.path, 'steps'),
    JSON.stringify([{ edit: 'a.ts', oldText: 'const two = 2', newText: 'const two = 22' }]),
  )
  const answer = async (typed: string): Promise<void> => {
    await zotui.type(typed)
    await zotui.press('enter')
  }
  await answer('steps')
  await zotui.see(/changed 1 file, 1 line added, 1 removed, a.ts/)
  await answer('/diff')
  await zotui.see(/^1\. a.ts, \+1 -1$/m)
  await answer('1')
  await zotui.see(/^\d\. write a comment on a line$/m)
  const number = /^(\d)\. write a comment on a line$/m.exec(zotui.screen().join('\n'))?.[1] ?? ''
  await answer(number)
  await zotui.see(/the number of the line/)
  await answer('2')
  await zotui.see(/the comment/)
  await answer('Why 22?')
  await zotui.see(/^\d\. Why 22\?, comment$/m)
  await answer('1')
  await zotui.see(/^1\. a.ts, \+1 -1, 1 comment$/m)
  await zotui.see(/^2\. put the comments into the prompt, 1 comment$/m)
  await answer('2')
  await zotui.see(/The comment is in the prompt/)
})
