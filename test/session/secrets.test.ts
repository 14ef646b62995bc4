/** Secrets are gone before anybody sees them, whatever the pieces they come in. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createRedactor, knownSecrets } from '../../src/session/secrets.ts'

const KEY = 'sk-ant-0123456789'
const says = (text: string): AgentEvent => ({ type: 'text_received', at: 1, text })
const prints = (id: string, text: string): AgentEvent => ({ type: 'tool_progressed', at: 1, id, text })
const textsOf = (events: readonly AgentEvent[]): string =>
  events.map(event => ('text' in event ? event.text : '')).join('')

describe('which values are secrets', () => {
  test.each([
    ['ANTHROPIC_API_KEY', 'sk-ant-0123456789', true],
    ['GITHUB_TOKEN', 'ghp_0123456789abcdef', true],
    ['AWS_SECRET_ACCESS_KEY', 'wJalrXUtnFEMIK7MDENG', true],
    ['AWS_BEARER_TOKEN_BEDROCK', 'bedrock-0123456789', true],
    ['ZOTCORE_RPC_TOKEN', '0123456789abcdef', true],
    ['MAX_TOKENS', '128000128000128000', false],
    ['AWS_WEB_IDENTITY_TOKEN_FILE', '/var/run/secrets/token', false],
    ['CANCEL_TOKEN', 'yes', false],
    ['PATH', '/usr/local/bin:/usr/bin', false],
  ])('%s=%s', (name, value, isSecret) => {
    expect(knownSecrets({ [name]: value })).toEqual(isSecret ? [value] : [])
  })

  test('what was passed counts, from eight characters on', () => {
    expect(knownSecrets({}, ['test-key', 'short', undefined])).toEqual(['test-key'])
  })
})

describe('what is told', () => {
  test('the first characters stay, so that one can tell which it was', () => {
    expect(createRedactor([KEY]).redact(`the key ${KEY}.`)).toBe('the key sk-[hidden].')
  })

  test('at any depth of an event, and in the names of fields', () => {
    const [told] = createRedactor([KEY]).push({
      type: 'tool_called',
      at: 1,
      id: 'a',
      name: 'bash',
      arguments: { command: ['echo', KEY], [KEY]: true },
    })
    expect(told).toMatchObject({ arguments: { command: ['echo', 'sk-[hidden]'], 'sk-[hidden]': true } })
  })

  test('as it looks in JSON that is being written', () => {
    const redactor = createRedactor(['pass"word\\123'])
    const written = JSON.stringify({ key: 'pass"word\\123' })
    expect(textsOf(redactor.push({ type: 'tool_arguments_received', at: 1, id: 'a', text: written }))).toBe(
      '{"key":"pas[hidden]"}',
    )
  })

  test('split over pieces, with pieces of other texts in between', () => {
    const redactor = createRedactor([KEY])
    const told = [prints('a', `key=${KEY.slice(0, 9)}`), prints('b', 'other'), prints('a', KEY.slice(9)), says(' done')]
    expect(told.flatMap(redactor.push).map(event => textsOf([event]))).toEqual([
      'key=sk-',
      'other',
      '[hidden]',
      ' done',
    ])
  })

  test('ordinary text is handed on at once, to its last character', () => {
    const redactor = createRedactor([KEY])
    for (const text of ['this', ' is', ' a task', 'sk-']) expect(textsOf(redactor.push(says(text)))).toBe(text)
  })

  test('what only began like one goes with the next event', () => {
    const redactor = createRedactor([KEY])
    expect(redactor.push(says('keys begin with sk-ant-'))).toEqual([says('keys begin with sk-')])
    expect(redactor.push({ type: 'turn_ended', at: 2 })).toEqual([says('ant-'), { type: 'turn_ended', at: 2 }])
  })

  test('any pieces give what the whole text gives', () => {
    const secrets = ['abcabcabd', 'abcabcabdabcd', 'bcabdabcde', 'aaaaaaaaa']
    const word = fc.oneof(
      fc.constantFrom(...secrets),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 9 }),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(fc.nat(80), { maxLength: 20 }), (words, cuts) => {
        const whole = words.join('')
        const edges = [0, ...cuts.filter(cut => cut < whole.length).toSorted((a, b) => a - b), whole.length]
        const redactor = createRedactor(secrets)
        const told = edges.slice(1).flatMap((end, at) => redactor.push(says(whole.slice(edges[at], end))))
        const text = textsOf([...told, ...redactor.flush()])
        expect(text).toBe(createRedactor(secrets).redact(whole))
        for (const secret of secrets) expect(text).not.toContain(secret)
      }),
    )
  })
})
