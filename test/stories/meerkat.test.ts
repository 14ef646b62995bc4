/** A user talks to Meerkat, whose model calls the tools of zotui. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { expect, test } from 'vitest'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { expectAllowedCommand, expectNothingInPlanMode, installAgent, program, send, startAfresh } from './stage.ts'

/** Puts a fake `rkat-rpc` into a home. Returns the variables that name it. */
function installMeerkat(home: Home, fake = 'asking'): Record<string, string> {
  const first = `echo "$@" > '${home.path}/arguments'; set --`
  const path = installAgent(home, { name: 'rkat-rpc', agent: `meerkat-${fake}`, first })
  return { ZOTUI_RKAT_RPC: path, ZOTUI_PERMISSIONS: 'ask' }
}

async function openMeerkat(fake = 'asking'): Promise<Screen> {
  const zotui = await open({ args: ['--agent', 'meerkat'], env: home => installMeerkat(home, fake) })
  await zotui.see(/Enter sends/)
  await zotui.see(/meerkat 0\.9\.8/)
  return zotui
}

test('a command of the model waits for the user: it runs only once it is allowed, and in plan mode it is refused without a question', async () => {
  const zotui = await openMeerkat()
  expect(zotui.screen().join('\n')).not.toContain('decides what it asks')
  await send(zotui, 'touch made')
  await zotui.see(/› .*Yes/)
  await zotui.type('n')
  await zotui.see('It did not run.')
  expect(existsSync(join(zotui.cwd, 'made'))).toBe(false)
  await startAfresh(zotui)
  await expectNothingInPlanMode(zotui)
  await expectAllowedCommand(zotui)
})

test('with -p only calls that a rule or the mode allows run', async () => {
  const home = makeHome()
  const run = async (mode: string) => {
    const args = [program, '--agent', 'meerkat', '-p', 'touch made', '--permissions', mode]
    const env = environment(home.path, { PATH: '/usr/bin:/bin', ...installMeerkat(home) })
    return execa(process.execPath, args, { cwd: home.project, env, extendEnv: false, reject: false, stdin: 'ignore' })
  }
  const refused = await run('ask')
  expect([refused.stdout.trim(), refused.exitCode]).toEqual(['It did not run.', 3])
  expect(existsSync(join(home.project, 'made'))).toBe(false)
  const allowed = await run('allow')
  expect([allowed.stdout.trim(), allowed.exitCode]).toEqual(['It ran.', 0])
  expect(existsSync(join(home.project, 'made'))).toBe(true)
  home.remove()
})

/** A Meerkat that was told these prompts, one after the other. */
async function talked(...prompts: string[]): Promise<Screen> {
  const zotui = await openMeerkat('sessions')
  for (const prompt of prompts) await ask(zotui, prompt, `${prompt}.`)
  return zotui
}

async function ask(zotui: Screen, prompt: string, answer: string): Promise<void> {
  await send(zotui, prompt)
  await zotui.see(answer)
  await zotui.gone(/\ds\s+Esc stops/)
}

/** Sends a prompt, and stops its turn once it has begun. */
async function stop(zotui: Screen): Promise<void> {
  await send(zotui, 'stop me')
  await zotui.see('Waiting.')
  await zotui.press('esc')
  await zotui.see(/stopped/i)
  await zotui.gone(/\ds\s+Esc stops|stopping\s+\d/)
}

test('/fork continues after an earlier turn in a session cut there; /rewind goes back in one, also after a stop, and to a new one before the first prompt', async () => {
  const zotui = await talked('one', 'two', 'three')
  await send(zotui, '/fork')
  await zotui.see(/fork after/)
  await zotui.press('down', 'enter')
  await zotui.see('This is a fork after "two"')
  await zotui.see('meerkat remembers all of it.')
  await ask(zotui, 'other', 's2 knows one, two, other.')
  await startAfresh(zotui)
  await stop(zotui)
  await send(zotui, '/rewind two')
  await zotui.see(/go back to before/)
  await zotui.press('enter')
  await zotui.see('meerkat remembers all of it.')
  await zotui.press('ctrl+u')
  await ask(zotui, 'more', 's3 knows one, more.')
  await send(zotui, '/rewind one')
  await zotui.see(/go back to before/)
  await zotui.press('enter')
  await zotui.see('Back to before "one"')
  await zotui.press('ctrl+u')
  await ask(zotui, 'new', 's1 knows new.')
  await zotui.close()
})

test('/fork after a stopped prompt sends that prompt to Meerkat; /rewind to after it sends a summary, and says why', async () => {
  const zotui = await talked('one')
  await stop(zotui)
  await send(zotui, '/fork')
  await zotui.see(/fork after/)
  await zotui.press('enter')
  await zotui.see('meerkat remembers all of it.')
  await ask(zotui, 'two', 's2 knows one, a note, two.')
  await startAfresh(zotui)
  await send(zotui, '/rewind two')
  await zotui.see(/go back to before/)
  await zotui.press('enter')
  await zotui.see(/meerkat did not open its own session: Its history does not show where that\s+prompt begins\./)
  await zotui.press('ctrl+u')
  await ask(zotui, 'other', 's3 knows a summary, other.')
  await zotui.close()
})

test("Meerkat's own shell starts with --no-guard only", async () => {
  const home = makeHome()
  const env = environment(home.path, { ...installMeerkat(home), ZOTUI_PERMISSIONS: 'allow' })
  const options = { cwd: home.project, env, extendEnv: false, reject: false, input: '' } as const
  const start = (...more: string[]) =>
    execa(process.execPath, [program, '-p', '--agent', 'meerkat --shell', ...more, 'hello'], options)
  expect(await start()).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('or add --no-guard') })
  expect((await start('--no-guard')).stderr).not.toContain('no effect')
  expect(existsSync(join(home.path, 'arguments'))).toBe(true)
  home.remove()
})
