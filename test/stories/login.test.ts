/** A user without a key logs in: in zot's own terminal program, on a screen of its own. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { open as openTerminal, type Screen } from '../helpers/screen.ts'
import { lastingHome, openZot, installAgent, send } from './stage.ts'

const hasScript = ((): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v script'])
    return true
  } catch {
    return false
  }
})()

/** Opens zot's own program, which only logs in with a subscription need. */
async function logIn(zotui: Screen): Promise<void> {
  await send(zotui, '/login')
  await zotui.see('a key for which provider?')
  await zotui.type('log in')
  await zotui.see(/› log in/)
  await zotui.press('enter')
}

const shell = Array.from({ length: 40 }, (_line, index) => `$ command ${index + 1}`)

describe.skipIf(process.platform === 'win32' || !hasScript)('/login', () => {
  test('runs zot on the alternate screen, all of it also after a resize, restores the screen, and the agent answers; also if it is ended in the middle', async () => {
    const zotui = await openZot('logging-in', { shell })
    await zotui.see(/No credential for anthropic\.[^]*\/login/i)
    await logIn(zotui)
    await zotui.see('zot, 23 rows, not logged in')
    await zotui.see(/zot itself, tools off: \/login, then \/exit returns to zotui/)
    expect(zotui.alternate).toBe(true)
    zotui.resize(70, 20)
    await zotui.type('/exit')
    await zotui.press('enter')
    await zotui.see(/No credential[^]*No credential/i)
    expect(zotui.alternate).toBe(false)
    await logIn(zotui)
    await zotui.see('zot, 19 rows, not logged in')
    await zotui.type('/login')
    await zotui.press('enter')
    await zotui.see('zot, logged in')
    await zotui.see(/then \/exit returns to zotui/)
    await zotui.type('/exit')
    await zotui.press('enter')
    await zotui.see(/anthropic\/sonnet/)
    expect(zotui.alternate).toBe(false)
    const history = zotui.history().join('\n')
    expect(history).toContain(shell.join('\n'))
    expect(history).not.toMatch(/logged in|comes back|bye/)
    await send(zotui, 'hello')
    await zotui.see('With a key it works.')
    await logIn(zotui)
    await zotui.see('zot, 19 rows')
    expect(zotui.alternate).toBe(true)
    zotui.kill('SIGTERM')
    expect((await zotui.exit()).code).toBe(143)
    expect(zotui.alternate).toBe(false)
    expect(zotui.history().join('\n')).toContain(shell.join('\n'))
  })

  test('starts zot without tools, extensions and skills, and with the server and the model of the start', async () => {
    const home = lastingHome()
    const first = `printf '%s\\n' "$*" >>"$HOME/starts"`
    const zot = installAgent(home, { name: 'zot', agent: 'logging-in', first })
    writeFileSync(join(home.path, 'credential'), '')
    const flags = ['--base-url', 'http://127.0.0.1:1', '--provider', 'anthropic', '--tools', 'bash', '--insecure']
    const zotui = await openTerminal({ home, args: flags, env: { ZOTUI_ZOT: zot } })
    await zotui.see(/anthropic\/sonnet/)
    await logIn(zotui)
    await zotui.see(/tools off: \/login, then/)
    await zotui.type('/exit')
    await zotui.press('enter')
    await zotui.see(/Restarted zot/)
    const start = readFileSync(join(home.path, 'starts'), 'utf8')
      .trimEnd()
      .split('\n')
      .findLast(line => !/^rpc|--list-models|--version/.test(line))
    expect(start).toBe(
      '--no-tools --no-ext --no-skill --no-session --no-yolo --provider anthropic --base-url http://127.0.0.1:1 --insecure',
    )
  })
})

test('/login says what to do instead if script is missing, and wipes nothing', async () => {
  const zotui = await openZot('logging-in', {
    shell,
    env: home => {
      const folder = join(home.path, 'few')
      mkdirSync(folder)
      for (const name of ['sh', 'stty', 'sleep']) {
        writeFileSync(join(folder, name), `#!/bin/sh\nexec /bin/${name} "$@"\n`)
        chmodSync(join(folder, name), 0o755)
      }
      return { PATH: folder }
    },
  })
  await zotui.see(/No credential/i)
  await logIn(zotui)
  await zotui.see(/needs the program `?script`?[^]*in another terminal, then \/restart here/)
})
