/** Faults of an agent of the Agent Client Protocol, in a process of its own: one clear line, nothing lost, nothing allowed. */
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createAcpBackend } from '../../src/agents/acp/backend.ts'
import { launchAcp } from '../../src/agents/acp/launch.ts'
import { turnFaults } from './acp-faults.ts'
import { chaosEnvironment, chaosOf, testFailedStarts, testSurvivedStarts, testTurns } from './rpc-chaos.ts'

const program = fileURLToPath(new URL('../fixtures/agents/acp-chaos.ts', import.meta.url))

const start = chaosOf((fault, folder, limits) => {
  const env = chaosEnvironment(fault)
  const agent = { name: 'fake', file: process.execPath, args: [program], known: null }
  const connect = () => launchAcp({ agent, env, folder })
  return createAcpBackend({ agent, connect, folder, env, version: '0', limits })
})

testFailedStarts(start, [
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
])

testSurvivedStarts(start, ['a banner', 'floods stderr', 'early updates', 'answers to nobody', 'answers twice'])

testTurns(start, Object.keys(turnFaults))

test('a permission without options is answered "cancelled", and a line says so', async () => {
  const { backend, events, said } = start()
  await backend.open()
  await backend.prompt({ text: 'a permission without options', images: [] })
  expect(said()).toContain('{"outcome":{"outcome":"cancelled"}}')
  expect(events.find(({ type }) => type === 'call_refused')).toMatchObject({
    because: 'the agent asked without offering an answer',
  })
})
