/** The part of a tool call that is shown. */
import { turnEnd } from '../helpers/turn-end.ts'
import { expect, test } from 'vitest'
import { openQuickDemo, send } from './stage.ts'

test('Ctrl+T switches the detail of later tools between names, full and short', async () => {
  const zotui = await openQuickDemo({ columns: 100, rows: 40 })
  await zotui.press('ctrl+t')
  await zotui.see(/from now on: in full/)
  await zotui.press('ctrl+t')
  await zotui.see(/from now on: names only/)
  await send(zotui, 'edit')
  await zotui.see(turnEnd, { timeout: 40_000 })
  expect(zotui.history().join('\n')).toMatch(/● edit +src\/parser\.ts/)
  expect(zotui.history().join('\n')).not.toContain('maxDepth')
  await zotui.press('ctrl+t')
  await zotui.see(/from now on: in short/)
})
