/** Turns errors of agents into messages. Pure. */
import type { RpcError } from '../transport/json-rpc.ts'
import { textAt } from '../../text/member.ts'
import { innerWords } from '../host/inner-words.ts'

/** The error codes of agents that need a login; the second is Mistral Vibe's. */
const LOGIN: ReadonlySet<number> = new Set([-32000, -31002])
/** JSON-RPC's code for invalid parameters. */
const INVALID = -32602

export const needsLogin = ({ code }: RpcError): boolean => LOGIN.has(code)

/** Whether the agent rejected the request itself, rather than failed to carry it out. */
export const isRejected = ({ code }: RpcError): boolean => code === INVALID || code === -32600 || code === -32002

/** Whether a limit of the user's plan is reached: Claude and Codex say so, each in a field of its own. */
export const isOverLimit = ({ data }: RpcError): boolean =>
  textAt(data, 'errorKind') === 'rate_limit' || textAt(data, 'codexErrorInfo') === 'usageLimitExceeded'

/**
 * The message for the user. Some agents answer "Internal error" and put the reason into another field; others pass on a raw
 * answer of the model's server.
 */
export function errorWords({ message, data, code }: RpcError): string {
  const details = textAt(data, 'details') ?? textAt(data, 'message')
  const isVague = /^(?:internal error|invalid params)?\.?$/iu.test(message.trim())
  if (isVague && details !== undefined) return innerWords(details)
  return message.trim() === '' ? `error ${code}` : innerWords(message)
}
