/** The terminal around the program: its title, progress, marks at prompts, and word for who looks elsewhere. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { share, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { lastingHome, letGo, openDemo, openQuickDemo, openZot, send, startAfresh } from './stage.ts'

/** The line below a turn that is over. */

/** One demo for what needs no variable of its own; its first test counts the prompts. */
const demo = share(openQuickDemo, startAfresh)

test('the title and the progress show that zot starts, and the title is restored on exit', async () => {
  const zotui = await openZot('gated', { env: { WT_SESSION: 'x' } })
  await zotui.until('the title of one that starts', { check: () => zotui.around.title === '● zotui: project' })
  await zotui.until('progress', { check: () => zotui.around.progress === 3 })
  letGo(zotui, 'hello')
  await zotui.until('the title of one that waits', { check: () => zotui.around.title === 'zotui: project' })
  await zotui.until('no progress', { check: () => zotui.around.progress === 0 })
  await zotui.press('ctrl+d')
  await zotui.exit()
  expect(zotui.around.title).toBe('')
})

test('the title contains no control characters, and is left alone from /settings terminalTitle off on', async () => {
  const home = lastingHome()
  const cwd = join(home.path, 'a\x07\x1b]0;evil\x07')
  mkdirSync(cwd)
  const zotui = await openQuickDemo({ home, cwd })
  expect(zotui.around.title).toMatch(/^zotui: a.+evil/)
  expect(zotui.around.titles).not.toContain('evil')
  expect(zotui.around.notifications).toEqual([])
  await send(zotui, '/settings terminalTitle off')
  await zotui.see('terminalTitle is now false.')
  expect(zotui.around.title).toBe('')
  await zotui.close()
})

test('prompts are marked once each, and a terminal that would show progress as a notification gets none', async () => {
  const zotui = await demo()
  await send(zotui, 'thanks')
  await zotui.see(turnEnd)
  await send(zotui, 'thanks a lot')
  await zotui.until('two marks', { check: () => zotui.around.prompts.length === 2 })
  expect(zotui.around.prompts).toEqual(['▌ thanks', '▌ thanks a lot'])
  expect(zotui.bytes().toString('latin1')).not.toContain('\x1b]9;')
})

describe('a notification', () => {
  const env = { ZOTUI_NOTIFY_AFTER_SECONDS: '0' }

  test.each([
    [{ KITTY_WINDOW_ID: '1' }, 'osc99 i=zotui:d=0;zotui: project'],
    [{ TERM_PROGRAM: 'iTerm.app' }, /^osc9 zotui: project: done after .*: thanks$/],
    [{ TERM_PROGRAM: 'WezTerm' }, /^osc777 notify;zotui: project;done after .*: thanks$/],
  ])(
    'comes in a terminal with %j when a turn ends while the user looks at another window',
    async (variables, expected) => {
      const zotui = await openQuickDemo({ env: { ...env, ...variables } })
      zotui.focus(false)
      await send(zotui, 'thanks')
      await zotui.until('a notification', { check: () => zotui.around.notifications.length > 0 })
      expect(zotui.around.notifications[0]).toMatch(expected)
    },
  )

  test('comes at once when the agent waits for an answer, with the question in the title', async () => {
    const zotui = await openDemo({ env: { ZOTUI_PERMISSIONS: 'ask', ZOTUI_NOTIFICATIONS: 'osc9' } })
    zotui.focus(false)
    await send(zotui, 'sleep')
    await zotui.see('Run this command?')
    await zotui.until('a notification', { check: () => zotui.around.notifications.length > 0 })
    expect(zotui.around.notifications).toEqual([
      expect.stringMatching(/zotui: project: waits for you: bash npm run dev/),
    ])
    expect(zotui.around.title).toMatch(/^\? zotui: project/)
    await zotui.see(/› 1/)
    await zotui.type('y')
    await zotui.until('the title of a turn', { check: () => (zotui.around.title ?? '').startsWith('●') })
    expect(zotui.around.notifications).toHaveLength(1)
  })

  test('is a bell in any other terminal, and sent neither after a short turn nor with focus', async () => {
    const zotui = await demo()
    const expectNone = async () => {
      await send(zotui, 'thanks')
      await zotui.see(turnEnd)
      await send(zotui, '/context')
      await zotui.see(/context: \d/)
      expect(zotui.around.notifications).toEqual([])
      zotui.forget()
    }
    zotui.focus(false)
    await expectNone()
    await send(zotui, '/settings notifyAfterSeconds 0')
    await zotui.see('notifyAfterSeconds is now 0.')
    zotui.focus(true)
    await expectNone()
    zotui.focus(false)
    await send(zotui, 'thanks')
    await zotui.until('a notification', { check: () => zotui.around.notifications.length > 0 })
    expect(zotui.around.notifications).toEqual(['bell'])
  })

  test('is passed through tmux', async () => {
    const zotui = await openQuickDemo({ env: { ...env, TMUX: '/tmp/tmux-1/default,1,0', KITTY_WINDOW_ID: '1' } })
    zotui.focus(false)
    await send(zotui, 'thanks')
    const passed = '\x1bPtmux;\x1b\x1b]99;i=zotui:d=0;zotui: project\x1b\x1b\\'
    await zotui.until('a notification', { check: () => zotui.bytes().toString('utf8').includes(passed) })
  })
})

describe('each feature can be turned off', () => {
  const shown: Record<string, (zotui: Screen) => boolean> = {
    terminalTitle: ({ around }) => around.titles.length > 0,
    progress: zotui => zotui.bytes().toString('latin1').includes('\x1b]9;4;3'),
    promptMarks: ({ around }) => around.prompts.length > 0,
    notifications: ({ around }) => around.notifications.length > 0,
  }

  test.each([
    ['nothing', {}, {}],
    ['terminalTitle', {}, { ZOTUI_TERMINAL_TITLE: 'off' }],
    ['progress', { progress: false }, {}],
    ['promptMarks', {}, { ZOTUI_PROMPT_MARKS: 'off' }],
    ['notifications', { notifications: 'off' }, {}],
  ])('%s, in the file or by a variable, and all else stays', async (name, file, variable) => {
    const home = lastingHome()
    mkdirSync(join(home.path, '.config', 'zotui'), { recursive: true })
    const settings = JSON.stringify({ notifyAfterSeconds: 0, ...file })
    writeFileSync(join(home.path, '.config', 'zotui', 'config.json'), settings)
    const zotui = await openQuickDemo({ home, env: { WT_SESSION: 'x', ...variable } })
    zotui.focus(false)
    await send(zotui, 'thanks')
    await zotui.see(turnEnd)
    await send(zotui, '/context')
    await zotui.see(/context: \d/)
    const seen = Object.entries(shown).flatMap(([each, isShown]) => (isShown(zotui) ? [each] : []))
    expect(seen).toEqual(Object.keys(shown).filter(each => each !== name))
    await zotui.close()
  })
})
