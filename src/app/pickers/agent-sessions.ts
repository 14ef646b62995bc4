/** The sessions that the running agent keeps itself, as rows of the list of sessions. */
import type { AgentSession } from '../../agent/backend.ts'
import type { SessionScope, SessionSummary } from '../../conversation/session-summary.ts'
import type { AppContext } from '../context/context.ts'

export type AgentSessions = {
  /** Those of this folder, or all; none if the agent lists none. */
  list: (scope: SessionScope) => Promise<SessionSummary[]>
  /** The session of a row; undefined if it is none of the agent's. */
  find: (id: string) => AgentSession | undefined
}

/** Characters of a title that are kept. */
const LONGEST = 300

export function createAgentSessions({ backend, host }: Pick<AppContext, 'backend' | 'host'>): AgentSessions {
  let listed = new Map<string, AgentSession>()
  return {
    async list(scope) {
      listed = new Map()
      if (!backend.listSessions || !backend.openSession) return []
      const reply = await backend.listSessions()
      const all = reply.ok ? reply.value : []
      const wanted = all.filter(({ folder }) => scope === 'all' || folder === '' || folder === host?.folder)
      listed = new Map(wanted.map(session => [`${backend.name}:${session.id}`, session]))
      return [...listed].map(([id, session]) => rowOf(id, session, backend.name))
    },
    find: id => listed.get(id),
  }
}

function rowOf(id: string, { folder, title, updatedAt, id: own }: AgentSession, origin: string): SessionSummary {
  const at = updatedAt ?? 0
  return {
    id,
    folder,
    createdAt: at,
    at,
    title: (title === '' ? own : title).slice(0, LONGEST),
    provider: '',
    model: '',
    turns: 0,
    costUsd: 0,
    costIsPartial: true,
    firstPrompt: '',
    lastPrompt: '',
    lastAnswer: '',
    prompts: '',
    parent: null,
    origin,
  }
}
