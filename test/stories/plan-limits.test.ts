/** A limit of the user's plan: what is shown, and the prompt that waits for its end. */
import { dirname } from 'node:path'
import { onTestFinished, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { installAgent, send } from './stage.ts'

async function limited(resetsIn: number) {
  const home = makeHome()
  onTestFinished(() => home.remove())
  const path = installAgent(home, {
    name: 'claude-agent-acp',
    agent: 'acp-limits',
    first: `export RESETS_IN=${resetsIn}`,
  })
  const env = { PATH: `${dirname(path)}:/usr/bin:/bin`, ZOTUI_PERMISSIONS: undefined }
  const zotui = await open({ home, args: ['--agent', 'claude'], env })
  await zotui.see('claude decides what it asks you about')
  await send(zotui, 'fix it')
  await zotui.see('A limit of your plan is reached.')
  return zotui
}

test('a prompt that a limit refuses waits in the queue, and is sent when the limit begins anew', async () => {
  const zotui = await limited(6)
  await zotui.see('100 % of your plan for 5 hours is used.')
  await zotui.see(/send it \d\d:\d\d/)
  await zotui.press('enter')
  await zotui.see(/1 paused, sent \d\d:\d\d/)
  await zotui.see('All is well in a-session.')
})

test('/usage shows the window, and a prompt that is kept is sent by /retry', async () => {
  const zotui = await limited(7200)
  await zotui.press('esc')
  await send(zotui, '/usage')
  await zotui.see(/5 hours +█+ +100 % +resets (?:tomorrow )?\d\d:\d\d/)
  await zotui.press('esc')
  await send(zotui, '/retry')
  await zotui.see(/what now\?/)
})
