/** A UI goes back in a conversation that another process runs, clears it, and asks on the side: as in one of its own. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Screen } from '../helpers/screen.ts'
import { turnEndAfter } from '../helpers/turn-end.ts'
import { attach, holders, homeOf, listed } from './holders.ts'
import { expectDraft, logged, openIn, send, withCheckpoints } from './stage.ts'

/** Moves the conversation of a UI to the background, where it stays while the UI is attached. */
async function moved(zotui: Screen): Promise<string> {
  await zotui.press('alt+a')
  await zotui.see(/Enter or a digit/)
  await zotui.type('b')
  await zotui.until('a holder', { check: () => holders(zotui.home).length === 1 })
  await zotui.press('alt+a')
  await zotui.see(/1 +& /)
  await zotui.press('esc')
  await zotui.gone(/Enter or a digit/)
  return holders(zotui.home)[0]?.id ?? ''
}

async function leave(...screens: readonly Screen[]): Promise<void> {
  for (const zotui of screens) {
    await send(zotui, '/exit')
    await zotui.exit()
  }
}

describe('in a conversation in the background', () => {
  test('/btw asks a second agent, /fork continues after an earlier turn, /clear begins again, /rename names it for all UIs, and /rewind edits an earlier prompt, which another UI sees at once', async () => {
    const { home, env } = homeOf('echo')
    const zotui = await openIn(home, { env, rows: 60 })
    await send(zotui, 'first words')
    await zotui.see('You said: first words.')
    await moved(zotui)
    await send(zotui, 'second words')
    await zotui.see(/You said: second words\./)
    await send(zotui, '/btw aside words')
    await zotui.see('Side answer')
    await zotui.see(/The user:\s+first words[^]*The user:\s+second words/)
    await zotui.see(/›/)
    await zotui.press('esc')
    await zotui.gone('Side answer')
    await send(zotui, '/fork first')
    await zotui.see(/fork after/)
    await zotui.press('enter')
    await zotui.see(/This is a fork after "first words"/)
    await send(zotui, 'third words')
    await zotui.see(/You said: third words\. Before, you said first words\./)
    await send(zotui, '/clear')
    await zotui.see(/cleared|new conversation/i)
    await send(zotui, 'fourth words')
    await zotui.see(/You said: fourth words\.$/m)
    await send(zotui, '/rename a good name')
    await zotui.see('This session is now called "a good name".')
    const [found] = await listed(home)
    expect(found?.title).toBe('a good name')
    const id = found?.id ?? ''
    const other = await attach(home, id)
    await other.see(/You said: fourth words/)
    await send(zotui, 'fifth words')
    await other.see(/You said: fifth words/)
    await send(zotui, '/rewind fifth')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await zotui.see(/Back to before "fifth words"/)
    await expectDraft(zotui, 'fifth words')
    await other.see(/Back to before "fifth words"/)
    await zotui.press('ctrl+c')
    await send(zotui, 'sixth words')
    await zotui.see(/You said: sixth words\. Before, you said fourth words\./)
    await other.see(/You said: sixth words/)
    // The turn that is gone is in the former session, the new one has a session of its own.
    await leave(other, zotui)
    expect(zotui.history().join('\n')).not.toContain(`--resume ${id}`)
    expect(logged(home)).toContain('fifth words')
  })

  test('/rewind restores files that were kept before a prompt of this UI', async () => {
    const { home, env } = homeOf('changing')
    writeFileSync(join(home.project, 'a.txt'), 'one\n')
    for (const name of ['first', 'second'])
      writeFileSync(join(home.path, name), JSON.stringify([{ write: 'a.txt', content: `${name}\n` }]))
    const text = (): string => readFileSync(join(home.project, 'a.txt'), 'utf8')
    const zotui = await openIn(home, { agent: 'changing', env: { ...env, ...withCheckpoints }, rows: 40 })
    await send(zotui, 'first')
    await zotui.see(turnEndAfter(/▌ first/))
    await moved(zotui)
    await send(zotui, 'second')
    await zotui.until('the second change', { check: () => text() === 'second\n' })
    await zotui.see(turnEndAfter(/▌ second/))
    await send(zotui, '/rewind second')
    await zotui.see(/go back to before/)
    await zotui.press('enter')
    await zotui.see(/Conversation and files +1 file/)
    await zotui.press('enter')
    await zotui.see('Restored 1 file.')
    expect(text()).toBe('first\n')
    await expectDraft(zotui, 'second')
    await zotui.press('ctrl+c')
    await leave(zotui)
    expect(logged(home)).toContain('files_restored')
  })
})
