/** The errors of agents in words. Pure. */
import type { RpcError } from '../transport/json-rpc.ts'
import { innerWords, textIn } from '../rpc/inner-words.ts'

/** The code of an agent that wants the user to log in. */
const LOGIN = -32000
/** Invalid parameters, in this version of the protocol and with agents that report them as their own fault. */
const INVALID = -32602

export const needsLogin = ({ code }: RpcError): boolean => code === LOGIN

/** Whether the agent rejected the request itself, and not what came of it. */
export const isRejected = ({ code }: RpcError): boolean => code === INVALID || code === -32600 || code === -32002

/** The words for the user. Some agents only say "Internal error" and tell the reason beside it; others pass on a raw answer of the model's server. */
export function errorWords({ message, data, code }: RpcError): string {
  const details = textIn(data, 'details') ?? textIn(data, 'message')
  const isVague = /^(?:internal error|invalid params)?\.?$/iu.test(message.trim())
  if (isVague && details !== undefined) return innerWords(details)
  return message.trim() === '' ? `error ${code}` : innerWords(message)
}
