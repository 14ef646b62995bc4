/** A conversation that another zotui has open is shown from the board: it moves to the background, and both terminals show it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { answer, askFor, decide } from './board-asks.ts'
import { follow, rowsIn } from './board-follow.ts'
import { allEnded, holders, homeOf, zotui as inShell } from './holders.ts'
import { expectDraft, openIn, send } from './stage.ts'

async function openBoard(home: Home): Promise<Screen> {
  const board = await open({ home, args: ['board', '--here'], columns: 130, rows: 40 })
  await board.see(/^ {2}board/m)
  return board
}

/** A zotui in which something was said. */
async function talked(home: Home, env: Record<string, string>): Promise<Screen> {
  const zotui = await openIn(home, { env })
  await send(zotui, 'first words')
  await zotui.see('You said: first words')
  return zotui
}

describe.skipIf(process.platform === 'win32')('a conversation of another zotui', () => {
  test('is shown from the board after a yes in its terminal, which keeps it with its draft', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await talked(home, env)
    const board = await openBoard(home)
    await board.see(/› . first words/)
    await askFor(board)
    await answer(zotui, board, 'y')
    await zotui.type('a draft')
    await expectDraft(zotui, 'a draft')
    await askFor(board)
    await board.see(/leaving it comes back to the board/)
    await board.see('You said: first words')
    expect(holders(home)).toHaveLength(1)
    await zotui.see('A board in another terminal has moved this conversation to the background')
    await zotui.see(`zotui attach ${holders(home)[0]?.id}`)
    await expectDraft(zotui, 'a draft')
    await board.type('from the board')
    await board.press('enter')
    await zotui.see(/You said: from the board\. Before, you said first words/)
    await zotui.press('enter')
    await board.see(/You said: a draft/)
    await board.press('ctrl+d')
    await board.see(/^ {2}board/m)
    await board.see(/› . first words/)
    expect(board.screen().join('\n')).not.toContain('Asking the zotui')
    await zotui.press('ctrl+d')
    await zotui.exit()
    // Nothing is in progress, and nobody is attached any more.
    await allEnded(home)
    await board.see('No conversation runs.')
  })

  test('stays where it is if its person says no, and that board is not asked about again', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await talked(home, env)
    const board = await openBoard(home)
    await board.see(/› . first words/)
    await askFor(board)
    await answer(zotui, board, 'n')
    await askFor(board)
    await board.see('The person at its terminal lets this board only look.')
    expect(holders(home)).toEqual([])
    await send(zotui, 'second words')
    await zotui.see('You said: second words.')
  })

  test('that is empty is said to stay, before anybody is asked', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await openIn(home, { env })
    const board = await openBoard(home)
    await board.see(/idle 1|› /)
    await board.press('enter')
    await board.see(/It stays in its terminal: it has no saved session\. It is open in a zotui \(process \d+\)/)
    expect(zotui.screen().join('\n')).not.toContain('asks for your yes')
  })

  test('whose zotui dies before it has moved leaves its session, and the board says how to continue it', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await talked(home, env)
    const board = await openBoard(home)
    await board.see(/› . first words/)
    await askFor(board)
    await answer(zotui, board, 'y')
    const { pid } = zotui.itself()
    // It gets the request, and does not come to it.
    process.kill(pid, 'SIGSTOP')
    await askFor(board)
    await board.see(/Asking the zotui that has first words/)
    process.kill(pid, 'SIGKILL')
    await board.see(/The connection to the conversation was lost\..*zotui --resume/)
    expect(holders(home)).toEqual([])
    await board.see('No conversation runs.')
  })

  test('whose zotui dies after it has moved goes on, and is shown from the background', async () => {
    const { home, env } = homeOf('busy')
    const zotui = await openIn(home, { agent: 'busy', env })
    await send(zotui, 'stream')
    await zotui.see('And on.')
    const board = await openBoard(home)
    await board.see(/› . stream/)
    await askFor(board, 'stream')
    await answer(zotui, board, 'y')
    await askFor(board, 'stream')
    await board.until('a holder', { check: () => holders(home).length === 1 })
    process.kill(zotui.itself().pid, 'SIGKILL')
    await board.see(/leaving it comes back to the board/)
    await board.see('Continue where you were interrupted.')
    await board.press('ctrl+d')
    await board.press('ctrl+d')
    await board.see(/^ {2}board/m)
  })

  test('that two boards ask for in the same moment moves once, with its open page closed, and both find it', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await talked(home, env)
    const boards = [follow(home), follow(home)]
    const rows = await Promise.all(
      boards.map(board => board.until(lines => rowsIn(lines).find(({ can }) => can.includes('background')))),
    )
    const move = { do: 'background' }
    for (const [at, board] of boards.entries())
      expect(await board.ask(1, rows[at]?.id ?? '', move)).toMatchObject({ reply: { ok: false, why: 'needs_yes' } })
    await decide(zotui, 'y', 2)
    const replies = await Promise.all(boards.map((board, at) => board.ask(2, rows[at]?.id ?? '', move)))
    for (const line of replies) expect(line.type === 'reply' && (line.reply.ok || line.reply.why === 'gone')).toBe(true)
    expect(replies.some(line => line.type === 'reply' && line.reply.ok)).toBe(true)
    const session = rows[0]?.session
    await Promise.all(
      boards.map(board =>
        board.until(lines => rowsIn(lines).find(row => row.kind === 'background' && row.session === session)),
      ),
    )
    expect(holders(home)).toHaveLength(1)
    await zotui.until('the page closed', { check: () => !zotui.alternate })
    await zotui.see('A board in another terminal has moved this conversation to the background')
    await send(zotui, 'second words')
    await zotui.see(/You said: second words\. Before, you said first words/)
  })

  test('that works goes on in the background, and a hidden one is named in its terminal', async () => {
    const { home, env } = homeOf('busy')
    const zotui = await openIn(home, { agent: 'busy', env })
    await send(zotui, '/spawn stream')
    await zotui.see(/Started conversation 2/)
    const board = follow(home)
    const row = await board.until(lines =>
      rowsIn(lines).findLast(({ title, can }) => title === 'stream' && can.includes('background')),
    )
    expect(await board.ask(1, row.id, { do: 'background' })).toMatchObject({ reply: { why: 'needs_yes' } })
    await decide(zotui, 'y')
    await zotui.press('esc')
    expect(await board.ask(2, row.id, { do: 'background' })).toMatchObject({ reply: { ok: true } })
    await zotui.see('"stream" is in the background now, for a board in another terminal.')
    await board.until(lines =>
      rowsIn(lines).findLast(({ kind, state }) => kind === 'background' && state === 'working'),
    )
    await inShell(home, ['stop', holders(home)[0]?.id ?? ''])
    await allEnded(home)
  })

  test('stays while its draft is in an editor', async () => {
    const { home, env } = homeOf('echo')
    const editor = join(home.path, 'editor')
    writeFileSync(editor, `#!/bin/sh\necho 'in the editor'\nread line\necho "written there" > "$1"\n`, { mode: 0o755 })
    const zotui = await openIn(home, { env: { ...env, EDITOR: editor } })
    await send(zotui, 'first words')
    await zotui.see('You said: first words')
    const board = follow(home)
    const row = await board.until(lines => rowsIn(lines).find(({ can }) => can.includes('background')))
    expect(await board.ask(1, row.id, { do: 'background' })).toMatchObject({ reply: { why: 'needs_yes' } })
    await decide(zotui, 'y')
    await zotui.press('esc')
    await zotui.until('the page closed', { check: () => !zotui.alternate })
    await zotui.press('ctrl+g')
    await zotui.see('in the editor')
    expect(await board.ask(2, row.id, { do: 'background' })).toMatchObject({
      reply: { ok: false, message: expect.stringContaining('another program has its terminal') as string },
    })
    await zotui.press('enter')
    await expectDraft(zotui, 'written there')
    expect(holders(home)).toEqual([])
  })
})
