import { expect, test } from 'vitest'
import { createKnownRepositories } from '../../../src/platform/git/known-repositories.ts'
import type { GitSays } from '../../../src/platform/git/repository.ts'

const fine: GitSays = { reason: null, isPartial: false, programs: [], settings: [] }

test('a folder that was not asked about, or about which git did not answer, is a reason to ask the user', async () => {
  const answers = new Map<string, GitSays>([['/a', fine]])
  const { learn, says } = createKnownRepositories(async folder => {
    const answer = answers.get(folder)
    if (!answer) throw new Error('git is gone')
    return answer
  })
  const reason = 'git was not asked which settings apply there'
  expect(says('/a').reason).toBe(reason)
  await learn(['/a', '/b'])
  expect([says('/a').reason, says('/b').reason]).toEqual([null, reason])
  answers.set('/a', { ...fine, reason: 'a setting' })
  await learn(['/a'])
  expect(says('/a').reason).toBe('a setting')
  answers.delete('/a')
  await learn(['/a'])
  expect(says('/a').reason).toBe(reason)
})

test('the answer about one folder stays while another call asks about it again', async () => {
  const gates: ((says: GitSays) => void)[] = []
  const { learn, says } = createKnownRepositories(
    () =>
      new Promise(resolve => {
        gates.push(resolve)
      }),
  )
  const first = learn(['/a'])
  gates[0]?.(fine)
  await first
  const second = learn(['/a'])
  expect(says('/a')).toBe(fine)
  gates[1]?.({ ...fine, isPartial: true })
  await second
  expect(says('/a').isPartial).toBe(true)
})

test('only the answers about the last hundred folders are kept', async () => {
  const { learn, says } = createKnownRepositories(async () => fine)
  for (let at = 0; at <= 100; at++) await learn([`/${at}`])
  expect([says('/0').reason === null, says('/1').reason, says('/100').reason]).toEqual([false, null, null])
})
