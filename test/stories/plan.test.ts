/** A user sees the steps that the agent keeps, above the prompt. */
import { expect, test } from 'vitest'
import { lastingHome, logged, openDemo, openIn, send } from './stage.ts'

test('the steps are above the prompt while the agent works, and one line keeps the open ones', async () => {
  const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '4' } })
  await send(zotui, 'steps')
  await zotui.see(/^ {2}● Read the parser\n {2}◐ Count graphemes in length\n {2}○ Run the tests\n {2}○ Note it/m)
  await zotui.see(/^ {2}○ 3\/4 Note it in the changelog$/m)
  // The list is in the text of the answer already.
  expect(zotui.history().join('\n')).not.toMatch(/^ {2}● Read the parser$/m)
  await send(zotui, '/clear')
  await zotui.see(/^(?![^]*3\/4 Note)/)
})

test('in a narrow terminal the steps are one line', async () => {
  const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '4' }, columns: 40 })
  await send(zotui, 'steps')
  await zotui.see(/^ {2}◐ 1\/4 Count graphemes in length$/m)
  await zotui.see(/^ {2}○ 3\/4 Note it in the changelog$/m)
})

test('the steps are in the session, and a resumed session shows them', async () => {
  const home = lastingHome()
  const first = await openIn(home)
  await first.paste('Do this:\n- [x] read\n- [ ] write\n- [ ] test')
  await first.press('enter')
  await first.see(/^ {2}○ 1\/3 write$/m)
  await first.close()
  expect(logged(home)).toMatch(/"plan_changed".*"inAnswer":true/)
  const second = await openIn(home, { args: ['--continue'] })
  await second.see(/^ {2}○ 1\/3 write$/m)
})
