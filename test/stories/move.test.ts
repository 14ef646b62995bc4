/** A conversation moves to another machine, which is reached through an ssh that starts a shell here, and comes back. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { COMMITTER } from '../helpers/committer.ts'
import type { Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { snapshot } from '../helpers/folder-snapshot.ts'
import { expectDraft, installAgent, lastingHome, send } from './stage.ts'

type Place = {
  home: Home
  far: string
  env: Record<string, string | undefined>
  git: (at: string, ...args: string[]) => string
}

/** A repository here, and another machine with a claude of its own. With `knows` that one has the sessions of this one. */
function place({ knows = true, broken = '' } = {}): Place {
  const home = lastingHome()
  const far = join(home.path, 'far')
  mkdirSync(join(far, 'tmp'), { recursive: true })
  const first = `export ACP_CAN=list,resume,load,fork ACP_STORE="\${FAR_STORE:-${join(home.path, 'store.json')}}"`
  const bin = dirname(installAgent(home, { name: 'claude-agent-acp', agent: 'acp-sessions', first }))
  const ssh = join(home.path, 'ssh', 'ssh')
  mkdirSync(dirname(ssh))
  const store = knows ? '' : `FAR_STORE=${join(far, 'store.json')}`
  const variables = `HOME=${far} TMPDIR=${far}/tmp PATH=${bin}:/usr/bin:/bin ${store}`
  writeFileSync(ssh, `#!/bin/sh\n${broken}\nshift 3\nexec env -i ${variables} sh -c "$1"\n`)
  chmodSync(ssh, 0o755)
  const git = (at: string, ...args: string[]): string =>
    execFileSync('git', [...COMMITTER, ...args], {
      cwd: at,
      env: { PATH: process.env['PATH'], HOME: home.path },
      encoding: 'utf8',
    }).trim()
  git(home.project, 'init', '-q', '-b', 'main', '--template=')
  writeFileSync(join(home.project, 'a.txt'), 'one\n')
  git(home.project, 'add', '-A')
  git(home.project, 'commit', '-q', '-m', 'first')
  writeFileSync(join(home.project, 'new.txt'), 'not committed\n')
  return { home, far, env: { PATH: `${dirname(ssh)}:${bin}:/usr/bin:/bin`, ZOTUI_ZOT: undefined }, git }
}

async function start({ home, env }: Place): Promise<Screen> {
  const zotui = await open({ home, env, columns: 120, rows: 40, args: ['--agent', 'claude'] })
  await zotui.see(/claude 1\.0\.0/)
  await send(zotui, 'one')
  await zotui.see('s1 knows one.')
  await zotui.gone(/\ds\s+Esc stops/)
  return zotui
}

/** Where Claude Code keeps its session. */
function keepSession({ home }: Place): void {
  const folder = join(home.path, '.claude', 'projects', home.project.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 's1.jsonl'), '{"type":"user"}\n')
}

async function moveTo(zotui: Screen, where: string): Promise<void> {
  await send(zotui, `/move ${where}`)
  await zotui.see(/move to ssh:far/)
  await zotui.see('› Stay here')
  await zotui.press('down', 'enter')
}

describe('/move', () => {
  test('takes the conversation, what is not committed, and the draft to another machine, and brings the work back', async () => {
    const stage = place()
    const { home, far, git } = stage
    const zotui = await start(stage)
    keepSession(stage)
    const before = snapshot([home.project], [join(home.project, '.git')])
    await send(zotui, '/move far')
    await zotui.see('move to ssh:far')
    await zotui.see(/1 new file, uncommitted as here/)
    await zotui.see(/the session of claude, which remembers all of it/)
    await zotui.press('down', 'enter')
    await zotui.see(/Moved to ssh:far:/)
    await zotui.see('The conversation came along: 1 turn.')
    const there = join(far, 'project')
    expect(readFileSync(join(there, 'new.txt'), 'utf8')).toBe('not committed\n')
    expect(git(there, 'status', '--porcelain')).toBe('?? new.txt')
    expect(snapshot([home.project], [join(home.project, '.git')])).toBe(before)
    await send(zotui, 'two')
    await zotui.see('s1 knows one, two.')
    await zotui.gone(/\ds\s+Esc stops/)

    writeFileSync(join(there, 'a.txt'), 'changed there\n')
    await send(zotui, '/move back')
    await zotui.see(/changes a\.txt/)
    await zotui.see('› Stay there')
    await zotui.press('down', 'enter')
    await zotui.see(/Back in /)
    expect(readFileSync(join(home.project, 'a.txt'), 'utf8')).toBe('changed there\n')
    expect(git(home.project, 'status', '--porcelain')).toBe('M a.txt\n?? new.txt')
    await send(zotui, 'three')
    await zotui.see('s1 knows one, two, three.')
    await zotui.close()
    expect(readdirSync(join(far, 'tmp'))).toEqual([])
    expect(readdirSync(join(home.path, '.local', 'state', 'zotui', 'moves'))).toEqual([])
  })

  test('sends the conversation again to an agent whose session cannot go along', async () => {
    const stage = place({ knows: false })
    const zotui = await start(stage)
    await moveTo(zotui, 'ssh:far:~/elsewhere/app')
    await zotui.see(/Moved to ssh:far:/)
    await send(zotui, 'two')
    await zotui.see('s1 knows a summary.')
    expect(existsSync(join(stage.far, 'elsewhere', 'app', 'new.txt'))).toBe(true)
    await zotui.close()
  })

  test('leaves everything here if the person says no, if the host is down, and if the agent does not start there', async () => {
    const stage = place()
    const { home, far } = stage
    const zotui = await start(stage)
    await send(zotui, '/move far')
    await zotui.see('› Stay here')
    await zotui.press('enter')
    await zotui.see('Cancelled: the move to ssh:far.')
    expect(existsSync(join(far, 'project'))).toBe(false)

    mkdirSync(join(far, 'busy'))
    writeFileSync(join(far, 'busy', 'mine.txt'), 'mine\n')
    await send(zotui, '/move far:busy')
    await zotui.see(/has files, and is not the top/)

    const agent = join(home.path, 'bin', 'claude-agent-acp')
    writeFileSync(agent, '#!/bin/sh\necho broken >&2\nexit 3\n')
    zotui.forget()
    await moveTo(zotui, 'far')
    await zotui.see(/Nothing was moved: [^]*claude/)
    expect(existsSync(join(far, 'project'))).toBe(false)
    expect(readdirSync(join(far, 'tmp'))).toEqual([])

    writeFileSync(
      join(home.path, 'ssh', 'ssh'),
      '#!/bin/sh\necho "ssh: connect to host far port 22: Connection refused" >&2\nexit 255\n',
    )
    zotui.forget()
    await send(zotui, '/move far')
    await zotui.see('the machine ssh:far cannot be reached')
    await send(zotui, 'two')
    await zotui.see('s1 knows one, two.')
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
    await zotui.close()
  })

  test('names the commands that bring the work of a conversation which began on the other machine', async () => {
    const { home, far, env, git } = place()
    const there = join(far, 'app')
    git(home.project, 'clone', '-q', home.project, there)
    const args = ['--agent', 'claude', '--on', `ssh:far:${there}`]
    const zotui = await open({ home, env, columns: 300, rows: 40, args })
    await zotui.see(/claude runs on ssh:far/)
    await send(zotui, '/move back')
    await zotui.see('Nothing was moved: it did not come from here')
    await zotui.see('`!git add -A && git commit -m work` in this conversation commits what is not committed; then')
    await zotui.see(`git -C ${there} bundle create - HEAD`)
    await zotui.see('git fetch work.bundle HEAD:from-ssh-far')
    await zotui.close()
  })
})
