/** Real zots on another machine behind a real sshd: on the board of this one, and moved there and back. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { COMMITTER } from '../helpers/committer.ts'
import { environment, fill, makeHome, type Home } from '../helpers/home.ts'
import { reply, startModel, type Model, type Step } from '../helpers/model.ts'
import { open } from '../helpers/screen.ts'
import { sshdPath, startSshd } from '../helpers/sshd.ts'
import { holders } from '../stories/holders.ts'
import { idle, messagesOf, say, zot } from './talk.ts'

const program = fileURLToPath(new URL('../../dist/zotui.js', import.meta.url))

type Machines = { home: Home; far: Home; model: Model; env: Record<string, string | undefined> }

/** This machine and another one, each with a zot whose model says `script`, and a zotui. */
async function machines(script: readonly Step[]): Promise<Machines> {
  const model = await startModel(script)
  const home = makeHome()
  const far: Home = { ...home, path: path.join(home.path, 'far'), project: path.join(home.path, 'far', 'project') }
  mkdirSync(path.join(far.path, 'tmp'), { recursive: true })
  onTestFinished(() => {
    for (const { pid } of holders(far)) process.kill(pid, 'SIGKILL')
    home.remove()
  })
  // The model is named by flags alone, which do not go along.
  const scripted = `#!/bin/sh\nmode=$1; shift\nexec '${zot}' "$mode" ${model.flags.join(' ')} "$@"\n`
  const zotui = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
  const bin = path.join(home.path, 'bin')
  mkdirSync(bin)
  writeFileSync(path.join(bin, 'zot'), scripted, { mode: 0o755 })
  writeFileSync(path.join(bin, 'zotui'), zotui, { mode: 0o755 })
  const bins = `${bin}:${path.dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
  const sshd = await startSshd(path.join(home.path, 's'), {
    PATH: bins,
    HOME: far.path,
    TMPDIR: `${far.path}/tmp`,
    ZOT_HOME: `${far.path}/.zot`,
    XDG_RUNTIME_DIR: `${far.path}/.run`,
  })
  const env = {
    PATH: `${sshd.bin}:${bins}`,
    ZOT_HOME: path.join(home.path, '.zot'),
    ZOTUI_ZOT: undefined,
    ZOTUI_PERMISSIONS: undefined,
  }
  return { home, far, model, env }
}

describe.skipIf(!zot || sshdPath === null)('a fleet of real zots', () => {
  test('the board answers one on another machine, goes there, and comes back', { timeout: 120_000 }, async () => {
    const { home, far, env } = await machines([
      reply().tool('bash', { command: 'touch made' }),
      reply().text('It is made.'),
    ])
    mkdirSync(far.project)
    const begun = await execa(process.execPath, [program, '-p', '--background', '--permissions', 'ask', 'make it'], {
      cwd: far.project,
      env: environment(far.path, { ...env, ZOT_HOME: `${far.path}/.zot` }),
      extendEnv: false,
      input: '',
      reject: false,
    })
    expect(begun).toMatchObject({ exitCode: 0 })
    fill(home, { '.config/zotui/config.json': JSON.stringify({ boardHosts: ['far'] }) })
    const board = await open({ home, env, args: ['board'], columns: 120, rows: 40 })
    await board.see(/› \? make it/)
    await board.see(/touch made/)
    await board.see(/y allows/)
    await board.press('enter')
    await board.see(/Enter sends|touch made/)
    await board.see(/› 1 Yes/)
    // It is in the mode `ask`, and must not be greeted as one that asks nothing.
    expect(board.screen().join('\n')).not.toContain('without asking')
    await board.press('ctrl+d')
    await board.see(/^ {2}board/m)
    await board.see(/y allows/)
    expect(existsSync(path.join(far.project, 'made'))).toBe(false)
    // A key that comes too soon after the question was meant for something else.
    await expect
      .poll(
        async () => {
          await board.type('y')
          return existsSync(path.join(far.project, 'made'))
        },
        { timeout: 20_000, interval: 500 },
      )
      .toBe(true)
    await board.see('Allowed once: bash touch made')
    await board.see('No conversation runs.')
    await board.type('q')
    await board.exit()
  })

  test('one moves over ssh with what is not committed, and brings it back', { timeout: 120_000 }, async () => {
    const { home, far, model, env } = await machines([
      reply().text('Noted.'),
      reply().tool('bash', { command: 'echo there > made' }),
      reply().text('Made there.'),
      reply().text('Still blue.'),
    ])
    const git = (at: string, ...args: string[]): string =>
      execFileSync('git', [...COMMITTER, ...args], { cwd: at, env: environment(home.path), encoding: 'utf8' }).trim()
    writeFileSync(path.join(home.project, 'a.txt'), 'one\n')
    git(home.project, 'init', '-q', '-b', 'main', '--template=')
    git(home.project, 'add', '-A')
    git(home.project, 'commit', '-qm', 'first')
    writeFileSync(path.join(home.project, 'new.txt'), 'not committed\n')
    const zotui = await open({ home, env: { ...env, ZOTUI_PERMISSIONS: 'allow' }, columns: 110, rows: 40 })
    await zotui.see('anthropic/claude-sonnet-4-5')
    await say(zotui, 'my colour is blue')
    await zotui.see('Noted.')
    await idle(zotui)
    await say(zotui, '/move far')
    await zotui.see('› Stay here')
    await zotui.press('down', 'enter')
    await zotui.see(/Moved to ssh:far:/)
    expect(git(far.project, 'status', '--porcelain')).toBe('?? new.txt')
    await say(zotui, 'make it')
    await zotui.see('Made there.')
    await idle(zotui)
    expect(readFileSync(path.join(far.project, 'made'), 'utf8')).toBe('there\n')
    await say(zotui, '/move back')
    await zotui.see('› Stay there')
    await zotui.press('down', 'enter')
    await zotui.see(/Back in /)
    expect(git(home.project, 'status', '--porcelain')).toBe('?? made\n?? new.txt')
    await say(zotui, 'and now')
    await zotui.see('Still blue.')
    expect(JSON.stringify(messagesOf(await model.request(4)))).toContain('my colour is blue')
    await zotui.close()
  })
})
