/**
 * `npm run test:agents`: the tests on real agents, in a network that has only loopback. If the system cannot provide
 * one, they run in its own network, and a line in capitals says so.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const suite = ['vitest', 'run', '--config', 'vitest.real-agents.config.ts', ...process.argv.slice(2)]
const alone = ['unshare', '-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] as const

const [file = '', ...args] = [...loopbackOnly(), ...suite]
const { status, error } = spawnSync(file, args, { stdio: 'inherit' })
if (error) throw error
process.exitCode = status ?? 1

function loopbackOnly(): readonly string[] {
  const [program, ...rest] = alone
  const { status: code, stderr, error: problem } = spawnSync(program, [...rest, 'true'], { encoding: 'utf8' })
  if (code === 0) return alone
  const why = problem?.message ?? stderr.trim().split('\n')[0]
  process.stderr.write(`!! THE AGENTS CAN REACH THE NETWORK: \`unshare -rn\` does not work here: ${why}\n`)
  return []
}
