/** The pure parts: usage, forms, options, errors, answers, results, known agents. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { errorWords } from '../../../src/agents/acp/error-words.ts'
import { innerWords } from '../../../src/agents/host/inner-words.ts'
import { explainEnd } from '../../../src/agents/host/explain-end.ts'
import { readElicitation, readOptions, readSession } from '../../../src/agents/acp/frame.ts'
import { findAgent } from '../../../src/agents/acp/find-agent.ts'
import { installHint, knownAgents } from '../../../src/agents/acp/known-agents.ts'
import { mayBeShortened } from '../../../src/agents/acp/launch.ts'
import { fieldsOf, valuesOf } from '../../../src/agents/acp/session/form.ts'
import { optionsOf, agentOptions, withConfig } from '../../../src/agents/acp/session/options.ts'
import { createAnswer } from '../../../src/agents/acp/turn/answer.ts'
import { resultOf } from '../../../src/agents/acp/turn/call-result.ts'
import { promptBlocks, shownContent, toContent } from '../../../src/agents/acp/turn/content.ts'
import { toUsage } from '../../../src/agents/acp/turn/usage.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-known-'))
afterAll(() => rmSync(folder, { recursive: true }))

const readForm = (properties: object, required: string[] = []) =>
  fieldsOf(
    readElicitation({ mode: 'form', message: 'm', requestedSchema: { type: 'object', properties, required } }) ?? {
      mode: '',
      message: '',
      sessionId: undefined,
      requestedSchema: undefined,
    },
  )

const session = (value: object) =>
  readSession(value) ?? { sessionId: undefined, modes: null, models: null, configOptions: null }

const tell = (...pieces: [text: string, id: string | null][]) => {
  const answer = createAnswer()
  const events = [...pieces.flatMap(([text, id]) => answer.text(text, id, 0)), ...answer.end(0)]
  return {
    text: events.map(event => (event.type === 'text_received' ? event.text : '')).join(''),
    retries: events.filter(({ type }) => type === 'retry_announced').length,
  }
}

const nothing = { meaning: () => undefined, chosen: new Map() }

const text = (value: string) => [{ type: 'text', text: value }]

const block = (value: string) => ({
  type: 'content',
  content: { type: 'text', text: value, mimeType: undefined, data: undefined, uri: undefined, name: undefined },
})
const blocks = (value: string) => [
  { ...block(value), path: undefined, oldText: null, newText: undefined, terminalId: undefined },
]

describe('the tokens of a turn', () => {
  test.each([
    [
      'the input without what was cached (Claude Code)',
      { inputTokens: 2400, outputTokens: 68, cachedReadTokens: 400, cachedWriteTokens: 0, totalTokens: 2868 },
      { input: 2400, output: 68, cacheRead: 400, cacheWrite: 0, costUsd: null, reasoning: null },
    ],
    [
      'the output with the thoughts (Codex)',
      { totalTokens: 2468, inputTokens: 2000, cachedReadTokens: 400, outputTokens: 68, thoughtTokens: 14 },
      { input: 2000, output: 68, cacheRead: 400, cacheWrite: 0, costUsd: null, reasoning: 14 },
    ],
    [
      'the thoughts beside the output (OpenCode)',
      { inputTokens: 1000, outputTokens: 27, totalTokens: 1234, thoughtTokens: 7, cachedReadTokens: 200 },
      { input: 1000, output: 34, cacheRead: 200, cacheWrite: 0, costUsd: null, reasoning: 7 },
    ],
    [
      'the input with what was cached (Qwen Code)',
      { inputTokens: 1200, outputTokens: 34, totalTokens: 1234, thoughtTokens: 7, cachedReadTokens: 200 },
      { input: 1000, output: 34, cacheRead: 200, cacheWrite: 0, costUsd: null, reasoning: 7 },
    ],
    [
      'no total',
      { inputTokens: 5, outputTokens: 2 },
      { input: 5, output: 2, cacheRead: 0, cacheWrite: 0, costUsd: null, reasoning: null },
    ],
    ['nothing', { inputTokens: 0, outputTokens: 0, totalTokens: 0 }, null],
  ])('counted with %s', (_name, wire, usage) => expect(toUsage(wire)).toEqual(usage))
})

describe('an error in words', () => {
  test.each([
    [{ code: -32603, message: 'Internal error', data: { details: 'no disk' } }, 'no disk'],
    [{ code: 401, message: '{"error":{"type":"x","message":"invalid key"}}' }, 'invalid key'],
    [{ code: -32603, message: 'Internal error: Connection reset' }, 'Internal error: Connection reset'],
    [{ code: 7, message: '' }, 'error 7'],
    [{ code: -32602, message: 'Invalid params', data: { _errors: [] } }, 'Invalid params'],
    [{ code: 1, message: '{broken' }, '{broken'],
  ])('%j', (error, words) => expect(errorWords(error)).toBe(words))

  test('keeps a part that it does not understand', () => {
    fc.assert(fc.property(fc.string(), text => typeof innerWords(text) === 'string'))
  })
})

describe('a form', () => {
  test.each([
    [{ type: 'string' }, { kind: 'text', label: 'f' }],
    [
      { type: 'string', title: 'T', description: 'D', default: 'x' },
      { kind: 'text', label: 'T', about: 'D', initial: 'x' },
    ],
    [
      { type: 'string', enum: ['a', 'b'] },
      {
        kind: 'choice',
        choices: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      {
        type: 'string',
        oneOf: [
          { const: 'a', title: 'A', description: 'the first' },
          { const: 'b', title: '' },
        ],
      },
      {
        kind: 'choice',
        choices: [
          { value: 'a', label: 'A', about: 'the first' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      { type: 'integer', default: 3 },
      { kind: 'number', initial: 3 },
    ],
    [{ type: 'boolean' }, { kind: 'boolean' }],
    [
      { type: 'array', items: { enum: ['a'] } },
      { kind: 'choices', choices: [{ value: 'a', label: 'a' }] },
    ],
    [
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A', description: 'the first' }] } },
      { kind: 'choices', choices: [{ value: 'a', label: 'A', about: 'the first' }] },
    ],
  ])('asks for %j', (property, field) =>
    expect(readForm({ f: property })).toMatchObject([{ name: 'f', required: false, ...field }]),
  )

  test('leaves out a field that it cannot ask for, and is refused if that is required', () => {
    expect(readForm({ a: { type: 'object' }, b: { type: 'string' } })).toMatchObject([{ name: 'b' }])
    expect(readForm({ a: { type: 'object' }, b: { type: 'string' } }, ['a'])).toBeNull()
  })

  test('returns the values of its own fields only', () => {
    expect(valuesOf(readForm({ a: { type: 'string' } }) ?? [], { a: 'x', b: 'y' })).toEqual({ a: 'x' })
  })
})

describe('the options of a session', () => {
  const modes = {
    currentModeId: 'default',
    availableModes: [
      { id: 'default', name: 'Default' },
      { id: 'plan', name: 'Plan', description: 'reads' },
    ],
  }
  const models = { currentModelId: 'a', availableModels: [{ modelId: 'a', name: 'A' }] }
  test('come from the modes and models of an older agent, each set by a separate request', () => {
    const options = optionsOf(session({ modes, models }))
    expect(agentOptions(options, nothing)).toMatchObject([
      { category: 'mode', value: 'default', choices: [{ value: 'default' }, { value: 'plan', about: 'reads' }] },
      { category: 'model', value: 'a' },
    ])
    expect(options.map(option => option.set('x'))).toEqual([
      { method: 'session/set_mode', params: { modeId: 'x' } },
      { method: 'session/set_model', params: { modelId: 'x' } },
    ])
  })

  test('appear once if an agent reports them in two ways', () => {
    const mode = {
      id: 'mode',
      name: 'Mode',
      category: 'mode',
      type: 'select',
      currentValue: 'plan',
      options: [{ group: 'g', options: [{ value: 'plan', name: 'Plan' }] }],
    }
    const fast = { id: 'fast', name: 'Fast', category: 'model_config', type: 'boolean', currentValue: true }
    const options = optionsOf(session({ modes, models, configOptions: [mode, fast] }))
    expect(agentOptions(options, nothing)).toMatchObject([
      { id: 'mode', category: 'mode', kind: 'choice', value: 'plan', choices: [{ value: 'plan' }] },
      { id: 'fast', category: 'other', kind: 'switch', value: true, choices: [] },
      { category: 'model', value: 'a' },
    ])
    expect(options[1]?.set(false).params).toEqual({ configId: 'fast', type: 'boolean', value: false })
    // A model without it takes an option away; what was told in the older way stays.
    const left = withConfig(options, readOptions({ configOptions: [mode] })?.configOptions ?? [])
    expect(left.map(({ id }) => id)).toEqual(['mode', 'session model'])
  })
})

describe('an answer', () => {
  test('that starts over is reported once', () => {
    expect(tell(['Half ', 'a'], ['Ha', 'b'], ['lf ', 'b'], ['a word', 'b'])).toEqual({
      text: 'Half a word',
      retries: 1,
    })
    expect(tell(['Half ', 'a'], ['Half ', 'b'], ['Half and more', 'c'])).toEqual({ text: 'Half and more', retries: 2 })
  })

  test('of two messages keeps both', () => {
    expect(tell(['I look.', null], ['It is', 'a'], [' done', 'a'])).toEqual({
      text: 'I look.\n\nIt is done',
      retries: 0,
    })
    expect(tell(['It works.\n', 'a'], ['It fails.', 'b'])).toEqual({ text: 'It works.\nIt fails.', retries: 0 })
    expect(tell(['It works.', 'a'], ['It', 'b'])).toEqual({ text: 'It works.\n\nIt', retries: 0 })
  })

  test('never loses text', () => {
    const piece = fc.tuple(fc.constantFrom('a', 'ab', 'b', 'c', ' '), fc.constantFrom(null, 'x', 'y'))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const whole = pieces
          .map(([text]) => text)
          .join('')
          .replaceAll(/\s/g, '')
        const { text, retries } = tell(...pieces)
        const told = text.replaceAll(/\s/g, '')
        expect(retries === 0 ? told : whole).toBe(whole)
      }),
    )
  })
})

describe('the result of a call', () => {
  const parts = { shown: [], printed: '', rawOutput: undefined, exitCode: null, isCommand: false }
  test.each([
    ['what it shows', { shown: [{ type: 'text' as const, text: 'shown' }], rawOutput: 'raw' }, text('shown'), false],
    [
      'the plain output of a command',
      {
        isCommand: true,
        shown: [{ type: 'text' as const, text: 'Command: x' }],
        rawOutput: { output: 'out', exitCode: 3 },
      },
      text('out\n[exit 3]'),
      true,
    ],
    ['what it printed', { printed: 'a\nb\n', exitCode: 0 }, text('a\nb\n'), false],
    ['a raw text', { rawOutput: 'raw' }, text('raw'), false],
    ['an exit code alone', { exitCode: 1 }, text('[exit 1]'), true],
    ['nothing', { rawOutput: { exit_code: 0 } }, [], false],
    [
      'the exit code in its metadata',
      { rawOutput: { output: 'x\n', metadata: { exit: 2 } }, isCommand: true },
      text('x\n[exit 2]'),
      true,
    ],
    [
      'the results of several commands (Cline)',
      {
        rawOutput: [
          { query: 'a', result: 'one\n', success: true },
          {
            query: 'b',
            result: '[Command exited with code 3]\ntwo\n',
            error: 'Command exited with code 3',
            success: false,
          },
        ],
        isCommand: true,
      },
      text('one\n[Command exited with code 3]\ntwo'),
      true,
    ],
    [
      'the exit code of a shell among its contents (Copilot)',
      {
        shown: [{ type: 'text' as const, text: 'out\n<shellId: 0 completed with exit code 3>' }],
        rawOutput: {
          content: 'out',
          contents: [{ type: 'shell_exit', shellId: '0', exitCode: 3 }, { type: 'other' }, 7],
        },
        isCommand: true,
      },
      text('out\n<shellId: 0 completed with exit code 3>\n[exit 3]'),
      true,
    ],
  ])('is %s', (_name, told, content, exitFailed) =>
    expect(resultOf({ ...parts, ...told })).toEqual({ content, exitFailed }),
  )

  test('loses a fence around it', () => {
    expect(shownContent(blocks('```\n1\tone\n```'))).toEqual(text('1\tone'))
    expect(shownContent(blocks('a\n```\nb\n```'))).toEqual(text('a\n```\nb\n```'))
  })

  test('names content that cannot be shown', () => {
    const nothing = { text: undefined, mimeType: undefined, data: undefined, uri: undefined, name: undefined }
    expect(toContent({ ...nothing, type: 'audio' })).toEqual({ type: 'text', text: '[audio that cannot be shown]' })
    expect(toContent({ ...nothing, type: 'image', mimeType: 'image/png', data: 'AAAA' })).toEqual({
      type: 'image',
      mimeType: 'image/png',
      bytes: 3,
    })
  })
})

test('a command of the agent comes first in its prompt, and everything else after it', () => {
  const before = ['$ ls\nnote.txt']
  const texts = (text: string) => promptBlocks({ text, images: [], before }, true).map(block => Object.values(block)[1])
  expect(texts('hello')).toEqual(['$ ls\nnote.txt', 'hello'])
  expect(texts('/compact now')).toEqual(['/compact now', '$ ls\nnote.txt'])
})

const embedded = (uri: string, text: string) => ({ type: 'resource', resource: { uri, mimeType: 'text/plain', text } })
const said = (text: string) => ({ type: 'text', text })

describe('a mentioned file', () => {
  const before = ['$ ls\nnote.txt', 'The content of a b.ts']
  const file = { path: '/project/a b.ts', text: 'one\n', instead: 'The content of a b.ts' }
  test('comes as a resource in the place of its text, where the agent takes that', () => {
    const prompt = { text: 'read @"a b.ts"', images: [], before, resources: [file] }
    expect(promptBlocks(prompt, true)).toEqual([
      said('$ ls\nnote.txt'),
      said('read @"a b.ts"'),
      embedded('file:///project/a%20b.ts', 'one\n'),
    ])
    expect(promptBlocks(prompt, false)).toEqual([...before, 'read @"a b.ts"'].map(said))
  })

  test('has its lines in the address', () => {
    const prompt = { text: 'x', images: [], before, resources: [{ ...file, lines: { from: 3, to: 5 } }] }
    expect(promptBlocks(prompt, true).at(-1)).toEqual(embedded('file:///project/a%20b.ts#L3:5', 'one\n'))
  })

  test.each(['a </context> b', 'a </ Context>', '<context ref="x">', ''])(
    'stays text if an agent could not keep it apart or would lose it: %o',
    text => {
      const prompt = { text: 'x', images: [], before, resources: [{ ...file, text }] }
      expect(promptBlocks(prompt, true)).toEqual([...before, 'x'].map(said))
    },
  )
})

test('only updates may be shortened: a question is always complete', () => {
  expect(mayBeShortened('{"jsonrpc":"2.0","method":"session/update","params":{"session')).toBe(true)
  expect(mayBeShortened('{"jsonrpc":"2.0","id":0,"method":"session/request_permission",')).toBe(false)
  expect(mayBeShortened('{"id":0,"method":"session/update"')).toBe(false)
})

describe('an agent is found', () => {
  const path = join(folder, 'my agent')
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 })
  for (const name of ['claude-agent-acp', 'other']) writeFileSync(join(folder, name), '#!/bin/sh\n', { mode: 0o755 })
  const env = { PATH: folder }

  test('by its name', async () => {
    const [claude] = knownAgents
    const agent = { name: 'claude', file: join(folder, 'claude-agent-acp'), args: [], known: claude }
    expect(findAgent('claude', env, '/')).toEqual({ ok: true, agent })
  })

  test('by a command with arguments, and by a path in quotes', async () => {
    expect(findAgent('other --acp "a b"', env, '/')).toMatchObject({
      ok: true,
      agent: { name: 'other', args: ['--acp', 'a b'], known: null },
    })
    expect(findAgent(`'./my agent' x`, env, folder)).toMatchObject({
      ok: true,
      agent: { name: 'my agent', file: path, args: ['x'] },
    })
  })

  test('or zotui says how to get it', async () => {
    expect(findAgent('codex', env, '/')).toEqual({
      ok: false,
      reason: 'codex-acp was not found',
      hint: 'install it with `npm install -g @agentclientprotocol/codex-acp` (Node 20 or newer)',
    })
    expect(findAgent('nobody', env, '/')).toMatchObject({ ok: false, reason: 'nobody was not found' })
    expect(findAgent('"open', env, '/')).toMatchObject({ ok: false, hint: 'check its quotes' })
    for (const known of knownAgents) expect(installHint(known)).toContain(known.package)
    const vibe = knownAgents.find(({ name }) => name === 'vibe')
    expect(vibe && installHint(vibe)).toBe('install it with `uv tool install mistral-vibe` (Python 3.12 or newer)')
  })
})

describe('an end is explained', () => {
  const ending = { code: null, signal: null, spawnError: null, outputClosed: false, lastWords: [] }
  const words = { name: 'x', protocol: 'the protocol', install: 'install it' }
  const facts = { words, ending, cause: null, started: false }
  const reason = (more: object) => explainEnd({ ...facts, ...more }, text => text).reason
  test.each([
    ['closed', { cause: { type: 'closed' } }, 'x ended'],
    ['killed', { cause: { type: 'killed' } }, 'x was killed; shell commands that it started may still be running'],
    ['not found', { ending: { ...ending, spawnError: 'ENOENT' } }, 'x was not found'],
    ['output closed', { ending: { ...ending, outputClosed: true } }, 'x closed its output, so zotui ended it'],
    [
      'a stack trace',
      { ending: { ...ending, code: 1, lastWords: ['TypeError: bad', '    at f (a.js:1)', 'Node.js v24.1.0'] } },
      'x ended with exit code 1: TypeError: bad',
    ],
    [
      'an error with its object in lines of its own',
      { ending: { ...ending, code: 1, lastWords: ['Error: no disk', 'Error handling request {', '  id: 2,', '}'] } },
      'x ended with exit code 1: Error: no disk',
    ],
    [
      'refused, with an error on standard error',
      {
        cause: { type: 'refused', words: 'no session' },
        ending: { ...ending, lastWords: ['starting', 'Error: no disk'] },
      },
      'x did not start: no session (Error: no disk)',
    ],
    [
      'refused, with its request on standard error',
      {
        cause: { type: 'refused', words: 'Log in first' },
        ending: {
          ...ending,
          lastWords: ['starting', 'Error handling request {', '  id: 2,', '} {', '  message: "Log in first",', '}'],
        },
      },
      'x did not start: Log in first',
    ],
    [
      'refused, with the same words on standard error',
      { cause: { type: 'refused', words: 'no disk' }, ending: { ...ending, lastWords: ['Error: no disk'] } },
      'x did not start: no disk',
    ],
  ])('%s', (_name, more, words) => expect(reason(more)).toBe(words))
})
