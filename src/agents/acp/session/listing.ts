/** The sessions that an agent stores itself. */
import type { AgentSession } from '../../../agent/backend.ts'
import type { RpcReply } from '../../transport/json-rpc.ts'
import { readListed } from '../frame.ts'

type Listed<Refusal> = { ok: true; value: readonly AgentSession[] } | { ok: false; refusal: Refusal | null }

/** The number of pages of the list that are read. */
const MOST_PAGES = 20

/** Lists the sessions of a folder, newest first. If the agent refused, its reply; null for an invalid list. */
export async function listAgentSessions<Reply extends RpcReply | 'timed out'>(
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
