/** The end: zot first, or zotui first; nothing of either may be left. */
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { hold, reply } from '../helpers/model.ts'
import { alive } from '../helpers/processes.ts'
import { idle, messagesOf, say, talk, zot, zotOf } from './talk.ts'

describe.skipIf(!zot)('the end of a real zot', () => {
  test('a kill in the middle of a turn is reported, and /restart starts a new zot', async () => {
    const { zotui, model } = await talk([reply().text('Before the end. ').wait(hold()), reply().text('A new life.')])
    const first = await zotOf(zotui)
    await say(zotui, 'hello')
    await zotui.see('Before the end.')
    process.kill(first.pid, 'SIGKILL')
    // Whichever of zot and its guard is seen first to be gone.
    await zotui.see(/SIGKILL|killed|zotui ended zot/i)
    await zotui.see('/restart')
    await zotui.press('down', 'enter')
    const second = await zotOf(zotui)
    expect(second.pid).not.toBe(first.pid)
    await say(zotui, 'hello again')
    await zotui.see('A new life.')
    // Its memory is gone with it; what it was told of before is in the one prompt that it has heard.
    expect(messagesOf(await model.request(2))).toHaveLength(1)
    zotui.committedOnce(['Before the end.', 'A new life.'])
  })

  test('a kill while idle is reported, zot restarts, and the draft stays', async () => {
    const { zotui } = await talk([])
    const child = await zotOf(zotui)
    await zotui.type('my draft')
    await zotui.see('my draft')
    process.kill(child.pid, 'SIGKILL')
    await zotui.see(/Restarted zot/)
    await zotui.see('my draft')
    expect(alive(child)).toBe(false)
  })

  test('Ctrl+D ends zot and leaves no process', async () => {
    const { zotui } = await talk([reply().text('Good day.')])
    await say(zotui, 'hello')
    await zotui.see('Good day.')
    await idle(zotui)
    const child = await zotOf(zotui)
    await zotui.press('ctrl+d')
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
    expect(alive(child)).toBe(false)
  })

  test('Ctrl+D, pressed twice while a command runs, ends the command too', async () => {
    const { zotui } = await talk([reply().tool('bash', { command: 'echo $((40 + 2)) begun; sleep 31337' })])
    await say(zotui, 'sleep')
    await zotui.see('42 begun')
    const children = zotui.children()
    expect(children.map(({ command }) => command)).toContain('sleep 31337')
    await zotui.press('ctrl+d')
    await zotui.see(/again/i)
    await zotui.press('ctrl+d')
    await zotui.exit()
    expect(children.filter(alive)).toEqual([])
  })

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)(
    '%s while a command runs ends zot and the command',
    async signal => {
      const { zotui } = await talk([reply().tool('bash', { command: 'echo $((40 + 2)) begun; sleep 31337' })])
      await say(zotui, 'sleep')
      await zotui.see('42 begun')
      const children = zotui.children()
      zotui.kill(signal)
      await zotui.exit()
      expect(children.filter(alive)).toEqual([])
    },
  )
})
