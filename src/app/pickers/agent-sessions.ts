/** The running agent's own sessions, as rows of the list of sessions. */
import type { AgentSession } from '../../agent/backend.ts'
import {
  agentSessionName,
  type SessionScope,
  type SessionSummary,
} from '../../conversation/queries/session/session-summary.ts'
import { emptySummary } from '../../storage/sessions/summary.ts'
import type { AppContext } from '../context/context.ts'

export type AgentSessions = {
  /** Those of this folder, or all, without those that `own` sessions use; none if the agent lists none. */
  list: (scope: SessionScope, own: readonly SessionSummary[]) => Promise<SessionSummary[]>
  /** The session of a row; undefined if the agent has no such session. */
  find: (id: string) => AgentSession | undefined
}

/** Characters of a title that are kept. */
const LONGEST = 300

export function createAgentSessions({
  backend,
  host,
  state,
}: Pick<AppContext, 'backend' | 'host' | 'state'>): AgentSessions {
  let listed = new Map<string, AgentSession>()
  return {
    async list(scope, own) {
      listed = new Map()
      if (!backend.abilities.has('listSessions') || !backend.abilities.has('openSession')) return []
      const reply = await backend.listSessions()
      const all = reply.ok ? reply.value : []
      const inScope = all.filter(({ folder }) => scope === 'all' || folder === '' || folder === host?.folder)
      const current = agentSessionName(backend.name, state().chat.agentSession ?? '')
      const known = new Set([current, ...own.flatMap(({ agentSessions = [] }) => agentSessions)])
      const named = inScope.map(session => [agentSessionName(backend.name, session.id), session] as const)
      listed = new Map(named.filter(([name]) => !known.has(name)))
      return [...listed].map(([id, session]) => rowOf(id, session, backend.name))
    },
    find: id => listed.get(id),
  }
}

function rowOf(id: string, { folder, title, updatedAt, id: own }: AgentSession, origin: string): SessionSummary {
  const at = updatedAt ?? 0
  return {
    ...emptySummary(id),
    folder,
    createdAt: at,
    at,
    title: (title === '' ? own : title).slice(0, LONGEST),
    costIsPartial: true,
    origin,
  }
}
