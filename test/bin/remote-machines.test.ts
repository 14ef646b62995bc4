/** The machines of a zotui: conversations on the same machine and folder share one, which is closed with the last of them. */
import { expect, test } from 'vitest'
import type { Remote, RemoteStart } from '../../bin/wiring/start/remote.ts'
import { createRemoteMachines } from '../../bin/wiring/start/remote-machines.ts'

/** Machines that note what is closed. One whose name begins with `job` is a place that zotui starts. */
function played() {
  const closed: string[] = []
  const left: string[] = []
  let count = 0
  const machines = createRemoteMachines({
    async connect({ on }) {
      const number = (count += 1)
      const isStarted = on?.startsWith('job') ?? false
      const key = isStarted ? `/${on}/${number}` : `/${on}`
      const close = async () => {
        closed.push(`${on} ${number}`)
        return isStarted ? `${on} is still running.` : null
      }
      return { key, isStarted, close } as Remote
    },
    onLeft: words => void left.push(words),
  })
  const start = { signal: new AbortController().signal } as RemoteStart
  return { machines, closed, left, open: (on: string) => machines.open(on, start) }
}

test('a second conversation on the same machine and folder uses the connection of the first, which its end leaves open', async () => {
  const { machines, closed, open } = played()
  const first = await open('ssh:build')
  const second = await open('ssh:build')
  expect(second).toBe(first)
  expect(machines.withKey('/ssh:build')).toBe(first)
  expect(closed).toEqual(['ssh:build 2'])
  machines.release(second)
  expect(closed).toEqual(['ssh:build 2'])
  machines.release(first)
  machines.release(first)
  expect(closed).toEqual(['ssh:build 2', 'ssh:build 1'])
  expect(machines.withKey('/ssh:build')).toBeUndefined()
})

test('a place is started anew each time, and what it leaves running is said once', async () => {
  const { machines, closed, left, open } = played()
  const first = await open('job:big')
  await open('job:big')
  machines.release(first)
  await expect.poll(() => left).toEqual(['job:big is still running.'])
  expect(await machines.close()).toEqual(['job:big is still running.'])
  expect(closed).toEqual(['job:big 1', 'job:big 2'])
  expect(await machines.close()).toEqual([])
})

test('what is still being opened at the end is stopped, and a place says what has become of it', async () => {
  const said: string[] = []
  const machines = createRemoteMachines({
    connect: async ({ on }, { signal }) => {
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      if (on === 'ssh:late') return { name: on, key: '/late', close: async () => 'ssh:late was closed.' } as Remote
      throw new Error(`Stopped. ${on} was removed.`)
    },
    onLeft: words => void said.push(words),
  })
  const start = { signal: new AbortController().signal } as RemoteStart
  const opened = ['job:big', 'ssh:build', 'ssh:late'].map(on => machines.open(on, start))
  const ended = Promise.allSettled(opened)
  expect(await machines.close()).toEqual(['Stopped. job:big was removed.', 'ssh:late was closed.'])
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(machines.withKey('/late')).toBeUndefined()
})
