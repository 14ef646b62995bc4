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
  writeFileSync(join(tools, 'git'), `#!/bin/sh\n${stopping}\nexec /usr/bin/git "$@"\n`, { mode: 0o755 })
  const variables = `HOME=${far} TMPDIR=${far}/tmp PATH=${tools}:${bin}:/usr/bin:/bin`
  writeFileSync(ssh, `#!/bin/sh\nshift 3\nexec env -i ${variables} sh -c "$1"\n`, { mode: 0o755 })
  git(home, home.project, 'init', '-q', '-b', 'main', '--template=')
  writeFileSync(join(home.project, 'a.txt'), 'one\n')
  git(home, home.project, 'add', '-A')
  git(home, home.project, 'commit', '-q', '-m', 'first')
  writeFileSync(join(home.project, 'new.txt'), 'not committed\n')
  return { home, far, env: { PATH: `${dirname(ssh)}:${bin}:/usr/bin:/bin`, ZOTUI_ZOT: undefined } }
}

async function start({ home, env }: Place, ...args: string[]): Promise<Screen> {
  const zotui = await open({ home, env, columns: 120, rows: 40, args: ['--agent', 'claude', ...args] })
  await zotui.see(args.length > 0 ? 'claude remembers all of it.' : /claude 1\.0\.0/)
  return zotui
}

async function move(zotui: Screen, where: string, default_: string): Promise<void> {
  await send(zotui, `/move ${where}`)
  await zotui.see(`› ${default_}`)
  await zotui.press('down', 'enter')
}

test(
  'a move that is killed leaves all of it here, and the next one replaces what is there',
  { timeout: 900_000 },
  async () => {
    for (const stop of STOPS) {
      const stage = place()
      const { home, far } = stage
      const first = await start(stage)
      await send(first, 'one')
      await first.see('s1 knows one.')
      await first.gone(/\ds\s+Esc stops/)
      writeFileSync(join(far, 'stop'), stop)
      await move(first, 'far', 'Stay here')
      await expect.poll(() => existsSync(join(far, 'stopped')), { timeout: 20_000 }).toBe(true)
      writeFileSync(join(far, 'stop'), 'none')
      first.kill('SIGKILL')
      await first.exit()
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
