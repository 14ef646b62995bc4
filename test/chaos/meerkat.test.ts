/** Faults of Meerkat, in a process of its own: one clear line, nothing lost, nothing allowed. */
import { fileURLToPath } from 'node:url'
import { createMeerkatBackend } from '../../src/agents/meerkat/backend.ts'
import { isEvent } from '../../src/agents/meerkat/launch.ts'
import { createProcessTransport } from '../../src/agents/transport/process.ts'
import { turnFaults } from './meerkat-faults.ts'
import { chaosEnvironment, chaosOf, testFailedStarts, testSurvivedStarts, testTurns } from './rpc-chaos.ts'

const file = fileURLToPath(new URL('../fixtures/agents/meerkat-chaos.ts', import.meta.url))

const start = chaosOf((fault, folder, limits) => {
  const env = chaosEnvironment(fault)
  const program = { file: process.execPath, args: [file], env, cwd: folder, shortens: isEvent }
  const connect = () => createProcessTransport(program)
  return createMeerkatBackend({ connect, model: 'fake', provider: 'self_hosted', limits })
})

testFailedStarts(start, [
  ['another version', /^meerkat speaks version 0\.8\.2 of Meerkat's contract, but zotui supports version 0\.9$/],
  ['dies in the handshake', /^meerkat ended with exit code 7$/],
  ['exits with 3', /^meerkat ended with exit code 3: Error: no configuration$/],
  ['half a line', /^meerkat ended with exit code 0$/],
  ['is killed', /^meerkat was ended by SIGKILL/],
  ['refuses the handshake', /^meerkat did not start: the inner agent has ended$/],
  ['answers nonsense', /^meerkat answered initialize with something that cannot be read$/],
  ['no session', /^meerkat did not start: no disk$/],
  ['a session without an id', /^meerkat did not start: the answer to session\/create cannot be read$/],
  ['silent', /^meerkat did not answer initialize within 1 seconds$/],
])

testSurvivedStarts(start, ['a banner', 'floods stderr', 'early events', 'answers to nobody', 'answers twice'])

testTurns(start, Object.keys(turnFaults))
