import { expect, test } from 'vitest'
import { knownAgents } from '../../src/agents/acp/known-agents.ts'
import { readingChoice } from '../../src/agents/reading.ts'

const reading = { tools: ['read', 'glob', 'skill'], noExt: true }
const env = {}

test('A zot that only reads has no other tools, no extensions and none of the arguments after --', () => {
  const options = { model: 'm', ext: ['/e'], extra: ['--tools', 'bash'] }
  const held = readingChoice({ agent: 'zot', path: '/zot', options, env, version: undefined }, reading)
  expect(held).toMatchObject({
    ok: true,
    value: { mode: null, choice: { options: { model: 'm', ext: [], extra: [], ...reading } } },
  })
})

const of = (tools: string[]) =>
  readingChoice({ agent: 'zot', path: '/zot', options: { tools }, env, version: undefined }, reading)

test('A zot with chosen tools gets no others', () => {
  expect(of(['bash', 'read'])).toMatchObject({ value: { choice: { options: { tools: ['read'], noTools: false } } } })
  expect(of(['bash'])).toMatchObject({ value: { choice: { options: { tools: [], noTools: true } } } })
})

test('A known agent is to be in its own reading mode, and an unknown one is refused', () => {
  for (const known of knownAgents) {
    const program = { name: known.name, file: '/agent', args: [], known }
    expect(readingChoice({ agent: 'acp', program, folder: '/p', env }, reading)).toMatchObject({
      ok: true,
      value: { mode: known.modes.for.read },
    })
  }
  const program = { name: 'mine', file: '/agent', args: [], known: null }
  expect(readingChoice({ agent: 'acp', program, folder: '/p', env }, reading)).toMatchObject({
    ok: false,
    message: expect.stringContaining('mine cannot be limited to reading') as string,
  })
})

test('roz is limited to reading by the guard alone: its tools are those of zotui', () => {
  const address = { target: 'localhost:1', isSecure: false, isLocal: false, isExposed: false }
  const start = { address, key: 'k', model: '', environment: '', task: '', ca: '' }
  const choice = { agent: 'roz', start, roots: null, folder: '/p', env } as const
  expect(readingChoice(choice, reading)).toEqual({ ok: true, value: { choice, mode: null } })
})
