import { expect, test } from 'vitest'
import { createCredentialLookup } from '../../../../src/agents/zot/program/credentials.ts'

const file = JSON.stringify({
  anthropic: { api_key: 'x' },
  openai: { oauth: { access_token: 'x' } },
  google: {},
  deepseek: { api_key: '' },
  github_copilot: { oauth: { access_token: 'x' } },
  additional_api_key_creds: { groq: { api_key: 'x' }, xai: {} },
})

test.each([
  ['anthropic', true],
  ['openai', true],
  ['openai-codex', true],
  ['github-copilot', true],
  ['groq', true],
  ['ollama', true],
  ['google', false],
  ['deepseek', false],
  ['xai', false],
  ['constructor', false],
])("zot's file has a credential for %s: %s", (provider, known) => {
  expect(createCredentialLookup({}, file)(provider)).toBe(known)
})

test.each([
  ['DEEPSEEK_API_KEY', 'deepseek'],
  ['MY_COMPANY_API_KEY', 'my-company'],
  ['GEMINI_API_KEY', 'google'],
  ['GOOGLE_API_KEY', 'google'],
  ['ANTHROPIC_OAUTH_TOKEN', 'anthropic'],
  ['HF_TOKEN', 'huggingface'],
  ['AWS_PROFILE', 'amazon-bedrock'],
])('%s is a credential for %s', (name, provider) => {
  expect(createCredentialLookup({ [name]: 'x' }, null)(provider)).toBe(true)
  expect(createCredentialLookup({ [name]: '' }, null)(provider)).toBe(false)
  expect(createCredentialLookup({ [name]: 'x' }, null)('mistral')).toBe(false)
})

test.each([
  '',
  'no JSON',
  'null',
  '[]',
  '{"anthropic":7,"additional_api_key_creds":[]}',
  '{"__proto__":{"api_key":"x"}}',
])('a file with %s contains no credential', text => {
  const has = createCredentialLookup({}, text)
  expect(['anthropic', 'openai', 'toString', '__proto__'].map(name => has(name))).toEqual([false, false, false, false])
})
