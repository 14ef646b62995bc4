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
