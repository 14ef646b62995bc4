import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { open } from '../helpers/screen.ts'
import { installZot, lastingHome, logged, openDemo, openIn, openQuickDemo, ready, send } from './stage.ts'

describe('A side question', () => {
  test('is answered in a panel while the turn continues, stops at the first Esc, and does not change the conversation', async () => {
    const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '2' } })
    await send(zotui, 'long')
    await zotui.see('answering')
    await send(zotui, '/btw unicode')
    await zotui.see('Side answer')
    await zotui.see('Add it')
    await zotui.see('answering')
    await zotui.press('esc')
    await zotui.gone('Side answer')
    await zotui.see('answering')
    await send(zotui, '/btw long')
    await zotui.see(/being answered[^]*demo-large/)
    await zotui.press('esc')
    await zotui.see('The side answer was stopped')
    await zotui.see('answering')
    await zotui.press('esc')
    await zotui.gone('Side answer')
    await zotui.see('answering')
    await zotui.press('esc')
    await zotui.see(/Stopped/)
    expect(zotui.history().join('\n')).not.toContain('Side question:')
  })

  test('changes nothing: a write of its agent is refused unasked', async () => {
    const zotui = await openQuickDemo()
    await send(zotui, '/btw edit')
    await zotui.see('Side answer')
    await zotui.see(/calls? refused, because it only reads/)
  })

  test('continues in the same side conversation, and is shown again without a text', async () => {
    const zotui = await openQuickDemo()
    await send(zotui, '/btw')
    await zotui.see('There is no side question yet')
    await send(zotui, '/btw unicode')
    await zotui.see(/follow up/i)
    await zotui.press('esc')
    await zotui.gone(/follow up/i)
    await send(zotui, '/btw')
    await zotui.see(/follow up/i)
    await zotui.see(/›/)
    await zotui.type('w')
    await zotui.see('Follow-up question:')
    await zotui.type('markdown')
    await zotui.press('enter')
    await zotui.see(/Side answer[^]*markdown/)
  })

  test('gets the conversation from a real zot, is taken over, sent with the next prompt, and resumed', async () => {
    const home = lastingHome()
    const zotui = await openIn(home)
    await send(zotui, 'first words')
    await zotui.see(/You said/)
    await send(zotui, '/btw aside words')
    await zotui.see('Side answer')
    await zotui.see(/›/)
    await zotui.type('t')
    await zotui.see('Side question: aside words')
    await send(zotui, 'next words')
    await zotui.see('with a side answer', { where: 'history' })
    await zotui.close()
    expect(logged(home)).toContain('sideAnswer')
    const again = await openIn(home, { args: ['--continue'] })
    await again.see('Resumed the session')
    expect(again.history().join('\n')).toContain('Side question: aside words')
  })

  test('gives the reason if the second zot does not start', async () => {
    const home = lastingHome()
    const zotui = await openIn(home)
    installZot(home, 'no-credential')
    await send(zotui, '/btw anything')
    await zotui.see('The side question was not answered')
    await zotui.press('esc')
    await zotui.gone('The side question was not answered')
    await send(zotui, 'still there')
    await zotui.see(/You said[^]*still there/)
  })

  test('cannot write a file if zot is guarded', async () => {
    const home = lastingHome()
    const calls = [{ id: 'w', name: 'write', args: { path: 'made.txt', content: 'made' } }]
    writeFileSync(join(home.path, 'script.json'), JSON.stringify([{ calls }, { text: 'It could not be written.' }]))
    const env = { ZOTUI_ZOT: installZot(home, 'guardable'), ZOT_SCRIPT: join(home.path, 'script.json') }
    const zotui = await open({ home, env })
    await zotui.see(ready)
    await send(zotui, '/btw write a file')
    await zotui.see('It could not be written.')
    expect(existsSync(join(home.project, 'made.txt'))).toBe(false)
  })
})
