/** Going back in a conversation: to say a prompt differently, or to go on behind an earlier turn. */
import { expect, test } from 'vitest'
import { expectDraft, letGo, openEcho, openZot, send, startAfresh } from './stage.ts'
import type { Screen } from '../helpers/screen.ts'
import { turnsEnded } from '../helpers/turn-end.ts'

async function talk(zotui: Screen): Promise<void> {
  for (const [index, words] of ['first', 'second', 'third'].entries()) {
    await send(zotui, words)
    await zotui.see(`You said: ${words}.`)
    await zotui.until('the turn to end', { check: () => turnsEnded(zotui.history()) > index })
  }
}

const said = (zotui: Screen, words: string): number => zotui.history().filter(line => line.includes(words)).length

/** The processes of its agents. What zotui runs for a moment itself, such as git, is none. */
const agentsOf = (zotui: Screen): number[] =>
  zotui
    .children()
    .filter(({ command }) => / rpc\b/.test(command))
    .map(({ pid }) => pid)

const goneBack = (zotui: Screen): number => said(zotui, 'This is a fork') + said(zotui, 'Back to before')

test('Esc Esc goes back to an earlier prompt in the composer, and /rewind can be followed by another and by a /fork; nothing changes if the fresh agent does not start', async () => {
  const zotui = await openEcho()
  await talk(zotui)
  await zotui.press('esc')
  await zotui.see(/Esc again goes back/)
  await zotui.press('esc')
  await zotui.see(/go back to before/)
  await zotui.press('down', 'enter')
  await expectDraft(zotui, 'second')
  await zotui.see(/Back to before "second"/)
  await zotui.see(/1\s+turn\s+in\s+full/)
  await zotui.type(' thought')
  await zotui.press('enter')
  await zotui.see('You said: second thought. Before, you said first.')
  expect(said(zotui, 'You said: third.')).toBe(1)
  await zotui.until('the turn to end', { check: () => turnsEnded(zotui.history()) > 3 })
  await send(zotui, 'fourth')
  await zotui.until('the next turn to end', { check: () => turnsEnded(zotui.history()) > 4 })
  await send(zotui, '/rewind fourth')
  await zotui.see(/go back to before/)
  await zotui.press('enter')
  await expectDraft(zotui, 'fourth')
  await zotui.press('ctrl+c')
  await send(zotui, '/fork')
  await zotui.see(/fork after/)
  await zotui.press('esc')
  await zotui.press('esc')
  await zotui.see(/Esc again goes back/)
  await zotui.press('esc')
  await zotui.see(/go back to before/)
  await zotui.press('enter')
  await expectDraft(zotui, 'second thought')
  await startAfresh(zotui)
  await send(zotui, 'the last')
  await zotui.see('You said: the last. Before, you said first.')

  await zotui.until('one agent', { check: () => agentsOf(zotui).length === 1 })
  const agents = agentsOf(zotui)
  const before = goneBack(zotui)
  letGo(zotui, 'broken')
  for (const [command, next] of [
    ['/fork', 'fifth'],
    ['/rewind', 'sixth'],
  ] as const) {
    await startAfresh(zotui)
    await send(zotui, `${command} the last`)
    await zotui.see(/fork after|go back to before/)
    await zotui.press('enter')
    await zotui.see(/Nothing was changed: The config cannot be read/)
    await zotui.see(/anthropic\/sonnet is still running; nothing was lost/)
    expect(agentsOf(zotui)).toEqual(agents)
    expect(goneBack(zotui)).toBe(before)
    await send(zotui, next)
    await zotui.see(`You said: ${next}.`)
    expect(zotui.history().join('\n')).not.toContain(`You said: ${next}. Before`)
  }
})

test('/fork reports that there is nothing to go back to, continues from an earlier turn, and its session can be resumed', async () => {
  const zotui = await openEcho()
  await send(zotui, '/fork')
  await zotui.see(/no earlier prompt/)
  await startAfresh(zotui)
  await talk(zotui)
  await send(zotui, '/fork second')
  await zotui.see(/fork after/)
  await zotui.press('enter')
  await zotui.see(/This is a fork after "second"/)
  await send(zotui, 'instead')
  await zotui.see('You said: instead. Before, you said first, then second.')
  await zotui.until('the turn to end', { check: () => turnsEnded(zotui.history()) > 3 })
  const home = zotui.home
  await zotui.press('ctrl+d')
  await zotui.exit()
  const again = await openZot('echo', { home, args: ['--continue'] })
  await again.see('You said: instead. Before, you said first, then second.')
  await again.see(/3\s+turns\s+in\s+full/)
  expect(said(again, 'You said: third.')).toBe(0)
})
