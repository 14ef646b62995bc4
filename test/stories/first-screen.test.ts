/** Somebody starts zotui for the first time: a greeting, the folder, and three prompts to begin with; nothing is asked. */
import { describe, expect, test } from 'vitest'
import { open, type OpenOptions, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { expectDraft, lastingHome, openZot, quick, send } from './stage.ts'

const firstDemo = async (options: OpenOptions = {}): Promise<Screen> =>
  open({ args: ['--demo'], ...options, env: { ...quick, ZOTUI_PERMISSIONS: undefined } })

const ASKED = /\? .*\?|› \d|› /

describe('the demo', () => {
  test('greets, names the folder and suggests three prompts, which Tab writes; it goes with the first prompt', async () => {
    const zotui = await firstDemo()
    await zotui.see(/Welcome to zotui in ~\/project[^]* tour [^]* help [^]* permissions /)
    await zotui.press('tab')
    await expectDraft(zotui, 'tour')
    await zotui.press('tab')
    await expectDraft(zotui, 'help')
    await zotui.press('enter')
    await zotui.see('I am the demo agent of zotui')
    expect(zotui.history().join('\n')).not.toContain('Welcome to zotui')
  })

  test('asks nothing at its start, and the tour ends without an answer of the user', async () => {
    const zotui = await firstDemo({ rows: 40 })
    await zotui.see('Welcome to zotui')
    await zotui.see(/ask +~\/project/)
    expect(zotui.history().join('\n')).not.toMatch(ASKED)
    await send(zotui, 'tour')
    await zotui.see('Run this command?')
    await zotui.seeInHistory('That was the tour.')
    await zotui.see(turnEnd)
    expect(zotui.history().join('\n')).toContain('dist/main.js')
    expect(zotui.history().join('\n')).not.toMatch(/What may the agent|refused/)
  })

  test.each([
    [80, 24, true],
    [40, 20, true],
    [40, 9, false],
    [20, 8, false],
  ])(
    'in %i columns and %i rows keeps the composer: the first screen is whole or left out (shown: %s)',
    async (columns, rows, shown) => {
      const zotui = await firstDemo({ columns, rows })
      await zotui.see(/^▌/m)
      await zotui.see(/demo-large|demo/)
      if (shown) await zotui.see('Welcome to zotui')
      await send(zotui, 'x')
      await zotui.seeInHistory(/I\s+am\s+the\s+demo/)
      expect(zotui.history().join('\n')).not.toContain('lines above')
    },
  )

  test('is greeted in words for a screen reader', async () => {
    const zotui = await firstDemo({ args: ['--demo', '--screen-reader'] })
    await zotui.seeInHistory(/Welcome to zotui in ~\/project\.[^]*Prompts to begin with: tour: everything in a minute;/)
  })
})

describe('an agent', () => {
  test('is greeted once per folder, and not by a start with a prompt', async () => {
    const home = lastingHome()
    const zotui = await openZot('echo', { home })
    await zotui.see(/Welcome to zotui\. The agent works in ~\/project\.[^]*What does this project do[^]*\/init/)
    await zotui.close()
    const again = await openZot('echo', { home })
    await again.see(/anthropic\/sonnet/)
    await again.see(/^▌$/m)
    expect(again.history().join('\n')).not.toContain('Welcome')
    const other = await openZot('echo', { args: ['hello'] })
    await other.see('You said: hello.')
    expect(other.history().join('\n')).not.toContain('Welcome')
  })
})
