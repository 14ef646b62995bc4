/** Going back in a conversation: to say a prompt differently, or to go on behind an earlier turn. */
import { describe, expect, test } from 'vitest'
import { expectDraft, letGo, openZot, send } from './stage.ts'
import type { Screen } from '../helpers/screen.ts'

async function talked(): Promise<Screen> {
  const zotui = await openZot('echo')
  await zotui.see(/anthropic\/sonnet/)
  for (const [index, words] of ['first', 'second', 'third'].entries()) {
    await send(zotui, words)
    await zotui.see(`You said: ${words}.`)
    await zotui.until('the turn to end', { check: () => said(zotui, 'first word') > index })
  }
  return zotui
}

const said = (zotui: Screen, words: string): number => zotui.history().filter(line => line.includes(words)).length

describe('Esc Esc on an empty composer', () => {
  test('goes back to an earlier prompt and puts it into the composer', async () => {
    const zotui = await talked()
    await zotui.press('esc')
    await zotui.see(/Esc again goes back/)
    await zotui.press('esc')
    await zotui.see(/go back to before/)
    await zotui.press('down', 'enter')
    await expectDraft(zotui, 'second')
    await zotui.see(/Back to before "second"/)
    await zotui.see(/\(1\s+turn,/)
    await zotui.type(' thought')
    await zotui.press('enter')
    await zotui.see('You said: second thought. Before, you said first.')
    expect(said(zotui, 'You said: third.')).toBe(1)
  })
})

describe('/rewind', () => {
  test('can be followed directly by another /rewind and by a /fork', async () => {
    const zotui = await talked()
    await send(zotui, '/rewind third')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await expectDraft(zotui, 'third')
    await zotui.press('ctrl+c')
    await send(zotui, '/fork')
    await zotui.see(/fork after/)
    await zotui.press('esc')
    await zotui.press('esc')
    await zotui.see(/Esc again goes back/)
    await zotui.press('esc')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await expectDraft(zotui, 'second')
    await zotui.press('enter')
    await zotui.see('You said: second. Before, you said first.')
  })
})

/** The processes of its agents. What zotui runs for a moment itself, such as git, is none. */
const agentsOf = (zotui: Screen): number[] =>
  zotui
    .children()
    .filter(({ command }) => / rpc\b/.test(command))
    .map(({ pid }) => pid)

describe.each(['/fork second', '/rewind second'])('%s', command => {
  test('changes nothing if the fresh agent does not start', async () => {
    const zotui = await talked()
    const agents = agentsOf(zotui)
    letGo(zotui, 'broken')
    await send(zotui, command)
    await zotui.see(/fork after|go back to before/)
    await zotui.press('enter')
    await zotui.see(/Nothing was changed: The config cannot be read/)
    await zotui.see(/anthropic\/sonnet continues, with its memory intact/)
    expect(agentsOf(zotui)).toEqual(agents)
    expect(zotui.history().join('\n')).not.toMatch(/This is a fork|Back to before/)
    await send(zotui, 'fourth')
    await zotui.see('You said: fourth.')
    expect(zotui.history().join('\n')).not.toContain('Before, you said')
  })
})

describe('/fork', () => {
  test('continues from an earlier turn, and both sessions can be resumed', async () => {
    const zotui = await talked()
    await send(zotui, '/fork second')
    await zotui.see(/fork after/)
    await zotui.press('enter')
    await zotui.see(/This is a fork after "second"/)
    await send(zotui, 'instead')
    await zotui.see('You said: instead. Before, you said first, then second.')
    await zotui.until('the turn to end', { check: () => said(zotui, 'first word') > 3 })
    const home = zotui.home
    await zotui.press('ctrl+d')
    await zotui.exit()
    const again = await openZot('echo', { home, args: ['--continue'] })
    await again.see('You said: instead. Before, you said first, then second.')
    await again.see(/\(3 turns,/)
    expect(said(again, 'You said: third.')).toBe(0)
  })

  test('reports that there is nothing to go back to in a new session', async () => {
    const zotui = await openZot('echo')
    await zotui.see(/anthropic\/sonnet/)
    await send(zotui, '/fork')
    await zotui.see(/no earlier prompt/)
  })
})
