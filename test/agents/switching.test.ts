import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createAgentSwitch } from '../../src/agents/switching.ts'
import { started } from '../conversation/events.ts'
import { FakeBackend } from '../app/fake-backend.ts'

const now = (): number => 0
const judge = () => ({ verdict: 'ask', because: '' }) as const

function stage() {
  const first = new FakeBackend(now)
  const heard: string[] = []
  const { backend, switchTo } = createAgentSwitch(first)
  backend.subscribe((event: AgentEvent) =>
    heard.push(event.type === 'agent_started' ? `started ${event.model}` : event.type),
  )
  return { first, backend, switchTo, heard }
}

describe('Another agent', () => {
  test('takes over once it has answered', async () => {
    const { first, backend, switchTo, heard } = stage()
    await backend.open()
    const next = new FakeBackend(now).with({ startsAs: { model: 'next' } })
    expect(await switchTo(next)).toEqual({ ok: true, value: undefined })
    expect(heard).toEqual(['agent_starting', 'started claude', 'agent_ended', 'agent_starting', 'started next'])
    void backend.prompt({ text: 'hello', images: [] })
    expect([first.prompts.length, next.prompts.length]).toEqual([0, 1])
  })

  test('changes nothing if it does not start', async () => {
    const { first, backend, switchTo, heard } = stage()
    await backend.open()
    heard.length = 0
    const next = new FakeBackend(now).with({ startsWell: false })
    expect(await switchTo(next)).toEqual({ ok: false, message: 'no credential' })
    expect(heard).toEqual([])
    expect(first.asked).not.toContain('close')
    next.tell(started)
    expect(heard).toEqual([])
  })

  test('that ends while the former one is closed is reported as a failed start', async () => {
    const { first, backend, switchTo, heard } = stage()
    await backend.open()
    heard.length = 0
    const next = new FakeBackend(now).with({ startsAs: { model: 'next' } })
    first.waits = true
    const switched = switchTo(next)
    await expect.poll(() => first.asked).toContain('close')
    next.tell({ type: 'agent_ended', code: 3, signal: null, reason: 'out of memory', hint: '', expected: false })
    first.letThrough()
    expect(await switched).toEqual({ ok: false, message: 'out of memory' })
    expect(heard).toEqual(['agent_ended', 'agent_starting', 'started next', 'agent_ended'])
  })

  test.each([
    ['close', 'close'],
    ['kill', 'kill'],
    ['leave', 'kill'],
  ] as const)('that is being started is ended with the one in use: %s', async (how, ended) => {
    const { first, backend, switchTo } = stage()
    await backend.open()
    const next = new FakeBackend(now).with({ waits: true })
    const switched = switchTo(next)
    next.waits = false
    await backend[how]()
    expect(first.asked).toContain(ended)
    expect(next.asked).toContain(ended)
    next.letThrough()
    expect(await switched).toMatchObject({ ok: false })
  })

  test('gets the folders that the user has opened, and one that takes none closes them in one line', async () => {
    const first = new FakeBackend(now).with({
      setFolders: async () => ({ ok: true, value: null }) as const,
    })
    const told: AgentEvent[] = []
    const { backend, switchTo } = createAgentSwitch(first)
    backend.subscribe(event => void told.push(event))
    await backend.open()
    await backend.setFolders(['/other'])
    await switchTo(new FakeBackend(now))
    expect(told.slice(-2)).toMatchObject([
      { type: 'warning_raised', message: expect.stringContaining('/add-dir are closed') as string },
      { type: 'folders_changed', folders: [] },
    ])
    const passed: (readonly string[])[] = []
    await switchTo(
      new FakeBackend(now).with({
        async setFolders(folders: readonly string[]) {
          passed.push(folders)
          return { ok: true, value: null } as const
        },
      }),
    )
    expect(passed).toEqual([])
  })

  test('is started once at a time', async () => {
    const { backend, switchTo } = stage()
    await backend.open()
    const next = new FakeBackend(now).with({ waits: true })
    const one = switchTo(next)
    expect(await switchTo(new FakeBackend(now))).toMatchObject({ ok: false })
    next.letThrough()
    expect(await one).toMatchObject({ ok: true })
  })

  test('has its own abilities, and gets the judge and the mode', async () => {
    const given: unknown[] = []
    const next = new FakeBackend(now).with({
      judgeWith: (judge: unknown) => given.push(judge),
      setPermissionMode: (mode: string) => given.push(mode),
      listSessions: async () => ({ ok: true, value: [] }) as const,
    })
    const first = new FakeBackend(now).with({
      judgeWith: () => undefined,
      setPermissionMode: () => undefined,
    })
    const { backend, switchTo } = createAgentSwitch(first)
    backend.judgeWith(judge)
    backend.setPermissionMode('plan')
    expect(backend.abilities.has('listSessions')).toBe(false)
    await switchTo(next)
    expect(given).toEqual([judge, 'plan'])
    expect(await backend.listSessions()).toEqual({ ok: true, value: [] })
    await switchTo(new FakeBackend(now))
    expect(backend.abilities.has('judgeWith')).toBe(false)
  })

  test('begins in the mode that the former one was to begin in, if that one had only modes of its own', async () => {
    const choices: unknown[] = []
    const startIn = (choice: unknown): void => void choices.push(choice)
    const first = new FakeBackend(now).with({ judgeWith: () => undefined, startIn })
    const { backend, switchTo } = createAgentSwitch(first)
    const stricter = { mode: 'plan', isChosen: true, isNow: false } as const
    backend.startIn(stricter)
    backend.setPermissionMode('ask')
    await switchTo(new FakeBackend(now).with({ startIn }))
    expect(choices).toEqual([stricter, stricter])
  })
})
