/**
 * `npm run test:agents`: the tests on real agents, in a network that has only loopback. If the system cannot provide
 * one, they run in its own network, and a line in capitals says so.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const suite = ['vitest', 'run', '--config', 'vitest.real-agents.config.ts', ...process.argv.slice(2)]
/** Root needs no namespace of users, in which an sshd of the tests could not change to its own user. */
const namespaces = process.getuid?.() === 0 ? ['-n', '-rn'] : ['-rn']

const [file = '', ...args] = [...loopbackOnly(), ...suite]
const { status, error } = spawnSync(file, args, { stdio: 'inherit' })
if (error) throw error
process.exitCode = status ?? 1

function loopbackOnly(): readonly string[] {
  let why = ''
  for (const flags of namespaces) {
    const alone = [flags, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
    const { status: code, stderr, error: problem } = spawnSync('unshare', [...alone, 'true'], { encoding: 'utf8' })
    if (code === 0) return ['unshare', ...alone]
    why = problem?.message ?? stderr.trim().split('\n')[0] ?? ''
  }
  process.stderr.write(`!! THE AGENTS CAN REACH THE NETWORK: \`unshare -rn\` does not work here: ${why}\n`)
  return []
}
