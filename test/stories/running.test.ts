import { describe, expect, test } from 'vitest'
import { openDemo, send } from './stage.ts'

describe('What works beside the turn', () => {
  test('has a line each; the question says who asks; the list opens the conversation of one while it works', async () => {
    const zotui = await openDemo({ columns: 100, rows: 30 })
    await send(zotui, 'tour running')
    await zotui.see('writer asks you')
    await zotui.see('› 1 10 ms')
    await zotui.press('enter')
    await zotui.gone('writer asks you')
    await zotui.see('2 agents, 1 command')
    await zotui.see(/finder: find where the parser loses time {3}\d/)
    await zotui.press('alt+x')
    await zotui.see('shows its output')
    await zotui.press('down')
    await zotui.see('opens its conversation')
    await zotui.press('enter')
    await zotui.see('Find where the parser loses time.')
    await zotui.see(/finder: find.*working/)
    await zotui.see('81 percent of the time is spent there.')
    await zotui.press('esc')
    await zotui.see(/finder.*done/)
    await zotui.press('esc')
    await zotui.see('Both have reported')
    await zotui.see('finder: find where the parser loses time · done', { where: 'history' })
  })

  test('is stopped alone with a key; what is left of it stays in the list', async () => {
    const zotui = await openDemo({ columns: 80, rows: 24, env: { ZOTUI_DEMO_SPEED: '10' } })
    await send(zotui, 'tour running')
    await zotui.see('› 1 10 ms')
    await zotui.press('enter')
    await zotui.see('Both have reported')
    await zotui.see('npm run watch')
    await send(zotui, '/tasks')
    await zotui.see('s stops')
    await zotui.type('s')
    await zotui.see('Stopped npm run watch.')
    await zotui.see(/npm run watch +stopped/)
    await zotui.press('esc')
    await zotui.gone('opens its conversation')
    await send(zotui, '/running')
    await zotui.see('opens its conversation')
    await zotui.type('s')
    await zotui.see('does not run')
  })

  test.each([
    ['in 40 columns', { columns: 40, rows: 20 }],
    ['in ASCII', { columns: 120, rows: 40, env: { ZOTUI_DEMO_SPEED: '10', LANG: 'C', LC_ALL: 'C' } }],
  ])('fits %s, also as a list', async (_, options) => {
    const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '10' }, ...options })
    await send(zotui, 'tour running')
    await zotui.see('writer asks you')
    await zotui.see('1 10 ms')
    await zotui.see(/[›>] 1 10 ms/)
    await zotui.press('enter')
    await zotui.see('Both have reported')
    await zotui.press('alt+x')
    await zotui.see(/running\n/)
    await zotui.see('finder')
    expect(Math.max(...zotui.screen().map(row => row.length))).toBeLessThanOrEqual(options.columns)
  })

  test('is printed and read out for people who use a screen reader', async () => {
    const zotui = await openDemo({ args: ['--screen-reader'], env: { ZOTUI_DEMO_SPEED: '10' } })
    await send(zotui, 'tour running')
    await zotui.see('finder: find where the parser loses time begins', { where: 'history' })
    await zotui.see('writer asks you', { where: 'history' })
  })
})
