/** The demo's tour of comments on changes. */
import { test } from 'vitest'
import { openQuickDemo, send } from './stage.ts'

test('`tour review` has changes to comment on, and answers the comments, which then count as sent', async () => {
  const zotui = await openQuickDemo({ columns: 100, rows: 40 })
  await send(zotui, 'tour review')
  await zotui.see('Now it is your turn.')
  await zotui.see(/\/diff$/m)
  await send(zotui, '/diff')
  await zotui.see(/q closes$/m)
  await zotui.press('enter')
  await zotui.see(/^› .*maxDepth/m)
  await zotui.type('i')
  await zotui.see('new comment')
  await zotui.type('Why this number?')
  await zotui.press('enter')
  await zotui.see(/┃ Why this number\?$/m)
  await zotui.type('S')
  await zotui.see('The comment is in the prompt')
  await zotui.press('enter')
  await zotui.see('Thank you for reading so closely.')
  await send(zotui, '/diff')
  await zotui.see(/q closes$/m)
  await zotui.press('enter')
  await zotui.see(/┃ comment.*, sent$/m)
})
