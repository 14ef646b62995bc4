import { describe, expect, test } from 'vitest'
import { errorWords, failureWords } from '../../../src/agents/meerkat/error-words.ts'
import { diffsOfPatch } from '../../../src/agents/meerkat/turn/patch.ts'
import { resultContent } from '../../../src/agents/meerkat/turn/result.ts'
import { toUsage, missingUsage } from '../../../src/agents/meerkat/turn/usage.ts'

const error = (message: string, inner?: object) => ({
  code: -32010,
  message,
  ...(inner && { data: { error: inner } }),
})
const text = (words: string) => ({ type: 'text', text: words, media_type: undefined, url: undefined })
const data = (value: unknown) => ({
  type: 'structured',
  text: undefined,
  media_type: undefined,
  url: undefined,
  data: value,
})
const wire = (more: object) => ({
  input_tokens: 100,
  output_tokens: 5,
  cache_read_tokens: 40,
  accounting: undefined,
  ...more,
})
const accounting = (convention: string) => ({ accounting: { provider: 'p', model: 'm', convention } })
const none = () => null
const price = (model: string) => (model === 'm' ? 0.5 : null)

describe('a message loses the layers that it came through:', () => {
  test.each([
    [
      'turn abandoned: Terminal failure: Failed (LlmFailure): LLM failure terminal turn: LLM error (self_hosted): Stream parsing error: invalid tool call arguments JSON for call_5',
      'invalid tool call arguments JSON for call_5',
    ],
    ['executor requested SessionUnavailable teardown: agent error: Run was cancelled', 'Run was cancelled'],
    ['Content filtered on turn 0', 'Content filtered on turn 0'],
    ['LLM error (openai): {"error":{"message":"no such model"}}', 'no such model'],
  ])('%s', (whole, words) => expect(failureWords(whole)).toBe(words))
})

describe('an error gives advice:', () => {
  test.each([
    [
      error('turn abandoned: provider authentication failed: provider=openai kind=missing_secret'),
      'there is no key for openai; set OPENAI_API_KEY and start zotui again',
    ],
    [
      error('too long', { reason: { reason_type: 'llm_context_exceeded' } }),
      'too long; the conversation is too long for this model: /clear starts a new one, /model switches to a larger model',
    ],
    [
      error('gone', { kind: 'retry_exhausted' }),
      "gone; check that the model's server can be reached, then send it again",
    ],
    [{ code: -32001, message: 'session not found: x' }, 'session not found: x; /clear begins a new session'],
    [{ code: -32603, message: '' }, 'error -32603'],
  ])('%s', (told, words) => expect(errorWords(told)).toBe(words))
})

test('a patch names its files and their lines, as far as it has them', () => {
  const patch = [
    '*** Begin Patch',
    '*** Add File: new.txt',
    '+alpha',
    '*** Update File: old.txt',
    '@@',
    ' same',
    '-before',
    '+after',
    '*** Delete File: gone.txt',
    '*** End Patch',
  ].join('\n')
  expect(diffsOfPatch(patch)).toEqual([
    { path: 'new.txt', before: null, after: 'alpha\n' },
    { path: 'old.txt', before: 'same\nbefore\n', after: 'same\nafter\n' },
    { path: 'gone.txt', before: '', after: '' },
  ])
})

describe('a result', () => {
  const command = { isCommand: true, isError: false }
  const other = { isCommand: false, isError: false }
  test.each([
    ['of a command', [text('exit code 0 (0.6s)\na')], command, [{ type: 'text', text: 'a' }], false],
    ['of a silent command', [text('exit code 0 (0.6s)')], command, [], false],
    [
      'of a command that failed',
      [text('exit code 3 (0.9s)\nline')],
      command,
      [{ type: 'text', text: 'line\n[exit 3]' }],
      true,
    ],
    [
      'that only looks like one',
      [text('exit code 3 (0.9s)\nline')],
      other,
      [{ type: 'text', text: 'exit code 3 (0.9s)\nline' }],
      false,
    ],
    [
      'of a tool that is missing',
      [text('{"error":"e","message":"Tool not found: x"}')],
      { ...other, isError: true },
      [{ type: 'text', text: 'Tool not found: x' }],
      false,
    ],
    [
      'of a patch',
      [data({ added_files: ['a'], modified_files: ['b'], deleted_files: [] })],
      other,
      [{ type: 'text', text: 'added a\nchanged b' }],
      false,
    ],
    [
      'of tasks',
      [data([{ id: '1', subject: 'Look', status: 'pending' }])],
      other,
      [{ type: 'text', text: 'Look (pending)' }],
      false,
    ],
    ['of anything else', [data({ a: 1 })], other, [{ type: 'text', text: '{\n  "a": 1\n}' }], false],
  ])('%s is described in words', (_name, blocks, kind, content, exitFailed) => {
    expect(resultContent(blocks, kind)).toEqual({ content, exitFailed })
  })
})

describe('tokens', () => {
  test.each([
    ['that include the cached ones', 'open_ai_compatible_prompt_includes_cache_details', 60],
    ['that do not', 'anthropic_disjoint_input_components', 100],
  ])('%s are distinguished', (_name, convention, input) => {
    expect(toUsage(wire(accounting(convention)), none)).toMatchObject({
      input,
      cacheRead: 40,
      output: 5,
      costUsd: null,
    })
  })
  test('cost the price of their model', () => {
    expect(toUsage(wire(accounting('x')), price).costUsd).toBe(0.5)
  })
  test('are reported once for each model call', () => {
    const [one, other] = [wire({ output_tokens: 1 }), wire({ output_tokens: 2 })]
    expect(missingUsage([one, one, other], [one])).toEqual([one, other])
  })
})
