import { expect, test } from 'vitest'
import { loadColours } from '../../../src/app/context/colours.ts'
import { engineFor, loadLanguage } from '../../../src/markdown/code/languages.ts'
import { calls, timed } from '../../conversation/events.ts'

test('the language of a file is loaded once a call names it', async () => {
  const events = timed([
    calls('a', 'read', { path: 'lib/init.lua' }),
    calls('b', 'x', { path: 7 }),
    calls('c', 'x', null),
  ])
  expect(engineFor('lua')).toBeUndefined()
  for (const event of events) loadColours(event)
  await expect.poll(() => engineFor('lua')).toBeDefined()
  expect(await loadLanguage('lua')).toBe(true)
})
