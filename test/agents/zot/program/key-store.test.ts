import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { KeyStore } from '../../../../src/agent/backend.ts'
import { createKeyStore } from '../../../../src/agents/zot/program/key-store.ts'

function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'zotui-keys-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

/** A provider that knows one key. Tells which keys it was asked with. */
async function openProvider(good: string, status = 401) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const key = String(request.headers['x-api-key'] ?? request.headers.authorization)
    asked.push(`${request.url} ${key}`)
    response.writeHead(key.endsWith(good) ? 200 : status).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, asked }
}

/** A store of a zot that lists models of these providers. */
function keysAt(home: string, url: string, providers: readonly string[] = [], env: NodeJS.ProcessEnv = {}): KeyStore {
  const facts = { id: 'm', contextWindow: null, maxOutput: null, reasoning: false }
  const value = providers.map(provider => ({ ...facts, provider }))
  return createKeyStore({ home, env, server: () => url, listModels: async () => ({ ok: true, value }) })
}

test('keeps a key that the provider accepts, for the user alone', async () => {
  const home = makeHome()
  const { url, asked } = await openProvider('sk-good')
  const reply = await keysAt(home, url).keep('anthropic', 'sk-good')
  const file = join(home, 'auth.json')
  expect(reply).toEqual({ ok: true, value: { file, untried: null } })
  expect(asked).toEqual(['/v1/models sk-good'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ anthropic: { api_key: 'sk-good' } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('keeps everything else that is in the file, also the subscription of OpenAI, which is of another provider', async () => {
  const home = makeHome()
  const { url } = await openProvider('sk-good')
  const file = join(home, 'auth.json')
  const others = { kimi: { oauth: { access_token: 'x' } }, additional_api_key_creds: { groq: { api_key: 'y' } } }
  writeFileSync(file, JSON.stringify({ ...others, openai: { oauth: { access_token: 'old' } } }), { mode: 0o644 })
  await keysAt(home, url).keep('openai', 'sk-good')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    ...others,
    openai: { oauth: { access_token: 'old' }, api_key: 'sk-good' },
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('keeps nothing that the provider rejects', async () => {
  const home = makeHome()
  const { url } = await openProvider('sk-good')
  const reply = await keysAt(home, url).keep('anthropic', 'sk-bad')
  expect(reply).toEqual({ ok: false, message: 'Anthropic rejected the key (HTTP 401)' })
  expect(() => statSync(join(home, 'auth.json'))).toThrow('ENOENT')
})

test('keeps a key that could not be tried, and says why', async () => {
  const home = makeHome()
  const { url } = await openProvider('sk-good', 503)
  const keeper = keysAt(home, url)
  expect(await keeper.keep('anthropic', 'sk-new')).toMatchObject({ ok: true, value: { untried: 'HTTP 503' } })
  const nobody = keysAt(home, 'http://127.0.0.1:1')
  expect(await nobody.keep('openai', 'sk-new')).toMatchObject({
    ok: true,
    value: { untried: 'OpenAI could not be reached' },
  })
})

test.each([['{'], ['[]'], ['"x"']])('leaves an unreadable file unchanged: %s', async text => {
  const home = makeHome()
  const file = join(home, 'auth.json')
  writeFileSync(file, text)
  const { url } = await openProvider('sk-good')
  const reply = await keysAt(home, url).keep('anthropic', 'sk-good')
  expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('is not JSON') })
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test.each([['two words'], [''], ['ключ'], ['a\u001B[31m']])('asks no provider about %j, which is no key', async key => {
  const { url, asked } = await openProvider('sk-good')
  const reply = await keysAt(makeHome(), url).keep('anthropic', key)
  expect(reply).toMatchObject({ ok: false })
  expect(asked).toEqual([])
})

test('offers every provider of this zot that takes a key, with its variable, the most used ones first', async () => {
  const listed = ['openai', 'groq', 'openai-codex', 'groq', 'huggingface', 'deepseek', 'ollama', 'constructor']
  const providers = await keysAt(makeHome(), '', listed).providers()
  expect(providers.map(({ name, variable }) => `${name} ${variable}`)).toEqual([
    'anthropic ANTHROPIC_API_KEY',
    'openai OPENAI_API_KEY',
    'kimi KIMI_API_KEY',
    'constructor CONSTRUCTOR_API_KEY',
    'deepseek DEEPSEEK_API_KEY',
    'groq GROQ_API_KEY',
    'huggingface HF_TOKEN',
  ])
})

test.each([
  ['deepseek', { deepseek: { api_key: 'sk-new' } }],
  ['github-copilot', { github_copilot: { api_key: 'sk-new' } }],
  ['groq', { additional_api_key_creds: { xai: { api_key: 'x' }, groq: { api_key: 'sk-new' } } }],
  [
    '__proto__',
    { additional_api_key_creds: JSON.parse('{"xai":{"api_key":"x"},"__proto__":{"api_key":"sk-new"}}') as object },
  ],
])('puts a key of %s where zot reads it, and asks no server', async (name, added) => {
  const home = makeHome()
  const file = join(home, 'auth.json')
  writeFileSync(file, JSON.stringify({ additional_api_key_creds: { xai: { api_key: 'x' } } }))
  const { url, asked } = await openProvider('sk-good')
  expect(await keysAt(home, url).keep(name, 'sk-new')).toMatchObject({
    ok: true,
    value: { untried: expect.any(String) },
  })
  expect(readFileSync(file, 'utf8')).toBe(
    `${JSON.stringify({ additional_api_key_creds: { xai: { api_key: 'x' } }, ...added }, null, 2)}\n`,
  )
  expect(asked).toEqual([])
})

/** A file with every kind of login that zot stores. */
const everyLogin = {
  anthropic: { api_key: 'sk-a' },
  openai: { api_key: 'sk-o', oauth: { access_token: 'x' } },
  github_copilot: { oauth: { access_token: 'y' } },
  google: {},
  kimi: 'not a login',
  additional_api_key_creds: { groq: { api_key: 'sk-g' }, empty: { api_key: '' } },
  later: { api_key: 'of a later zot' },
}
// The name is an own one, as `JSON.parse` makes it.
const storedText = JSON.stringify(everyLogin).replace('"empty"', '"__proto__":{"api_key":"sk-p"},"empty"')

test('lists the keys and subscriptions that are stored, and of OpenAI both', async () => {
  const home = makeHome()
  const file = join(home, 'auth.json')
  expect(await keysAt(home, '').stored()).toEqual({ ok: true, value: { file, logins: [] } })
  writeFileSync(file, storedText)
  expect(await keysAt(home, '').stored()).toEqual({
    ok: true,
    value: {
      file,
      logins: [
        { provider: 'anthropic', kind: 'key', title: 'Anthropic' },
        { provider: 'openai', kind: 'key', title: 'OpenAI' },
        { provider: 'openai', kind: 'subscription', title: 'OpenAI' },
        { provider: 'github-copilot', kind: 'subscription', title: 'github-copilot' },
        { provider: 'later', kind: 'key', title: 'later' },
        { provider: 'groq', kind: 'key', title: 'groq' },
        { provider: '__proto__', kind: 'key', title: '__proto__' },
      ],
    },
  })
})

test('removes each login alone, and leaves every other byte of the file as it is', async () => {
  const home = makeHome()
  const file = join(home, 'auth.json')
  const keys = keysAt(home, '')
  writeFileSync(file, storedText)
  const listed = await keys.stored()
  const logins = listed.ok ? listed.value.logins : []
  expect(logins).toHaveLength(7)
  for (const login of logins) {
    writeFileSync(file, storedText, { mode: 0o600 })
    expect(await keys.forget(login)).toEqual({ ok: true, value: '' })
    const left = await keys.stored()
    expect(left.ok && left.value.logins).toEqual(logins.filter(each => each !== login))
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ google: {}, kimi: 'not a login' })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  }
})

test('says which variable logs in to the provider anyway', async () => {
  const home = makeHome()
  writeFileSync(join(home, 'auth.json'), storedText)
  const keys = keysAt(home, '', [], { ANTHROPIC_OAUTH_TOKEN: 'x', OPENAI_API_KEY: '' })
  expect(await keys.forget({ provider: 'anthropic', kind: 'key', title: '' })).toEqual({
    ok: true,
    value: 'ANTHROPIC_OAUTH_TOKEN',
  })
  expect(await keys.forget({ provider: 'openai', kind: 'key', title: '' })).toEqual({ ok: true, value: '' })
})

test('a file that is not JSON is not changed', async () => {
  const home = makeHome()
  const file = join(home, 'auth.json')
  writeFileSync(file, '{')
  const refused = { ok: false, message: `${file} is not JSON, so it was not changed` }
  expect(await keysAt(home, '').stored()).toEqual(refused)
  expect(await keysAt(home, '').forget({ provider: 'anthropic', kind: 'key', title: '' })).toEqual(refused)
  expect(readFileSync(file, 'utf8')).toBe('{')
})

test('removes a login that another zot has put among the shared ones, and says if it is gone', async () => {
  const home = makeHome()
  const file = join(home, 'auth.json')
  writeFileSync(file, JSON.stringify({ additional_api_key_creds: { google: { api_key: 'sk-g' } } }))
  const keys = keysAt(home, '')
  const login = { provider: 'google', kind: 'key', title: 'google' } as const
  expect(await keys.stored()).toMatchObject({ value: { logins: [login] } })
  expect(await keys.forget(login)).toEqual({ ok: true, value: '' })
  expect(await keys.stored()).toMatchObject({ value: { logins: [] } })
  expect(await keys.forget(login)).toEqual({ ok: false, message: `${file} does not have it any more` })
})
