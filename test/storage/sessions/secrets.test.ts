/** Secrets are gone before anybody sees them, whatever the pieces they come in. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createRedactor, knownSecrets } from '../../../src/storage/sessions/secrets.ts'
import { sanitizeTerminalOutput } from '../../../src/text/sanitize.ts'

const KEY = 'sk-ant-0123456789'
const says = (text: string): AgentEvent => ({ type: 'text_received', at: 1, text })
const prints = (id: string, text: string): AgentEvent => ({ type: 'tool_progressed', at: 1, id, text })
const textsOf = (events: readonly AgentEvent[]): string =>
  events.map(event => ('text' in event ? event.text : '')).join('')

describe('a secret value is recognised in', () => {
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

  test('arguments of eight characters or more', () => {
    expect(knownSecrets({}, ['test-key', 'short', undefined])).toEqual(['test-key'])
  })
})

describe('a secret is removed', () => {
  test('except its first characters, which identify it', () => {
    expect(createRedactor([KEY]).redact(`the key ${KEY}.`)).toBe('the key sk-[hidden].')
  })

  test('at any depth of an event, and in field names', () => {
    const [told] = createRedactor([KEY]).push({
      type: 'tool_called',
      at: 1,
      id: 'a',
      name: 'bash',
      arguments: { command: ['echo', KEY], [KEY]: true },
    })
    expect(told).toMatchObject({ arguments: { command: ['echo', 'sk-[hidden]'], 'sk-[hidden]': true } })
  })

  test('in its JSON form while it streams', () => {
    const redactor = createRedactor(['pass"word\\123'])
    const written = JSON.stringify({ key: 'pass"word\\123' })
    expect(textsOf(redactor.push({ type: 'tool_arguments_received', at: 1, id: 'a', text: written }))).toBe(
      '{"key":"pas[hidden]"}',
    )
  })

  test('when split over pieces, with pieces of other texts in between', () => {
    const redactor = createRedactor([KEY])
    const told = [prints('a', `key=${KEY.slice(0, 9)}`), prints('b', 'other'), prints('a', KEY.slice(9)), says(' done')]
    expect(told.flatMap(redactor.push).map(event => textsOf([event]))).toEqual([
      'key=sk-',
      'other',
      '[hidden]',
      ' done',
    ])
  })

  test('even if another call does something meanwhile', () => {
    const redactor = createRedactor([KEY])
    const called: AgentEvent = { type: 'tool_called', at: 1, id: 'b', name: 'bash', arguments: {} }
    const told = [prints('a', KEY.slice(0, 9)), called, prints('a', KEY.slice(9))].flatMap(redactor.push)
    expect(textsOf(told)).toBe('sk-[hidden]')
    expect(redactor.push(prints('a', KEY.slice(0, 9)))).toEqual([prints('a', 'sk-')])
    expect(textsOf(redactor.push({ ...called, id: 'a' }))).toBe(KEY.slice(3, 9))
  })

  test.each([
    ['a colour', `sk-ant\u001B[31m-0123\u001B[0m456789`, `sk-[hidden]\u001B[31m\u001B[0m`],
    ['a colour of many numbers', `sk-ant-01\u001B[38;2;1;2;3m23456789`, `sk-[hidden]\u001B[38;2;1;2;3m`],
    ['a colour in its first characters', `s\u001B[1mk-ant-0123456789`, `s\u001B[1mk-[hidden]`],
    ['C1', `sk-ant-01\u009B31m23456789`, `sk-[hidden]\u009B31m`],
    ['an erased line', `sk-ant-01\u001B[0K23456789`, `sk-[hidden]\u001B[0K`],
    ['what `tput sgr0` prints', `sk-ant-01\u001B(B\u001B[m23456789`, `sk-[hidden]\u001B(B\u001B[m`],
    ['a link', `sk-ant-01\u001B]8;;http://x\u001B\\23456789`, `sk-[hidden]\u001B]8;;http://x\u001B\\`],
    ['a title', `sk-ant-01\u001B]0;x\u000723456789`, `sk-[hidden]\u001B]0;x\u0007`],
    ['a mark that is not seen', `sk-ant-01\u200B234\u{E0041}56789`, `sk-[hidden]\u200B\u{E0041}`],
    ['a control character', `sk-ant-01\u000023456789`, `sk-[hidden]\u0000`],
    ['a lone Esc', `sk-ant-01\u001B23456789`, `sk-[hidden]\u001B`],
    ['a colour as JSON spells it', String.raw`sk-ant-01\u001b[31m23456789`, String.raw`sk-[hidden]\u001b[31m`],
    ['within a title', `\u001B]0;${KEY}\u0007`, `\u001B]0;sk-[hidden]\u0007`],
    ['within a title that does not end', `\u001B]0;sk-ant\u001B[1m-0123456789`, `\u001B]0;sk-[hidden]\u001B[1m`],
  ])('even with %s in the middle, in any pieces', (_, text, told) => {
    expect(createRedactor([KEY]).redact(text)).toBe(told)
    for (let cut = 0; cut <= text.length; cut += 1) {
      for (const next of [cut, Math.min(cut + 1, text.length), Math.min(cut + 5, text.length)]) {
        const redactor = createRedactor([KEY])
        const pieces = [text.slice(0, cut), text.slice(cut, next), text.slice(next)]
        const events = [...pieces.flatMap(piece => redactor.push(says(piece))), ...redactor.flush()]
        expect(textsOf(events)).toBe(told)
      }
    }
  })

  test('without changing text that only looks like a sequence', () => {
    const redactor = createRedactor([KEY])
    const text = 'C:\\users \\u001 \u001B]0; \u001B[99 sk-ant-01\u001B[31m2345x'
    expect(redactor.redact(text)).toBe(text)
  })

  test('without delaying ordinary text', () => {
    const redactor = createRedactor([KEY])
    for (const text of ['this', ' is', ' a task', 'sk-']) expect(textsOf(redactor.push(says(text)))).toBe(text)
  })

  test('without losing text that only began like one', () => {
    const redactor = createRedactor([KEY])
    expect(redactor.push(says('keys begin with sk-ant-'))).toEqual([says('keys begin with sk-')])
    expect(redactor.push({ type: 'turn_ended', at: 2 })).toEqual([says('ant-'), { type: 'turn_ended', at: 2 }])
  })

  test('from any pieces as from the whole text', () => {
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

  test('from any pieces as from the whole text, with sequences and marks anywhere', () => {
    const secrets = ['abcabcabd', 'bcabdabcde', 'mmmm4mmmm']
    const unseen = [
      '\u001B',
      '[',
      ']',
      '3',
      '1',
      'm',
      ';',
      '\u0007',
      '\\',
      'u',
      '0',
      'b',
      '\u200B',
      '\u{E0041}',
      '(',
      '\n',
    ]
    const word = fc.oneof(
      fc.constantFrom(...secrets),
      fc.constantFrom('\u001B[31m', '\u001B]0;', '\u001B\\', String.raw`\u001b[1m`, '\u001B(B', '\u009B'),
      fc.constantFrom(...unseen),
      fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', ...unseen), maxLength: 6 }),
      // A secret with something in its middle.
      fc
        .tuple(fc.constantFrom(...secrets), fc.nat(8), fc.constantFrom('\u001B[1;2m', '\u001B]0;x\u0007', '\u200B'))
        .map(([secret, at, between]) => secret.slice(0, at) + between + secret.slice(at)),
    )
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), fc.array(fc.nat(90), { maxLength: 20 }), (words, cuts) => {
        const whole = words.join('')
        const edges = [0, ...cuts.filter(cut => cut < whole.length).toSorted((a, b) => a - b), whole.length]
        const redactor = createRedactor(secrets)
        const told = edges.slice(1).flatMap((end, at) => redactor.push(says(whole.slice(edges[at], end))))
        const text = textsOf([...told, ...redactor.flush()])
        expect(text).toBe(createRedactor(secrets).redact(whole))
        const coloursOut = sanitizeTerminalOutput(text.replaceAll(/[\r\b]/g, ''))
        for (const secret of secrets) expect(coloursOut).not.toContain(secret)
      }),
      { numRuns: 2000 },
    )
  })
})

test('a secret that becomes known later is masked from then on', () => {
  const secrets: string[] = []
  const redactor = createRedactor(secrets)
  expect(redactor.redact('it is later-secret')).toBe('it is later-secret')
  secrets.push('later-secret')
  expect(redactor.redact('it is later-secret')).toBe('it is lat[hidden]')
  const event = { type: 'text_received', at: 0, text: 'later-sec' } as const
  const told = [...redactor.push(event), ...redactor.push({ ...event, text: 'ret.' }), ...redactor.flush()]
  expect(told.map(each => ('text' in each ? each.text : '')).join('')).toBe('lat[hidden].')
  const stream = redactor.stream()
  expect(stream.push('later-') + stream.push('secret') + stream.end()).toBe('lat[hidden]')
})
