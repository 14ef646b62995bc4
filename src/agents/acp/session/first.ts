/** Opens the first session of a run, after a login if the agent wants one. */
import type { OwnSession } from '../../../agent/backend.ts'
import type { EndCause } from '../../host/explain-end.ts'
import type { TimedReply } from '../../host/requests.ts'
import type { RpcPeer } from '../../transport/json-rpc.ts'
import { errorWords, needsLogin } from '../error-words.ts'
import type { AcpGreeting } from '../handshake.ts'
import type { AcpLimits } from '../limits.ts'
import type { AcpSessions } from '../sessions.ts'
import { createLogins, type ChosenLogin } from './login.ts'
import type { AcpMoves } from './moves.ts'

export type FirstParts = {
  greeting: AcpGreeting
  peer: RpcPeer
  sessions: Pick<AcpSessions, 'current' | 'open'>
  moves: Pick<AcpMoves, 'begin' | 'fresh'>
  limits: AcpLimits
  env: NodeJS.ProcessEnv
  /** The login to begin with; null for none. */
  login: ChosenLogin | null
}

/** `wantsLogin` if the user has to log in. */
export type FirstOpened =
  | { outcome: 'opened' }
  | { outcome: 'ended' }
  | { outcome: 'failed'; cause: EndCause; wantsLogin: boolean }

/** Opens this session, or else a new one. */
export async function openFirst(parts: FirstParts, session: OwnSession | undefined): Promise<FirstOpened> {
  const { greeting, limits, login } = parts
  const logins = createLogins({ ...parts, limit: limits.login, keyLogin: greeting.known?.keyLogin ?? null })
  const refused = login && (await logins.use(login))
  if (refused !== null) return withoutLogin(refused)
  const reply = await enter()
  if (!isLoginNeeded(reply)) return endOf(reply)
  const problem = logins.hasKey ? await logins.useKey() : null
  if (problem !== null) return withoutLogin(problem)
  return endOf(logins.hasKey ? await enter() : reply)

  /** Null if that worked. */
  async function enter(): Promise<TimedReply | null> {
    const { moves, sessions } = parts
    const unopened = session ? await moves.begin(session) : null
    if (sessions.current) return null
    const answer = await sessions.open({ ...moves.fresh, ...(unopened !== null && { problem: unopened }) })
    return sessions.current ? null : answer
  }

  function endOf(answer: TimedReply | null): FirstOpened {
    if (answer === null) return { outcome: 'opened' }
    const request = 'session/new'
    if (answer === 'timed out') return failed({ type: 'silent', milliseconds: limits.request, request })
    if (answer.ok) return failed({ type: 'unreadable', request })
    if (answer.ending) return { outcome: 'ended' }
    const words = errorWords(answer.error)
    return needsLogin(answer.error) ? withoutLogin(words) : failed({ type: 'refused', words })
  }

  function withoutLogin(words: string): FirstOpened {
    return { outcome: 'failed', cause: { type: 'refused', words, hint: logins.hint }, wantsLogin: true }
  }
}

function failed(cause: EndCause): FirstOpened {
  return { outcome: 'failed', cause, wantsLogin: false }
}

function isLoginNeeded(reply: TimedReply | null): boolean {
  return reply !== null && reply !== 'timed out' && !reply.ok && reply.ending === null && needsLogin(reply.error)
}
