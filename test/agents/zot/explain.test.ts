import { expect, test } from 'vitest'
import { explainEnd, type EndFacts } from '../../../src/agents/host/explain-end.ts'
import type { Ending } from '../../../src/agents/transport/transport.ts'
import { refusedConnection, zotEndWords } from '../../../src/agents/zot/end-words.ts'

const calm: Ending = { code: null, signal: null, spawnError: null, outputClosed: false, lastWords: [] }

type ZotFacts = Omit<EndFacts, 'words'> & { version: string | null }

function facts(ending: Partial<Ending>, rest: Partial<ZotFacts> = {}): ZotFacts {
  return { ending: { ...calm, ...ending }, cause: null, started: false, version: '0.1.62', ...rest }
}

function explain({ version, ...end }: ZotFacts, redact = (text: string): string => text) {
  return explainEnd({ words: zotEndWords(version), ...end }, redact)
}

const help = Array.from({ length: 90 }, (_line, index) => `  --flag-${index}`)

test.each<[string, ZotFacts, string, string]>([
  [
    'no credential',
    facts({
      code: 1,
      lastWords: ['zot: no credential for anthropic; set ANTHROPIC_API_KEY, pass --api-key, or run `zot` and /login'],
    }),
    'no credential for anthropic',
    'set ANTHROPIC_API_KEY, or log in: /login in zotui',
  ],
  [
    'no credential, of a build with another name',
    facts({
      code: 1,
      lastWords: ['puddle: no credential for openai; set OPENAI_API_KEY, pass --api-key, or run `puddle` and /login'],
    }),
    'no credential for openai',
    'set OPENAI_API_KEY, or log in: /login in zotui',
  ],
  [
    'an unknown model',
    facts({ code: 1, lastWords: ['zot: unknown model "gpt-9" (provider="openai")'] }),
    'zot does not know the model "gpt-9" of openai',
    '`zot --list-models` lists the models that it knows',
  ],
  [
    'an unknown flag, after pages of help',
    facts({ code: 1, lastWords: [...help, '', 'zot: unknown flag "--temperature"'] }),
    'zot does not know --temperature',
    'this zot (0.1.62) is too old for --temperature: upgrade zot or omit the flag',
  ],
  [
    'an unknown flag of a zot without a known version',
    facts({ code: 1, lastWords: ['zot: unknown flag "--insecure"'] }, { version: null }),
    'zot does not know --insecure',
    'this zot is too old for --insecure: upgrade zot or omit the flag',
  ],
  [
    'a bad value',
    facts({ code: 1, lastWords: [...help, 'zot: --reasoning must be low|medium|high'] }),
    '--reasoning must be low|medium|high',
    'this zot (0.1.62) accepts no other value; a newer one may',
  ],
  [
    'a line that was too long',
    facts({ code: 1, lastWords: ['zot: bufio.Scanner: token too long'] }, { started: true }),
    'the message was too long for zot',
    'send fewer or smaller images',
  ],
  [
    'a bad token',
    facts({ code: 1, lastWords: ['zot: rpc: bad auth token'] }),
    'zot refused the token',
    'pass the token that zot was started with',
  ],
  [
    'any other complaint',
    facts({ code: 1, lastWords: ['noise', 'zot: first', 'zot: disk full', '  indented'] }, { started: true }),
    'disk full',
    '/restart starts it again',
  ],
  [
    'a crash, without its stack',
    facts({ code: 2, lastWords: ['panic: nil map', '', 'goroutine 1 [running]:', 'main.main()', '\t/src/main.go:7'] }),
    'zot crashed: panic: nil map',
    '',
  ],
  ['a script around it', facts({ code: 127, lastWords: ['env: zot-real: not found'] }), 'env: zot-real: not found', ''],
  ['silence', facts({ code: 3 }), 'zot ended with exit code 3', ''],
  ['a wall of words', facts({ code: 3, lastWords: help }), 'zot ended with exit code 3', ''],
  [
    'a signal',
    facts({ signal: 'SIGTERM' }, { started: true }),
    'zot was ended by SIGTERM; shell commands that it started may still be running',
    '/restart starts it again',
  ],
  [
    'SIGKILL from outside',
    facts({ signal: 'SIGKILL' }, { started: true }),
    'zot was ended by SIGKILL; shell commands that it started may still be running',
    'the system may have run out of memory; /restart starts it again',
  ],
  [
    'SIGKILL before it has started',
    facts({ signal: 'SIGKILL' }),
    'zot was ended by SIGKILL; shell commands that it started may still be running',
    'the system may have run out of memory',
  ],
  [
    'an output that closed',
    facts({ signal: 'SIGKILL', outputClosed: true }),
    'zot closed its output, so zotui ended it',
    '',
  ],
  [
    'no zot',
    facts({ spawnError: 'ENOENT' }),
    'zot was not found',
    'install it with `go install github.com/patriceckhart/zot/cmd/zot@latest` or `brew install zot`, or set ZOTUI_ZOT to its path',
  ],
  [
    'a zot that may not run',
    facts({ spawnError: 'EACCES' }),
    'zot is not executable',
    'make the file executable with `chmod +x`',
  ],
  [
    'arguments that are too long',
    facts({ spawnError: 'E2BIG' }),
    "zot's arguments are too long for the system",
    'use a shorter system prompt',
  ],
  ['no folder', facts({ spawnError: 'ENOTDIR' }), 'the working folder does not exist', 'check --cwd'],
  ['any other obstacle', facts({ spawnError: 'EMFILE' }), 'zot could not be started (EMFILE)', ''],
  [
    'no answer',
    facts({ signal: 'SIGKILL' }, { cause: { type: 'silent', milliseconds: 10_000 } }),
    'zot did not answer within 10 seconds',
    'an extension may be blocking it: try --no-ext',
  ],
  [
    'another protocol',
    facts({ code: 0 }, { cause: { type: 'wrong_version', theirs: '2', ours: '1' }, version: '9.0' }),
    'zot (9.0) speaks version 2 of its protocol, but zotui supports version 1',
    'upgrade the older of the two',
  ],
  [
    'a refused token',
    facts({ code: 1, lastWords: ['zot: rpc: bad auth token'] }, { cause: refusedConnection('invalid token') }),
    'zot refused the connection: invalid token',
    'pass the token that zot was started with',
  ],
  ['a wanted end', facts({ code: 0 }, { cause: { type: 'closed' } }), 'zot ended', ''],
  [
    'a wanted end that took force',
    facts({ signal: 'SIGKILL' }, { cause: { type: 'closed' } }),
    'zot did not end on its own and was killed; shell commands that it started may still be running',
    '',
  ],
])('explains %s', (_what, end, reason, hint) => {
  expect(explain(end)).toMatchObject({ reason, hint })
})

test('a secret is removed before the reason is shortened', () => {
  const lastWords = [`zot: ${'x'.repeat(295)}secret`]
  const { reason } = explain(facts({ code: 1, lastWords }), text => text.replace('secret', '***'))
  expect(reason).toMatch(/x\*\*\*$/)
})

test('a reason is one line of bounded length', () => {
  const { reason } = explain(facts({ code: 1, lastWords: [`zot: ${'x'.repeat(5000)}`] }))
  expect(reason.length).toBeLessThan(400)
})

test('only a missing key is reported as lacking', () => {
  const lastWords = ['zot: no credential for anthropic; set ANTHROPIC_API_KEY, pass --api-key, or run `zot` and /login']
  expect(explain(facts({ code: 1, lastWords })).lacks).toBe('credential')
  expect(
    explain(facts({ code: 1, lastWords: ['zot: unknown model "gpt-9" (provider="openai")'] })).lacks,
  ).toBeUndefined()
})
