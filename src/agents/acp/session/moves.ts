/** Opens and switches sessions of an agent. */
import type { AgentSession, OwnSession, Reply, Refused } from '../../../agent/backend.ts'
import type { AcpGreeting } from '../handshake.ts'
import { BUSY, type Requests } from '../../host/requests.ts'
import type { AcpSessions, SessionOpening } from '../sessions.ts'
import type { RpcReply } from '../../transport/json-rpc.ts'
import { readListed } from '../frame.ts'

export type AcpMoves = {
  /** The request for a new session. */
  readonly fresh: SessionOpening
  /** The mode that the user chose in the session, by an earlier process; null if they chose none. */
  readonly remembered: string | null
  /** Continues in another session, without the former conversation. */
  to(opening: SessionOpening): Promise<Reply>
  open(id: string): Promise<Reply>
  /** Continues a stored session, or starts a new one. */
  resume(session: OwnSession): Promise<Reply>
  /** The same where there is no session yet, without the new one: null, or why it was not opened. */
  begin(session: OwnSession): Promise<string | null>
  list(): Promise<Reply<readonly AgentSession[]>>
  /** Opens the current session again, with what is sent now. If the agent refuses, nothing has changed. */
  again(mode: string | null): Promise<Reply>
}

export type AcpMovesOptions = {
  /** The name of the agent. */
  name: string
  /** The absolute folder that the agent works in. */
  folder: string
  /** Absolute folders beside it. */
  folders: () => readonly string[]
  /** The MCP servers that are sent with each of them: an agent does not remember them. */
  servers: () => readonly object[]
  sessions: AcpSessions
  requests: Requests
  can: () => AcpGreeting['can'] | undefined
  isBusy: () => boolean
  /** Resolves when the new session is in its mode, with the user's choices. */
  settled: () => Promise<void>
}

const UNABLE: Refused = { ok: false, message: 'it cannot open earlier sessions' }

export function createMoves(options: AcpMovesOptions): AcpMoves {
  const { name, folder, folders, servers, sessions, requests, can, isBusy, settled } = options
  const basis = () => {
    const more = can()?.addFolders ? folders() : []
    return { cwd: folder, mcpServers: servers(), ...(more.length > 0 && { additionalDirectories: more }) }
  }
  const fresh = (): SessionOpening => ({ method: 'session/new', params: basis() })

  let remembered: string | null = null

  return {
    get fresh() {
      return fresh()
    },
    get remembered() {
      return remembered
    },
    to(opening) {
      remembered = null
      return move(opening)
    },
    open(id) {
      remembered = null
      const repeats = can()?.load ?? false
      const method = repeats ? 'session/load' : 'session/resume'
      return move({ method, params: { sessionId: id, ...basis() }, id, repeats })
    },
    async resume(session) {
      remembered = session.mode ?? null
      const opening = wayTo(session)
      const reply = opening ? await move(opening) : UNABLE
      return reply.ok ? reply : move({ ...fresh(), isSilent: true, problem: reply.message })
    },
    async begin(session) {
      remembered = session.mode ?? null
      const opening = wayTo(session)
      const refused = opening ? await refusal(opening) : UNABLE
      return refused && refused.message
    },
    async again(mode) {
      const { current } = sessions
      if (!current) return { ok: false, message: `${name} is not running` }
      const { resume = false, load = false } = can() ?? {}
      // A session without a prompt may not be stored yet.
      if (!current.translation.hasSpoken) return move({ ...fresh(), isSilent: true })
      if (!resume && !load) return UNABLE
      remembered = mode
      const params = { sessionId: current.id, ...basis() }
      const method = resume ? 'session/resume' : 'session/load'
      return move({ method, params, id: current.id, isSilent: true, costUsd: current.translation.facts.costUsd ?? 0 })
    },
    async list() {
      const listed = await listAgentSessions(folder, params => requests.send('session/list', params))
      if (listed.ok) return listed
      const refused = listed.refusal === null ? null : requests.refusal(listed.refusal)
      return refused ?? { ok: false, message: `${name} returned a list that cannot be read` }
    },
  }

  /** The request for a session that exists; null if the agent cannot open it. */
  function wayTo({ id, costUsd, copy = false }: OwnSession): SessionOpening | null {
    const { fork = false, resume = false, load = false } = can() ?? {}
    const way = { params: { sessionId: id, ...basis() }, isSilent: true, costUsd }
    if (copy) return fork ? { ...way, method: 'session/fork' } : null
    if (resume) return { ...way, method: 'session/resume', id }
    return load ? { ...way, method: 'session/load', id } : null
  }

  /** Opens a session. Returns the reason if it was not opened, otherwise null. */
  async function refusal(opening: SessionOpening): Promise<Refused | null> {
    const former = sessions.current
    const reply = await requests.changes.make(() => sessions.open(opening))
    const refused = requests.refusal(reply)
    if (refused || sessions.current !== former) return refused
    return { ok: false, message: `${name} returned a session that cannot be read` }
  }

  async function move(opening: SessionOpening): Promise<Reply> {
    const former = sessions.current
    if (!former) return { ok: false, message: `${name} is not running` }
    if (isBusy()) return BUSY
    const refused = await refusal(opening)
    if (refused) return refused
    if (can()?.close && sessions.current?.id !== former.id)
      void requests.send('session/close', { sessionId: former.id })
    await settled()
    return { ok: true, value: undefined }
  }
}

type Listed<Refusal> = { ok: true; value: readonly AgentSession[] } | { ok: false; refusal: Refusal | null }

/** The number of pages of the list that are read. */
const MOST_PAGES = 20

/** Lists the sessions of a folder, newest first. If the agent refused, its reply; null for an invalid list. */
async function listAgentSessions<Reply extends RpcReply | 'timed out'>(
  folder: string,
  request: (params: object) => Promise<Reply>,
): Promise<Listed<Reply>> {
  const found: AgentSession[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const reply = await request({ cwd: folder, ...(cursor !== null && { cursor }) })
    if (reply === 'timed out' || !reply.ok) return { ok: false, refusal: reply }
    const listed = readListed(reply.result)
    if (!listed) return { ok: false, refusal: null }
    for (const { sessionId: id, cwd, title, updatedAt } of listed.sessions) {
      const time = Date.parse(updatedAt ?? '')
      found.push({ id, folder: cwd, title: title ?? '', updatedAt: Number.isNaN(time) ? null : time })
    }
    cursor = listed.nextCursor || null
    if (cursor === null || listed.sessions.length === 0) break
  }
  return { ok: true, value: found.toSorted((one, other) => (other.updatedAt ?? 0) - (one.updatedAt ?? 0)) }
}
