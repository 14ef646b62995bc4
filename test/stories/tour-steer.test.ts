/** The demo's tour of words to a running turn, with Alt+S during its command and before the next one. */
import { expect, test } from 'vitest'
import { expectDraft, openDemo, send } from './stage.ts'

test('`tour steer` gets words with the result of its command, and holds the next command for more words', async () => {
  const zotui = await openDemo({ columns: 110, rows: 40, env: { ZOTUI_DEMO_SPEED: '2' } })
  await zotui.see('all allowed')
  await send(zotui, 'tour steer')
  await zotui.see('✓ test/part-2.test.ts')
  await zotui.type('use fewer tests')
  await expectDraft(zotui, 'use fewer tests')
  await zotui.press('alt+s')
  await zotui.see(/steers: waits for the running call/)
  await zotui.see('Now the other case')
  const shown = zotui.history().join('\n')
  expect(shown).toMatch(/Tests {2}16 passed[^]*to the running turn[^]*use fewer tests/)
  await zotui.type('do not build')
  await expectDraft(zotui, 'do not build')
  await zotui.press('alt+s')
  await zotui.see(/npm run build[^\n]*steered/)
  await zotui.see('I make the calls again that I held for it')
  await zotui.see('That was all.')
  await zotui.close()
})
