/** What servers want of the person: each is asked about, and not without end. */
import { expect, test } from 'vitest'
import { ServeAsks } from '../../src/program/serve-asks.ts'
import type { ServeAsk } from '../../src/state/serve-ask.ts'

const server = { pid: 7, code: '123456', purpose: 'serve' } as const
const pixel = { id: 'd1', name: 'Pixel 8', role: 'steer' } as const
const prompt = { device: pixel, conversation: 1, title: 'Hello', mode: 'allow' }

function asking() {
  const shown: (readonly ServeAsk[])[] = []
  const fresh: ServeAsk[] = []
  const asks = new ServeAsks({
    onChange(all, now) {
      shown.push(all)
      if (now) fresh.push(now)
    },
  })
  const answers: boolean[] = []
  const ask = () => asks.ask(server, isYes => answers.push(isYes))
  const answer = (isYes: boolean) => asks.answer(asks.all()[0]?.id ?? '', isYes)
  return { asks, ask, answer, answers, shown, fresh }
}

test('a server is asked about with its code, and answered once', () => {
  const { asks, ask, answers, fresh } = asking()
  expect(ask()).not.toBeNull()
  expect(fresh).toMatchObject([{ kind: 'trust', pid: 7, code: '123456' }])
  const id = fresh[0]?.id ?? ''
  asks.answer(id, true)
  asks.answer(id, false)
  asks.answer('nonsense', true)
  expect([answers, asks.all()]).toEqual([[true], []])
})

test('after three noes nobody is asked about a server any more', () => {
  const { ask, answer, answers } = asking()
  for (let at = 0; at < 3; at += 1) {
    ask()
    answer(false)
  }
  expect(ask()).toBeNull()
  expect(answers).toEqual([false, false, false])
})

test('a command that connects again and again is not asked about for ever', () => {
  const { asks, ask, fresh } = asking()
  for (let withdraw = ask(); withdraw; withdraw = ask()) withdraw()
  expect(fresh).toHaveLength(20)
  expect(asks.all()).toEqual([])
})

test('of many servers at the same time eight are asked about', () => {
  const { asks, ask } = asking()
  for (let at = 0; at < 20; at += 1) ask()
  expect(asks.all()).toHaveLength(8)
})

test('a device may send prompts after a yes, in that conversation and that mode', () => {
  const { asks, answer } = asking()
  expect([asks.mayPrompt(prompt), asks.mayPrompt(prompt)]).toEqual([false, false])
  expect(asks.all()).toHaveLength(1)
  answer(true)
  expect(asks.mayPrompt(prompt)).toBe(true)
  expect(asks.mayPrompt({ ...prompt, mode: 'edits' })).toBe(false)
  expect(asks.mayPrompt({ ...prompt, conversation: 2 })).toBe(false)
  expect(asks.mayPrompt({ ...prompt, device: { ...pixel, id: 'd2' } })).toBe(false)
})

test('a yes to a device ends with its server', () => {
  const { asks, ask, answer } = asking()
  asks.mayPrompt(prompt)
  answer(true)
  asks.mayPrompt({ ...prompt, conversation: 2 })
  ask()
  const trust = asks.all().find(({ kind }) => kind === 'trust')
  expect(asks.mayPrompt(prompt)).toBe(true)
  asks.answer(trust?.id ?? '', true)
  expect(asks.all()).toEqual([])
  expect(asks.mayPrompt(prompt)).toBe(false)
  answer(true)
  asks.newSecret()
  expect(asks.mayPrompt(prompt)).toBe(false)
})

test('a device is asked about three times', () => {
  const { asks, answer } = asking()
  for (let at = 0; at < 5; at += 1) {
    asks.mayPrompt(prompt)
    answer(false)
  }
  expect(asks.mayPrompt(prompt)).toBe(false)
  expect(asks.all()).toEqual([])
})

test('each secret is another one, and only the last counts', () => {
  const { asks } = asking()
  expect(asks.secret()).toBeNull()
  const first = asks.newSecret()
  const second = asks.newSecret()
  expect(first).toMatch(/^[\da-f]{64}$/)
  expect(second).not.toBe(first)
  expect(asks.secret()).toBe(second)
})
