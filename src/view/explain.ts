/** What an error of the provider means for the person, and what to do about it. */

export type Explanation = {
  /** What happened, in a sentence. */
  what: string
  /** What to do now. */
  hint: string
}

const RETRY = '/retry sends the prompt again, /model takes another model.'

type Rule = { test: RegExp; what: (match: RegExpExecArray) => string; hint: string }

const rules: readonly Rule[] = [
  {
    test: /\bhttp (401|403)\b|invalid.{0,10}(api.?key|x-api-key)|authentication_error|permission_error/i,
    what: match => `The provider refused the key${match[1] ? ` (http ${match[1]})` : ''}.`,
    hint: 'Check the key, or run `zot` once and /login; then /restart and /retry.',
  },
  {
    test: /insufficient_quota|credit balance|billing|quota/i,
    what: () => 'The account has no credit or quota left.',
    hint: 'Check the plan at the provider, or take another model with /model; then /retry.',
  },
  {
    test: /prompt is too long|context.{0,20}(length|window)|maximum context|too many tokens/i,
    what: () => 'The conversation no longer fits the model.',
    hint: '/compact makes it shorter; then /retry.',
  },
  {
    test: /\bhttp 429\b|rate.?limit|too many requests/i,
    what: () => 'The provider limits how often it may be asked (http 429).',
    hint: `Wait a moment: ${RETRY}`,
  },
  {
    test: /\bhttp (5\d\d)\b|overloaded/i,
    what: match => `The provider is overloaded or out of order${match[1] ? ` (http ${match[1]})` : ''}.`,
    hint: `It usually passes: ${RETRY}`,
  },
  {
    test: /dial tcp|connection refused|no such host|network is unreachable|timeout|EOF|connection reset/i,
    what: () => 'The provider could not be reached.',
    hint: 'Check the network and --base-url; /retry sends the prompt again.',
  },
  {
    test: /max steps \((\d+)\) exceeded/,
    what: match => `It stopped after ${match[1]} steps, the limit of --max-steps.`,
    hint: 'Say "go on" to continue.',
  },
]

export function explainError(error: string): Explanation {
  for (const rule of rules) {
    const match = rule.test.exec(error)
    if (match) return { what: rule.what(match), hint: rule.hint }
  }
  return { what: 'The turn failed.', hint: RETRY }
}

/** What the other side said, without the JSON around it. */
export function saidIn(error: string): string {
  const brace = error.indexOf('{')
  if (brace < 0) return error
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.)+)"/.exec(error)?.[1]
  return message === undefined ? error : `${error.slice(0, brace)}${message.replace(/\\(.)/g, '$1')}`
}
