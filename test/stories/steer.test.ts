/** A user says something to the running turn: Alt+S, /steer, and what becomes of the words. */
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { attach, begin, demoHome, holders } from './holders.ts'
import { expectDraft, lastingHome, openDemo, openEcho, openZot, ready, send } from './stage.ts'

/** Slow enough to type while a command runs. */
const pace = { ZOTUI_DEMO_SPEED: '4' }

/** A demo whose first command runs. */
async function running(options: Parameters<typeof openDemo>[0] = {}) {
  const zotui = await openDemo({ rows: 40, env: pace, ...options })
  await send(zotui, 'steer')
  await zotui.see(/running bash/)
  return zotui
}

describe('words for the running turn', () => {
  test('wait for the running call, and stand after it in the conversation, once', async () => {
    const zotui = await running()
    await zotui.type('use tabs')
    await zotui.see(/Enter queues {3}Alt\+S steers/)
    await zotui.press('alt+s')
    await expectDraft(zotui, '')
    await zotui.see(/steers: waits for the running call.*"use tabs"/)
    await zotui.see(/▌ to the running turn\n▌ use tabs/)
    await zotui.gone(/steers: waits/)
    await zotui.see('Now the other case')
    const screen = zotui.history().join('\n')
    expect(screen).toMatch(/bash +npm test[\s\S]*▌ use tabs[\s\S]*Now the other case/)
    expect(screen.split('▌ use tabs')).toHaveLength(2)
    await zotui.press('up')
    await expectDraft(zotui, 'use tabs')
  })

  test('hold the next command, which is no failure', async () => {
    const zotui = await running()
    await zotui.see('Now the other case')
    await send(zotui, '/steer not yet')
    await zotui.see(/bash +npm run build.*steered/)
    await zotui.see(/▌ to the running turn\n▌ not yet/)
    await zotui.see(/^ {2}\d\d:\d\d .*3 tools/m)
    expect(zotui.history().join('\n')).not.toMatch(/failed|✗/)
  })

  test('come back with Esc, into the composer', async () => {
    const zotui = await running()
    await zotui.type('use tabs')
    await zotui.press('alt+s')
    await zotui.see(/steers: waits/)
    await zotui.press('esc')
    await expectDraft(zotui, 'use tabs')
    await zotui.gone(/steers: waits/)
    expect(zotui.history().join('\n')).not.toContain('to the running turn')
  })

  test('are what the first message of the queue says, with an empty composer', async () => {
    const zotui = await running()
    await send(zotui, 'use tabs')
    await zotui.see(/1 queued {3}Alt\+S steers/)
    await zotui.press('alt+s')
    await zotui.gone(/1 queued/)
    await zotui.see(/▌ to the running turn\n▌ use tabs/)
  })

  test('are in the paused queue after a kill -9', async () => {
    const home = lastingHome()
    const first = await openZot('busy', { home })
    await first.see(ready)
    await send(first, 'tool')
    await first.see('a shell sleeps')
    await first.type('use tabs')
    await first.press('alt+s')
    await first.see(/steers: waits.*"use tabs"/)
    first.kill('SIGKILL')
    await first.close()
    const second = await openZot('busy', { home })
    await second.see(/1 paused.*"use tabs"/)
  })

  test('are a prompt while no turn runs', async () => {
    const zotui = await openEcho()
    await zotui.type('no turn runs')
    await zotui.press('alt+s')
    await zotui.see('You said: no turn runs.')
  })
})

describe('words for the running turn of a conversation in the background', () => {
  test('reach it from the UI that is attached, and both it and another one show them', async () => {
    const { home } = demoHome()
    const id = await begin(home, ['--demo', 'steer'], pace)
    const [one, two] = await Promise.all([attach(home, id), attach(home, id)])
    await one.see(/running bash/)
    await one.type('use tabs')
    await one.press('alt+s')
    for (const each of [one, two]) await each.see(/▌ to the running turn\n▌ use tabs/)
    await one.gone(/steers: /)
    expect(one.history().join('\n').split('▌ use tabs')).toHaveLength(2)
  })

  test('belong to the conversation: the agent gets them though that UI is killed, once', async () => {
    const { home } = demoHome()
    const id = await begin(home, ['--demo', 'steer'], pace)
    const first = await attach(home, id)
    await first.see(/running bash/)
    await first.type('use tabs')
    await first.press('alt+s')
    await first.see(/steers: waits for the running call/)
    process.kill(first.itself().pid, 'SIGKILL')
    const second = await attach(home, id)
    await second.see(/to the running turn/)
    await second.see(/Now the other case/)
    expect(second.history().filter(line => line.startsWith('▌ use tabs'))).toHaveLength(1)
    expect(holders(home)).toHaveLength(1)
  })
})
