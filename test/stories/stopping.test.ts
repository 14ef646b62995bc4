/** A user stops the agent, changes their mind, and leaves. */
import { describe, expect, test } from 'vitest'
import { alive, type Process } from '../helpers/processes.ts'
import { share, type Screen } from '../helpers/screen.ts'
import { turnEnd, turnsEnded } from '../helpers/turn-end.ts'
import { expectDraft, letGo, openDemo, openQuickDemo, openZot, send, startAfresh } from './stage.ts'

/** One demo for what stops a turn and does not leave. */
const demo = share(openDemo, startAfresh)

describe('Esc', () => {
  test('keeps text and draft in the middle of an answer, and pauses the queue until Enter', async () => {
    const zotui = await demo()
    await send(zotui, 'slow')
    await zotui.see(/Let me think/)
    await send(zotui, 'thanks anyway')
    await zotui.type('half a thought')
    await zotui.press('esc')
    await zotui.see(/Stopped/)
    await zotui.see(/1 paused.*Enter sends/)
    await zotui.see(/Let me think/)
    await expectDraft(zotui, 'half a thought')
    await zotui.press('ctrl+u', 'enter')
    await zotui.see('You are welcome')
    await zotui.gone(/1 paused/)
    zotui.committedOnce(['Let me think', '▌ thanks anyway', 'Stopped'])
  })

  test('stops a running tool, and the next tool does not run', async () => {
    const zotui = await demo()
    await send(zotui, 'sleep')
    await zotui.see(/watching for changes/)
    await zotui.see(/running bash/)
    await zotui.press('esc')
    await zotui.see(/Stopped/)
    await zotui.see(/bash +npm run dev .*stopped/)
    await zotui.see(/bash +echo "after it" .*(not run|stopped)/)
  })

  test('stops before the prompt was accepted, and keeps the prompt', async () => {
    const zotui = await openZot('late', { args: ['--no-guard'] })
    await zotui.see(/anthropic\/sonnet/)
    await send(zotui, 'quick')
    await zotui.see(/sending/)
    await zotui.press('esc')
    await zotui.see(/stopping/)
    letGo(zotui, 'accept')
    await zotui.see(/Taken at last/)
    await zotui.see(/Stopped/)
  })

  test('closes an open list before it stops the agent', async () => {
    const zotui = await demo()
    await send(zotui, 'slow')
    await zotui.see(/Let me think/)
    await zotui.type('/')
    await zotui.see(/\/help/)
    await zotui.press('esc')
    await zotui.gone(/\/help/)
    await zotui.see(/answering .*Esc stops/)
    await zotui.press('backspace', 'esc')
    await zotui.see(/Stopped/)
  })

  test('shows a hint when idle, and moves a draft into the history if pressed twice', async () => {
    const zotui = await demo()
    await zotui.press('esc')
    await zotui.see(/Nothing is running/)
    await zotui.type('a draft')
    await zotui.press('esc')
    await zotui.see(/Esc again/)
    await expectDraft(zotui, 'a draft')
    await zotui.press('esc')
    await expectDraft(zotui, '')
    await zotui.press('up')
    await expectDraft(zotui, 'a draft')
  })

  test('stops compacting without a change', async () => {
    const zotui = await demo()
    for (const text of ['thanks', 'thanks again', 'tabs']) await sendAndWait(zotui, text)
    await zotui.press('alt+k')
    await zotui.see(/compacting/)
    await zotui.press('esc')
    await zotui.see(/Compaction stopped/)
    await sendAndWait(zotui, 'thanks')
  })
})

describe('an agent that does not stop', () => {
  test('gets one abort, after ten seconds Ctrl+C kills it and starts another, and that does not prevent leaving', async () => {
    const zotui = await openZot('deaf')
    await zotui.see(/anthropic\/sonnet/)
    const [first] = zotui.children()
    await send(zotui, 'hello')
    await zotui.see('I hear nothing.')
    await send(zotui, 'later')
    await zotui.press('esc')
    await zotui.see('Abort number 1.')
    await zotui.see(/stopping/)
    await zotui.press('esc', 'ctrl+c', 'esc')
    await zotui.see(/does not stop.*Ctrl\+C/)
    expect(zotui.screen().join('\n')).not.toContain('number 2')
    await zotui.press('ctrl+c')
    await zotui.see(/Restarted.*(?:remembers nothing|includes\s+this\s+conversation)/is)
    await zotui.see(/1 paused/)
    await zotui.until('another zot', {
      check: () => zotui.children().length > 0 && zotui.children().every(child => child.pid !== first?.pid),
    })
    await zotui.gone(/starting|ended, \/restart/)
    await zotui.press('enter')
    await zotui.see(/^▌ later$[^]*I hear nothing\./m)
    await zotui.press('ctrl+d')
    await zotui.see(/Ctrl\+D again/)
    const children = zotui.children()
    await zotui.press('ctrl+d')
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
    await expectGone(children)
  })

  test('the second Ctrl+C announces that the third exits', async () => {
    const zotui = await openZot('deaf', { args: ['--no-guard', 'hello'] })
    await zotui.see('I hear nothing.')
    const children = zotui.children()
    await zotui.press('ctrl+c')
    await zotui.see(/stopping/)
    await zotui.press('ctrl+c')
    await zotui.see('zot has not stopped yet: Ctrl+C again kills it and exits.')
    await zotui.press('ctrl+c')
    // In good order it would be 0.
    expect((await zotui.exit()).code).toBe(1)
    await expectGone(children)
  })

  test('Ctrl+C while leaving does not wait for it', async () => {
    const zotui = await openZot('deaf', { args: ['--no-guard', 'hello'] })
    await zotui.see('I hear nothing.')
    const children = zotui.children()
    await zotui.press('ctrl+d', 'ctrl+d')
    await zotui.see(/ending zot.*Ctrl\+C ends at once/)
    await zotui.press('ctrl+c')
    // In good order it would be 0.
    expect((await zotui.exit()).code).toBe(1)
    await expectGone(children)
  })
})

describe('Ctrl+C', () => {
  test('stops the agent like Esc, and does not exit', async () => {
    const zotui = await demo()
    await send(zotui, 'slow')
    await zotui.see(/Let me think/)
    await zotui.type('draft')
    await zotui.press('ctrl+c')
    await zotui.see(/Stopped/)
    await expectDraft(zotui, 'draft')
  })

  test('moves a draft into the history, then exits with code 0 if pressed twice', async () => {
    const zotui = await openDemo()
    await zotui.type('my draft')
    await zotui.press('ctrl+c')
    await expectDraft(zotui, '')
    await zotui.press('up')
    await expectDraft(zotui, 'my draft')
    await zotui.press('ctrl+c', 'ctrl+c')
    await zotui.see(/again to exit/)
    await zotui.press('ctrl+c')
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
  })

  test('a first press expires after a while, and with another key', async () => {
    const zotui = await demo()
    await zotui.press('ctrl+c')
    await zotui.see(/again to exit/)
    await zotui.gone(/again to exit/)
    await zotui.press('ctrl+c')
    await zotui.see(/again to exit/)
    await zotui.press('x')
    await zotui.gone(/again to exit/)
    await zotui.press('backspace', 'ctrl+c')
    await zotui.see(/again to exit/)
    // Another one would exit.
    await zotui.gone(/again to exit/)
  })
})

describe('leaving', () => {
  test('Ctrl+D deletes within text', async () => {
    const zotui = await demo()
    await zotui.type('xy')
    await zotui.press('ctrl+a', 'ctrl+d')
    await expectDraft(zotui, 'y')
  })

  test('Ctrl+D on an empty composer leaves the conversation in the scrollback and a clean line for the shell', async () => {
    const zotui = await openQuickDemo()
    await sendAndWait(zotui, 'thanks')
    await zotui.press('ctrl+d')
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
    const rows = zotui.screen().filter(row => row !== '')
    expect(rows.at(-1)).toMatch(turnEnd)
    expect(zotui.cursor()).toMatchObject({ column: 0, shown: true })
    zotui.committedOnce(['▌ thanks', 'You are welcome', 'zotui 0'])
  })

  test('Ctrl+\\ ends everything at once, at any time', async () => {
    const zotui = await openZot('mortal', { args: ['--no-guard', 'works in a shell'] })
    await zotui.see(/sleeping in a shell/)
    const children = zotui.children()
    expect(children.length).toBeGreaterThan(0)
    await zotui.press('ctrl+\\')
    expect((await zotui.exit()).code).toBe(1)
    await expectGone(children)
  })

  test.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGINT', 130],
  ] as const)('%s: the agent and what it started end too, the terminal is as it was', async (signal, code) => {
    const zotui = await openZot('mortal', { args: ['--no-guard', 'works in a shell'] })
    await zotui.see(/sleeping in a shell/)
    const children = zotui.children()
    const commands = children.map(child => child.command)
    expect(commands.some(command => command.includes('mortal'))).toBe(true)
    expect(commands.some(command => command.includes('sleep 600'))).toBe(true)
    zotui.kill(signal)
    expect(await zotui.exit()).toEqual({ code, signal: null })
    await expectGone(children)
    expect(zotui.mode(2004)).toBe(false)
    expect(zotui.cursor().shown).toBe(true)
  })
})

/** The processes that a program started end a moment after it at the latest. */
async function expectGone(children: readonly Process[]): Promise<void> {
  await expect.poll(() => children.filter(alive).map(child => child.command), { timeout: 3000 }).toEqual([])
}

async function sendAndWait(zotui: Screen, text: string): Promise<void> {
  const turns = () => turnsEnded(zotui.history())
  const before = turns()
  await send(zotui, text)
  await zotui.until(`the turn of "${text}"`, { check: () => turns() > before })
}
