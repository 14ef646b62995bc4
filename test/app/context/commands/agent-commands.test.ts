import { expect, test } from 'vitest'
import { agentCommands } from '../../../../src/app/context/commands/agent-commands.ts'

const taken = new Set(['clear', 'review'])
const command = (name: string, hint?: string) => ({ name, description: `does ${name}`, ...(hint && { hint }) })

test('A command of the agent has its own name, and one with that of the agent', async () => {
  const [init] = agentCommands([command('init', 'what to look at')], 'claude', taken)
  expect(init).toMatchObject({ name: 'init', aliases: ['claude:init'], from: 'claude', argument: '[what to look at]' })
  expect(await init?.prompt('tests')).toEqual({ ok: true, text: '/init tests' })
  expect(await init?.prompt('')).toEqual({ ok: true, text: '/init' })
})

test("Names of zotui win: the agent's command stays reachable", async () => {
  const [review] = agentCommands([command('review')], 'codex', taken)
  expect(review).toMatchObject({ name: 'codex:review', aliases: [] })
  expect(await review?.prompt('')).toEqual({ ok: true, text: '/review' })
})

test('Capitals are typed as small letters, and sent as the agent wrote them', async () => {
  const [one] = agentCommands([command('Do-It')], 'qwen', taken)
  expect(one?.name).toBe('do-it')
  expect(await one?.prompt('')).toEqual({ ok: true, text: '/Do-It' })
})

test('A name that cannot be typed, or a second one, is omitted', () => {
  const names = ['two words', '', 'a', 'A', 'x\u001B[2J'].map(name => command(name))
  expect(agentCommands(names, 'x', taken).map(({ name }) => name)).toEqual(['a'])
})

test('Long descriptions are cut', () => {
  const [one] = agentCommands([{ name: 'a', description: 'x'.repeat(10_000) }], 'x', taken)
  expect(one?.help.length).toBeLessThan(1000)
})
