/** A user lets the agent review a change, keeps what is right of its findings, and sends that back. */
import { expect, test } from 'vitest'
import { openQuickDemo, send } from './stage.ts'

test('the findings of /review are a list in the answer, and comments in /diff that are kept and sent back', async () => {
  const zotui = await openQuickDemo({ env: { ZOTUI_PERMISSIONS: 'allow' } })
  await send(zotui, 'edit')
  await zotui.see(/Fixed: length/)
  await send(zotui, '/review')
  await zotui.see(/The review found 1 error, 1 warning, 1 note\. 1 is about a file that did not\s+change/)
  await zotui.see(/\/diff shows them on their lines/)
  expect(zotui.screen().join('\n')).not.toContain('"findings"')

  await send(zotui, '/diff')
  await zotui.see(/src\/parser\.ts +2 comments/)
  await zotui.press('enter')
  await zotui.see(/i comment/)
  await zotui.type('(')
  await zotui.see(/› ┃ warning, found by the review, on the file, not kept yet/)
  await zotui.type('+')
  await zotui.gone(/› ┃ warning, found by the review, on the file, not kept yet/)
  await zotui.type('S')
  await zotui.see('Not in the prompt: 1 finding that you have not kept.')
  await zotui.see(/▌ Line 8: The segmenter is made when the module loads/)
  await zotui.close()
})
