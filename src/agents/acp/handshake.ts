/** The handshake with an agent, and the agent's description of itself. */
import type { LoginMethod } from '../../agent/session-events.ts'
import { loginMethods } from './session/login-methods.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import type { RpcPeer } from '../transport/json-rpc.ts'
import type { EndCause } from '../host/explain-end.ts'
import { errorWords } from './error-words.ts'
import { readGreeting, type WireGreeting } from './frame.ts'
import type { UsageCounting } from './turn/usage-counter.ts'
import type { AgentProgram } from './find-agent.ts'
import { knownByWire, type KnownAgent } from './known-agents.ts'

/** The version of the protocol that zotui asks for. An agent that does not support it answers with one that it supports. */
const PROTOCOL_VERSION = 1

/**
 * The abilities of zotui. With `fs` and `terminal`, agents would read, write and run through zotui; without, they do so
 * themselves. The other abilities make agents report what they otherwise write into the answer, or omit.
 */
const clientCapabilities = {
  fs: { readTextFile: false, writeTextFile: false },
  terminal: false,
  auth: { terminal: true },
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  elicitation: { form: {} },
  subagents: {},
}

/** An agent that answered. */
export type AcpGreeting = {
  /** Its title and version. */
  title: string
  version: string
  known: KnownAgent | null
  /** Its way to count tokens; null if that is not known. */
  counting: UsageCounting | null
  /** The ways to log in. */
  login: readonly LoginMethod[]
  can: {
    images: boolean
    list: boolean
    load: boolean
    resume: boolean
    close: boolean
    fork: boolean
    logOut: boolean
    /** Words to the running turn: an extension of Claude Code and Codex. */
    steer: boolean
    /** A mentioned file with its content. */
    embed: boolean
    rename: boolean
    addFolders: boolean
    /** MCP servers beside programs, which every agent starts. */
    mcp: { http: boolean; sse: boolean }
  }
}

export type GreetOptions = {
  program: AgentProgram
  version: string
  /** Milliseconds. */
  limit: number
  /** Finds a program for a login; null if it is not there. */
  find: (command: string) => string | null
}

/** Performs the handshake. Null if the agent ended meanwhile; its end has the reason. */
export async function greet(
  peer: RpcPeer,
  { program, version, limit, find }: GreetOptions,
): Promise<AcpGreeting | EndCause | null> {
  const clientInfo = { name: 'zotui', title: 'zotui', version }
  const params = { protocolVersion: PROTOCOL_VERSION, clientCapabilities, clientInfo }
  const reply = await withTimeout(limit, peer.request('initialize', params))
  if (reply === 'timed out') return { type: 'silent', milliseconds: limit, request: 'initialize' }
  if (!reply.ok) return reply.ending ? null : { type: 'refused', words: errorWords(reply.error) }
  const wire = readGreeting(reply.result)
  if (!wire) return { type: 'unreadable', request: 'initialize' }
  if (wire.protocolVersion !== PROTOCOL_VERSION)
    return { type: 'wrong_version', theirs: String(wire.protocolVersion), ours: String(PROTOCOL_VERSION) }
  return toGreeting(wire, program, find)
}

function toGreeting(wire: WireGreeting, program: AgentProgram, find: GreetOptions['find']): AcpGreeting {
  const known = knownByWire(wire.agentInfo?.name ?? '') ?? program.known
  const { agentInfo, agentCapabilities, _meta: extensions } = wire
  const sessions = agentCapabilities?.sessionCapabilities
  return {
    title: agentInfo?.title || agentInfo?.name || program.name,
    version: agentInfo?.version ?? '',
    known,
    counting: knownByWire(agentInfo?.name ?? '')?.counts ?? null,
    login: loginMethods(wire, { program, known, find }),
    can: {
      images: agentCapabilities?.promptCapabilities?.image ?? false,
      load: agentCapabilities?.loadSession ?? false,
      list: sessions?.list ?? false,
      resume: sessions?.resume ?? false,
      close: sessions?.close ?? false,
      fork: sessions?.fork ?? false,
      logOut: agentCapabilities?.auth?.logout ?? false,
      steer: extensions?.steering?.supported ?? false,
      embed: agentCapabilities?.promptCapabilities?.embeddedContext ?? false,
      rename: sessions?.title ?? false,
      addFolders: sessions?.additionalDirectories ?? false,
      mcp: {
        http: agentCapabilities?.mcpCapabilities?.http ?? false,
        sse: agentCapabilities?.mcpCapabilities?.sse ?? false,
      },
    },
  }
}
