/** The answers that a program of --permission-tool may give; anything else refuses. */
import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import type { BoxWant, Judge, ToolKind, ToolRequest, Verdict } from '../../src/agent/permission.ts'
import type { PermissionAnswer } from '../../src/agent/requests.ts'
import type { Backend } from '../../src/agent/backend.ts'
import { readAnswer } from '../../src/print/permission-tool.ts'
import { FakeBackend } from '../app/fake-backend.ts'
import { inheritedNames } from '../helpers/inherited-names.ts'
import { createPrintPermissions, type AskProgram } from '../../src/print/permissions.ts'

describe('an answer', () => {
  test.each<[string, ToolKind, PermissionAnswer]>([
    ['{"answer":"allow"}', 'edit', { answer: 'allow' }],
    [' {"answer":"allow"}\n', 'command', { answer: 'allow' }],
    ['{"answer":"refuse"}', 'other', { answer: 'refuse', words: '' }],
    ['{"answer":"refuse","words":"Use git mv."}', 'command', { answer: 'refuse', words: 'Use git mv.' }],
    ['{"answer":"stop"}', 'read', { answer: 'stop' }],
    ['{"answer":"allow","command":"ls -l"}', 'command', { answer: 'allow_changed', command: 'ls -l' }],
  ])('%s for %s', (output, kind, answer) => expect(readAnswer(output, { kind })).toEqual({ ok: true, answer }))

  test.each<[string, ToolKind]>([
    ['', 'edit'],
    ['yes', 'edit'],
    ['allow', 'edit'],
    ['"allow"', 'edit'],
    ['null', 'edit'],
    ['[{"answer":"allow"}]', 'edit'],
    ['{"answer":"allow"}{"answer":"allow"}', 'edit'],
    ['{"answer":"allow"', 'edit'],
    ['{"answer":"ALLOW"}', 'edit'],
    ['{"answer":true}', 'edit'],
    ['{"words":"go on"}', 'edit'],
    ['{"answer":"allow","extra":1}', 'edit'],
    ['{"answer":"allow","command":"ls"}', 'edit'],
    ['{"answer":"allow","command":""}', 'command'],
    ['{"answer":"refuse","command":"ls"}', 'command'],
    ['{"answer":"allow","words":"but"}', 'command'],
    ['{"answer":"stop","words":"now"}', 'command'],
    ...inheritedNames.flatMap((name): [string, ToolKind][] => [
      [JSON.stringify({ answer: name }), 'edit'],
      [`{"answer":"allow",${JSON.stringify(name)}:{"answer":"allow"}}`, 'edit'],
    ]),
    ['{"answer":"refuse","words":7}', 'command'],
  ])('%s for %s is none', (output, kind) => expect(readAnswer(output, { kind }).ok).toBe(false))
})

const request: ToolRequest = {
  id: 'q',
  callId: 'c',
  tool: 'bash',
  kind: 'command',
  arguments: { command: 'make' },
  folder: '/p',
  command: 'make',
}
const call = {
  type: 'permission_requested' as const,
  at: 1,
  id: 'q',
  callId: 'c',
  tool: 'bash',
  kind: 'command' as const,
  arguments: { command: 'make' },
  folder: '/p',
  command: 'make',
  because: 'mode ask',
} satisfies AgentEvent

/** What an agent has besides. */
type Parts = Partial<Pick<Backend, 'name' | 'startIn' | 'unasked'>>
const ownModes = { startIn: () => undefined }

/** Permissions on a backend that notes its answers. `verdicts` are by command; all else is asked. */
async function permissions(askProgram: AskProgram | null, verdicts: Record<string, Verdict> = {}, own: Parts = {}) {
  const answers: [string, PermissionAnswer][] = []
  const lines: string[] = []
  const given: Judge[] = []
  const decide = ({ command = '' }: ToolRequest): Verdict =>
    verdicts[command] ?? { verdict: 'ask', because: 'mode ask' }
  const made = createPrintPermissions({
    start: { mode: 'ask', isChosen: false },
    isNamed: false,
    judge: {
      judge: decide,
      decide,
      load: async () => {},
      dangers: () => ['runs make'],
      grants: () => [],
      scopes: [],
      addHost: null,
      rules: () => [],
      grant: async () => {},
      revoke: async () => false,
    },
    askProgram,
    hooksDecide: () => false,
    onRefused: line => lines.push(line),
  })
  const backend = new FakeBackend(() => 1).with({
    judgeWith: (next: Judge) => given.push(next),
    answerPermission: (id: string, answer: PermissionAnswer) => answers.push([id, answer]),
    ...own,
  })
  await made.begin(backend)
  const judge: Judge = asked => given[0]?.(asked) ?? { verdict: 'allow', because: 'nobody judges' }
  return { ...made, judge, answers, lines }
}

describe('without a program', () => {
  test('what would be asked is refused once, with words for the model and a line', async () => {
    const { judge, lines, hasRefused } = await permissions(null)
    expect(hasRefused()).toBe(false)
    expect(judge(request)).toMatchObject({ verdict: 'refuse', words: expect.stringContaining('cannot be asked') })
    await judge(request)
    expect(lines).toEqual(['refused bash make: cannot ask: mode ask'])
    expect(hasRefused()).toBe(true)
  })

  test.each<[string, Parts, ToolKind, string]>([
    ['an agent that zotui asks for', {}, 'command', 'use --permissions edits or allow, or a rule of the setting allow'],
    [
      'an agent that asks by itself',
      { ...ownModes, unasked: () => null },
      'command',
      'Use --permissions allow to let it do everything',
    ],
    [
      'an edit of an agent that asks by itself',
      { ...ownModes, unasked: () => null },
      'edit',
      'Use --permissions edits to let it change files, --permissions allow to let it do everything',
    ],
    [
      'an edit of an agent of which no mode is known',
      { ...ownModes, unasked: () => ({ isKnown: false, words: '' }) },
      'edit',
      'Use --permissions allow to let it do everything',
    ],
  ])('the end names what helps with %s', async (_case, own, kind, words) => {
    const { heed, answers, lines, howToAllow } = await permissions(null, {}, { name: 'codex', ...own })
    heed({ ...call, kind, because: '' })
    await settled()
    expect(answers).toMatchObject([['q', { answer: 'refuse' }]])
    expect(lines[0]).toMatch(/: codex asks about it, and nobody can answer$/)
    expect(howToAllow()).toContain(words)
  })

  test.each<[string, BoxWant, string]>([
    [
      'a host',
      { kind: 'host', host: 'api.example.org', port: 443 },
      'refused a connection to api.example.org:443 by bash make: the sandbox lets commands reach only the hosts of the setting sandboxHosts, and -p cannot ask',
    ],
    [
      'a run outside',
      { kind: 'outside', hint: 'no', path: null },
      'refused another run, outside the sandbox, of bash make: the sandbox held it, and -p cannot ask; the settings sandboxWrite and sandboxHosts allow more',
    ],
  ])('what a command in the sandbox wants is refused with one line: %s', async (_name, wants, line) => {
    const { judge, lines, hasRefused, howToAllow } = await permissions(null)
    expect(judge({ ...request, wants })).toMatchObject({
      verdict: 'refuse',
      words: expect.stringContaining('cannot be asked'),
    })
    expect([lines, hasRefused(), howToAllow()]).toEqual([[line], true, null])
  })

  test('what a rule decides is no refusal of this kind', async () => {
    const denied: Verdict = { verdict: 'refuse', because: 'deny Bash(make)', words: 'no' }
    const { judge, lines, hasRefused } = await permissions(null, {
      make: denied,
      ls: { verdict: 'allow', because: '' },
    })
    expect(judge(request)).toEqual(denied)
    expect(judge({ ...request, command: 'ls' })).toMatchObject({ verdict: 'allow' })
    expect([lines, hasRefused()]).toEqual([[], false])
  })

  test('a question that comes nevertheless is refused', async () => {
    const { heed, answers, hasRefused } = await permissions(null)
    heed(call)
    await settled()
    expect(answers).toMatchObject([['q', { answer: 'refuse' }]])
    expect(hasRefused()).toBe(true)
  })
})

const saying =
  (output: string): AskProgram =>
  async () => ({ ok: true, output })

describe('with a program', () => {
  test('it gets the question, and its answer is published as its own', async () => {
    let asked = ''
    const { heed, answers, hasRefused } = await permissions(async question => {
      asked = question
      return { ok: true, output: '{"answer":"allow"}' }
    })
    heed(call)
    await settled()
    expect(JSON.parse(asked)).toEqual({
      version: 1,
      ...request,
      because: 'mode ask',
      dangers: ['runs make'],
      mode: 'ask',
    })
    expect(answers).toEqual([['q', { answer: 'allow' }]])
    const decided: AgentEvent = { type: 'permission_decided', at: 2, id: 'q', allowed: true, by: 'user' }
    expect(heed(decided)).toMatchObject({ by: 'program' })
    expect(hasRefused()).toBe(false)
  })

  test('it gets what a command in the sandbox wants, grants it once, and changes no command that runs', async () => {
    const wants: BoxWant = { kind: 'host', host: 'api.example.org', port: 443 }
    const outputs = ['{"answer":"allow"}', '{"answer":"allow","command":"make all"}', '{"answer":"refuse"}']
    const asked: unknown[] = []
    const { heed, answers, lines } = await permissions(async question => {
      asked.push(JSON.parse(question))
      return { ok: true, output: outputs[asked.length - 1] ?? '' }
    })
    for (const id of ['one', 'two', 'three']) heed({ ...call, id, wants })
    await settled()
    expect(asked[0]).toMatchObject({ version: 2, command: 'make', wants })
    expect(answers).toEqual([
      ['one', { answer: 'allow' }],
      ['two', { answer: 'refuse', words: 'the program that decides gave no valid answer.' }],
      ['three', { answer: 'refuse', words: '' }],
    ])
    expect(lines).toMatchObject([
      expect.stringMatching(/gave another command for one that leaves the sandbox$/),
      expect.stringMatching(/the program said so$/),
    ])
  })

  test.each<[string, AskProgram, string]>([
    ['bad JSON', saying('yes'), 'the program did not answer with JSON'],
    [
      'a failure',
      async () => ({ ok: false, problem: 'failed with exit code 1' }),
      'the program failed with exit code 1',
    ],
    ['a crash', async () => Promise.reject(new Error('no')), 'the program could not be asked'],
    ['a refused command', saying('{"answer":"allow","command":"rm x"}'), 'the program gave a command that is refused'],
    ['its no', saying('{"answer":"refuse"}'), 'the program said so'],
  ])('%s refuses', async (_what, program, line) => {
    const verdicts = { 'rm x': { verdict: 'refuse', because: 'deny Bash(rm)', words: '' } as const }
    const { heed, answers, lines, hasRefused } = await permissions(program, verdicts)
    heed(call)
    await settled()
    expect(answers).toMatchObject([['q', { answer: 'refuse', words: expect.stringContaining('Refused') }]])
    expect(lines[0]).toContain(line)
    expect(hasRefused()).toBe(true)
  })

  test('questions are asked one after the other', async () => {
    const running: ((ran: Awaited<ReturnType<AskProgram>>) => void)[] = []
    const { heed, answers } = await permissions(() => new Promise(resolve => running.push(resolve)))
    for (const id of ['a', 'b', 'c']) heed({ ...call, id })
    for (const number of [1, 2, 3]) {
      await settled()
      expect([running.length, answers.length]).toEqual([number, number - 1])
      running.at(-1)?.({ ok: true, output: '{"answer":"allow"}' })
    }
    await settled()
    expect(answers.map(([id]) => id)).toEqual(['a', 'b', 'c'])
  })

  test('the end of a question ends its program', async () => {
    let aborted = false
    const { heed, answers } = await permissions(
      (_question, signal) =>
        new Promise(resolve =>
          signal.addEventListener('abort', () => {
            aborted = true
            resolve({ ok: false, problem: 'was ended' })
          }),
        ),
    )
    heed(call)
    await settled()
    heed({ type: 'permission_decided', at: 2, id: 'q', allowed: false, by: 'end' })
    await settled()
    expect([aborted, answers]).toEqual([true, []])
  })
})
