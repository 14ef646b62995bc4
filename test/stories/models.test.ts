/** A person chooses among models: their favourites first, then those they used last. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeHome } from '../helpers/home.ts'
import { openZot, send } from './stage.ts'

test('what was used last stands before the rest, also after a restart, and what zot no longer knows is not listed', async () => {
  const home = makeHome()
  const zotui = await openZot('reading', { home })
  await zotui.see(/anthropic\/sonnet/)
  await zotui.press('alt+p')
  await zotui.see(/› sonnet +anthropic.*in use\n +haiku +anthropic/)
  await zotui.press('down', 'enter')
  await zotui.see(/^ {2}anthropic\/haiku/m)
  await zotui.press('alt+p')
  await zotui.see(/› haiku +anthropic +\S+ +in use\n +sonnet +anthropic/)
  await zotui.close()
  const path = join(home.path, '.local/state/zotui/recent-models.json')
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(['anthropic/haiku'])
  writeFileSync(path, '["anthropic/gone", "anthropic/haiku"]')
  const again = await openZot('reading', { home })
  await again.see(/anthropic\/sonnet/)
  await again.press('alt+p')
  await again.see(/^ {4}haiku +anthropic +\S+ +recent\n {2}› sonnet +anthropic +\S+ +reasoning +in use$/m)
  expect(again.screen().join('\n')).not.toContain('gone')
  await again.type('son')
  await again.see(/› sonnet/)
  await again.press('esc')
  await send(again, 'code')
  await again.see('That was all.')
  await again.press('alt+p')
  await again.see(/› sonnet +anthropic +\S+ +reasoning +in use\n +haiku +anthropic +\S+ +recent/)
  await again.close()
  home.remove()
})

test('favourites go before what was used last, and both are called so', async () => {
  const home = makeHome()
  mkdirSync(join(home.path, '.config/zotui'), { recursive: true })
  mkdirSync(join(home.path, '.local/state/zotui'), { recursive: true })
  writeFileSync(join(home.path, '.config/zotui/config.json'), '{ "favouriteModels": ["haiku"] }')
  writeFileSync(join(home.path, '.local/state/zotui/recent-models.json'), '["anthropic/sonnet", "anthropic/haiku"]')
  const zotui = await openZot('reading', { home })
  await zotui.see(/anthropic\/sonnet/)
  await zotui.press('alt+p')
  await zotui.see(/^ {4}haiku +anthropic +\S+ +favourite\n {2}› sonnet +anthropic +\S+ +reasoning +in use$/m)
  await zotui.close()
  home.remove()
})
