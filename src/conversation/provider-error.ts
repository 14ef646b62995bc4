/**
 * What an error of the provider means for the person, and what to do about it. Agents pass on the provider's own words
 * (docs/zot-protocol.md, Events), so that it is told by those.
 */

/** `limit` is one that the person set, `other` whatever is not known. */
export type ProviderErrorKind = 'credential' | 'quota' | 'overflow' | 'rate' | 'server' | 'network' | 'limit' | 'other'

export type ProviderError = {
  kind: ProviderErrorKind
  /** What happened, in a sentence. */
  what: string
  /** What to do now. */
  hint: string
}

const RETRY = '/retry sends the prompt again, /model takes another model.'

type Rule = { kind: ProviderErrorKind; test: RegExp; what: (match: RegExpExecArray) => string; hint: string }

/** Anthropic's, OpenAI's, Google's and llama.cpp's ways to say it. */
const OVERFLOW =
  /prompt is too long|context.{0,20}(length|window|limit|size)|maximum context|maximum number of tokens|too many tokens|reduce the length of|\bhttp 413\b/i

const rules: readonly Rule[] = [
  {
    kind: 'overflow',
    test: OVERFLOW,
    what: () => 'The conversation no longer fits the model.',
    hint: '/compact makes it shorter; then /retry.',
  },
  {
    kind: 'credential',
    test: /\bhttp (401|403)\b|invalid.{0,10}(api.?key|x-api-key)|authentication_error|permission_error/i,
    what: match => `The provider refused the key${match[1] ? ` (http ${match[1]})` : ''}.`,
    hint: 'Check the key or the login; then /retry.',
  },
  {
    kind: 'quota',
    test: /insufficient_quota|credit balance|billing|quota/i,
    what: () => 'The account has no credit or quota left.',
    hint: 'Check the plan at the provider, or take another model with /model; then /retry.',
  },
  {
    kind: 'rate',
    test: /\bhttp 429\b|rate.?limit|too many requests/i,
    what: () => 'The provider limits how often it may be asked (http 429).',
    hint: `Wait a moment: ${RETRY}`,
  },
  {
    kind: 'server',
    test: /\bhttp (5\d\d)\b|overloaded/i,
    what: match => `The provider is overloaded or out of order${match[1] ? ` (http ${match[1]})` : ''}.`,
    hint: `It usually passes: ${RETRY}`,
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
    what: match => `It stopped after ${match[1]} steps, the limit of --max-steps.`,
    hint: 'Say "go on" to continue.',
  },
]

export function providerErrorOf(error: string): ProviderError {
  for (const rule of rules) {
    const match = rule.test.exec(error)
    if (match) return { kind: rule.kind, what: rule.what(match), hint: rule.hint }
  }
  return { kind: 'other', what: 'The turn failed.', hint: RETRY }
}

/** What the other side said, without the JSON around it. */
export function saidIn(error: string): string {
  const brace = error.indexOf('{')
  if (brace < 0) return error
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(error)?.[1]
  return message === undefined ? error : `${error.slice(0, brace)}${message.replace(/\\(.)/g, '$1')}`
}
