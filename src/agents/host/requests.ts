/** Requests to an agent with time limits, and changes, which are made one after the other. */
import type { Refused } from '../../agent/backend.ts'
import type { RpcError, RpcPeer, RpcReply } from '../transport/json-rpc.ts'
import { withTimeout } from '../transport/with-timeout.ts'

export type TimedReply = RpcReply | 'timed out'

export type Requests = {
  send(method: string, params: unknown): Promise<TimedReply>
  readonly changes: AgentChanges
  /** The reason why a request was refused; null if it was not. */
  refusal(reply: TimedReply): Refused | null
}

export type RequestsOptions = {
  peer: RpcPeer
  /** The name of the agent. */
  name: string
  /** Milliseconds. */
  limit: number
  /** An error as text for the user. */
  words: (error: RpcError) => string
}

/** Changes of an agent, made one after the other. */
export type AgentChanges = {
  make<Value>(change: () => Promise<Value>): Promise<Value>
  /** Resolves, never rejects, when the changes so far are made. */
  readonly made: Promise<unknown>
}

export function createChanges(): AgentChanges {
  let made: Promise<unknown> = Promise.resolve()
  return {
    make(change) {
      const result = made.then(change)
      made = result.catch(() => undefined)
      return result
    },
    get made() {
      return made
    },
  }
}

export const BUSY: Refused = { ok: false, message: 'the agent is busy: wait until it is done, or stop it' }

export function createRequests({ peer, name, limit, words }: RequestsOptions): Requests {
  return {
    send: (method, params) => withTimeout(limit, peer.request(method, params)),
    changes: createChanges(),
    refusal(reply) {
      if (reply === 'timed out') return { ok: false, message: `${name} did not answer in time` }
      if (reply.ok) return null
      if (reply.ending) return { ok: false, message: `${name} is not running` }
      return { ok: false, message: words(reply.error) }
    },
  }
}
