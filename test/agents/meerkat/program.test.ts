import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findMeerkat, isMeerkat, meerkatArguments, readMeerkatWords } from '../../../src/agents/meerkat/program.ts'

const root = mkdtempSync(join(tmpdir(), 'rkat-'))
afterAll(() => rmSync(root, { recursive: true }))

describe("the words of --agent 'meerkat ...'", () => {
  test.each([
    ['meerkat', { args: [], flags: {} }],
    ['meerkat --model gpt-5.1 --provider=openai', { args: [], flags: {}, model: 'gpt-5.1', provider: 'openai' }],
    ['meerkat --shell --builtins --memory', { args: [], flags: { shell: true, builtins: true, memory: true } }],
    [
      'meerkat --max-tokens 5000 --max-tool-calls=3 --reasoning high',
      { args: [], flags: { budget: { tokens: 5000, toolCalls: 3 } }, reasoning: 'high' },
    ],
    ["meerkat --realm-backend jsonl --x 'a b'", { args: ['--realm-backend', 'jsonl', '--x', 'a b'], flags: {} }],
  ])('%s', (words, value) => {
    expect(isMeerkat(words)).toBe(true)
    expect(readMeerkatWords(words)).toEqual({ ok: true, value })
  })

  test.each([
    ['meerkat --model', '--model of meerkat needs a name'],
    ['meerkat --max-tokens many', '--max-tokens of meerkat needs a number'],
    ['meerkat --max-tokens 0', '--max-tokens of meerkat needs a number'],
    ["meerkat '--model", 'the agent "meerkat \'--model" is not a command'],
  ])('%s is a mistake', (words, reason) => {
    expect(readMeerkatWords(words)).toMatchObject({ ok: false, reason })
  })

  test.each(['meerkats', 'my-meerkat', '/bin/meerkat', 'zot'])('%s is another agent', words => {
    expect(isMeerkat(words)).toBe(false)
  })
})

describe('the arguments of the program', () => {
  const places = { stateFolder: '/s', folder: '/p' }

  test('name the realm, its folder and the project', () => {
    expect(meerkatArguments([], places)).toEqual(['--realm', 'zotui', '--state-root', '/s', '--context-root', '/p'])
  })

  test.each([
    [['--realm-backend', 'sqlite'], 'zotui'],
    [['--realm-backend', 'jsonl'], 'zotui-jsonl'],
    [['--realm-backend=memory'], 'zotui-memory'],
  ])('%j has a realm of its own', (args, realm) => {
    const all = meerkatArguments(args, places)
    expect(all.slice(0, 2)).toEqual(['--realm', realm])
    expect(all.slice(-args.length)).toEqual(args)
  })

  test('are not passed twice', () => {
    expect(meerkatArguments(['--realm=mine', '--state-root', '/t', '--context-root', '/q'], places)).toEqual([
      '--realm=mine',
      '--state-root',
      '/t',
      '--context-root',
      '/q',
    ])
    expect(meerkatArguments(['--isolated'], places)).not.toContain('--realm')
  })
})

describe('the program', () => {
  const file = join(root, 'rkat-rpc')
  writeFileSync(file, '#!/bin/sh\n')
  chmodSync(file, 0o755)

  test("is found in PATH, and at the user's path", async () => {
    expect(findMeerkat(null, { PATH: root }, '/')).toEqual({ ok: true, value: file })
    expect(findMeerkat('./rkat-rpc', { PATH: '' }, root)).toEqual({ ok: true, value: file })
  })

  test('gives advice if it is missing, and is not replaced by another', async () => {
    const hint = expect.stringContaining('cargo install meerkat-rpc') as string
    expect(findMeerkat(null, { PATH: '' }, root)).toEqual({ ok: false, reason: 'rkat-rpc was not found', hint })
    expect(findMeerkat('/missing/rkat', { PATH: root }, root)).toMatchObject({ ok: false })
  })
})
