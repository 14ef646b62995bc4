/** zot's own program for a login, without its guard: a prompt typed there runs nothing, and goes to the server of the start. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { fill } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { reply, startModel } from '../helpers/model.ts'
import { say, zot } from './talk.ts'

describe.skipIf(!zot || process.platform === 'win32')('a login in zot itself', () => {
  test.each([
    ['bash', { command: 'touch ran.txt' }],
    ['write', { path: 'ran.txt', content: 'x' }],
    ['swarm_spawn', { task: 'touch ran.txt' }],
  ])('runs no %s, even where its own settings add tools', async (tool, input) => {
    const model = await startModel([reply().tool(tool, input), reply().text('It could not.')])
    const zotui = await open({
      args: model.flags,
      env(home) {
        const state = join(home.path, 'zot-home')
        mkdirSync(state)
        writeFileSync(join(state, 'config.json'), '{"auto_swarm_enabled": true}')
        fill(home, { 'zot-home/auth.json': '{"anthropic":{"api_key":"x"}}' })
        return { ZOTUI_ZOT: zot, ZOT_HOME: state }
      },
    })
    await zotui.see(/anthropic\/claude/)
    await say(zotui, '/login')
    await zotui.see('a key for which provider?')
    await zotui.type('log in')
    await zotui.see(/› log in/)
    await zotui.press('enter')
    await zotui.see('zot itself, tools off')
    await zotui.see(/claude-sonnet/)
    await zotui.type('touch ran.txt')
    await zotui.see(/touch ran\.txt/)
    await zotui.press('enter')
    const { body } = await model.request(1)
    const tools = typeof body === 'object' && body !== null && 'tools' in body ? JSON.stringify(body.tools) : '[]'
    expect(tools).not.toMatch(/"name":"(?:bash|write|edit|read|skill)"/)
    // A tool that the settings add is asked about; any other is unknown.
    if (tools.includes(`"name":"${tool}"`)) {
      await zotui.see(/allow|approve|confirm|run this/i)
      await zotui.press('4')
    }
    await zotui.see('It could not.')
    expect(existsSync(join(zotui.cwd, 'ran.txt'))).toBe(false)
    await zotui.type('/exit')
    await zotui.press('enter')
    await zotui.see('Restarted zot.')
    expect(existsSync(join(zotui.cwd, 'ran.txt'))).toBe(false)
    await zotui.close()
  })
})
