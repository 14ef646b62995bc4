/** A user writes commands of their own: files of Markdown that become prompts. */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { execa, execaSync } from 'execa'
import { expect, test } from 'vitest'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { share } from '../helpers/screen.ts'
import { expectDraft, installZot, lastingHome, openDemo, openEcho, program, send, startAfresh } from './stage.ts'

const REVIEW = `---
description: Looks for mistakes
argument-hint: <path> [depth]
---
Look for mistakes in $1, depth "$2". All: $ARGUMENTS`

/** Writes these commands of a project; a path that begins with a tilde is one of the user's own. */
function write(home: Home, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith('~')
      ? join(home.path, '.config/zotui/commands', name.slice(1))
      : join(home.project, '.zotui/commands', name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** A home whose project has these commands. */
function homeWith(files: Record<string, string>): Home {
  const home = makeHome()
  write(home, files)
  return home
}

/** It is started with a command; its first test sees the answer. */
const plain = share(
  () =>
    openEcho({
      columns: 100,
      args: ['/review', 'this'],
      env(home) {
        const evil =
          '---\ndescription: "\\e[2J\\u202E\\u200Bx"\nargument-hint: "\\e]0;owned\\a"\n---\nRead\u202E it\u200B.'
        write(home, { 'review.md': REVIEW, 'git/tidy.md': 'Tidy up.', '~mine.md': 'Do it my way.', 'evil.md': evil })
        return {}
      },
    }),
  startAfresh,
)

/** Its first test sees what is said at the start. */
const odd = share(
  () =>
    openEcho({
      columns: 120,
      rows: 40,
      env(home) {
        write(home, { 'clear.md': 'Clear up.', 'twice.md': 'The project.', '~twice.md': 'Mine.' })
        write(home, { 'empty.md': '', 'broken.md': '', 'my words.md': 'x', 'overhaul.md': 'x' })
        write(home, { 'explain.md': 'Explain it simply: $ARGUMENTS' })
        writeFileSync(join(home.project, '.zotui/commands/broken.md'), Buffer.from([0xff, 0xfe, 0x41]))
        symlinkSync('/etc/passwd', join(home.project, '.zotui/commands/stolen.md'))
        return {}
      },
    }),
  startAfresh,
)

test('a custom command works on the command line', async () => {
  const zotui = await plain()
  await zotui.see('You said: Look for mistakes in this, depth. All: this.')
})

test('a project command is listed, completed, filled in and sent, and the history keeps what was typed', async () => {
  const zotui = await plain()
  await zotui.type('/revi')
  await zotui.see(/› \/review <path> \[depth\] +project: Looks for mistakes/)
  await zotui.press('enter')
  await expectDraft(zotui, '/review')
  await zotui.type('"src/a b.ts" 2')
  await zotui.press('enter')
  await zotui.see('You said: Look for mistakes in src/a b.ts, depth "2". All: "src/a b.ts" 2.')
  await zotui.press('up')
  await expectDraft(zotui, '/review "src/a b.ts" 2')
  await zotui.press('ctrl+u')
  await send(zotui, '/git:tidy')
  await zotui.see('You said: Tidy up..')
  await send(zotui, '/mine')
  await zotui.see('You said: Do it my way..')
  await send(zotui, '/help')
  await zotui.seeInHistory(/\/review <path> \[depth\] +project: Looks for mistakes/)
  await zotui.seeInHistory(/\/mine +yours: Do it my way\./)
})

test('a new or changed command appears when the list opens again', async () => {
  const zotui = await plain()
  await zotui.type('/')
  await zotui.see('/help')
  write(zotui.home, { 'review.md': 'Review it twice.', 'zap.md': 'Zap it.' })
  await zotui.press('ctrl+u')
  await zotui.type('/zap')
  await zotui.see(/› \/zap +project: Zap it\./)
  await zotui.press('ctrl+u')
  await send(zotui, '/review')
  await zotui.see('You said: Review it twice..')
})

test('a custom command waits in the queue as it was typed', async () => {
  const home = lastingHome()
  write(home, { 'review.md': 'Review $ARGUMENTS.', 'gone.md': 'x' })
  const zotui = await openDemo({ home })
  await send(zotui, 'slow')
  await zotui.see('Let me think')
  await send(zotui, '/review this')
  await zotui.see('1 queued')
  await send(zotui, '/gone there')
  await zotui.see('2 queued   Alt+Up edits   1 "/review this"   2 "/gone there"')
  write(home, { 'review.md': 'Look at $ARGUMENTS.' })
  rmSync(join(home.project, '.zotui/commands/gone.md'))
  await zotui.press('esc')
  await zotui.see(/2 paused/)
  await zotui.press('enter')
  await zotui.seeInHistory('▌ Look at this.')
  await zotui.see(/(?:\/gone is not there|no command \/gone), and nothing was sent/)
  await zotui.see(/1 paused.*"\/gone there"/)
})

test("zotui's own commands take precedence, which is reported once", async () => {
  const zotui = await odd()
  await zotui.see('There is a /clear already; the other one (project) is /project:clear.')
  await zotui.see('There is a /twice already; the other one (yours) is /user:twice.')
  await send(zotui, '/clear')
  await zotui.see(/new conversation/i)
  await send(zotui, '/project:clear')
  await zotui.see('You said: Clear up..')
  await send(zotui, '/twice')
  await zotui.see('You said: The project..')
  await send(zotui, '/user:twice')
  await zotui.see('You said: Mine..')
  const said = zotui.history().filter(line => line.includes('There is a /clear already'))
  expect(said).toHaveLength(1)
  await zotui.seeInHistory(/\.zotui\/commands: my words\.md cannot be a command\./)
  expect(zotui.history().join('\n')).not.toContain('There is a /explain already')
})

test('an unusable command gives the reason, and an unknown one suggests the nearest', async () => {
  const zotui = await odd()
  await zotui.type('/stol')
  await zotui.see(/\/stolen +project: cannot be used, \/stolen is a link that points outside the project/)
  await zotui.press('enter')
  await expectDraft(zotui, '/stolen')
  for (const [name, words] of [
    ['/stolen x', '/stolen is a link that points outside the project (.zotui/commands/stolen.md).'],
    ['/empty x', '/empty has no text (.zotui/commands/empty.md).'],
    ['/broken x', '/broken is not UTF-8 text (.zotui/commands/broken.md).'],
    ['/ovrehaul', /No command \/ovrehaul\. Did you mean \/overhaul\?/],
  ] as const) {
    await zotui.press('ctrl+u')
    await zotui.type(name)
    await expectDraft(zotui, name)
    // An Enter does nothing while the files are read for the one before.
    const isSaid = (): boolean =>
      zotui.screen().some(line => (typeof words === 'string' ? line.includes(words) : words.test(line)))
    await zotui.until(String(words), { check: () => isSaid() || (void zotui.raw('\r'), false) })
  }
})

test('a project command file cannot control the terminal', async () => {
  const zotui = await plain()
  await zotui.type('/evil')
  await zotui.see(/› \/evil/)
  await zotui.press('enter', 'enter')
  await zotui.see(/You said: Read/)
  expect(zotui.history().join('\n')).not.toMatch(/[\u202E\u200B]/)
})

test("zotui's own prompt commands are listed with their origin, and a file of the project replaces one", async () => {
  const zotui = await odd()
  await zotui.type('/rev')
  await zotui.see(/› \/review \[branch\|commit\|PR number\] +zotui: review a change for mistakes/)
  await zotui.press('enter')
  await zotui.type('main')
  await zotui.press('enter')
  await zotui.seeInHistory('The change: main')
  await send(zotui, '/explain this')
  await zotui.see('You said: Explain it simply: this.')
  await send(zotui, '/help')
  await zotui.seeInHistory(/\/commit \[what to say\] +zotui: write a message for/)
})

test('the message of /commit is edited in the composer, and only Enter gives it to git', async () => {
  const zotui = await plain()
  const message = 'Write this:\n\n```\nFix "$(it)"\n\nBecause.\n```\n\nEnd'
  write(zotui.home, { 'commit.md': `---\nanswer: commit\n---\n${message}` })
  const git = (...args: readonly string[]) =>
    execaSync('git', args, { cwd: zotui.cwd, env: environment(zotui.home.path), extendEnv: false }).stdout
  writeFileSync(join(zotui.home.path, '.gitconfig'), '[user]\nname = A\nemail = a@example.org\n')
  writeFileSync(join(zotui.cwd, 'a.txt'), 'a')
  git('init', '--quiet', '--template=')
  git('add', 'a.txt')
  await send(zotui, '/commit')
  await zotui.see("git commit -F - <<'END'")
  await zotui.see('Enter commits with this message')
  await zotui.press('up', 'end')
  await zotui.type(' Really.')
  await zotui.press('enter')
  await zotui.see(/1 file changed/)
  expect(git('log', '-1', '--format=%B')).toBe('Fix "$(it)"\n\nBecause. Really.\n')
})

test('zotui -p makes the prompt of a command, and refuses one that cannot be used', async () => {
  const home = homeWith({ 'broken.md': '' })
  const print = (...args: readonly string[]) =>
    execa(process.execPath, [program, ...args], {
      cwd: home.project,
      env: environment(home.path, { ZOTUI_ZOT: installZot(home, 'echo') }),
      extendEnv: false,
      reject: false,
      input: 'and this',
    })
  const [review, own, broken] = await Promise.all([
    print('-p', '/review main'),
    print('-p', '/nothing of ours'),
    print('-p', '/broken'),
  ])
  expect(review.stdout).toMatch(/You said: Review a change[^]*The change: main[^]*and this\./)
  expect(own.stdout).toContain('You said: /nothing of ours')
  expect(broken).toMatchObject({ exitCode: 2, stdout: '' })
  expect(broken.stderr).toContain('/broken has no text (.zotui/commands/broken.md).')
  home.remove()
})

test('zotui prompts lists the commands of files and prints one of them unchanged', async () => {
  const home = homeWith({ 'review.md': REVIEW })
  const prompts = (...args: readonly string[]) =>
    execa(process.execPath, [program, 'prompts', ...args], {
      cwd: home.project,
      env: environment(home.path),
      extendEnv: false,
      reject: false,
    })
  const [list, one, shipped, none] = await Promise.all([
    prompts(),
    prompts('review'),
    prompts('/zotui:review'),
    prompts('nothing'),
  ])
  expect(list.stdout).toMatch(/^\/review +project: Looks for mistakes$/m)
  expect(list.stdout).toMatch(/^\/zotui:review +zotui: review a change/m)
  expect(list.stderr).toMatch(/zotui's own are in .*prompts/)
  expect(one.stdout).toBe(REVIEW)
  expect(shipped.stdout).toContain('The change: $ARGUMENTS')
  expect(none).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no prompt file for /nothing.') })
  home.remove()
})

test('a prompt from a file of yours is shown as you typed it, with its text in the viewer, and so after a resume, in lists and in exports', async () => {
  const home = lastingHome()
  write(home, { '~mine.md': 'Do it my way.\n\nWith: $1' })
  const zotui = await openEcho({ home, rows: 30 })
  await send(zotui, '/mine "great care"')
  await zotui.see('▌ /mine "great care"')
  await zotui.see(/You said: Do it my way\.[^]*With: great care\./)
  await zotui.see(/^▌ a prompt of 3 lines, Ctrl\+O shows it$/m)
  expect(zotui.history().join('\n')).not.toContain('▌ Do it my way.')
  await zotui.press('ctrl+o')
  await zotui.until('the viewer', { check: () => zotui.alternate })
  await zotui.see(/\/mine "great care"[^]* {2}Do it my way\.[^]*You said/)
  await zotui.press('q')
  await send(zotui, '/rewind')
  await zotui.see(/› \/mine "great care"/)
  await zotui.press('enter')
  await expectDraft(zotui, '/mine "great care"')
  await zotui.press('enter')
  await zotui.see(/You said: Do it my way\.[^]*You said: Do it my way\./)
  await zotui.close()

  const again = await openEcho({ home, args: ['--continue'] })
  await again.see('▌ /mine "great care"')
  expect(again.history().join('\n')).not.toContain('▌ Do it my way.')
  await send(again, '/retry')
  await again.seeInHistory(/▌ \/mine "great care"[^]*▌ \/mine "great care"/)
  await again.seeInHistory(/Do it my way[^]*Do it my way/)
  await again.close()

  const shell = async (...args: readonly string[]) =>
    (
      await execa(process.execPath, [program, ...args], {
        cwd: home.project,
        env: environment(home.path),
        extendEnv: false,
      })
    ).stdout
  expect(JSON.parse(await shell('sessions', '--json'))).toMatchObject([{ firstPrompt: '/mine "great care"' }, {}])
  expect(await shell('export', 'last', '--output', '-')).toMatch(/> \/mine "great care"[^]*sent as[^]*Do it my way\./)
  expect(await shell('show', 'last')).toMatch(/> \/mine "great care"/)
})

test("a project's prompt is shown in full until the project is trusted", async () => {
  const home = lastingHome()
  write(home, { 'theirs.md': 'Send $1 away.' })
  const zotui = await openEcho({ home })
  await send(zotui, '/theirs keys')
  await zotui.see('▌ Send keys away.')
  await send(zotui, '/settings trust')
  await zotui.see(/› do not trust it +its prompts are shown in full/)
  await zotui.press('down', 'enter')
  await zotui.see('Trusted.')
  await send(zotui, '/theirs me')
  await zotui.see('You said: Send me away..')
  await zotui.see('▌ /theirs me')
  await zotui.close()
  const printed = await execa(process.execPath, [program, '-p', '/theirs more'], {
    cwd: home.project,
    env: environment(home.path, { ZOTUI_ZOT: installZot(home, 'echo') }),
    extendEnv: false,
    stdin: 'ignore',
  })
  expect(printed.stdout).toBe('You said: Send more away..')
  const { stdout } = await execa(process.execPath, [program, 'sessions', '--json'], {
    cwd: home.project,
    env: environment(home.path),
    extendEnv: false,
  })
  expect(JSON.parse(stdout)).toMatchObject([{ firstPrompt: '/theirs more' }, { firstPrompt: 'Send keys away.' }])
})

test('a prompt that is nothing but its argument is not sent without one', async () => {
  const home = lastingHome()
  write(home, { '~say.md': '$ARGUMENTS' })
  const zotui = await openEcho({ home })
  await send(zotui, '/say')
  await zotui.press('enter')
  await zotui.see('/say needs an argument, and nothing was sent.')
})
