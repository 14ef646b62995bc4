/** One program for several tests. */
import { expect, test } from 'vitest'
import { open, share, type Screen } from './screen.ts'

const renewed: Screen[] = []
const waiting = share(
  async () => {
    const screen = await open({ program: ['-e', 'console.log("here"); process.stdin.resume()'] })
    await screen.see('here')
    return screen
  },
  async screen => void renewed.push(screen),
)
const met: Screen[] = []

test('the first test opens it', async () => {
  met.push(await waiting())
  expect(renewed).toEqual([])
})

test('the next one gets the same, renewed', async () => {
  expect(await waiting()).toBe(met[0])
  expect(renewed).toEqual(met)
})

test.fails('a test that fails ends it', async () => {
  expect(await waiting()).not.toBe(met[0])
})

test('the next one gets another', async () => {
  expect(await met[0]?.exit()).toEqual({ code: null, signal: 'SIGTERM' })
  met.push(await waiting())
  expect(met[1]).not.toBe(met[0])
})
