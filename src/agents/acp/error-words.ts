/** The errors of agents in words. Pure. */
import type { RpcError } from '../transport/json-rpc.ts'
import { parseJson } from '../../text/json.ts'

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

/** The message inside of a raw answer of a server; other texts stay as they are. */
export function innerWords(text: string): string {
  const value = text.trimStart().startsWith('{') ? parseJson(text) : undefined
  return textIn(value, 'error', 'message') ?? textIn(value, 'message') ?? textIn(value, 'error') ?? text.trim()
}

/** The text at a path of field names. */
function textIn(value: unknown, ...path: readonly string[]): string | undefined {
  let found = value
  for (const name of path)
    found = typeof found === 'object' && found !== null ? (found as Readonly<Record<string, unknown>>)[name] : undefined
  return typeof found === 'string' ? found : undefined
}
