/** The handshake with Meerkat: the version of its contract, and the abilities of this build. */
import type { ToolHost } from '../tool-host/tool-host.ts'
import type { EndCause } from '../host/explain-end.ts'
import type { Requests } from '../host/requests.ts'
import type { RpcPeer } from '../transport/json-rpc.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { errorWords } from './error-words.ts'
import { readInitialize } from './frame.ts'

/** The version of Meerkat's contract that zotui supports. By Meerkat's rule, each minor version before 1.0 is a contract of its own. */
const CONTRACT = '0.9'

export type MeerkatGreeting = {
  version: string
  /** Whether this build has the method. */
  can: (method: string) => boolean
}

/** Performs the handshake. Null if the agent ended meanwhile; its end has the reason. */
export async function greetMeerkat(peer: RpcPeer, limit: number): Promise<MeerkatGreeting | EndCause | null> {
  const reply = await withTimeout(limit, peer.request('initialize', {}))
  if (reply === 'timed out') return { type: 'silent', milliseconds: limit, request: 'initialize' }
  if (!reply.ok) return reply.ending ? null : { type: 'refused', words: errorWords(reply.error) }
  const wire = readInitialize(reply.result)
  if (!wire) return { type: 'unreadable', request: 'initialize' }
  if (wire.contract_version.split('.').slice(0, 2).join('.') !== CONTRACT)
    return { type: 'wrong_version', theirs: wire.contract_version, ours: CONTRACT }
  peer.notify('initialized', undefined)
  const methods = new Set(wire.methods)
  return { version: wire.server_info.version, can: method => methods.has(method) }
}

/** Registers the tools of the tool host. Without them nothing would run. */
export async function registerTools(requests: Requests, { tools }: ToolHost): Promise<EndCause | null> {
  const params = {
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
  }
  const refused = requests.refusal(await requests.send('tools/register', params))
  return refused && { type: 'refused', words: `it did not accept the tools of zotui: ${refused.message}` }
}
