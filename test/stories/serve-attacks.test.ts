/** A command of the agent runs as the same user: it sees the server, the sockets and the state folder, and answers nothing by them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { open } from '../helpers/screen.ts'
import { installZot, lastingHome, ready, send } from './stage.ts'

const attacker = fileURLToPath(new URL('../fixtures/attacks/serve.ts', import.meta.url))

const bash = (id: string, command: string) => ({ calls: [{ id, name: 'bash', args: { command } }] })

describe.skipIf(process.platform === 'win32')('a command of the agent', () => {
  test('can neither answer what waits nor pair, with all that it finds on the machine', async () => {
    const home = lastingHome()
    const found = join(home.path, 'found.json')
    const go = join(home.path, 'go')
    const attack = `${process.execPath} ${attacker} ${join(home.path, '.local', 'state', 'zotui')} ${go} ${found}`
    const script = [bash('a', `(${attack} >/dev/null 2>&1 &) ; echo begun`), bash('b', 'touch made'), { text: 'Done.' }]
    writeFileSync(join(home.path, 'script.json'), JSON.stringify(script))
    const env = { ZOTUI_ZOT: installZot(home, 'guardable'), ZOT_SCRIPT: join(home.path, 'script.json') }
    const zotui = await open({ home, env, args: ['--permissions', 'ask'], columns: 150, rows: 40 })
    await zotui.see(ready)
    await send(zotui, '/serve --port 0')
    await zotui.see('Only this machine reaches it.')
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(zotui.screen().join('\n'))?.[0] ?? ''
    await zotui.press('esc')
    await zotui.until('the page closed', { check: () => !zotui.alternate })
    await send(zotui, 'go')
    await zotui.see('Run this command?')
    await zotui.see(/› \d/)
    await zotui.type('y')
    await zotui.see('touch made')
    await zotui.see(/› \d/)
    writeFileSync(go, address)
    await expect.poll(() => existsSync(found), { timeout: 20_000 }).toBe(true)
    const outcome: unknown = JSON.parse(readFileSync(found, 'utf8'))
    expect(outcome).toEqual({
      // It sees the question, as any program of this user could on the screen.
      questions: expect.any(Number),
      answers: ['forbidden', 'forbidden'],
      prompts: ['forbidden', 'forbidden'],
      // The link is in no file, no argument and no environment.
      links: [],
      keys: [],
      paired: 403,
      signed: [401, 401],
    })
    expect(existsSync(join(zotui.cwd, 'made'))).toBe(false)
    await zotui.see(/› \d/)
    await zotui.press('esc')
    await zotui.close()
  })
})
