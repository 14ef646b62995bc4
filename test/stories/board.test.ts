/** The board: of a zotui, and as a program of its own. */
import { describe, expect, test } from 'vitest'
import { open, type Screen } from '../helpers/screen.ts'
import { allEnded, begin, demoHome, holders, homeOf, inState, openList, zotui as run } from './holders.ts'
import { openDemo, openIn, ready, send } from './stage.ts'

/** Opens the board as a program of its own. */
async function openBoard(home: Parameters<typeof begin>[0], size = { columns: 120, rows: 40 }): Promise<Screen> {
  const board = await open({ home, args: ['board', '--here'], ...size })
  await board.see(/^ {2}board/m)
  return board
}

describe('/board', () => {
  test('widens the list of conversations, answers what is shown whole, and goes back', async () => {
    const { home, env } = demoHome()
    await begin(home, ['--demo', '--permissions', 'ask', 'danger'], env)
    await inState(home, 'asks')
    const zotui = await openDemo({ home, env, columns: 160, rows: 60 })
    await openList(zotui)
    await zotui.press('ctrl+a')
    await zotui.see(/waits for you 1/)
    await zotui.see(/› \? danger/)
    const question = /rm -rf/
    await zotui.see(question)
    await zotui.see(/n refuses/)
    await zotui.type('n')
    await zotui.see(/Refused: /)
    await zotui.press('ctrl+a')
    await zotui.see(/& \? danger/)
  })

  test('goes to a conversation of this zotui, and lists it as one of all', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await openIn(home, { agent: 'echo', env })
    await send(zotui, 'one')
    await zotui.see('You said: one.')
    await send(zotui, '/spawn two')
    await zotui.see(/two is done/)
    await send(zotui, '/board')
    await zotui.see(/done 2/)
    await zotui.type('/two')
    await zotui.press('enter')
    await zotui.see(/only "two"/)
    await zotui.see(/done 1/)
    await zotui.type('r')
    await zotui.press('ctrl+u')
    await zotui.type('second two')
    await zotui.press('enter')
    await zotui.see(/› ● second two/)
    await zotui.press('enter')
    await zotui.see('You said: two.')
    await zotui.see(ready)
  })
})

describe('zotui board', () => {
  test('lists what runs in the background, opens it in this terminal, and comes back when that is left', async () => {
    const { home, env } = homeOf('busy')
    await begin(home, ['stream'], env)
    const board = await openBoard(home)
    await board.see(/› ◐ stream/)
    await board.press('enter')
    await board.see(/leaving it comes back to the board/)
    await board.see(/Esc stops|stops/)
    await board.press('ctrl+d')
    await board.press('ctrl+d')
    await board.see(/^ {2}board/m)
    await board.see(/› ◐ stream/)
    await board.type('q')
    expect(await board.exit()).toEqual({ code: 0, signal: null })
    expect(board.history().join('\n')).not.toContain('Enter sends')
    expect(holders(home)).toHaveLength(1)
  })

  test('ends a conversation after a yes', async () => {
    const { home, env } = homeOf('busy')
    await begin(home, ['stream'], env)
    const board = await openBoard(home, { columns: 80, rows: 24 })
    await board.see(/› ◐ stream/)
    await board.type('e')
    await board.see(/Really end "stream"/)
    await board.see(/y yes/)
    await board.type('y')
    await allEnded(home)
    await board.see(/No conversation runs/)
    await board.press('ctrl+c')
    expect(await board.exit()).toEqual({ code: 0, signal: null })
    expect(board.history().join('\n')).not.toContain('Enter sends')
  })

  test('needs a terminal', async () => {
    const { home } = homeOf('echo')
    const { code, stderr } = await run(home, ['board'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('needs a terminal')])
  })
})
