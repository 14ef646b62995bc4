/** The faults of agents that speak JSON-RPC, held against a backend with the agent in a process of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, afterEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Backend } from '../../src/agent/backend.ts'
import { makeEventSchema, type AgentEvent } from '../../src/agent/event.ts'
import { compiled } from '../helpers/home.ts'
import { expectKillAfterAbort, expectKillAtClose } from './limits.ts'

const schema = makeEventSchema()

export type ChaosLimits = { hello?: number; abort: number; closeAbort: number; closeExit: number }

/** Makes the backend for an agent in this folder that commits this fault at its start. */
export type MakeBackend = (fault: string, folder: string, limits: ChaosLimits) => Backend

type Chaos = ReturnType<typeof started>

/** It goes with the test, or when `whenDone` says so. */
export type StartChaos = (fault?: string, limits?: Partial<ChaosLimits>, whenDone?: WhenDone) => Chaos

type WhenDone = (end: () => Promise<void>) => void

export function chaosOf(make: MakeBackend): StartChaos {
  return (fault = '', limits = {}, whenDone = onTestFinished) => started(make, fault, limits, whenDone)
}

/** The cache is for the fake, whose types are not stripped at each start then. */
export const chaosEnvironment = (fault: string): NodeJS.ProcessEnv => ({
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: join(compiled, 'agents'),
  ZOTUI_TEST_LONG: process.env['ZOTUI_TEST_LONG'],
  CHAOS_START: fault,
})

function started(make: MakeBackend, fault: string, limits: Partial<ChaosLimits>, whenDone: WhenDone) {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-chaos-'))
  const backend = make(fault, folder, { abort: 60, closeAbort: 60, closeExit: 200, ...limits })
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  whenDone(async () => {
    await backend.kill()
    rmSync(folder, { recursive: true })
  })
  const types = () => events.map(({ type }) => type)
  const said = () => events.map(event => (event.type === 'text_received' ? event.text : '')).join('')
  return { backend, events, types, said }
}

export function testFailedStarts(start: StartChaos, rows: readonly (readonly [fault: string, reason: RegExp])[]): void {
  describe('a start that fails is reported in one line:', () => {
    test.each(rows)('%s', async (fault, reason) => {
      const { backend, events, types } = start(fault, fault === 'silent' ? { hello: 1000 } : {})
      await backend.open()
      const end = events.at(-1)
      expect(end).toMatchObject({ type: 'agent_ended', expected: false })
      expect(end?.type === 'agent_ended' && end.reason).toMatch(reason)
      expect(types()).not.toContain('agent_started')
      expect(types().includes('login_needed')).toBe(fault === 'wants a login')
    })
  })
}

export function testSurvivedStarts(start: StartChaos, faults: readonly string[]): void {
  test.each(faults)('a start with %s is survived', async fault => {
    const { backend, said, types } = start(fault)
    await backend.open()
    await backend.prompt({ text: 'hello', images: [] })
    expect(said()).toBe('You said: hello.')
    expect(types()).toContain('agent_started')
  })
}

/** They end otherwise than others, or not at all. */
const special = new Set(['dies in the turn', 'never ends'])

export function testTurns(start: StartChaos, faults: readonly string[]): void {
  describe('a turn with', () => {
    const sameAgent = sharedAgent(start)

    test.each(faults.filter(name => !special.has(name)))('%s ends, loses nothing and allows nothing', async name => {
      const { backend, events, said } = await sameAgent()
      await backend.prompt({ text: name, images: [] })
      expect(said()).toMatch(/^Before it\. [^]*After it\.$/)
      await backend.prompt({ text: 'hello', images: [] })
      expect(said()).toMatch(/You said: hello\.$/)
      expect(events.filter(event => !schema.safeParse(event).success)).toEqual([])
      expect(events.some(event => event.type === 'permission_decided' && event.allowed)).toBe(false)
      expect(said()).not.toContain('selected')
      const asked = events.filter(({ type }) => type === 'permission_requested').length
      expect(events.filter(({ type }) => type === 'permission_decided')).toHaveLength(asked)
    })

    test('a death ends it', async () => {
      const { backend, events, said } = start()
      await backend.open()
      await backend.prompt({ text: 'dies in the turn', images: [] })
      expect(said()).toBe('Before it. ')
      expect(events.at(-1)).toMatchObject({ type: 'agent_ended', code: 9, expected: false })
      await backend.open()
      await backend.prompt({ text: 'hello', images: [] })
      expect(said()).toContain('You said: hello.')
    })

    test('no end is reported when it is stopped, and a kill ends it', async () => {
      const started = start()
      await expectKillAfterAbort(started, 'never ends', async () => {
        await expect.poll(started.types).toContain('text_received')
      })
    })
  })

  test('an agent that ignores the end of its input is killed', async () =>
    expectKillAtClose(start('deaf'), 'never ends'))

  test('a request that the agent may not make is refused with -32601', async () => {
    const { backend, said } = start()
    await backend.open()
    await backend.prompt({ text: 'asks for files', images: [] })
    expect(said()).toContain('"code":-32601')
  })
}

/** One agent for the tests of a `describe`, each with the events of its own. A new one is opened after a test that failed. */
function sharedAgent(start: StartChaos): () => Promise<Chaos> {
  let shared: Chaos | null = null
  let end: (() => Promise<void>) | null = null
  const close = async (): Promise<void> => {
    shared = null
    await end?.()
    end = null
  }
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await close()
  })
  afterAll(close)
  return async () => {
    if (!shared) {
      shared = start('', {}, done => (end = done))
      await shared.backend.open()
    }
    shared.events.length = 0
    return shared
  }
}
