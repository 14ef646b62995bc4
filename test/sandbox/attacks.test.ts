/**
 * Attacks on the reading of command lines, as if each had been taken for reading. Outside of the box each of them changes something, or
 * sends something; in the box nothing changes and nothing arrives.
 */
import { canBox } from '../helpers/can-box.ts'
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { homedir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { assert, asyncProperty, array, constantFrom } from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createLocalTools } from '../../src/local-tools/local-tools.ts'
import { machineReadBox } from '../../src/local-tools/machine-read-box.ts'

let arrived = 0
const server = createServer((_, answer) => {
  arrived += 1
  answer.end('hello')
})
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as { port: number }).port
})
afterAll(() => void server.close())

/** A home folder with a project, which is a repository that runs things. */
function stage() {
  const top = realpathSync(mkdtempSync(path.join(homedir(), '.zotui-attack-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  const home = path.join(top, 'home')
  const folder = path.join(home, 'project')
  mkdirSync(path.join(folder, 'sub'), { recursive: true })
  writeFileSync(path.join(home, '.profile'), 'export A=1\n')
  writeFileSync(path.join(folder, 'a.txt'), 'one\ntwo\n')
  writeFileSync(path.join(folder, 'sub/b.txt'), 'three\n')
  const evil = path.join(top, 'evil')
  writeFileSync(evil, `#!/bin/sh\ntouch ${top}/ran\ncat >/dev/null 2>&1\nexit 0\n`, { mode: 0o755 })
  const git = (...args: string[]): void => void execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' })
  git('init', '-q')
  git('config', 'user.name', 'me')
  git('config', 'user.email', 'me@example.com')
  git('add', '.')
  git('commit', '-qm', 'first')
  writeFileSync(path.join(folder, 'a.txt'), 'one\ntwo\nchanged\n')
  const tools = createLocalTools({
    folder,
    env: { ...process.env, HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    readBox: machineReadBox,
  })
  const run = async (command: string, inBox: boolean): Promise<string> => {
    const { content } = await tools.run(
      'bash',
      { command, timeout: 20 },
      inBox ? { box: { kind: 'reading', git: null } } : {},
    )
    return content.map(part => (part.type === 'text' ? part.text : '')).join('')
  }
  return { top, home, folder, evil, git, run }
}

/** Everything below a folder: kinds, modes, contents, targets. */
function snapshot(folder: string): string {
  const hash = createHash('sha256')
  const visit = (at: string): void => {
    const stats = lstatSync(at)
    hash.update(`${at}\0${stats.mode}\0`)
    if (stats.isSymbolicLink()) hash.update(readlinkSync(at))
    else if (stats.isFile()) hash.update(readFileSync(at))
    else if (stats.isDirectory()) for (const name of readdirSync(at).toSorted()) visit(path.join(at, name))
  }
  visit(folder)
  return hash.digest('hex')
}

type Stage = ReturnType<typeof stage>
type Attack = [name: string, command: (stage: Stage) => string, prepare?: (stage: Stage) => void]

const attacks: readonly Attack[] = [
  ['a redirection', () => 'echo x > new'],
  ['a redirection of a builtin into a startup file', () => 'echo evil >> ~/.profile'],
  ['rm', () => 'rm -rf sub'],
  ['find -delete', () => 'find sub -delete'],
  ['find -exec', ({ evil }) => `find . -maxdepth 0 -exec ${evil} {} ';'`],
  ['find -fprint', () => 'find . -fprint list'],
  ['sed w', () => `sed -n '1w new' a.txt`],
  ['sed -i', () => 'sed -i s/one/two/ a.txt'],
  ['sort -o', () => 'sort -o a.txt sub/b.txt'],
  ['tee', () => 'cat a.txt | tee new'],
  ['a link', () => 'ln -s /etc/passwd link'],
  ['a hard link', () => 'ln a.txt other'],
  ['chmod', () => 'chmod 777 a.txt'],
  ['truncate', () => 'truncate -s 0 a.txt'],
  ['mkdir in the home folder', () => 'mkdir ~/.config'],
  ['dd', () => 'dd if=/dev/zero of=new count=1 2>/dev/null'],
  ['awk', () => `awk 'BEGIN { system("touch new") }'`],
  ['xargs', () => 'echo new | xargs touch'],
  ['env', () => 'env touch new'],
  ['a pipe into a shell', () => `echo 'touch new' | sh`],
  [
    'printf %n into a variable that runs',
    ({ evil }) => `x='a[$(${evil})]'; printf '%d' "$x" 2>/dev/null; [ 1 -eq "$x" ] 2>/dev/null; [[ $x -eq 1 ]]`,
  ],
  ['tar', ({ evil }) => `tar cf /dev/null --checkpoint=1 --checkpoint-action=exec=${evil} sub`],
  ['git, a file monitor', () => 'git status', ({ git, evil }) => git('config', 'core.fsmonitor', evil)],
  ['git, an external diff', () => 'git diff', ({ git, evil }) => git('config', 'diff.external', evil)],
  ['git, a program for what it finds', ({ evil }) => `git grep -O${evil} one`],
  ['git, an alias', () => 'git st', ({ git, evil }) => git('config', 'alias.st', `!${evil}`)],
  [
    'git, a filter',
    () => 'git status; git diff',
    ({ git, evil, folder }) => {
      git('config', 'filter.x.clean', evil)
      writeFileSync(path.join(folder, '.git/info/attributes'), '* filter=x\n')
    },
  ],
  [
    'git, a text converter',
    () => 'git diff',
    ({ git, evil, folder }) => {
      git('config', 'diff.x.textconv', evil)
      writeFileSync(path.join(folder, '.git/info/attributes'), '* diff=x\n')
    },
  ],
  ['git diff --output', () => 'git diff --output=new'],
  [
    'git commit, with its hook',
    () => 'git commit -qam second',
    ({ folder, evil }) => execFileSync('cp', [evil, path.join(folder, '.git/hooks/pre-commit')]),
  ],
  ['git, its index', () => 'git add -A'],
  ['git, a branch', () => 'git branch other'],
  ['git, its settings', () => 'git config core.hooksPath /tmp'],
  ['git, another place of its files', () => 'git init -q nested'],
]

describe.skipIf(!canBox)('nothing changes in the box', () => {
  test.each(attacks)('%s', async (_, command, prepare) => {
    const [open, held] = [stage(), stage()]
    for (const each of [open, held]) prepare?.(each)
    const [before, heldBefore] = [open, held].map(({ top }) => snapshot(top))
    const arrivedBefore = arrived
    await open.run(command(open), false)
    expect([snapshot(open.top), arrived]).not.toEqual([before, arrivedBefore])
    const arrivedOutside = arrived
    await held.run(command(held), true)
    expect([snapshot(held.top), arrived]).toEqual([heldBefore, arrivedOutside])
  })

  test('what is sent through bash itself does not arrive', async () => {
    const { run } = stage()
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`
    const before = arrived
    expect(await run(command, false)).toContain('hello')
    expect(arrived).toBe(before + 1)
    expect(await run(command, true)).not.toContain('hello')
    expect(arrived).toBe(before + 1)
  })

  test('a signal to a program outside does not arrive', async () => {
    const { run } = stage()
    const other = spawn('sleep', ['600'], { stdio: 'ignore' })
    onTestFinished(() => void other.kill('SIGKILL'))
    const ended = once(other, 'exit')
    await run(`kill -9 ${other.pid}; kill -9 -1`, true)
    expect(other.signalCode).toBeNull()
    await run(`kill -9 ${other.pid}`, false)
    expect(await ended).toEqual([null, 'SIGKILL'])
  })

  test('whatever the words are in whatever order', { timeout: 120_000 }, async () => {
    const held = stage()
    const before = snapshot(held.top)
    const word = constantFrom(
      ...'rm mv cp touch ln mkdir chmod sed tee truncate git find sh -c -rf -i -exec -delete {} ; | && > >> & . .. * a.txt sub sub/b.txt ~ ~/.profile new .git .git/config add commit -am x init config core.pager sh $(touch new) `rm a.txt` "$HOME" /tmp /tmp/x'.split(
        ' ',
      ),
    )
    await assert(
      asyncProperty(array(word, { minLength: 2, maxLength: 7 }), async words => {
        await held.run(words.join(' '), true)
        expect(snapshot(held.top)).toBe(before)
      }),
      { numRuns: 150 },
    )
  })
})
