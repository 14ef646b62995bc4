import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
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

test('keeps a key that the provider accepts, for the user alone', async () => {
  const home = makeHome()
  const { url, asked } = await openProvider('sk-good')
  const reply = await createKeyStore({ home, server: url }).keep('anthropic', 'sk-good')
  const file = join(home, 'auth.json')
  expect(reply).toEqual({ ok: true, value: { file, untried: null } })
  expect(asked).toEqual(['/v1/models sk-good'])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ anthropic: { api_key: 'sk-good' } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('keeps everything else that is in the file, and replaces the login of the provider', async () => {
  const home = makeHome()
  const { url } = await openProvider('sk-good')
  const file = join(home, 'auth.json')
  const others = { kimi: { oauth: { access_token: 'x' } }, additional_api_key_creds: { groq: { api_key: 'y' } } }
  writeFileSync(file, JSON.stringify({ ...others, openai: { oauth: { access_token: 'old' } } }), { mode: 0o644 })
  await createKeyStore({ home, server: url }).keep('openai', 'sk-good')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...others, openai: { api_key: 'sk-good' } })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('keeps nothing that the provider rejects', async () => {
  const home = makeHome()
  const { url } = await openProvider('sk-good')
  const reply = await createKeyStore({ home, server: url }).keep('anthropic', 'sk-bad')
  expect(reply).toEqual({ ok: false, message: 'Anthropic rejected the key (HTTP 401)' })
  expect(() => statSync(join(home, 'auth.json'))).toThrow('ENOENT')
})

test('keeps a key that could not be tried, and says why', async () => {
  const home = makeHome()
  const { url } = await openProvider('sk-good', 503)
  const keeper = createKeyStore({ home, server: url })
  expect(await keeper.keep('anthropic', 'sk-new')).toMatchObject({ ok: true, value: { untried: 'HTTP 503' } })
  const nobody = createKeyStore({ home, server: 'http://127.0.0.1:1' })
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
  const reply = await createKeyStore({ home, server: url }).keep('anthropic', 'sk-good')
  expect(reply).toMatchObject({ ok: false, message: expect.stringContaining('is not JSON') })
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test.each([['two words'], [''], ['ключ'], ['a\u001B[31m']])('asks no provider about %j, which is no key', async key => {
  const { url, asked } = await openProvider('sk-good')
  const reply = await createKeyStore({ home: makeHome(), server: url }).keep('anthropic', key)
  expect(reply).toMatchObject({ ok: false })
  expect(asked).toEqual([])
})
