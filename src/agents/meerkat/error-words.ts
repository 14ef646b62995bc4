/** Turns errors of Meerkat into messages that say what to do. Pure. */
import { z } from 'zod'
import type { RpcError } from '../transport/json-rpc.ts'
import { innerWords } from '../host/inner-words.ts'
import { lookup } from '../../text/lookup.ts'

const codes = { notFound: -32001, busy: -32002, cancelled: -32005 } as const

export const isCancelled = ({ code }: RpcError): boolean => code === codes.cancelled

/** The agent does not know the session. */
export const isUnknownSession = ({ code }: RpcError): boolean => code === codes.notFound

/** Prefixes that Meerkat's layers put before the reason, each with a colon. */
const LAYERS =
  /^(?:turn abandoned|Terminal failure|Failed \(\w+\)|LLM failure terminal turn|LLM error \([^)]*\)|agent error|Invalid params|executor requested \w+ teardown|Runtime apply failure|Retry exhausted|Stream parsing error): /iu

/** A message without these prefixes. */
export function failureWords(message: string): string {
  let words = message.trim()
  for (let found = LAYERS.exec(words); found; found = LAYERS.exec(words)) words = words.slice(found[0].length)
  return innerWords(words)
}

const dataSchema = z.object({
  error: z.object({
    detail: z.string().optional().catch(undefined),
    kind: z.string().optional().catch(undefined),
    reason: z.object({ reason_type: z.string() }).optional().catch(undefined),
  }),
})

/** The fields of `run_failed`. */
export type FailureReport = { class: string; message: string; reason?: { reason_type: string } | undefined }

/** The message for the user, from `run_failed` or from the answer to the request. */
export function errorWords(error: RpcError | null, report: FailureReport | null = null): string {
  const data = dataSchema.safeParse(error?.data).data?.error
  const whole = report?.message || data?.detail || error?.message || ''
  const words = failureWords(whole) || (error ? `error ${error.code}` : 'Meerkat gave no reason')
  const secret = /provider=(\w+) kind=missing_secret/u.exec(whole)?.[1]
  if (secret !== undefined) return `there is no key for ${secret}; ${keyHint(secret)}`
  const kinds = [data?.reason?.reason_type, report?.reason?.reason_type, data?.kind, report?.class]
  const hint =
    error && isUnknownSession(error) ? SESSION : kinds.map(kind => lookup(HINTS, kind ?? '')).find(found => found)
  return hint === undefined ? words : `${words}; ${hint}`
}

const SESSION = '/clear begins a new session'

const HINTS: Readonly<Partial<Record<string, string>>> = {
  llm_auth_error: 'check the key of the provider',
  llm_context_exceeded:
    'the conversation is too long for this model: /clear starts a new one, /model switches to a larger model',
  llm_rate_limited: 'wait a little, then send it again',
  llm_invalid_model: '/model lists the models',
  llm_network_timeout: 'check the network, then send it again',
  llm_call_timeout: 'send it again, or switch models with /model',
  retry_exhausted: "check that the model's server can be reached, then send it again",
  content_filtered: 'the provider blocked the answer: rephrase the prompt',
}

const KEYS: Readonly<Partial<Record<string, string>>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  gemini: 'GEMINI_API_KEY',
}

function keyHint(provider: string): string {
  const name = lookup(KEYS, provider)
  return name ? `set ${name} and start zotui again` : 'add it to the configuration of Meerkat'
}
