/** The session that the command line asks for, and its agent. A start without a session loads no code for them. */
import type { SessionRequest } from '../../../src/app/start.ts'
import { statePath, type Log } from '../../../src/storage/log.ts'
import type { ForeignSessions } from '../../../src/storage/sessions/sessions.ts'
import type { AgentStart } from './agent/agent-start.ts'
import { secretsOf } from './agent/connection.ts'

export type Start = AgentStart & { log: Log; argv: readonly string[] }

export async function sessionRequest({ args, folder }: Start, isPrinting: boolean): Promise<SessionRequest | null> {
  const { session } = args
  if (session === null) return null
  const { requestedSession } = await import('./session-request.ts')
  const openForeign = async (): Promise<ForeignSessions> =>
    (await import('./zot-sessions.ts')).zotSessions(folder, secretsOf(args))
  return requestedSession({ session, stateFolder: statePath(), folder, isPrinting, openForeign })
}

/** The agent of the session to resume. */
export async function agentOf(session: SessionRequest | null, { folder }: Start): Promise<string | undefined> {
  if (session?.kind !== 'resume') return undefined
  const { openSessionFiles } = await import('../../../src/storage/sessions/session-files.ts')
  return openSessionFiles(statePath(), folder).agentOf(session.id)
}
