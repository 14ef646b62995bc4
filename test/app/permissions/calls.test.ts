import { describe, expect, test, vi } from 'vitest'
import type { PermissionAnswer } from '../../../src/agent/requests.ts'
import { noRules } from '../../../src/app/permissions/judge.ts'
import { QUIET } from '../../../src/app/permissions/panel.ts'
import type { FakeBackend } from '../fake-backend.ts'
import { place as usual } from '../../permissions/policy.ts'
import { startedStage } from '../stage.ts'

const call = (id: string) =>
  ({
    type: 'permission_requested',
    id,
    callId: null,
    tool: 'bash',
    kind: 'command',
    command: `make ${id}`,
    arguments: {},
    folder: '/',
    because: '',
  }) as const

test('Yes to all leaves out a call of the last 400 ms, which the user has not read', async () => {
  const given: [string, PermissionAnswer][] = []
  const timers: { ms: number; run: () => void }[] = []
  const quiet = (): void => timers.findLast(({ ms }) => ms === QUIET)?.run()
  const make = (backend: FakeBackend): FakeBackend =>
    backend.with({ answerPermission: (id: string, answer: PermissionAnswer) => given.push([id, answer]) })
  const after = (ms: number, run: () => void): (() => void) => {
    timers.push({ ms, run })
    return () => undefined
  }
  const stage = await startedStage(make, { after })

  stage.backend.tell(call('a'))
  stage.backend.tell(call('b'))
  await vi.waitFor(() => expect(stage.state().question?.answers.map(({ label }) => label)).toContain('Yes to all 2'))
  stage.clock.now += 400
  stage.backend.tell(call('c'))
  await vi.waitFor(() => expect(stage.state().question?.answers.map(({ label }) => label)).toContain('Yes to all 3'))
  stage.clock.now += 399
  quiet()
  await stage.type('Y')
  expect(given).toEqual([
    ['a', { answer: 'allow' }],
    ['b', { answer: 'allow' }],
  ])

  stage.clock.now += 1
  quiet()
  await stage.type('y')
  expect(given.slice(2)).toEqual([['c', { answer: 'allow' }]])
})

test('A clock of the day that jumps makes no call read, and no answer late', async () => {
  const given: string[] = []
  const time = { now: 0 }
  const stage = await startedStage(backend => backend.with({ answerPermission: (id: string) => given.push(id) }), {
    elapsed: () => time.now,
  })
  const allow = (id: string): boolean => stage.controller.answerCall(id, true)
  stage.backend.tell(call('a'))
  await vi.waitFor(() => expect(stage.state().question).not.toBeNull())
  stage.clock.now += 365 * 86_400_000
  expect(allow('a')).toBe(false)
  stage.clock.now -= 366 * 86_400_000
  time.now += 400
  expect(allow('a')).toBe(true)
  expect(given).toEqual(['a'])
})

test('An agent that takes over from one without questions gets the rules, too', async () => {
  const stage = await startedStage(backend => backend)
  const judges: unknown[] = []
  stage.backend.with({ judgeWith: (judge: unknown) => judges.push(judge) })
  await stage.backend.open()
  await vi.waitFor(() => expect(judges).toHaveLength(1))
})

test('The heading of a question names the files', async () => {
  const stage = await startedStage(backend => backend.with({ answerPermission: () => undefined }))
  const headingOf = async (fields: object): Promise<string | undefined> => {
    stage.backend.tell({ ...call('a'), command: undefined, ...fields })
    await vi.waitFor(() => expect(stage.state().question).not.toBeNull())
    const title = stage.state().question?.title
    stage.backend.tell({ type: 'permission_decided', id: 'a', allowed: false, by: 'user' })
    await vi.waitFor(() => expect(stage.state().question).toBeNull())
    return title
  }
  expect(await headingOf({ kind: 'edit', paths: ['/srv/a.ts'], diff: '--- a\n' })).toBe('Edit srv/a.ts?')
  expect(await headingOf({ kind: 'edit', paths: ['/srv/a.ts'], diff: '--- /dev/null\n' })).toBe('Create srv/a.ts?')
  expect(await headingOf({ kind: 'edit', paths: ['/srv/a', '/srv/b', '/srv/c'] })).toBe('Edit srv/a and 2 more files?')
  expect(await headingOf({ kind: 'edit' })).toBe('Make this edit?')
  expect(await headingOf({ kind: 'read', paths: ['/etc/hosts'] })).toBe('Read etc/hosts?')
  const skill = { kind: 'read', tool: 'skill' }
  expect(await headingOf({ ...skill, arguments: { name: 'reviewing' } })).toBe('Load skill reviewing?')
  expect(await headingOf({ ...skill, arguments: { name: 'two\nlines' } })).toBe('Read this?')
  expect(await headingOf({ ...skill, arguments: { name: 'reviewing', path: '/etc' } })).toBe('Read this?')
})

/** A stage whose agent asks about this call, and what it was answered. */
async function asked(fields: object) {
  const timers: { ms: number; run: () => void }[] = []
  const given: PermissionAnswer[] = []
  const after = (ms: number, run: () => void): (() => void) => {
    timers.push({ ms, run })
    return () => undefined
  }
  const answerPermission = (_id: string, answer: PermissionAnswer): void => void given.push(answer)
  const make = (backend: FakeBackend): FakeBackend => backend.with({ answerPermission, judgeWith: () => undefined })
  const stage = await startedStage(make, { after })
  await stage.backend.open()
  await stage.say('go')
  stage.backend.tell({ ...call('a'), ...fields })
  await vi.waitFor(() => expect(stage.state().question?.answers.map(({ move }) => move)).toContain('more'))
  const quiet = (): void => timers.findLast(({ ms }) => ms === QUIET)?.run()
  quiet()
  return {
    stage,
    given,
    quiet,
    rules: () => stage.state().question?.answers.map(({ label, group }) => `${group?.label}: ${label}`),
  }
}

test('The key a allows exactly this command for the session, without another question', async () => {
  const { stage, given } = await asked({ command: 'npm test' })
  expect(stage.state().question?.answers[1]).toMatchObject({
    label: 'Yes, for this session',
    detail: 'exactly this command',
  })
  await stage.type('a')
  expect(given).toEqual([{ answer: 'allow' }])
})

test('The fourth answer lists everything that is wider in one list, and Esc goes back', async () => {
  const { stage, given, rules } = await asked({ command: 'npm test' })
  expect(stage.state().question?.answers[3]?.label).toBe('Yes, for more or for longer')
  await stage.type('4')
  expect(rules()).toEqual([
    'Commands that begin with npm test: for this session',
    'All calls of bash: for this session',
  ])
  await stage.press('escape')
  expect(stage.state().question?.answers[0]?.label).toBe('Yes')
  await stage.type('m')
  await stage.type('1')
  expect(given).toEqual([{ answer: 'allow' }])
})

test('A number chooses an answer that has a warning, and gives it only after that was shown', async () => {
  const { stage, given } = await asked({ command: 'npm test' })
  await stage.type('m')
  await stage.type('2')
  expect(given).toEqual([])
  expect(stage.state().question).toMatchObject({ selected: 1 })
  expect(stage.state().question?.answers[1]?.warning).toContain('every command runs without asking')
  await stage.type('2')
  expect(given).toEqual([{ answer: 'allow' }])
})

test('What cannot be allowed exactly has no key a, and is in the list', async () => {
  const { stage, rules } = await asked({ tool: 'swarm_spawn', kind: 'other', command: undefined })
  expect(stage.state().question?.answers.map(({ move }) => move)).not.toContain('again')
  await stage.type('a')
  expect(stage.state().editor.text).toBe('a')
  await stage.press('backspace')
  expect(rules()).not.toContain('All calls of swarm_spawn: for this session')
})

describe('With a text in the composer', () => {
  test('keys type, and Enter queues the text and answers nothing', async () => {
    const { stage, given, quiet } = await asked({ command: 'npm test' })
    await stage.type('s')
    quiet()
    await stage.type('y')
    await stage.type('a')
    await stage.type('1')
    expect(stage.state().editor.text).toBe('sya1')
    await stage.press('enter')
    expect(stage.state().editor.text).toBe('')
    expect(given).toEqual([])
    // The second of two hasty presses answers nothing either.
    await stage.press('enter')
    expect(given).toEqual([])
    quiet()
    await stage.type('y')
    expect(given).toEqual([{ answer: 'allow' }])
  })

  test('Esc refuses the call and stops, and the text stays', async () => {
    const { stage, given, quiet } = await asked({ command: 'npm test' })
    await stage.type('s')
    quiet()
    await stage.press('escape')
    expect(given).toEqual([{ answer: 'stop' }])
    expect(stage.state().editor.text).toBe('s')
  })

  test('Ctrl+S stashes it, and keys answer again', async () => {
    const { stage, given, quiet } = await asked({ command: 'npm test' })
    await stage.type('s')
    await stage.press('ctrl+s')
    quiet()
    await stage.type('n')
    expect(given).toEqual([{ answer: 'refuse', words: '' }])
    expect(stage.state().stash).toBe('s')
  })
})

/** A stage that is asked for this, what it answered, and what it stored. */
async function wanted(...all: readonly object[]) {
  const timers: { ms: number; run: () => void }[] = []
  const given: [string, PermissionAnswer][] = []
  const stored: string[] = []
  const make = (backend: FakeBackend): FakeBackend =>
    backend.with({
      answerPermission: (id: string, answer: PermissionAnswer) => given.push([id, answer]),
      judgeWith: () => undefined,
    })
  const store = { ...noRules, addHost: async (rule: string) => void stored.push(rule) }
  const place = { ...usual, folder: '/srv', home: '/home/you' }
  const host = {
    folder: '/srv',
    home: '/home/you',
    env: {},
    platform: 'linux',
    lendTerminal: async () => {},
    suspend: null,
  } as const
  const stage = await startedStage(make, {
    host,
    after(ms, run) {
      timers.push({ ms, run })
      return () => undefined
    },
    permissions: { start: { mode: 'allow', isChosen: true, remember: null }, place, store },
  })
  await stage.backend.open()
  for (const [at, fields] of all.entries()) stage.backend.tell({ ...call(String.fromCodePoint(97 + at)), ...fields })
  await vi.waitFor(() => expect(stage.state().chat.questions).toHaveLength(all.length))
  stage.clock.now += 400
  timers.findLast(({ ms }) => ms === QUIET)?.run()
  const question = () => stage.state().question
  const rows = (): (string | null)[][] => (question()?.answers ?? []).map(({ label, move }) => [label, move])
  return { stage, given, stored, question, rows }
}

describe('What a command in the sandbox wants', () => {
  const hosts = { kind: 'host', host: 'api.example.org', port: 443 } as const
  const outside = { kind: 'outside', hint: 'mkdir: /cache/x: Read-only file system', path: '/cache' } as const

  test('is asked in every mode, with the host and the port in the heading', async () => {
    const { question, rows, given } = await wanted({ wants: hosts })
    expect(given).toEqual([])
    expect(question()?.title).toBe('Connect to api.example.org:443?')
    expect(rows()).toEqual([
      ['Yes, this time', 'yes'],
      ['Yes, for this session', 'again'],
      ['No', 'no'],
      ['Yes, always', 'more'],
      ['No, and say what to do', 'instead'],
      ['No, and stop the turn', 'leave'],
    ])
    expect(question()?.selected).toBe(0)
  })

  test.each<[string, PermissionAnswer]>([
    ['y', { answer: 'allow' }],
    ['a', { answer: 'allow', isForSession: true }],
    ['n', { answer: 'refuse', words: '' }],
  ])('%s answers a connection', async (key, answer) => {
    const { stage, given } = await wanted({ wants: hosts })
    await stage.type(key)
    expect(given).toEqual([['a', answer]])
  })

  test.each([
    [hosts, 'api.example.org', 'Connections to api.example.org, ports 80 and 443'],
    [{ ...hosts, port: 22 }, 'api.example.org:22', 'Connections to api.example.org, port 22'],
    [{ ...hosts, host: 'fd00::1', port: 80 }, '[fd00::1]', 'Connections to fd00::1, ports 80 and 443'],
    [{ ...hosts, host: 'fd00::1', port: 22 }, '[fd00::1]:22', 'Connections to fd00::1, port 22'],
  ])('"always" shows the rule before it stores it: %o', async (wants, rule, words) => {
    const { stage, given, stored, question } = await wanted({ wants })
    await stage.type('m')
    expect(question()?.answers).toMatchObject([
      { label: 'everywhere', detail: `stores ${rule} in sandboxHosts`, group: { label: words } },
    ])
    expect([given, stored]).toEqual([[], []])
    await stage.type('1')
    expect([given, stored]).toEqual([[['a', { answer: 'allow', isForSession: true }]], [rule]])
  })

  test('Enter keeps the result of a command that failed in the sandbox, and no key changes it', async () => {
    const { stage, given, rows, question } = await wanted({ wants: outside })
    expect(question()?.title).toBe('Run it again outside the sandbox?')
    expect(rows()).toEqual([
      ['No, keep this result', 'no'],
      ['Yes, run it once outside', 'yes'],
      ['Allow writing in /cache', 'again'],
      ['No, and say what to do', 'instead'],
      ['No, and stop the turn', 'leave'],
    ])
    await stage.press('enter')
    expect(given).toEqual([['a', { answer: 'refuse', words: '' }]])
  })

  test.each<[string, PermissionAnswer]>([
    ['y', { answer: 'allow' }],
    ['a', { answer: 'allow', isForSession: true }],
  ])('%s answers a command that failed in it', async (key, answer) => {
    const { stage, given } = await wanted({ wants: outside })
    await stage.type(key)
    expect(given).toEqual([['a', answer]])
  })

  test.each([null, '/', '/home', '/home/you', `/${'x'.repeat(400)}`])('offers no writing in %s', async path => {
    const { rows } = await wanted({ wants: { ...outside, path } })
    expect(rows().map(([, move]) => move)).toEqual(['no', 'yes', 'instead', 'leave'])
  })

  test('is never granted by "yes to all", and can be refused by "no to all"', async () => {
    const { stage, given, rows } = await wanted({ wants: hosts }, { wants: outside })
    expect(rows().map(([, move]) => move)).not.toContain('yes_all')
    await stage.type('Y')
    expect(given).toEqual([])
    await stage.press('backspace')
    stage.clock.now += 400
    stage.controller.answerCall('a', false)
    expect(given).toEqual([['a', { answer: 'refuse', words: '' }]])
  })

  test('has a short yes only where the few words say all: not for a run outside', async () => {
    const { stage, given } = await wanted({ wants: hosts }, { wants: outside })
    expect(stage.controller.answerCall('b', true)).toBe(false)
    expect(stage.controller.answerCall('a', true)).toBe(true)
    expect(given).toEqual([['a', { answer: 'allow' }]])
  })

  test('is not answered by a change of the mode or of the rules', async () => {
    const { stage, given } = await wanted({ wants: hosts })
    await stage.press('shift+tab')
    await stage.press('shift+tab')
    expect(given).toEqual([])
  })

  test('and a command that a rule lets out of it are allowed once, or not', async () => {
    const { stage, question, rows, given } = await wanted({ outside: true, command: 'docker ps' })
    expect(question()?.title).toBe('Run this command outside the sandbox?')
    expect(rows().map(([, move]) => move)).toEqual(['yes', 'no', 'instead', 'leave'])
    await stage.type('y')
    expect(given).toEqual([['a', { answer: 'allow' }]])
  })
})
