/** Requests to an agent with time limits. Changes are made one after the other. */
import type { Refused } from '../../agent/backend.ts'
import type { RpcError, RpcPeer, RpcReply } from '../transport/json-rpc.ts'
import { withTimeout } from '../transport/with-timeout.ts'

export type TimedReply = RpcReply | 'timed out'

export type Requests = {
  send(method: string, params: unknown): Promise<TimedReply>
  /** Makes changes one after the other. */
  change<Value>(make: () => Promise<Value>): Promise<Value>
  /** Resolves when the changes so far are made; a prompt waits for them. */
  readonly changed: Promise<unknown>
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

export const BUSY: Refused = { ok: false, message: 'the agent is busy: wait until it is done, or stop it' }

export function createRequests({ peer, name, limit, words }: RequestsOptions): Requests {
  let changes: Promise<unknown> = Promise.resolve()

  return {
    send: (method, params) => withTimeout(limit, peer.request(method, params)),
    change(make) {
      const made = changes.then(make)
      changes = made.catch(() => undefined)
      return made
    },
    get changed() {
      return changes
    },
    refusal(reply) {
      if (reply === 'timed out') return { ok: false, message: `${name} did not answer in time` }
      if (reply.ok) return null
      if (reply.ending) return { ok: false, message: `${name} is not running` }
      return { ok: false, message: words(reply.error) }
    },
  }
}
