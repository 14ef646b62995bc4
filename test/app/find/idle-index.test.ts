/** The index of all sessions is built while nothing happens in a conversation. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createIdleIndex } from '../../../src/app/find/idle-index.ts'
import type { AppState } from '../../../src/state/state.ts'
import type { SessionFinder } from '../../../src/storage/find/passage.ts'

/** A conversation whose time passes when it is said. */
function conversation() {
  const did: string[] = []
  let due: (() => void) | null = null
  let built: (() => void) | null = null
  const finder: SessionFinder = {
    find: () => Promise.resolve({ ok: true, found: [], share: 1, isCut: false }),
    catchUp() {
      did.push('build')
      return new Promise(resolve => {
        built = () => resolve(null)
      })
    },
    pause: () => void did.push('pause'),
    close: () => undefined,
  }
  const shown: Pick<AppState, 'page' | 'leaving'> = { page: null, leaving: null }
  const index = createIdleIndex(
    {
      openSessionFinder: () => Promise.resolve(finder),
      sessions: { flush: () => void did.push('flush') },
      state: () => shown,
    },
    {
      after(_ms, run) {
        due = run
        return () => {
          due = null
        }
      },
    },
  )
  return {
    did,
    shown,
    index,
    isWaiting: () => due !== null,
    pass: async (): Promise<void> => {
      due?.()
      await setImmediate()
    },
    complete: async (): Promise<void> => {
      built?.()
      await setImmediate()
    },
  }
}

test('a while after a turn the index is built, with the words of that turn, and its memory is freed then', async () => {
  const { did, index, pass, complete } = conversation()
  index.onEvent({ type: 'turn_ended' })
  expect(did).toEqual([])
  await pass()
  expect(did).toEqual(['flush', 'build'])
  await complete()
  expect(did).toEqual(['flush', 'build', 'pause'])
})

test('a next prompt ends the waiting, and the building', async () => {
  const { did, index, pass, isWaiting } = conversation()
  index.onEvent({ type: 'turn_ended' })
  index.onEvent({ type: 'prompt_sent' })
  expect(isWaiting()).toBe(false)
  index.onEvent({ type: 'turn_ended' })
  await pass()
  index.onEvent({ type: 'turn_begun' })
  expect(did).toEqual(['flush', 'build', 'pause'])
})

test('before the first turn nothing is opened, nor while a page is open or the program ends', async () => {
  const { did, shown, index, pass } = conversation()
  index.onEvent({ type: 'agent_started' })
  await pass()
  shown.page = 'find'
  index.onEvent({ type: 'turn_ended' })
  await pass()
  shown.page = null
  shown.leaving = 'ending'
  index.onEvent({ type: 'turn_ended' })
  await pass()
  expect(did).toEqual([])
})
