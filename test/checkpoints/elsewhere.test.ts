/** All tests of checkpoints hold for another machine, too. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCheckpoints } from '../../src/checkpoints/checkpoints.ts'
import { stage, stageElsewhere } from './stage.ts'

stageElsewhere()
await import('./checkpoints.test.ts')

test('this machine keeps no file of the other one', async () => {
  const { make, stateFolder } = stage({ 'a.txt': 'one' })
  await make()
  expect(readdirSync(join(stateFolder, 'checkpoints')).toSorted()).toEqual(['in-use', 'own-id'])
})

test('a lost connection is said, and nothing is kept or restored', async () => {
  const { options, make } = stage({ 'a.txt': 'one' })
  const id = await make()
  const { elsewhere } = options
  if (!elsewhere) throw new Error('this is another machine')
  const machine = { ask: async () => ({ ok: false, why: 'lost', words: '' }) as const }
  const lost = createCheckpoints({ ...options, elsewhere: { ...elsewhere, machine } })
  const refused = { ok: false, why: 'the connection was lost' }
  expect(await lost.make({ by: 'user', session: null, label: '' })).toEqual(refused)
  expect(await lost.restore(id, { session: null })).toEqual(refused)
})
