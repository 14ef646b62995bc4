/** Commands of a model run in the sandbox, and the user decides about what they want beyond it. */
import { outsideFolder } from '../helpers/outside-folder.ts'
import { canBox } from '../helpers/can-box.ts'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { KEY, startFakeRoz, type FakeRozOptions } from '../agents/roz/fake-server.ts'
import { homeWith } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { send } from './stage.ts'

/** Carries a command out, and says what came of it. */
const runs: FakeRozOptions = {
  onPrompt: (session, text) => session.call('c1', 'bash', { command: text }),
  onRequest(session, { tool_result: result }) {
    if (result) session.answer(result.success ? 'It ran.' : 'It failed.')
    return result !== undefined
  },
}

async function openSandboxed(size = {}) {
  const fake = await startFakeRoz(runs)
  // The home folder is hidden in the sandbox.
  const beside = outsideFolder()
  onTestFinished(() => rmSync(beside, { recursive: true, force: true }))
  const home = homeWith({ '.config/zotui/config.json': '{ "sandboxOutside": ["Bash(tee:*)"] }' })
  const args = ['--agent', 'roz', '--base-url', fake.url, '--sandbox', 'on', '--permissions', 'allow']
  const zotui = await open({ home, args, env: { ROZ_API_KEY: KEY }, ...size })
  await zotui.see(/Enter sends/)
  return { zotui, config: join(home.path, '.config/zotui/config.json'), at: (name: string) => join(beside, name) }
}

describe.skipIf(!canBox)('with --sandbox on', () => {
  test('a command that failed runs outside only after a yes, and each call says where it ran', async () => {
    const { zotui, at } = await openSandboxed()
    await zotui.see(/sandboxed/)
    await send(zotui, 'echo in > in.txt; cat in.txt')
    await zotui.see('It ran.')
    await zotui.see(/bash {2}echo in > in\.txt; cat in\.txt .*sandbox/)
    await send(zotui, `echo out > ${at('x.txt')}`)
    await zotui.see(/Run it again outside the sandbox\?/)
    await zotui.see(/It has run once, and has failed\./)
    await zotui.see(/A guess at why, from its output:/)
    await zotui.see(/Read-only file system/)
    await zotui.see(/› \d/)
    await zotui.press('enter')
    await zotui.see('It failed.')
    expect(existsSync(at('x.txt'))).toBe(false)
    await send(zotui, `echo out >> ${at('x.txt')}`)
    await zotui.see(/A guess at why/)
    await zotui.see(/› \d/)
    await zotui.type('y')
    // That is said when it begins.
    await zotui.see(/outside, by you/)
    await expect.poll(() => existsSync(at('x.txt')) && readFileSync(at('x.txt'), 'utf8')).toBe('out\n')
    await zotui.close()
  })

  test('a host waits for the user, and "always" stores it', async () => {
    const { zotui, config } = await openSandboxed()
    await send(zotui, 'curl -s --max-time 30 http://api.zotui.invalid/zen')
    await zotui.see(/Connect to api\.zotui\.invalid:80\?/)
    await zotui.see(/waits for this connection/)
    await zotui.see(/› \d/)
    await zotui.type('m')
    await zotui.see(/stores api\.zotui\.invalid in sandboxHosts/)
    await zotui.type('1')
    await zotui.see(/It (?:ran|failed)\./)
    expect(readFileSync(config, 'utf8')).toMatch(/"sandboxHosts": \[\s*"api\.zotui\.invalid"\s*\]/)
    await zotui.close()
  })

  test('a command that a rule lets out asks first, in mode allow too', async () => {
    const { zotui, at } = await openSandboxed({ columns: 120, rows: 30 })
    await send(zotui, `tee ${at('y.txt')} < /dev/null`)
    await zotui.see(/Run this command outside the sandbox\?/)
    await zotui.see(/› \d/)
    await zotui.type('y')
    await zotui.see('It ran.')
    expect(existsSync(at('y.txt'))).toBe(true)
    await zotui.close()
  })
})
