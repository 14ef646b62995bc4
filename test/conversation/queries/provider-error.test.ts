import { expect, test } from 'vitest'
import { providerErrorOf } from '../../../src/conversation/queries/provider-error.ts'

/** Errors as providers write them, and the words that a user reads. */
test.each([
  ['anthropic: http 401: {"error":{"type":"authentication_error"}}', 'rejected the API key (http 401)', 'log in'],
  ['openai: http 403: forbidden', 'rejected the API key (http 403)', 'log in'],
  ['openai: Incorrect API key: invalid_api_key', 'rejected the API key', 'log in'],
  ['anthropic: invalid x-api-key', 'rejected the API key', 'log in'],
  ['openai: http 429: {"error":{"type":"insufficient_quota"}}', 'no credit', '/model'],
  ['anthropic: Your credit balance is too low', 'no credit', '/model'],
  ['anthropic: http 400: prompt is too long: 210000 tokens > 200000', 'no longer fits', '/compact'],
  ["openai: This model's maximum context length is 128000 tokens", 'no longer fits', '/compact'],
  ['openai: context_length_exceeded', 'no longer fits', '/compact'],
  ['anthropic: http 429: slow down', 'limiting requests', '/retry'],
  ['anthropic rate_limit_error: too fast', 'limiting requests', '/retry'],
  ['anthropic: http 503: upstream', 'overloaded or unavailable (http 503)', '/retry'],
  ['anthropic: http 529: busy', 'overloaded or unavailable (http 529)', '/retry'],
  ['anthropic overloaded_error: Overloaded', 'overloaded', '/retry'],
  [
    'anthropic: Post "http://127.0.0.1:1/v1/messages": dial tcp 127.0.0.1:1: connect: connection refused',
    'not be reached',
    '--base-url',
  ],
  ['openai: Post "https://x": dial tcp: lookup x: no such host', 'not be reached', '--base-url'],
  ['anthropic: unexpected EOF', 'not be reached', '/retry'],
  ['max steps (50) exceeded', 'stopped after 50 steps', 'continue'],
  ['turn blocked by extension guard', 'The turn failed', '/retry'],
  ['', 'The turn failed', '/retry'],
])('%s', (error, what, hint) => {
  const explained = providerErrorOf(error)
  expect(explained.what).toContain(what)
  expect(explained.hint).toContain(hint)
})
