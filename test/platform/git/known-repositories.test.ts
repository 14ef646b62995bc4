import { expect, test } from 'vitest'
import { createKnownRepositories } from '../../../src/platform/git/known-repositories.ts'
import type { GitSays } from '../../../src/platform/git/repository.ts'

/** The settings of folders alone. */
function known(settings: (folder: string) => Promise<GitSays>) {
  const { learn, says } = createKnownRepositories({ settings, tracked: async () => null })
  return { says, learn: async (folders: readonly string[]) => learn({ settings: folders, tracked: [] }) }
}

const fine: GitSays = { reason: null, isPartial: false, programs: [], settings: [] }

test('a folder that was not asked about, or about which git did not answer, is a reason to ask the user', async () => {
  const answers = new Map<string, GitSays>([['/a', fine]])
  const { learn, says } = known(async folder => {
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
  const { learn, says } = known(
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
  const { learn, says } = known(async () => fine)
  for (let at = 0; at <= 100; at++) await learn([`/${at}`])
  expect([says('/0').reason === null, says('/1').reason, says('/100').reason]).toEqual([false, null, null])
})

test('the files of a folder are known as git listed them last, and not known where it did not', async () => {
  const lists = new Map([['/a', { top: '/a', files: ['/a/x'] }]])
  const { learn, tracks } = createKnownRepositories({
    settings: async () => fine,
    async tracked(folder) {
      const list = lists.get(folder)
      if (!list) throw new Error('git is gone')
      return list
    },
  })
  const all = { settings: [], tracked: ['/a', '/b'] }
  expect([tracks('/a'), tracks('/b')]).toEqual([null, null])
  await learn(all)
  expect([tracks('/a')?.files, tracks('/b')]).toEqual([['/a/x'], null])
  lists.delete('/a')
  await learn(all)
  expect(tracks('/a')).toBeNull()
})
