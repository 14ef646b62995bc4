/** The answers that a hook may give: everything that is not exactly one is a doubt. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hookEvents, type HookEvent } from '../../src/config/hooks.ts'
import { noAnswer, readAnswer, type HookAnswer } from '../../src/hooks/answer.ts'
import { combined } from '../../src/hooks/answer.ts'
import { isFor } from '../../src/hooks/hooks.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import type { ProgramResult } from '../../src/platform/shell/run-program.ts'

const exited: ProgramResult = { how: 'exited', exitCode: 0, killedBy: null, output: '', errors: '', durationMs: 1 }
const limits = { timeout: 5000, limitBytes: 1000 }
const read = (event: HookEvent, end: Partial<ProgramResult>): HookAnswer =>
  readAnswer(event, { ...exited, ...end }, limits)
const printed = (event: HookEvent, value: unknown): HookAnswer => read(event, { output: `${JSON.stringify(value)}\n` })
const own = (event: HookEvent, fields: object): HookAnswer =>
  printed(event, { hookSpecificOutput: { hookEventName: event, ...fields } })
const doubts = (reason: string): Partial<HookAnswer> => ({ says: 'doubt', reason })

describe('the end of a hook', () => {
  test.each<[string, HookEvent, Partial<ProgramResult>, Partial<HookAnswer>]>([
    ['nothing printed', 'PreToolUse', {}, noAnswer],
    ['a text', 'PreToolUse', { output: 'looks fine\n' }, noAnswer],
    [
      'a text before its answer',
      'PreToolUse',
      { output: '\u001b[1mwelcome\u001b[0m\n{"decision":"block"}\n' },
      doubts('printed text around its answer'),
    ],
    [
      'a text on the line of its answer',
      'UserPromptSubmit',
      { output: 'checked: { "decision" : "block" }' },
      doubts('printed text around its answer'),
    ],
    ['a text with braces', 'PreToolUse', { output: 'checked {"command":"ls"}' }, noAnswer],
    [
      'a text for the agent',
      'UserPromptSubmit',
      { output: ' branch main\n' },
      { says: 'nothing', context: 'branch main' },
    ],
    ['a text at the start', 'SessionStart', { output: 'hello' }, { says: 'nothing', context: 'hello' }],
    ['exit code 2', 'PreToolUse', { exitCode: 2, errors: 'no rm\n' }, { says: 'deny', reason: 'no rm', stops: false }],
    [
      'exit code 2 that printed an answer',
      'PreToolUse',
      { exitCode: 2, output: '{"decision":"approve"}' },
      { says: 'deny' },
    ],
    ['another exit code', 'UserPromptSubmit', { exitCode: 1, output: 'x' }, doubts('failed with exit code 1')],
    [
      'an exit code after an answer',
      'PreToolUse',
      { exitCode: 1, output: '{"decision":"approve"}' },
      { says: 'doubt' },
    ],
    ['the time limit', 'PreToolUse', { how: 'timeout', exitCode: null }, doubts('did not answer within 5.0s')],
    ['too much output', 'PreToolUse', { how: 'too_much', exitCode: 0 }, doubts('printed more than 1 kB')],
    ['a signal', 'PreToolUse', { how: 'signal', exitCode: null, killedBy: 'SIGKILL' }, doubts('was ended by SIGKILL')],
    [
      'an end by zotui',
      'PreToolUse',
      { how: 'aborted', exitCode: 0, output: '{"decision":"approve"}' },
      { says: 'doubt' },
    ],
    ['no start', 'PreToolUse', { how: 'not_started', exitCode: null }, doubts('could not be started')],
  ])('with %s for %s', (_name, event, end, answer) => expect(read(event, end)).toMatchObject(answer))
})

const both = (decision: string, permissionDecision: string) =>
  printed('PreToolUse', { decision, hookSpecificOutput: { permissionDecision } }).says

describe('the JSON', () => {
  test.each<[HookEvent, object, Partial<HookAnswer>]>([
    ['UserPromptSubmit', {}, noAnswer],
    ['UserPromptSubmit', { decision: 'block', reason: 'not now' }, { says: 'deny', reason: 'not now' }],
    ['UserPromptSubmit', { systemMessage: 'hi' }, { says: 'nothing', message: 'hi' }],
    ['PreToolUse', { decision: 'approve', reason: 'fine' }, { says: 'allow', reason: 'fine' }],
    ['PreToolUse', { continue: false, stopReason: 'enough' }, { says: 'deny', stops: true, reason: 'enough' }],
    ['PreToolUse', { continue: true, decision: null }, noAnswer],
    ['PreToolUse', { unknown: 1, suppressOutput: true }, noAnswer],
  ])('for %s of %j', (event, fields, answer) => expect(printed(event, fields)).toMatchObject(answer))

  test.each<[HookEvent, object, Partial<HookAnswer>]>([
    ['UserPromptSubmit', { additionalContext: ' more ' }, { says: 'nothing', context: 'more' }],
    ['PreToolUse', { permissionDecision: 'allow' }, { says: 'allow' }],
    ['PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }, { says: 'deny', reason: 'no' }],
    ['PreToolUse', { permissionDecision: 'ask' }, { says: 'ask' }],
    ['PreToolUse', { permissionDecision: 'defer' }, { says: 'nothing' }],
    ['PermissionRequest', { decision: { behavior: 'allow' } }, { says: 'allow' }],
    ['PermissionRequest', { decision: { behavior: 'allow', updatedPermissions: [] } }, { says: 'allow' }],
    [
      'PermissionRequest',
      { decision: { behavior: 'deny', message: 'no' } },
      { says: 'deny', reason: 'no', stops: false },
    ],
    ['PermissionRequest', { decision: { behavior: 'deny', interrupt: true } }, { says: 'deny', stops: true }],
    ['PermissionRequest', { permissionDecision: 'allow' }, { says: 'nothing' }],
    ['PostToolUse', { permissionDecision: 'allow' }, { says: 'nothing' }],
  ])('for %s itself of %j', (event, fields, answer) => expect(own(event, fields)).toMatchObject(answer))

  test('the stricter of two answers wins', () => {
    expect([both('approve', 'deny'), both('block', 'allow'), both('approve', 'ask')]).toEqual(['deny', 'deny', 'ask'])
  })

  test.each<[string, HookEvent, string]>([
    ['is cut off', 'PreToolUse', '{"decision":"approve"'],
    ['is two', 'PreToolUse', '{"decision":"approve"}{}'],
    ['has another word', 'PreToolUse', '{"decision":"allow"}'],
    ...inheritedNames.flatMap((name): [string, HookEvent, string][] => [
      [`has the word ${name}`, 'PreToolUse', JSON.stringify({ decision: name })],
      [`asks with ${name}`, 'PreToolUse', JSON.stringify({ hookSpecificOutput: { permissionDecision: name } })],
      [
        `behaves like ${name}`,
        'PermissionRequest',
        JSON.stringify({ hookSpecificOutput: { decision: { behavior: name } } }),
      ],
      [`is for ${name}`, 'PreToolUse', JSON.stringify({ hookSpecificOutput: { hookEventName: name } })],
    ]),
    ['has no word', 'PreToolUse', '{"decision":true}'],
    ['is for another event', 'PreToolUse', '{"hookSpecificOutput":{"hookEventName":"PermissionRequest"}}'],
    ['has no object', 'PreToolUse', '{"hookSpecificOutput":"allow"}'],
    ['has a reason that is none', 'PreToolUse', '{"decision":"approve","reason":7}'],
    ['goes on with a text', 'PreToolUse', '{"continue":"no"}'],
    ['has no behavior', 'PermissionRequest', '{"hookSpecificOutput":{"decision":{}}}'],
    ['has a decision that is a text', 'PermissionRequest', '{"hookSpecificOutput":{"decision":"allow"}}'],
    ['asks in place of the user', 'PermissionRequest', '{"hookSpecificOutput":{"decision":{"behavior":"ask"}}}'],
    ['changes the call', 'PreToolUse', '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{}}}'],
    [
      'changes the request',
      'PermissionRequest',
      '{"hookSpecificOutput":{"decision":{"behavior":"allow","updatedInput":{}}}}',
    ],
  ])('that %s is a doubt', (_name, event, output) => expect(read(event, { output }).says).toBe('doubt'))

  test('nothing but an answer allows a call', () => {
    const text = fc.oneof(
      fc.string(),
      fc.json(),
      fc.string().map(inner => `{"decision":${inner}}`),
    )
    fc.assert(
      fc.property(fc.constantFrom(...hookEvents), text, fc.nat(3), (event, output, exitCode) => {
        const { says } = read(event, { output, exitCode })
        return says !== 'allow' || (exitCode === 0 && /approve|allow/.test(output))
      }),
    )
  })

  test.each(inheritedNames)('with a field %s says what it says without', name => {
    const inherited = `${JSON.stringify(name)}: { "decision": "approve", "permissionDecision": "allow" }`
    expect(read('PreToolUse', { output: `{ ${inherited} }` })).toEqual(noAnswer)
    expect(read('PreToolUse', { output: `{ "hookSpecificOutput": { ${inherited} } }` })).toEqual(noAnswer)
  })

  test('is cut where it is long', () => {
    expect(own('UserPromptSubmit', { additionalContext: 'x'.repeat(50_000) }).context).toHaveLength(10_000)
    expect(read('PreToolUse', { exitCode: 2, errors: 'x'.repeat(50_000) }).reason).toHaveLength(2000)
  })
})

const saying = (word: HookAnswer['says']): HookAnswer => ({ ...noAnswer, says: word, reason: word })

describe('several answers', () => {
  test.each<[HookAnswer['says'][], HookAnswer['says']]>([
    [[], 'nothing'],
    [['nothing', 'nothing'], 'nothing'],
    [['nothing', 'allow'], 'allow'],
    [['allow', 'ask'], 'ask'],
    [['ask', 'allow', 'doubt'], 'doubt'],
    [['doubt', 'allow', 'deny', 'ask'], 'deny'],
  ])('%j is %s', (words, answer) => expect(combined(words.map(saying)).says).toBe(answer))

  test('keep all texts, and one that stops the turn stops it', () => {
    const first = { ...noAnswer, says: 'deny' as const, reason: 'a', context: 'one' }
    const second = { ...noAnswer, says: 'deny' as const, stops: true, context: 'two', message: 'm' }
    expect(combined([first, noAnswer, second])).toEqual({
      says: 'deny',
      reason: 'a',
      stops: true,
      context: 'one\n\ntwo',
      message: 'm',
    })
    expect(combined([{ ...noAnswer, stops: true }]).stops).toBe(false)
  })
})

test.each([
  [null, 'bash', true],
  ['', 'bash', true],
  ['*', 'bash', true],
  ['bash', 'bash', true],
  ['Bash', 'bash', true],
  ['Edit|Write', 'write', true],
  ['Edit|Write', 'rewrite', false],
  ['bas', 'bash', false],
  ['mcp__.*', 'mcp__files__read', true],
  ['bash', '', false],
  ['mcp__.*', 'mcp__a\nb', true],
])('the matcher %j for %j', (matcher, name, expected) => expect(isFor(matcher, name)).toBe(expected))
