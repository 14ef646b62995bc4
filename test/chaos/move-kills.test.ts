/**
 * zotui is killed (SIGKILL) while a conversation moves to another machine: here the folder is whole, the session is
 * there, nothing runs there any more, and the next move names and replaces what is left.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { COMMITTER } from '../helpers/committer.ts'
import type { Home } from '../helpers/home.ts'
import { isLong } from '../helpers/length.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { installAgent, lastingHome, send } from '../stories/stage.ts'

/** At which commands of git there: the first, in the middle, and after the checkout. */
const STOPS = isLong ? ['init', 'unbundle', 'checkout', 'reset', 'write-tree'] : ['checkout']
/** The same in a checkout that is there already. */
const CHECKOUT_STOPS = isLong ? ['unbundle', 'checkout', 'reset', 'write-tree'] : ['reset']
/** On the way back, at which commands of git here, after the person has said yes. */
const BACK_STOPS = isLong ? ['read-tree', 'reset'] : ['reset']

type Place = { home: Home; far: string; env: Record<string, string | undefined> }

function git(home: Home, at: string, ...args: string[]): string {
  const options = { cwd: at, env: { PATH: process.env['PATH'], HOME: home.path }, encoding: 'utf8' } as const
  return execFileSync('git', [...COMMITTER, ...args], options).trim()
}

/** A repository here, and another machine, whose git waits before the command that the file `stop` names. */
function place(): Place {
  const home = lastingHome()
  const far = join(home.path, 'far')
  const tools = join(home.path, 'tools')
  const ssh = join(home.path, 'ssh', 'ssh')
  for (const folder of [join(far, 'tmp'), tools, dirname(ssh)]) mkdirSync(folder, { recursive: true })
  const first = `export ACP_CAN=list,resume,load,fork ACP_STORE="${join(home.path, 'store.json')}"`
  const bin = dirname(installAgent(home, { name: 'claude-agent-acp', agent: 'acp-sessions', first }))
  const stopping = `case " $* " in *" $(cat '${far}/stop' 2>/dev/null || echo none) "*) : >'${far}/stopped'; exec sleep 600 ;; esac`
  for (const at of [join(tools, 'git'), join(home.path, 'tools-here', 'git')]) {
    mkdirSync(dirname(at), { recursive: true })
    const own = at.includes('tools-here') ? stopping.replaceAll(`${far}/stop`, `${home.path}/stop`) : stopping
    writeFileSync(at, `#!/bin/sh\n${own}\nexec /usr/bin/git "$@"\n`, { mode: 0o755 })
  }
  const variables = `HOME=${far} TMPDIR=${far}/tmp PATH=${tools}:${bin}:/usr/bin:/bin`
  writeFileSync(ssh, `#!/bin/sh\nshift 3\nexec env -i ${variables} sh -c "$1"\n`, { mode: 0o755 })
  git(home, home.project, 'init', '-q', '-b', 'main', '--template=')
  writeFileSync(join(home.project, 'a.txt'), 'one\n')
  git(home, home.project, 'add', '-A')
  git(home, home.project, 'commit', '-q', '-m', 'first')
  writeFileSync(join(home.project, 'new.txt'), 'not committed\n')
  return {
    home,
    far,
    env: { PATH: `${home.path}/tools-here:${dirname(ssh)}:${bin}:/usr/bin:/bin`, ZOTUI_ZOT: undefined },
  }
}

async function start({ home, env }: Place, ...args: string[]): Promise<Screen> {
  const zotui = await open({ home, env, columns: 120, rows: 40, args: ['--agent', 'claude', ...args] })
  await zotui.see(args.length > 0 ? /claude remembers all of it|includes this conversation/ : /claude 1\.0\.0/)
  return zotui
}

async function move(zotui: Screen, where: string, default_: string): Promise<void> {
  await send(zotui, `/move ${where}`)
  await zotui.see(`› ${default_}`)
  await zotui.press('down', 'enter')
}

/** Kills zotui at the moment when git waits in this folder. */
async function killedIn(zotui: Screen, folder: string): Promise<void> {
  await expect.poll(() => existsSync(join(folder, 'stopped')), { timeout: 20_000 }).toBe(true)
  writeFileSync(join(folder, 'stop'), 'none')
  zotui.kill('SIGKILL')
  await zotui.exit()
}

async function knowsOne(zotui: Screen): Promise<void> {
  await send(zotui, 'one')
  await zotui.see('s1 knows one.')
  await zotui.gone(/\ds\s+Esc stops/)
}

test(
  'a move that is killed leaves all of it here, and the next one replaces what is there',
  { timeout: 900_000 },
  async () => {
    for (const stop of STOPS) {
      const stage = place()
      const { home, far } = stage
      const first = await start(stage)
      await knowsOne(first)
      writeFileSync(join(far, 'stop'), stop)
      await move(first, 'far', 'Stay here')
      await killedIn(first, far)
      expect(readFileSync(join(home.project, 'new.txt'), 'utf8')).toBe('not committed\n')
      expect(git(home, home.project, 'status', '--porcelain')).toBe('?? new.txt')

      const second = await start(stage, '--continue')
      await move(second, 'far', 'Stay here')
      await second.see(/Moved to ssh:far:/)
      expect(readFileSync(join(far, 'project', 'new.txt'), 'utf8')).toBe('not committed\n')
      expect(existsSync(join(far, 'project', '.git', 'zotui-move'))).toBe(false)
      await send(second, 'two')
      await second.see(/knows one, two|knows a summary/)
      await second.close()
    }
  },
)

test(
  'a move into a checkout that is killed is undone there by the next one, which asks first',
  { timeout: 900_000 },
  async () => {
    for (const stop of CHECKOUT_STOPS) {
      const stage = place()
      const { home, far } = stage
      const there = join(far, 'project')
      git(home, home.project, 'clone', '-q', '--no-hardlinks', home.project, there)
      writeFileSync(join(home.project, 'a.txt'), 'two\n')
      git(home, home.project, 'commit', '-q', '-am', 'second')
      const first = await start(stage)
      await knowsOne(first)
      await send(first, '/move far')
      await first.see('› Stay here')
      writeFileSync(join(far, 'stop'), stop)
      await first.press('down', 'enter')
      await killedIn(first, far)

      const second = await start(stage, '--continue')
      await send(second, '/move far')
      await second.see(/half\s+of\s+a\s+move\s+was\s+cut\s+off:\s+that\s+is\s+undone\s+first/)
      await second.press('down', 'enter')
      await second.see(/Moved to ssh:far:/)
      expect(git(home, there, 'branch', '--format=%(refname:short)')).toBe('main\nzotui-moved-main')
      expect(git(home, there, 'log', '-1', '--format=%s', 'main')).toBe('first')
      expect(git(home, there, 'status', '--porcelain')).toBe('?? new.txt')
      expect(existsSync(join(there, '.git', 'zotui-move'))).toBe(false)
      await second.close()
    }
  },
)

test('a way back that is killed loses nothing, and the next one knows what is here', { timeout: 900_000 }, async () => {
  for (const stop of BACK_STOPS) {
    const stage = place()
    const { home, far } = stage
    const there = join(far, 'project')
    const first = await start(stage)
    await knowsOne(first)
    await move(first, 'far', 'Stay here')
    await first.see(/Moved to ssh:far:/)
    await send(first, 'two')
    await first.see(/knows one, two|knows a summary/)
    await first.gone(/\ds\s+Esc stops/)
    writeFileSync(join(there, 'a.txt'), 'committed there\n')
    git(home, there, 'commit', '-q', '-am', 'there')
    writeFileSync(join(there, 'b.txt'), 'there\n')
    await send(first, '/move back')
    await first.see('› Stay there')
    writeFileSync(join(home.path, 'stop'), stop)
    await first.press('down', 'enter')
    await killedIn(first, home.path)
    expect(readFileSync(join(there, 'b.txt'), 'utf8')).toBe('there\n')

    const second = await start(stage, '--on', `ssh:far:${there}`, '--continue')
    await send(second, '/move back')
    if (stop === 'reset') await second.see(/makes half of a way back whole that was cut off/)
    await second.see('› Stay there')
    await second.press('down', 'enter')
    await second.see(/Back in /)
    expect(git(home, home.project, 'log', '-1', '--format=%s')).toBe('there')
    expect(git(home, home.project, 'status', '--porcelain')).toBe('?? b.txt\n?? new.txt')
    await send(second, 'three')
    await second.see('s3 knows a summary.')
    await second.close()
    expect(git(home, home.project, 'for-each-ref', 'refs/zotui')).toBe('')
  }
})

test(
  'a conversation that has moved is there after a kill, also if nothing was said there',
  { timeout: 900_000 },
  async () => {
    const stage = place()
    const first = await start(stage)
    await knowsOne(first)
    await move(first, 'far', 'Stay here')
    await first.see(/Moved to ssh:far:/)
    first.kill('SIGKILL')
    await first.exit()
    const second = await start(stage, '--on', `ssh:far:${join(stage.far, 'project')}`, '--continue')
    await second.see('s1 knows one.')
    await move(second, 'back', 'Stay there')
    await second.see(/Back in /)
    await second.close()
    const third = await start(stage, '--continue')
    await third.see('s1 knows one.')
    await third.close()
  },
)
