/** A user has several conversations in one zotui: opens them, goes from one to another, and answers from the list. */
import { describe, expect, test } from 'vitest'
import { open, type Screen } from '../helpers/screen.ts'
import { turnEnd, turnEndAfter } from '../helpers/turn-end.ts'
import {
  expectDraft,
  lastingHome,
  logged,
  openDemo,
  openIn,
  openQuickDemo,
  quick,
  send,
  startAfresh,
  unsent,
} from './stage.ts'

/** Goes to a conversation by its number. */
async function goTo(zotui: Screen, number: number): Promise<void> {
  await openList(zotui)
  await zotui.type(String(number))
  await zotui.gone(/Enter or a digit/)
}

async function openList(zotui: Screen): Promise<void> {
  await zotui.press('alt+a')
  await zotui.see(/Enter or a digit/)
}

describe('several conversations', () => {
  test('have their own drafts, the scrollback says which one follows, and a pasted & at the end of a prompt opens none', async () => {
    const zotui = await openQuickDemo()
    await send(zotui, 'markdown')
    await zotui.see(turnEnd)
    await send(zotui, '/another unicode')
    await zotui.see(turnEndAfter(/▌ unicode/))
    expect(zotui.history().join('\n')).toMatch(/── 2 unicode +~\/project ──/)
    await zotui.type('a draft of two')
    await goTo(zotui, 1)
    await zotui.see(/── 1 markdown +~\/project ──[^]*above: Ctrl\+O shows all/)
    await expectDraft(zotui, '')
    await zotui.press('alt+a')
    await zotui.see(/Enter or a digit/)
    await zotui.press('alt+a')
    await zotui.see(/── 2 unicode/)
    await expectDraft(zotui, 'a draft of two')
    await zotui.press('ctrl+u')
    await zotui.paste('unicode &')
    await expectDraft(zotui, 'unicode &')
    await zotui.press('enter')
    await zotui.see(/▌ unicode &\n[^]*^▌$/m)
    expect(zotui.screen().join('\n')).not.toMatch(/Conversation 3| 3◐/)
  })

  test('that cannot be opened give their prompt back to the composer, from where Enter tries again', async () => {
    const zotui = await openQuickDemo()
    const prompt = '--worktree fix the tests &'
    await zotui.type(prompt)
    for (const tries of [1, 2]) {
      await expectDraft(zotui, prompt)
      await zotui.press('enter')
      await zotui.until(`${tries} errors`, {
        check: () => zotui.screen().join('\n').split('No worktree was made').length === tries + 1,
      })
    }
    await expectDraft(zotui, prompt)
    await zotui.press('ctrl+u')
    await send(zotui, '/spawn --worktree fix')
    await zotui.until('another error', {
      check: () => zotui.screen().join('\n').split('No worktree was made').length === 4,
    })
    await expectDraft(zotui, '/spawn --worktree fix')
  })

  test('print nothing while they are hidden, a sign says that they are done, and as many run at once as the setting allows', async () => {
    const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '4' } })
    await send(zotui, '/settings turnsAtOnce 3')
    await zotui.see(/turnsAtOnce is now 3/)
    await send(zotui, '/spawn long')
    await send(zotui, 'markdown &')
    await zotui.see(/ 2◐ 3◐ /)
    await send(zotui, 'unicode')
    await zotui.see(turnEnd)
    await zotui.see(/ 2● 3● /)
    const history = zotui.history().join('\n')
    expect(history).not.toContain('A screen that is still calm')
    expect(history).not.toContain('graphemes')
    await goTo(zotui, 2)
    await zotui.see('A screen that is still calm after this is a good one.')
    await zotui.see(/ 1 3● /)
    // Only the end of it is printed.
    expect(zotui.history().join('\n')).toContain('The beginning is above: Ctrl+O shows all.')
    expect(zotui.history().join('\n')).not.toMatch(/^ {2}2\. The/m)
    await send(zotui, '/settings turnsAtOnce 1')
    await zotui.see(/turnsAtOnce is now 1/)
    await startAfresh(zotui)
    await send(zotui, '/spawn markdown')
    await zotui.see(/ 4◐ /)
    await send(zotui, 'unicode')
    await zotui.see(/Queued: too many conversations are working/)
    await zotui.seeInHistory(turnEndAfter(/▌ unicode/))
    await zotui.see(/ 4● /)
  })

  test('begin in the mode of the one before, and share one cost limit, and its line says so', async () => {
    const zotui = await open({
      args: ['--demo', '--max-cost', '0.001'],
      env: { ...quick, ZOTUI_PERMISSIONS: undefined },
      rows: 40,
    })
    await zotui.see('▌')
    await zotui.press('shift+tab')
    await zotui.see('Mode edits')
    await zotui.type('/spawn unicode')
    await zotui.press('enter')
    await zotui.see(/Started conversation 2/)
    await openList(zotui)
    await zotui.see(/2 ● unicode/)
    await zotui.press('esc')
    await zotui.gone(/Enter or a digit/)
    await send(zotui, 'not yet')
    await zotui.see(/All conversations together have cost \$[\d.]+ and reached the limit of \$0\.001:\s+raise it/)
    await zotui.see(/1 paused[^]*"not yet"/)
    await zotui.press('esc')
    await zotui.see(/^▌$/m)
    await goTo(zotui, 2)
    await zotui.see(turnEndAfter(/▌ unicode/))
    await zotui.press('esc')
    await zotui.see(/demo-large +edits/)
  })

  test('are named by notifications while they are hidden, the bell rings while the terminal has the focus, and the list answers waiting calls', async () => {
    const env = { ZOTUI_DEMO_SPEED: '10', ZOTUI_NOTIFY_AFTER_SECONDS: '0', ZOTUI_NOTIFICATIONS: 'osc9' }
    const zotui = await openDemo({ env })
    await send(zotui, '/spawn unicode')
    await zotui.until('the bell', { check: () => zotui.around.notifications.length > 0 })
    expect(zotui.around.notifications).toEqual(['bell'])
    zotui.focus(false)
    await send(zotui, '/spawn markdown')
    await zotui.until('a notification', { check: () => zotui.around.notifications.length > 1 })
    expect(zotui.around.notifications[1]).toMatch(/^osc9 zotui: 3 markdown: done after/)
    zotui.focus(true)
    await send(zotui, '/permissions ask')
    await zotui.see(/ask/)
    await send(zotui, '/spawn permissions')
    await zotui.see(/ 4\? /)
    await openList(zotui)
    await zotui.see(/› 4 \? permissions[^]*asks {2}bash set -e/)
    // The command has several lines, and only the first is on the screen.
    await zotui.type('y')
    await zotui.see('Not all of this call is shown here: Enter goes there.')
    // A call that came a moment ago is not answered by accident.
    await zotui.see(/asks you +[2-9]/)
    await zotui.type('n')
    await zotui.see(/Refused: bash set -e/)
    await zotui.see(/asks {2}edit/)
    await zotui.type('s')
    await zotui.see(/Stopping 4 permissions/)
    await zotui.press('esc')
    await zotui.see(/ 4● /)
  })

  test('say in a line that they ask or have ended, and its key allows the call that it shows in full, or goes there', async () => {
    const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '10', ZOTUI_PERMISSIONS: 'ask' }, columns: 100 })
    await send(zotui, '/spawn unicode')
    await zotui.see(/^● 2 unicode is done {3}Alt\+G opens it$/m)
    await send(zotui, '/spawn bash')
    await zotui.see(/^\? 3 bash asks: bash npm test {3}Alt\+G allows it once$/m)
    zotui.resize(40, 24)
    await zotui.see(/^\? 3 bash asks: bash .*… {3}Alt\+G opens it$/m)
    zotui.resize(100, 24)
    await zotui.see('allows it once')
    // A call that came a moment ago is not answered by accident.
    await openList(zotui)
    await zotui.see(/3 \? bash +asks you +[2-9]/)
    await zotui.press('esc')
    await zotui.see('allows it once')
    await zotui.press('alt+g')
    await zotui.see('Allowed once: bash npm test')
    await zotui.see(/^\? 3 bash asks: bash npm install --no-fund/m)
    await send(zotui, '/spawn write')
    await zotui.see(/4\?/)
    await zotui.see(/^\? 4 write asks: write hello\.html {3}Alt\+G opens it/m)
    await zotui.press('alt+g')
    await zotui.see('Create hello.html?')
  })

  test("are renamed and ended from the list, the others continue, also after the crash of one's agent, and lose surplus idle agents", async () => {
    const zotui = await openQuickDemo()
    await send(zotui, '/another unicode')
    await zotui.see(turnEnd)
    await openList(zotui)
    await zotui.type('r')
    await zotui.see(/name of conversation 2/)
    await zotui.type(' in short')
    await zotui.press('enter')
    await zotui.see(/› 2 +unicode in short/)
    await zotui.type('e')
    await zotui.see(/end 2 unicode in short/)
    await zotui.press('down')
    await zotui.press('enter')
    await zotui.see(/── conversation 1/)
    await send(zotui, 'markdown')
    await zotui.see(turnEnd)
    expect(zotui.screen().join('\n')).not.toContain('◐')
    await startAfresh(zotui)
    await send(zotui, '/settings idleAgents 0')
    await zotui.see(/idleAgents is now 0/)
    await send(zotui, '/another unicode')
    // The end of an earlier turn may still be on the screen.
    await zotui.see(turnEndAfter(/▌ unicode/))
    await goTo(zotui, 1)
    await startAfresh(zotui)
    await send(zotui, 'unicode')
    await zotui.see(turnEndAfter(/▌ unicode/))
    await goTo(zotui, 2)
    await zotui.see(/2 unicode[^]*remembers nothing|2 unicode[^]*next prompt/)
    await send(zotui, 'markdown')
    await zotui.see(/That was all of it/)
    await send(zotui, '/spawn crash')
    await zotui.see(/ 3✗ /)
    await startAfresh(zotui)
    await send(zotui, 'unicode')
    await zotui.see(turnEnd)
    await goTo(zotui, 3)
    await zotui.see(/\/restart/)
  })

  test('that work in the background are named before an exit stops them', async () => {
    const zotui = await openDemo()
    await send(zotui, '/spawn long')
    await zotui.see(/ 2◐ /)
    for (const key of ['ctrl+c', 'ctrl+d']) {
      await zotui.press(key)
      await zotui.see('Another conversation works')
      await zotui.press('up', 'down')
      await zotui.gone('Another conversation works')
    }
    await send(zotui, '/exit')
    await zotui.see('a conversation is still working')
    await zotui.see(/› stop it[^]*cancel/)
    await zotui.press('esc')
    await zotui.gone('cancel')
    await zotui.press('ctrl+c')
    await zotui.see(/Ctrl\+C again stops it and exits; \/exit asks\./)
    await zotui.press('ctrl+c')
    expect(await zotui.exit()).toMatchObject({ code: 0 })
  })

  test('keep each session and draft after a kill of zotui, and nothing runs on; all end on exit, and every session can be resumed', async () => {
    const home = lastingHome()
    const zotui = await openIn(home)
    await send(zotui, 'first of two')
    await zotui.see(/you said: first of two/i)
    await send(zotui, '/another second of two')
    await zotui.see(/you said: second of two/i)
    await zotui.type('unsent')
    await zotui.until('the draft on disk', { check: () => unsent(home).includes('unsent') })
    zotui.kill('SIGKILL')
    await zotui.exit()
    const again = await openIn(home)
    await expectDraft(again, 'unsent')
    for (const words of ['first', 'second']) expect(logged(home)).toContain(`${words} of two`)
    await again.press('ctrl+u')
    await send(again, 'first of three')
    await again.see(/you said: first of three/i)
    await send(again, '/another second of three')
    await again.see(/you said: second of three/i)
    await send(again, '/spawn third of three')
    await again.see(/ 1 3● /)
    await again.type('a draft')
    await goTo(again, 3)
    await again.press('ctrl+d')
    const { code } = await again.exit()
    expect(code).toBe(0)
    const hints =
      again
        .history()
        .join('\n')
        .match(/--resume (\S+)/g) ?? []
    expect(new Set(hints).size).toBe(3)
    expect(again.history().join('\n')).toContain('Resume "second of three" with: zotui --resume')
    const sessions = logged(home)
    for (const words of ['first', 'second', 'third']) expect(sessions).toContain(`${words} of three`)
    const last = await openIn(home)
    await expectDraft(last, 'a draft')
    await last.press('ctrl+c')
    await send(last, '/resume second of three')
    await last.see(/› second of three/)
    await last.press('enter')
    await last.see(/Resumed the session/)
    await last.see(/you said: second of three/i)
  })
})
