/** A zot that is started before the rest of the program is loaded. */
import { expect, test } from 'vitest'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import { createLauncher } from '../../../src/agents/zot/launcher.ts'
import type { GuardedZot } from '../../../src/agents/zot/guard/guarded-launch.ts'
import { stage } from './scripted-zot.ts'

/** A launcher whose zots are pairs in memory, and those that were started. */
function launching(isEarly = true) {
  const started: { start: object; isGuarded: boolean; signals: string[]; isUnlinked: boolean }[] = []
  const pair = (start: object, isGuarded: boolean) => {
    const { near, far } = createMemoryPair()
    const zot = { start, isGuarded, signals: [] as string[], isUnlinked: false }
    far.onKill(signal => zot.signals.push(signal))
    started.push(zot)
    return { near, zot }
  }
  const launcher = createLauncher(
    {
      connect: start => pair(start, false).near,
      connectGuarded(start) {
        const { near, zot } = pair(start, true)
        return { transport: near, link: { close: () => void (zot.isUnlinked = true) } } as unknown as GuardedZot
      },
      isEarly,
    },
    { model: 'sonnet' },
  )
  return { launcher, started }
}

test('an early zot has its guard, and is the one that is used', () => {
  const { launcher, started } = launching()
  expect(started).toMatchObject([{ start: { model: 'sonnet' }, isGuarded: true }])
  expect(launcher.launch({ model: 'sonnet' }, true).guarded).not.toBeNull()
  expect(started).toHaveLength(1)
})

test('the next zot is a new process', () => {
  const { launcher, started } = launching()
  launcher.launch({ model: 'sonnet' }, true)
  launcher.launch({ model: 'sonnet' }, true)
  expect(started).toHaveLength(2)
})

test.each([
  ['another model', { model: 'haiku' }, true],
  ['no guard', { model: 'sonnet' }, false],
])('an early zot is ended where the first start wants %s', async (_, start, isGuarded) => {
  const { launcher, started } = launching()
  const { transport } = launcher.launch(start, isGuarded)
  await launcher.close()
  const [early, used] = started
  expect(early).toMatchObject({ signals: ['SIGKILL'], isUnlinked: true })
  expect(used).toMatchObject({ start, isGuarded, signals: [], isUnlinked: false })
  transport.kill('SIGTERM')
  await Promise.resolve()
  expect(used?.signals).toEqual(['SIGTERM'])
})

test('closing ends an early zot that was not used, and its guard', async () => {
  const { launcher, started } = launching()
  await launcher.close()
  expect(started).toMatchObject([{ signals: ['SIGKILL'], isUnlinked: true }])
})

test('closing leaves a zot alone that is used', async () => {
  const { launcher, started } = launching()
  launcher.launch({ model: 'sonnet' }, true)
  await launcher.close()
  expect(started).toMatchObject([{ signals: [], isUnlinked: false }])
})

test('an early start that fails is retried, and then says why', () => {
  let tries = 0
  const fail = (): never => {
    tries += 1
    throw new Error('no folder')
  }
  const launcher = createLauncher({ connect: fail, isEarly: true }, {})
  expect(() => launcher.launch({}, false)).toThrow('no folder')
  expect(tries).toBe(2)
})

test('a backend that is closed before it is opened ends its early zot', async () => {
  const { near } = createMemoryPair()
  const { backend } = stage({ connect: () => near, isEarly: true })
  await backend.close()
  expect(await near.ended).toMatchObject({ signal: 'SIGKILL' })
})
