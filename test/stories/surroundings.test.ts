/** The terminal around the program: its title, progress, marks at prompts, and word for who looks elsewhere. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import type { Screen } from '../helpers/screen.ts'
import { letGo, openDemo, openQuickDemo, openZot, send } from './stage.ts'

/** The line below a turn that is over. */
const turnEnd = /^ +\d\d:\d\d .*first word/m

describe('the title', () => {
  test('shows the state, and is restored on exit', async () => {
    const zotui = await openZot('gated', {})
    await zotui.until('the title of one that starts', { check: () => zotui.around.title === '● zotui: project' })
    letGo(zotui, 'hello')
    await zotui.until('the title of one that waits', { check: () => zotui.around.title === 'zotui: project' })
    await zotui.press('ctrl+d')
    await zotui.exit()
    expect(zotui.around.title).toBe('')
  })

  test('is not changed if the setting is off', async () => {
    const zotui = await openQuickDemo({ env: { ZOTUI_TERMINAL_TITLE: '0' } })
    await send(zotui, 'help')
    await zotui.see('markdown')
    expect(zotui.around.titles).toEqual([])
    const other = await openQuickDemo()
    await send(other, '/settings terminalTitle off')
    await other.see('terminalTitle is now false.')
    expect(other.around.title).toBe('')
  })

  test('contains no control characters', async () => {
    const home = makeHome()
    const cwd = join(home.path, 'a\x07\x1b]0;evil\x07')
    mkdirSync(cwd)
    const zotui = await openQuickDemo({ home, cwd })
    expect(zotui.around.title).toMatch(/^zotui: a.+evil/)
    expect(zotui.around.titles).not.toContain('evil')
    expect(zotui.around.notifications).toEqual([])
    await zotui.close()
    home.remove()
  })
})

describe('progress', () => {
  test('is shown while the agent works, if the terminal supports it', async () => {
    const zotui = await openZot('gated', { env: { WT_SESSION: 'x' } })
    await zotui.until('progress', { check: () => zotui.around.progress === 3 })
    letGo(zotui, 'hello')
    await zotui.until('no progress', { check: () => zotui.around.progress === 0 })
  })

  test('is not sent to terminals that would show it as a notification', async () => {
    const zotui = await openQuickDemo()
    await send(zotui, 'help')
    await zotui.see('markdown')
    expect(zotui.bytes().toString('latin1')).not.toContain('\x1b]9;')
  })
})

describe('prompts', () => {
  test('are marked once each', async () => {
    const zotui = await openQuickDemo()
    await send(zotui, 'help')
    await zotui.see(/\d+s|\$0/)
    await send(zotui, 'help again')
    await zotui.until('two marks', { check: () => zotui.around.prompts.length === 2 })
    expect(zotui.around.prompts).toEqual(['▌ help', '▌ help again'])
  })

  test('are not marked if the setting is off', async () => {
    const zotui = await openQuickDemo({ env: { ZOTUI_PROMPT_MARKS: 'off' } })
    await send(zotui, 'help')
    await zotui.see('markdown')
    expect(zotui.around.prompts).toEqual([])
  })
})

describe('a notification', () => {
  const env = { ZOTUI_NOTIFY_AFTER_SECONDS: '0' }

  test.each([
    [{}, 'bell'],
    [{ KITTY_WINDOW_ID: '1' }, 'osc99 i=zotui:d=0;zotui: project'],
    [{ TERM_PROGRAM: 'iTerm.app' }, /^osc9 zotui: project: done after .*: help$/],
    [{ TERM_PROGRAM: 'WezTerm' }, /^osc777 notify;zotui: project;done after .*: help$/],
    [{ ZOTUI_NOTIFICATIONS: 'osc9' }, /^osc9 zotui: project: done after .*: help$/],
  ])('comes in a terminal with %j when a turn ends while the user looks elsewhere', async (variables, expected) => {
    const zotui = await openQuickDemo({ env: { ...env, ...variables } })
    zotui.focus(false)
    await send(zotui, 'help')
    await zotui.until('a notification', { check: () => zotui.around.notifications.length > 0 })
    expect(zotui.around.notifications[0]).toMatch(expected)
  })

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

  test('is not sent with focus, after a short turn, or if it is off', async () => {
    for (const [variables, looks] of [
      [env, true],
      [{}, false],
      [{ ...env, ZOTUI_NOTIFICATIONS: 'off' }, false],
    ] as const) {
      const zotui = await openQuickDemo({ env: variables })
      zotui.focus(looks)
      await send(zotui, 'help')
      await zotui.see(turnEnd)
      await send(zotui, '/usage')
      await zotui.see('usage of this session')
      expect(zotui.around.notifications).toEqual([])
    }
  })

  test('is passed through tmux', async () => {
    const zotui = await openQuickDemo({ env: { ...env, TMUX: '/tmp/tmux-1/default,1,0', KITTY_WINDOW_ID: '1' } })
    zotui.focus(false)
    await send(zotui, 'help')
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
  const variables = {
    terminalTitle: { ZOTUI_TERMINAL_TITLE: 'off' },
    progress: { ZOTUI_PROGRESS: 'off' },
    promptMarks: { ZOTUI_PROMPT_MARKS: 'off' },
    notifications: { ZOTUI_NOTIFICATIONS: 'off' },
  }

  test.each([
    ['nothing', {}, {}],
    ['terminalTitle', { terminalTitle: false }, variables.terminalTitle],
    ['progress', { progress: false }, variables.progress],
    ['promptMarks', { promptMarks: false }, variables.promptMarks],
    ['notifications', { notifications: 'off' }, variables.notifications],
  ])('%s, in the file as by a variable, and all else stays', async (name, file, variable) => {
    for (const [content, env] of [
      [file, {}],
      [{}, variable],
    ] as const) {
      const home = makeHome()
      mkdirSync(join(home.path, '.config', 'zotui'), { recursive: true })
      writeFileSync(
        join(home.path, '.config', 'zotui', 'config.json'),
        JSON.stringify({ notifyAfterSeconds: 0, ...content }),
      )
      const zotui = await openQuickDemo({ home, env: { WT_SESSION: 'x', ...env } })
      zotui.focus(false)
      await send(zotui, 'help')
      await zotui.see(turnEnd)
      await send(zotui, '/usage')
      await zotui.see('usage of this session')
      const seen = Object.entries(shown).flatMap(([each, isShown]) => (isShown(zotui) ? [each] : []))
      expect(seen).toEqual(Object.keys(shown).filter(each => each !== name))
      await zotui.close()
      home.remove()
    }
  })
})

test('reduced motion writes nothing while the agent only works', async () => {
  const zotui = await openZot('silent', { env: { ZOTUI_REDUCED_MOTION: '1' } })
  await zotui.see('starting')
  const before = zotui.bytes().length
  await zotui.type('x')
  await zotui.see('▌ x')
  await zotui.type('y')
  await zotui.see('▌ xy')
  const added = zotui.bytes().subarray(before).toString('utf8')
  expect(added).not.toMatch(/[⠙⠹⠸⠼⠴⠦⠧⠇⠏]/)
})
