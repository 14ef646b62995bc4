/** Requests to an agent in our time: each has a limit, and changes are made one after the other. */
import type { RpcPeer, RpcReply } from '../transport/json-rpc.ts'
import { within } from '../transport/within.ts'
import { errorWords } from './error-words.ts'

export type AcpReply = RpcReply | 'timed out'

export type AcpRequests = {
  send(method: string, params: unknown): Promise<AcpReply>
  /** Makes changes one after the other. */
  change<Value>(make: () => Promise<Value>): Promise<Value>
  /** Resolves when the changes so far are made; a prompt waits for them. */
  readonly changed: Promise<unknown>
  /** Why a request was refused; null if it was not. */
  refusal(reply: AcpReply): { ok: false; message: string } | null
}

export type AcpRequestsOptions = {
  peer: RpcPeer
  /** The name of the agent. */
  name: string
  /** Milliseconds. */
  limit: number
  redact: (text: string) => string
}

export function createRequests({ peer, name, limit, redact }: AcpRequestsOptions): AcpRequests {
  let changes: Promise<unknown> = Promise.resolve()

  return {
    send: (method, params) => within(limit, peer.request(method, params)),
    change(make) {
      const made = changes.then(make)
      changes = made
      return made
    },
    get changed() {
      return changes
    },
    refusal(reply) {
      if (reply === 'timed out') return { ok: false, message: `${name} did not answer in time` }
      if (reply.ok) return null
      if (reply.ending) return { ok: false, message: `${name} is not running` }
      return { ok: false, message: redact(errorWords(reply.error)) }
    },
  }
}
