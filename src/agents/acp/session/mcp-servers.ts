/** The MCP servers of the settings as an agent gets them, and what agents report of servers. Pure. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { ToolServer } from '../../../agent/session-events.ts'
import { lookup } from '../../../text/lookup.ts'
import { textAt } from '../../../text/member.ts'
import { withVariables } from '../../../text/variables.ts'
import type { WireUpdate } from '../frame.ts'
import type { EndCause } from '../../host/explain-end.ts'
import { textOfBlocks } from '../turn/content.ts'

type NamedValues = Readonly<Record<string, string>>

/** A server of the settings: a program that the agent starts, or an address that it calls. */
type McpServer =
  | { command: string; args?: readonly string[] | undefined; env?: NamedValues | undefined }
  | { type: 'http' | 'sse'; url: string; headers?: NamedValues | undefined }

/** By their names. */
export type McpServers = Readonly<Record<string, McpServer>>

export type ServerFacts = {
  /** The name of the agent. */
  agent: string
  /** The machine on which it runs; null for this one. */
  machine: string | null
  /** The environment, for values that name a variable. */
  env: NodeJS.ProcessEnv
  can: { http: boolean; sse: boolean }
}

/** `sent` goes into the requests that open a session, `states` has also those that are left out, with the reason. */
export type SentServers = { sent: readonly object[]; states: readonly ToolServer[] }

export const noServers: SentServers = { sent: [], states: [] }

/** A server that the agent cannot take is left out: with it, the agent would refuse the session. */
export function serversFor(servers: McpServers, facts: ServerFacts): SentServers {
  const sent: object[] = []
  const states = Object.entries(servers).map(([name, server]): ToolServer => {
    const { wire, reason } = wireServer(name, server, facts)
    if (wire) sent.push(wire)
    return reason === undefined ? { name, state: 'unknown' } : { name, state: 'failed', reason }
  })
  return { sent, states }
}

/** An agent may refuse its first session because of the servers, or wait for one of them. */
export function withServers(cause: EndCause, { states }: SentServers): EndCause {
  const names = states.flatMap(({ name, state }) => (state === 'failed' ? [] : [name]))
  const isPossible = cause.type === 'refused' || cause.type === 'silent'
  if (names.length === 0 || !isPossible) return cause
  return {
    ...cause,
    hint: `if its MCP servers are the reason, take them out of the setting \`mcp\`: ${names.join(', ')}`,
  }
}

type WireServer = { wire: object; reason?: undefined } | { wire?: undefined; reason: string }

/** The protocol has no `type` for a program, and needs each list. */
function wireServer(name: string, server: McpServer, { agent, machine, env, can }: ServerFacts): WireServer {
  // It would be started there, or reached from there, with the secrets of this machine.
  if (machine !== null) return { reason: `those of this machine are not for ${machine}; ${agent} has its own there` }
  if ('command' in server) {
    const values = filledIn(server.env ?? {}, env)
    if ('missing' in values) return notSet(values.missing)
    return { wire: { name, command: server.command, args: server.args ?? [], env: values.filled } }
  }
  const { type, url, headers } = server
  if (!can[type]) return { reason: `${agent} takes no servers of the type ${type}` }
  const values = filledIn(headers ?? {}, env)
  if ('missing' in values) return notSet(values.missing)
  return { wire: { type, name, url, headers: values.filled } }
}

const notSet = (variable: string): WireServer => ({ reason: `the variable ${variable} is not set` })

/** The values with the variables that they name, so that secrets need not be in a file. */
function filledIn(
  values: NamedValues,
  env: NodeJS.ProcessEnv,
): { filled: { name: string; value: string }[] } | { missing: string } {
  let missing: string | null = null
  const filled = Object.entries(values).map(([name, text]) => {
    const value = withVariables(text, variable => {
      const found = lookup(env, variable)
      if (found === undefined) missing ??= variable
      return found ?? ''
    })
    return { name, value }
  })
  return missing === null ? { filled } : { missing }
}

/** What is reported when a session is opened. */
export function serverReports({ states }: SentServers, warns: boolean, at: number): AgentEvent[] {
  if (states.length === 0) return []
  const left = warns ? states.filter(({ state }) => state === 'failed') : []
  return [
    { type: 'servers_reported', at, servers: [...states] },
    ...left.map(({ name, reason = '' }): AgentEvent => {
      return { type: 'warning_raised', at, message: `The MCP server ${name} is left out: ${reason}.` }
    }),
  ]
}

/** Finds out from calls of their tools, also those of subagents, which servers run: agents do not report it. */
export class ServersAtWork {
  /** The servers of calls that run. */
  readonly #calls = new Map<string, string>()
  readonly #known = new Set<string>()

  /** The report that follows from an event, if one does. */
  after(event: AgentEvent, { states }: SentServers): AgentEvent[] {
    if (states.length === 0) return []
    if (event.type === 'agent_session_opened') this.#known.clear()
    const work = event.type === 'task_event' ? event.event : event
    if (work.type === 'tool_called') {
      const { name, arguments: values } = work
      const server = states.find(
        each => name.startsWith(`mcp__${each.name}__`) || textAt(values, 'server') === each.name,
      )
      if (server) this.#calls.set(work.id, server.name)
    }
    if (work.type !== 'tool_finished') return []
    const name = this.#calls.get(work.id)
    this.#calls.delete(work.id)
    if (name === undefined || work.failed || this.#known.has(name)) return []
    this.#known.add(name)
    return [{ type: 'servers_reported', at: event.at, servers: [{ name, state: 'running' }] }]
  }
}

/** Claude Code says so in a notice. */
const FAILED_NOTICE = /^MCP server "(.+)" failed to start$/
/** Codex says so as a call that failed. */
const FAILED_CALL = /^mcp_startup\.(.+)\.[\da-f-]{36}$/
/** What stands before the reason. */
const BEFORE_REASON =
  /^(?:\[codex-acp forwarded startup error\] )?(?:MCP [^:\n]* failed to start: |MCP startup failed: )*/

/** Characters of a reason: one may have a whole page of HTML. */
const LONGEST_REASON = 300

/** The server that did not start, if an agent reports that; otherwise null. */
export function failedServer(update: WireUpdate): ToolServer | null {
  if (update.sessionUpdate === 'notice') {
    const [, name] = FAILED_NOTICE.exec(update.title.trim()) ?? []
    return name === undefined ? null : { name, state: 'failed' }
  }
  if (update.sessionUpdate !== 'tool_call' || update.status !== 'failed') return null
  const [, name] = FAILED_CALL.exec(update.toolCallId) ?? []
  if (name === undefined) return null
  const text = textOfBlocks((update.content ?? []).flatMap(({ content }) => (content ? [content] : [])))
  const reason = (text.replace(BEFORE_REASON, '').trim().split('\n')[0] ?? '').slice(0, LONGEST_REASON)
  return { name, state: 'failed', ...(reason !== '' && { reason }) }
}

export function serverFailed(server: ToolServer, at: number): AgentEvent[] {
  const why = server.reason === undefined ? '; its tools are missing' : `: ${server.reason.replace(/\.$/, '')}`
  return [
    { type: 'servers_reported', at, servers: [server] },
    {
      type: 'warning_raised',
      at,
      message: `The MCP server ${server.name} did not start${why}. /mcp lists the servers.`,
    },
  ]
}
