/**
 * Explains a provider's error and says what to do about it. Agents pass on the provider's message
 * (docs/zot-protocol.md, Events), by which the kind of error is recognised.
 */

/** `plan` is a limit of the user's plan, `limit` one that the user set, `other` an unknown error. */
export type ProviderErrorKind =
  | 'plan'
  | 'credential'
  | 'quota'
  | 'overflow'
  | 'rate'
  | 'server'
  | 'network'
  | 'limit'
  | 'other'

export type ProviderError = {
  kind: ProviderErrorKind
  /** A sentence that says what happened. */
  what: string
  /** A sentence that says what to do now. */
  hint: string
}

const RETRY = '/retry sends the prompt again, /model switches to another model.'

type ErrorRule = { kind: ProviderErrorKind; test: RegExp; what: (match: RegExpExecArray) => string; hint: string }

/** The wordings of Anthropic, OpenAI, Google and llama.cpp. */
const OVERFLOW =
  /prompt is too long|context.{0,20}(length|window|limit|size)|maximum context|maximum number of tokens|too many tokens|reduce the length of|\bhttp 413\b/i

const rules: readonly ErrorRule[] = [
  {
    kind: 'overflow',
    test: OVERFLOW,
    what: () => 'The conversation no longer fits the model.',
    hint: '/compact makes it shorter; then /retry.',
  },
  {
    kind: 'credential',
    test: /\bhttp (401|403)\b|invalid.{0,10}(api.?key|x-api-key)|authentication_error|permission_error/i,
    what: match => `The provider rejected the API key${match[1] ? ` (http ${match[1]})` : ''}.`,
    hint: 'Check the API key or log in again; then /retry.',
  },
  {
    kind: 'quota',
    test: /insufficient_quota|credit balance|billing|quota/i,
    what: () => 'The account has no credit or quota left.',
    hint: 'Check your plan with the provider, or switch models with /model; then /retry.',
  },
  {
    kind: 'rate',
    test: /\bhttp 429\b|rate.?limit|too many requests/i,
    what: () => 'The provider is limiting requests (http 429).',
    hint: `Wait a moment. ${RETRY}`,
  },
  {
    kind: 'server',
    test: /\bhttp (5\d\d)\b|overloaded/i,
    what: match => `The provider is overloaded or unavailable${match[1] ? ` (http ${match[1]})` : ''}.`,
    hint: `This usually passes. ${RETRY}`,
  },
  {
    kind: 'network',
    test: /dial tcp|connection refused|no such host|network is unreachable|timeout|EOF|connection reset/i,
    what: () => 'The provider could not be reached.',
    hint: 'Check the network and --base-url; /retry sends the prompt again.',
  },
  {
    kind: 'limit',
    test: /max steps \((\d+)\) exceeded/,
    what: match => `The turn stopped after ${match[1]} steps, the limit of --max-steps.`,
    hint: 'Send "continue" to continue.',
  },
]

export function providerErrorOf(error: string): ProviderError {
  for (const rule of rules) {
    const match = rule.test.exec(error)
    if (match) return { kind: rule.kind, what: rule.what(match), hint: rule.hint }
  }
  return { kind: 'other', what: 'The turn failed.', hint: RETRY }
}

/** The error of a turn. What the agent says about a limit of the plan goes before the words of its error. */
export function errorOfTurn({ error, isOverLimit }: { error: string | null; isOverLimit: boolean }): ProviderError {
  return isOverLimit ? PLAN : providerErrorOf(error ?? '')
}

const PLAN: ProviderError = {
  kind: 'plan',
  what: 'A limit of your plan is reached.',
  hint: `/usage shows when it resets, as far as that is known. ${RETRY}`,
}

/** The provider's own message, without the JSON around it. */
export function providerMessage(error: string): string {
  const brace = error.indexOf('{')
  if (brace < 0) return error
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(error)?.[1]
  return message === undefined ? error : `${error.slice(0, brace)}${message.replace(/\\(.)/g, '$1')}`
}
