/** Faults of an agent of the Agent Client Protocol, in a process of its own: one clear line, nothing lost, nothing allowed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeEventSchema, type AgentEvent } from '../../src/agent/event.ts'
import { createAcpBackend } from '../../src/agents/acp/backend.ts'
import { launchAcp } from '../../src/agents/acp/launch.ts'
import type { AcpLimits } from '../../src/agents/acp/limits.ts'
import { turnFaults } from './acp-faults.ts'
import { expectKillAfterAbort, expectKillAtClose } from './limits.ts'

const program = fileURLToPath(new URL('../fixtures/agents/acp-chaos.ts', import.meta.url))
const schema = makeEventSchema()

function start(fault = '', limits: Partial<AcpLimits> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-acp-'))
  const env = { PATH: process.env['PATH'], CHAOS_START: fault }
  const agent = { name: 'fake', file: process.execPath, args: [program], known: null }
  const connect = () => launchAcp({ agent, env, folder })
  const backend = createAcpBackend({
    agent,
    connect,
    folder,
    env,
    version: '0',
    limits: { abort: 60, closeAbort: 60, closeExit: 200, ...limits },
  })
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  onTestFinished(async () => {
    await backend.kill()
    rmSync(folder, { recursive: true })
  })
  const types = () => events.map(({ type }) => type)
  const said = () => events.map(event => (event.type === 'text_received' ? event.text : '')).join('')
  return { backend, events, types, said }
}

describe('a start that fails is told in one line:', () => {
  test.each([
    ['another version', /^fake speaks version 2 of the Agent Client Protocol, but zotui supports version 1$/],
    ['dies in the handshake', /^fake ended with exit code 7$/],
    ['exits with 3', /^fake ended with exit code 3: Error: no configuration$/],
    ['half a line', /^fake ended with exit code 0$/],
    ['is killed', /^fake was ended by SIGKILL/],
    ['refuses the handshake', /^fake did not start: the inner agent has ended$/],
    ['answers nonsense', /^fake answered initialize with something that cannot be read$/],
    ['no session', /^fake did not start: no disk$/],
    ['a session without an id', /^fake answered session\/new with something that cannot be read$/],
    ['wants a login', /^fake did not start: Authentication required$/],
    ['silent', /^fake did not answer initialize within 1 seconds$/],
  ])('%s', async (fault, reason) => {
    const { backend, events, types } = start(fault, fault === 'silent' ? { hello: 1000 } : {})
    await backend.open()
    const end = events.at(-1)
    expect(end).toMatchObject({ type: 'agent_ended', expected: false })
    expect(end?.type === 'agent_ended' && end.reason).toMatch(reason)
    expect(types()).not.toContain('agent_started')
    expect(types().includes('login_needed')).toBe(fault === 'wants a login')
  })
})

test.each(['a banner', 'floods stderr', 'early updates', 'answers to nobody', 'answers twice'])(
  'a start with %s is survived',
  async fault => {
    const { backend, said, types } = start(fault)
    await backend.open()
    await backend.prompt({ text: 'hello', images: [] })
    expect(said()).toBe('You said: hello.')
    expect(types()).toContain('agent_started')
  },
)

/** They end otherwise than others, or not at all. */
const special = new Set(['dies in the turn', 'never ends'])

describe('a turn with', () => {
  test.each(Object.keys(turnFaults).filter(name => !special.has(name)))(
    '%s ends, loses nothing and allows nothing',
    async name => {
      const { backend, events, said } = start()
      await backend.open()
      await backend.prompt({ text: name, images: [] })
      expect(said()).toMatch(/^Before it\. [^]*After it\.$/)
      await backend.prompt({ text: 'hello', images: [] })
      expect(said()).toMatch(/You said: hello\.$/)
      expect(events.filter(event => !schema.safeParse(event).success)).toEqual([])
      expect(events.some(event => event.type === 'permission_decided' && event.allowed)).toBe(false)
      expect(said()).not.toContain('selected')
      const asked = events.filter(({ type }) => type === 'permission_requested').length
      expect(events.filter(({ type }) => type === 'permission_decided')).toHaveLength(asked)
    },
  )

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

  test('no end is told when it is stopped, and a kill ends it', async () => {
    const started = start()
    await expectKillAfterAbort(started, 'never ends', async () => {
      await expect.poll(started.types).toContain('text_received')
    })
  })
})

test('an agent that ignores the end of its input and SIGTERM is killed', async () =>
  expectKillAtClose(start('deaf'), 'never ends'))

test('a request that the agent may not make is refused with -32601', async () => {
  const { backend, said } = start()
  await backend.open()
  await backend.prompt({ text: 'asks for files', images: [] })
  expect(said()).toContain('"code":-32601')
})

test('a permission without options is answered "cancelled", and a line says so', async () => {
  const { backend, events, said } = start()
  await backend.open()
  await backend.prompt({ text: 'a permission without options', images: [] })
  expect(said()).toContain('{"outcome":{"outcome":"cancelled"}}')
  expect(events.find(({ type }) => type === 'call_refused')).toMatchObject({
    because: 'the agent asked without offering an answer',
  })
})
