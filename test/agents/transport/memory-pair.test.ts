import { expect, test } from 'vitest'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'

test('lines arrive in order, and never within the call that wrote them', async () => {
  const { near, far } = createMemoryPair()
  const got: string[] = []
  near.receive(line => got.push(line))
  far.write('1')
  far.write('2')
  expect(got).toEqual([])
  far.end()
  await near.ended
  expect(got).toEqual(['1', '2'])
})

test('early lines are kept for the receiver, on both ends', async () => {
  const { near, far } = createMemoryPair()
  near.write('hello')
  near.closeInput()
  far.write('hi')
  far.end({ code: 3 })
  const ending = await near.ended
  const got: string[] = []
  near.receive(line => got.push(line))
  expect(got).toEqual(['hi'])
  expect(ending.code).toBe(3)
})

test('the far end receives the lines and then the end of the input', async () => {
  const { near, far } = createMemoryPair()
  const got: string[] = []
  near.write('a')
  near.closeInput()
  near.write('too late')
  far.receive(line => got.push(line))
  far.onInputClosed(() => {
    got.push('(closed)')
    far.end()
  })
  await near.ended
  expect(got).toEqual(['a', '(closed)'])
})

test('nothing is delivered after the end, which comes once', async () => {
  const { near, far } = createMemoryPair()
  const got: string[] = []
  near.receive(line => got.push(line))
  far.writeError('zot: over')
  far.end({ code: 1 })
  far.write('too late')
  far.end({ code: 2 })
  expect(await near.ended).toEqual({
    code: 1,
    signal: null,
    spawnError: null,
    outputClosed: false,
    lastWords: ['zot: over'],
  })
  expect(got).toEqual([])
  expect(near.words()).toEqual(['zot: over'])
})

test('a signal ends a far end without a handler', async () => {
  const { near } = createMemoryPair()
  near.kill('SIGTERM')
  expect(await near.ended).toMatchObject({ code: null, signal: 'SIGTERM' })
})

test('a far end can refuse SIGTERM, but not SIGKILL', async () => {
  const { near, far } = createMemoryPair()
  const signals: string[] = []
  far.onKill(signal => signals.push(signal))
  near.kill('SIGTERM')
  near.kill('SIGKILL')
  expect(await near.ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  expect(signals).toEqual(['SIGTERM', 'SIGKILL'])
})

test('an end that answers itself still lets promises run', async () => {
  const { near, far } = createMemoryPair()
  let count = 0
  far.receive(line => far.write(line))
  near.receive(line => {
    count += 1
    near.write(line)
  })
  near.write('ping')
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve()
  far.end()
  await near.ended
  expect(count).toBeGreaterThan(1)
})
