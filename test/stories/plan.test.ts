/** A user sees the steps that the agent keeps, above the prompt. */
import { turnEnd } from '../helpers/turn-end.ts'
import { expect, test } from 'vitest'
import { lastingHome, logged, openDemo, openIn, send } from './stage.ts'

test('the steps are above the prompt while the agent works, and go with the turn', async () => {
  const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '4' } })
  await send(zotui, 'steps')
  await zotui.see(/^ {2}● Read the parser\n {2}◐ Count graphemes in length\n {2}○ Run the tests\n {2}○ Note it/m)
  await zotui.see(turnEnd)
  await zotui.gone(/^ {2}[●◐○] (?:3\/4 )?Note it in the changelog$/m)
  // The list is in the text of the answer already.
  expect(zotui.history().join('\n')).not.toMatch(/^ {2}● Read the parser$/m)
})

test('in a narrow terminal the steps are one line', async () => {
  const zotui = await openDemo({ env: { ZOTUI_DEMO_SPEED: '4' }, columns: 40 })
  await send(zotui, 'steps')
  await zotui.see(/^ {2}◐ 1\/4 Count graphemes in length$/m)
})

test('a checklist that an answer has once is no plan, and one that a later answer changes is', async () => {
  const home = lastingHome()
  const first = await openIn(home)
  const say = async (list: string): Promise<void> => {
    await first.paste(`Do this:\n${list}`)
    await first.press('enter')
  }
  await say('- [ ] read\n- [ ] write\n- [ ] test')
  await first.see(turnEnd)
  expect(logged(home)).not.toContain('"plan_changed"')
  await say('- [x] read\n- [ ] write\n- [ ] test')
  await first.until('the plan in the session', { check: () => /"plan_changed".*"inAnswer":true/.test(logged(home)) })
})
