/** A conversation with Meerkat or roz, whose tools are zotui's own, moves to another machine and comes back. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { KEY, startFakeRoz } from '../agents/roz/fake-server.ts'
import { COMMITTER } from '../helpers/committer.ts'
import type { Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { installAgent, lastingHome, send } from './stage.ts'

type Place = { home: Home; there: string; node: string; env: Record<string, string | undefined> }

/** A repository here, and another machine with a Node and a Meerkat. */
function place(agent = 'meerkat-sessions'): Place {
  const home = lastingHome()
  const far = join(home.path, 'far')
  const ssh = join(home.path, 'ssh', 'ssh')
  const node = join(home.path, 'node', 'node')
  for (const folder of [join(far, 'tmp'), dirname(ssh), dirname(node)]) mkdirSync(folder, { recursive: true })
  symlinkSync(process.execPath, node)
  const bin = dirname(installAgent(home, { name: 'rkat-rpc', agent }))
  const variables = `HOME=${far} TMPDIR=${far}/tmp PATH=${dirname(node)}:${bin}:/usr/bin:/bin`
  writeFileSync(ssh, `#!/bin/sh\nshift 3\nexec env -i ${variables} sh -c "$1"\n`, { mode: 0o755 })
  const git = (...args: string[]): string =>
    execFileSync('git', [...COMMITTER, ...args], {
      cwd: home.project,
      env: { PATH: process.env['PATH'], HOME: home.path },
    }).toString()
  writeFileSync(join(home.project, 'a.txt'), 'one\n')
  git('init', '-q', '-b', 'main', '--template=')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  const env = { PATH: `${dirname(ssh)}:${bin}:/usr/bin:/bin`, ZOTUI_ZOT: undefined, ZOTUI_PERMISSIONS: 'allow' }
  return { home, there: join(far, 'project'), node, env }
}

async function start({ home, env }: Place, args: readonly string[], variables = {}): Promise<Screen> {
  const zotui = await open({ home, env: { ...env, ...variables }, columns: 120, rows: 40, args })
  await zotui.see(/Enter sends/)
  return zotui
}

async function say(zotui: Screen, words: string, answer: string | RegExp): Promise<void> {
  await send(zotui, words)
  await zotui.see(answer)
  await zotui.gone(/\ds\s+Esc stops/)
}

async function move(zotui: Screen, where: 'far' | 'back'): Promise<void> {
  await send(zotui, `/move ${where}`)
  await zotui.see(where === 'far' ? '› Stay here' : '› Stay there')
  await zotui.press('down', 'enter')
  await zotui.see(where === 'far' ? /Moved to ssh:far:/ : /Back in /)
}

/** A command of the agent writes this file on one side, and not on the other. */
async function runs(zotui: Screen, { there, home }: Place, name: string, side: 'here' | 'there'): Promise<void> {
  zotui.forget()
  await say(zotui, `echo > ${name}`, 'It ran.')
  const found = [there, home.project].map(folder => existsSync(join(folder, name)))
  expect(found).toEqual([side === 'there', side === 'here'])
}

describe('/move', () => {
  test('takes a conversation with Meerkat, which gets it again in both directions', async () => {
    const stage = place()
    const zotui = await start(stage, ['--agent', 'meerkat --model fake --provider self_hosted'])
    await say(zotui, 'one', 's1 knows one.')
    await send(zotui, '/move far')
    await zotui.see(/not the session of meerkat: it gets the conversation again/)
    await zotui.press('esc')
    await zotui.see('Cancelled: the move to ssh:far.')
    await move(zotui, 'far')
    await say(zotui, 'two', 's1 knows a summary, two.')
    writeFileSync(join(stage.there, 'a.txt'), 'changed there\n')
    await move(zotui, 'back')
    await say(zotui, 'three', 's1 knows a summary, three.')
    expect(readFileSync(join(stage.home.project, 'a.txt'), 'utf8')).toBe('changed there\n')
    await zotui.close()
  })

  test('takes the tools of Meerkat along: they run there, and here again', async () => {
    const stage = place('meerkat-asking')
    const zotui = await start(stage, ['--agent', 'meerkat'])
    await say(zotui, 'echo > first', 'It ran.')
    await move(zotui, 'far')
    await runs(zotui, stage, 'second', 'there')
    await move(zotui, 'back')
    await runs(zotui, stage, 'third', 'here')
    expect(existsSync(join(stage.home.project, 'second'))).toBe(true)
    await zotui.close()
  })

  test('takes a conversation with roz, whose server gets it again, and whose tools run there', async () => {
    const fake = await startFakeRoz({
      onPrompt: (session, text) => session.call('c1', 'bash', { command: text.split('\n').at(-1) ?? '' }),
      onRequest(session, { tool_result: result }) {
        if (result) session.answer(result.success ? 'It ran.' : 'It did not run.')
        return result !== undefined
      },
    })
    const stage = place()
    const zotui = await start(stage, ['--agent', `roz --base-url ${fake.url}`], { ROZ_API_KEY: KEY })
    await say(zotui, 'echo > first', 'It ran.')
    await move(zotui, 'far')
    await runs(zotui, stage, 'second', 'there')
    expect(JSON.stringify(fake.session.received)).toContain('echo > first')
    await move(zotui, 'back')
    await runs(zotui, stage, 'third', 'here')
    expect(JSON.stringify(fake.session.received)).toContain('echo > second')
    await zotui.close()
  })

  test('says before anything is sent that there is no Node for the tools', async () => {
    const stage = place()
    rmSync(stage.node)
    writeFileSync(stage.node, '#!/bin/sh\necho v18.2.0\n', { mode: 0o755 })
    const zotui = await start(stage, ['--agent', 'meerkat'])
    await send(zotui, '/move far')
    await zotui.see('Nothing was moved: there is only Node 18 on ssh:far, and the tools of meerkat run there.')
    await zotui.see('Install Node 22 or newer there.')
    expect(existsSync(stage.there)).toBe(false)
    await zotui.close()
  })
})
