/** Real agents behind a real sshd on this machine's loopback: their processes and files are there, and the questions here. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import { reply, startModel, type Model, type Step } from '../helpers/model.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { sshdPath, startSshd, type Sshd } from '../helpers/sshd.ts'
import { aside, installed, type RealAgent } from './agents.ts'
import { onRealAgents } from './converse.ts'
import { idle, say } from './speak.ts'

type Far = { zotui: Screen; model: Model; folder: string; sshd: Sshd; mark: string }

/** The agent is in PATH there, and not here. */
async function openFar(agent: RealAgent, script: readonly Step[], args: (folder: string) => string[]): Promise<Far> {
  const model = await startModel(script, { aside })
  const home = makeHome()
  onTestFinished(() => home.remove())
  const far = path.join(home.path, 'far')
  const folder = path.join(far, 'project')
  mkdirSync(folder, { recursive: true })
  const settled = agent.settle({ ...home, path: far }, { url: model.url, key: true })
  const bins = [path.dirname(process.execPath), `${installed}/node_modules/.bin`, '/usr/local/bin', '/usr/bin', '/bin']
  const sshd = await startSshd(path.join(home.path, 's'), { PATH: bins.join(':'), HOME: far, ...settled })
  const env = { PATH: `${sshd.bin}:/usr/bin:/bin`, ZOTUI_ZOT: undefined, ZOTUI_PERMISSIONS: undefined }
  const zotui = await open({ home, env, columns: 110, rows: 32, args: args(folder) })
  return { zotui, model, folder, sshd, mark: `HOME=${far}` }
}

const on = (agent: RealAgent) => (folder: string) => ['--on', `ssh:far:${folder}`, '--agent', agent.name]

/** The processes there of the agent and of its commands. */
function processesThere({ mark }: Far): string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      const [environ = '', line = ''] = ['environ', 'cmdline'].map(name => readQuietly(`/proc/${pid}/${name}`))
      return environ.split('\0').includes(mark) && /tail|agent|codex|claude/.test(line)
        ? [line.replaceAll('\0', ' ')]
        : []
    })
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

async function askFor(agent: RealAgent, zotui: Screen): Promise<void> {
  if (agent.asksIn === null) return
  await say(zotui, `/mode ${agent.asksIn}`)
  await zotui.see(/read-only/i)
  await zotui.gone('▌ /mode')
}

if (sshdPath === null)
  process.emitWarning('There is no sshd (Debian: openssh-server): the agents on another machine are skipped.')

onRealAgents('on another machine', agent => {
  test.skipIf(sshdPath === null)(
    'asks here, runs there, and leaves nothing there when the connection is lost',
    async () => {
      const far = await openFar(
        agent,
        [
          reply().tool(...agent.shell('touch ran; pwd > ran')),
          reply().text('It ran.'),
          reply().tool(...agent.shell('exec tail -f ran')),
        ],
        on(agent),
      )
      const { zotui, folder } = far
      await zotui.see(`${agent.name} runs on ssh:far`)
      await askFor(agent, zotui)
      await say(zotui, 'run it')
      await zotui.see(/› 1 Yes.*allows it once/)
      expect(existsSync(path.join(folder, 'ran'))).toBe(false)
      await zotui.press('1')
      await zotui.see('It ran.')
      await idle(zotui)
      expect(readFileSync(path.join(folder, 'ran'), 'utf8')).toBe(`${folder}\n`)
      expect(readdirSync(zotui.cwd)).not.toContain('ran')
      await say(zotui, 'and wait')
      await zotui.see(/› 1 Yes.*allows it once/)
      await zotui.press('1')
      await expect.poll(() => processesThere(far).filter(line => line.includes('tail -f ran')).length).toBe(1)
      far.sshd.cut()
      await zotui.see('The connection to ssh:far was lost')
      await expect.poll(() => processesThere(far), { timeout: 20_000 }).toEqual([])
      await zotui.close()
    },
  )
})
