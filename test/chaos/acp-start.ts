/** A backend for an agent of the Agent Client Protocol that misbehaves, in a process of its own. */
import { fileURLToPath } from 'node:url'
import { createAcpBackend } from '../../src/agents/acp/backend.ts'
import { launchAcp } from '../../src/agents/acp/launch.ts'
import type { AcpLimits } from '../../src/agents/acp/limits.ts'
import type { McpServers } from '../../src/agents/acp/session/mcp-servers.ts'
import { chaosEnvironment, chaosOf, type StartChaos } from './rpc-chaos.ts'

const program = fileURLToPath(new URL('../fixtures/agents/acp-chaos.ts', import.meta.url))

/** `more` are limits that only this protocol has. */
export function acpChaos(more: Partial<AcpLimits>, servers: McpServers = {}): StartChaos {
  return chaosOf((fault, folder, limits) => {
    const env = chaosEnvironment(fault)
    const agent = { name: 'fake', file: process.execPath, args: [program], known: null }
    const connect = () => launchAcp({ agent, env, folder })
    const common = { agent, connect, folder, env, version: '0', servers: () => servers }
    return createAcpBackend({ ...common, limits: { ...more, ...limits } })
  })
}
