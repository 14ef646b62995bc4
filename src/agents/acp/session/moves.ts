/** The ways from one session of an agent to another. */
import type { AgentSession, Reply } from '../../../agent/backend.ts'
import type { AcpGreeting } from '../handshake.ts'
import type { Requests } from '../../rpc/requests.ts'
import type { AcpSession, AcpSessions, SessionOpening } from '../sessions.ts'
import { listAgentSessions } from './listing.ts'

export type AcpMoves = {
  /** The request for a new session. */
  readonly fresh: SessionOpening
  /** Goes on in another session: what was said before is forgotten. */
  to(opening: SessionOpening): Promise<Reply>
  open(id: string): Promise<Reply>
  /** Goes on in a copy of the present session. */
  fork(): Promise<Reply>
  list(): Promise<Reply<readonly AgentSession[]>>
}

export type AcpMovesOptions = {
  /** The name of the agent. */
  name: string
  /** The absolute folder that the agent works in. */
  folder: string
  sessions: AcpSessions
  requests: Requests
  can: () => AcpGreeting['can'] | undefined
  isBusy: () => boolean
  /** Sets again what the user chose. */
  applyChosen: () => Promise<void>
}

const BUSY = 'the agent is busy: wait until it is done, or stop it'

export function createMoves(options: AcpMovesOptions): AcpMoves {
  const { name, folder, sessions, requests, can, isBusy, applyChosen } = options
  const basis = { cwd: folder, mcpServers: [] }

  return {
    fresh: { method: 'session/new', params: basis },
    to: opening => move(() => opening),
    open(id) {
      const repeats = can()?.load ?? false
      const method = repeats ? 'session/load' : 'session/resume'
      return move(() => ({ method, params: { sessionId: id, ...basis }, id, repeats }))
    },
    fork: () => move(({ id }) => ({ method: 'session/fork', params: { sessionId: id, ...basis } })),
    async list() {
      const listed = await listAgentSessions(folder, params => requests.send('session/list', params))
      if (listed.ok) return listed
      const refused = listed.refusal === null ? null : requests.refusal(listed.refusal)
      return refused ?? { ok: false, message: `${name} answered with a list that cannot be read` }
    },
  }

  async function move(openingFrom: (former: AcpSession) => SessionOpening): Promise<Reply> {
    const former = sessions.current
    if (!former || isBusy()) return { ok: false, message: former ? BUSY : `${name} is not running` }
    const reply = await requests.change(() => sessions.open(openingFrom(former)))
    const refused = requests.refusal(reply)
    if (refused) return refused
    if (sessions.current === former)
      return { ok: false, message: `${name} answered with a session that cannot be read` }
    if (can()?.close) void requests.send('session/close', { sessionId: former.id })
    await applyChosen()
    return { ok: true, value: undefined }
  }
}
