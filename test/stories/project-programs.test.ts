/**
 * A project has programs of its own first in PATH, as npx and direnv put them there: one for each that zotui starts by itself. Each leaves a
 * mark when it runs. Nobody was asked about them, so none may.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, fill, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { COMMITTER } from '../helpers/committer.ts'
import { installAgent, installZot, lastingHome, program, ready, send } from './stage.ts'

/** Everything that zotui may start, and what such programs start. */
const NAMES = [
  ...'git gh git-upload-pack ctags universal-ctags mkfifo stty tty sleep ps tmux npm node env script'.split(' '),
  ...'xclip xsel wl-copy wl-paste pbcopy pbpaste clip.exe powershell.exe ssh docker kubectl less cat'.split(' '),
  ...'sh bash dash vi nano vim code zot claude claude-agent-acp codex-acp gemini qwen opencode copilot vibe-acp cline rkat-rpc go brew agent-of-the-project'.split(
    ' ',
  ),
]

type Trap = { home: Home; env: Record<string, string>; ran: () => string[] }

const script = (folder: string, name: string, body: string): void =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })

/** A repository with these programs in it. `safe` stands after them in PATH: what the user has installed. */
function trap(isRepository = true): Trap {
  const home = lastingHome()
  const marks = join(home.path, 'marks')
  mkdirSync(marks)
  const bin = join(home.project, 'node_modules/.bin')
  const safe = join(home.path, 'safe')
  for (const folder of [bin, safe]) mkdirSync(folder, { recursive: true })
  // In its own folder, and in the folder itself, which a PATH with an empty or relative folder means.
  for (const name of NAMES)
    for (const folder of [bin, home.project]) script(folder, name, `echo "$0 $*" >'${marks}/${name}'; exit 1`)
  script(safe, 'npm', 'echo 99.0.0')
  script(safe, 'wl-copy', `/bin/cat >'${home.path}/clipboard'`)
  script(safe, 'wl-paste', `[ "$1" = --list-types ] && echo text/plain || echo pasted words`)
  script(safe, 'tmux', 'exit 1')
  script(safe, 'edit', `echo edited >"$1"`)
  script(safe, 'ctags', `[ "$1" = --version ] && echo Universal Ctags || printf 'planted\\ta.py\\t1;"\\tf\\n'`)
  if (isRepository) execFileSync('git', ['init', '-q', '--template='], { cwd: home.project })
  fill(home, { 'project/a.py': 'def planted():\n    pass\n', 'project/b.txt': 'one\n' })
  const link = join(home.path, 'link')
  symlinkSync(bin, link)
  const PATH = `${bin}:.:${link}::node_modules/.bin:${home.project}:${safe}:/usr/local/bin:/usr/bin:/bin`
  const env = { PATH, WAYLAND_DISPLAY: 'wayland-0', EDITOR: 'edit', ZOTUI_CHECKPOINTS: 'true' }
  return { home, env, ran: () => readdirSync(marks) }
}

const call = (id: string, name: string, args: object) => ({ id, name, args })

/** Opens a guarded zot that asks, and whose model makes these calls. */
async function openGuarded({ home, env }: Trap, steps: readonly object[], more = {}): Promise<Screen> {
  writeFileSync(join(home.path, 'script.json'), JSON.stringify(steps))
  const own = { ZOTUI_ZOT: installZot(home, 'guardable'), ZOT_SCRIPT: join(home.path, 'script.json') }
  return open({ home, rows: 45, env: { ...env, ...own, ZOTUI_PERMISSIONS: 'ask', ...more } })
}

async function runZotui({ home, env }: Trap, args: readonly string[], more: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], {
    cwd: home.project,
    env: environment(home.path, { ...env, ...more }),
    extendEnv: false,
    input: '',
    reject: false,
    timeout: 30_000,
  })
  return { code: exitCode, stdout, stderr }
}

describe.skipIf(process.platform === 'win32')('no program of the project runs', () => {
  test.each([
    ['a repository', true],
    ['a plain folder', false],
  ])(
    'in a turn with a command that waits, checkpoints, mentions, symbols and /diff, in %s',
    async (_name, isRepository) => {
      const stage = trap(isRepository)
      const zotui = await openGuarded(stage, [
        { calls: [call('a', 'write', { path: 'b.txt', content: 'two\n' })] },
        { calls: [call('b', 'bash', { command: 'echo made > made.txt' })] },
        { text: 'Done.' },
      ])
      await zotui.see(ready)
      await zotui.type('see @b.t')
      await zotui.see(/› b\.txt/)
      await zotui.press('enter')
      await zotui.type('@#plan')
      await zotui.see(/› planted +function +a\.py:1/)
      await zotui.press('ctrl+u')
      await send(zotui, 'go on')
      await zotui.see(/Edit b\.txt\?[^]*› 1 Yes/)
      await zotui.press('enter')
      await zotui.see(/Run this command\?[^]*› 1 Yes/)
      await zotui.press('enter')
      await zotui.see('Done.')
      expect(existsSync(join(stage.home.project, 'made.txt'))).toBe(true)
      await send(zotui, '/diff')
      await zotui.see(/b\.txt/)
      await zotui.press('q')
      await zotui.until('the conversation', { check: () => !zotui.alternate })
      await send(zotui, '/rewind')
      await zotui.see(/go back to before/)
      await zotui.press('esc')
      await zotui.close()
      expect(stage.ran()).toEqual([])
    },
  )

  test('for the clipboard, the editor, /doctor, a newer version and a worktree', async () => {
    const stage = trap()
    const git = (...args: string[]) => execFileSync('git', [...COMMITTER, ...args], { cwd: stage.home.project })
    git('add', 'a.py', 'b.txt')
    git('commit', '-qm', 'first')
    const more = { TMUX: '/nowhere,1,0', ZOTUI_UPDATE_NOTICE: '1', ZOTUI_PERMISSIONS: 'allow' }
    const zotui = await openGuarded(stage, [{ text: 'An answer.' }], more)
    await zotui.see(ready)
    await zotui.press('ctrl+v')
    await zotui.see(/▌ pasted words/)
    await zotui.press('ctrl+g')
    await zotui.see(/▌ edited/)
    await zotui.press('ctrl+c')
    await send(zotui, 'answer me')
    await zotui.see('An answer.')
    await zotui.see(/zotui 99\.0\.0 is available/)
    await send(zotui, '/copy')
    await zotui.see(/Copied .*wl-copy/)
    await send(zotui, '/doctor')
    await zotui.see(/character widths/)
    await send(zotui, '/spawn --worktree more')
    await zotui.see(/branch\s+zotui\/more/)
    zotui.kill('SIGKILL')
    await zotui.exit()
    await expect.poll(() => existsSync(join(stage.home.path, 'clipboard'))).toBe(true)
    expect(stage.ran()).toEqual([])
  })

  test('for /login, whose terminal is made by script and stty', async () => {
    const stage = trap()
    const zotui = await open({
      home: stage.home,
      env: { ...stage.env, ZOTUI_ZOT: installZot(stage.home, 'logging-in') },
    })
    await zotui.see(/No credential for anthropic/i)
    await send(zotui, '/login')
    await zotui.see('a key for which provider?')
    await zotui.type('log in')
    await zotui.see(/› log in/)
    await zotui.press('enter')
    await zotui.see(/zot, \d+ rows, not logged in/)
    await zotui.type('/exit')
    await zotui.press('enter')
    await zotui.see(/No credential[^]*No credential/i)
    await zotui.close()
    expect(stage.ran()).toEqual([])
  })

  test('without the UI', async () => {
    const stage = trap()
    const zot = { ZOTUI_ZOT: installZot(stage.home, 'echo') }
    expect((await runZotui(stage, ['-p', 'hello @b.txt'], zot)).stdout).toContain('hello')
    for (const args of [['checkpoints'], ['worktrees'], ['sessions'], ['--version'], ['models'], ['usage']])
      await runZotui(stage, args, zot)
    expect((await runZotui(stage, ['--on', 'ssh:nowhere.invalid', '-p', 'hello'])).stderr).not.toBe('')
    for (const way of ['docker:nothing', 'kubectl:nothing'])
      expect((await runZotui(stage, ['--on', way, '-p', 'hello'])).stderr).not.toBe('')
    expect((await runZotui(stage, ['--via', 'less', '-p', 'hello'])).code).not.toBe(0)
    expect(stage.ran()).toEqual([])
  })

  test.each([
    'zot',
    'claude',
    'codex',
    'gemini',
    'qwen',
    'opencode',
    'copilot',
    'vibe',
    'cline',
    'meerkat',
    'agent-of-the-project',
  ])('as the agent %s: it is not found, and the message names the one of the project', async agent => {
    const stage = trap()
    const { code, stderr } = await runZotui(stage, ['--agent', agent, '-p', 'hello'])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/was not found/)
    expect(stderr.replaceAll(/\s+/g, '')).toContain(join(stage.home.project, 'node_modules/.bin'))
    expect(stage.ran()).toEqual([])
  })

  test('as the interpreter of an agent that the user has installed', async () => {
    const stage = trap()
    const safe = join(stage.home.path, 'safe')
    symlinkSync(process.execPath, join(safe, 'node'))
    const played = installAgent(stage.home, { name: 'played', agent: 'acp-sessions' })
    const start = `import { spawnSync } from 'node:child_process'\nspawnSync('${played}', { stdio: 'inherit' })\n`
    writeFileSync(join(safe, 'claude-agent-acp'), `#!/usr/bin/env node\n${start}`, { mode: 0o755 })
    const { stdout, stderr } = await runZotui(stage, ['--agent', 'claude', '-p', 'one'], {
      ACP_STORE: join(stage.home.path, 'store.json'),
    })
    expect(stage.ran()).toEqual([])
    expect(`${stdout}${stderr}`).toContain('knows one')
  })
})

test.skipIf(process.platform === 'win32')(
  'what the user names by its path is started, also in the project, and with the PATH of the user',
  async () => {
    const stage = trap()
    const { stdout } = await runZotui(stage, ['--zot', './node_modules/.bin/zot', '--version'])
    expect(stdout).toContain('node_modules/.bin/zot')
    expect(stage.ran()).toEqual(['zot'])
    const zot = { ZOTUI_ZOT: installZot(stage.home, 'echo') }
    const hooks = { hooks: { Stop: [{ hooks: [{ command: 'less hook' }] }] } }
    fill(stage.home, { '.config/zotui/config.json': JSON.stringify(hooks) })
    await runZotui(stage, ['-p', 'hello'], zot)
    expect(stage.ran()).toEqual(['less', 'zot'])
  },
)
