import { expect, test, vi } from 'vitest'
import type { PermissionAnswer } from '../../../src/agent/permission.ts'
import { QUIET } from '../../../src/app/permissions/panel.ts'
import type { FakeBackend } from '../fake-backend.ts'
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
    Object.assign(backend, { answerPermission: (id: string, answer: PermissionAnswer) => given.push([id, answer]) })
  const after = (ms: number, run: () => void): (() => void) => {
    timers.push({ ms, run })
    return () => undefined
  }
  const stage = await startedStage(make, { after })

  stage.backend.tell(call('a'))
  stage.backend.tell(call('b'))
  stage.clock.now += 400
  stage.backend.tell(call('c'))
  stage.clock.now += 399
  await vi.waitFor(() => expect(stage.state().question?.answers.map(({ label }) => label)).toContain('Yes to all 3'))
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

test('An agent that takes over from one without questions gets the rules, too', async () => {
  const stage = await startedStage(backend => backend)
  const judges: unknown[] = []
  Object.assign(stage.backend, { judgeWith: (judge: unknown) => judges.push(judge) })
  await stage.backend.open()
  await vi.waitFor(() => expect(judges).toHaveLength(1))
})

test('The heading of a question names the files', async () => {
  const stage = await startedStage(backend => Object.assign(backend, { answerPermission: () => undefined }))
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

test('The only thing that can always be allowed is named by the answer, and no list follows', async () => {
  const timers: { ms: number; run: () => void }[] = []
  const after = (ms: number, run: () => void): (() => void) => {
    timers.push({ ms, run })
    return () => undefined
  }
  const stage = await startedStage(
    backend => Object.assign(backend, { answerPermission: () => undefined, judgeWith: () => undefined }),
    { after },
  )
  await stage.backend.open()
  stage.backend.tell({ ...call('a'), tool: 'swarm_spawn', kind: 'other', command: undefined })
  await vi.waitFor(() =>
    expect(stage.state().question?.answers[1]?.label).toBe('Yes, and always allow all calls of swarm_spawn'),
  )
  timers.findLast(({ ms }) => ms === QUIET)?.run()
  await stage.type('a')
  expect(stage.state().question).toMatchObject({
    title: 'Allow all calls of swarm_spawn',
    answers: [{ label: 'For this session' }],
  })
  await stage.press('escape')
  expect(stage.state().question?.answers[0]?.label).toBe('Yes')
})
