/** Calls that are asked before they run, with the demo agent, which holds its calls as any guarded agent does. */
import { describe, test } from 'vitest'
import { open, type OpenOptions, type Screen } from '../helpers/screen.ts'

/** The demo in a mode in which it asks. */
async function asking(options: OpenOptions = {}, mode: string | undefined = 'ask'): Promise<Screen> {
  const zotui = await open({ args: ['--demo'], ...options, env: { ZOTUI_PERMISSIONS: mode } })
  await zotui.see('? all keys')
  return zotui
}

async function say(zotui: Screen, words: string): Promise<void> {
  await zotui.type(words)
  await zotui.press('enter')
}

/** The chosen answer has its mark as soon as the question takes keys. */
const CHOSEN = /› \d/

describe('A question', () => {
  test('shows what will run, and y lets it run once', async () => {
    const zotui = await asking()
    await say(zotui, 'bash')
    await zotui.see('Run this command?')
    await zotui.see('npm test')
    await zotui.see(CHOSEN)
    await zotui.type('y')
    await zotui.see('npm install --no-fund')
    await zotui.see('1 of 2')
  })

  test('n refuses the call, and the panel says who refused it', async () => {
    const zotui = await asking()
    await say(zotui, 'write')
    await zotui.see('Create this file?')
    await zotui.see(CHOSEN)
    await zotui.type('n')
    await zotui.see('refused by you')
  })
})
