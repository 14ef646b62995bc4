/** Somebody starts zotui for the first time: zot has no key, or is not there. */
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { expect, onTestFinished, test } from 'vitest'
import { open, type Screen } from '../helpers/screen.ts'
import { installZot, lastingHome, logged, openZot, send } from './stage.ts'

/** The server of a provider that accepts one key. */
async function openProvider(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.headers['x-api-key'] === 'sk-ant-good' ? 200 : 401).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const storeOf = ({ home }: Screen) => join(home.path, '.local', 'state', 'zot', 'auth.json')

test('a key is typed unseen, tried with the provider and stored by zot, and the paused prompt can be sent', async () => {
  const zotui = await openZot('keyless', { args: ['--base-url', await openProvider(), 'hello'] })
  await zotui.see(/zot needs a key: for which provider\?[^]*› Anthropic/)
  await zotui.press('enter')
  await zotui.see('key for Anthropic')
  await zotui.type('sk-ant-bad')
  await zotui.see('**********')
  await zotui.press('enter')
  await zotui.see('Anthropic rejected the key (HTTP 401)')
  expect(existsSync(storeOf(zotui))).toBe(false)
  await zotui.see('key for Anthropic')
  await zotui.type('sk-ant-good')
  await zotui.see('***********')
  await zotui.press('enter')
  await zotui.see(/Switched to[^]*1 paused/)
  await zotui.press('enter')
  await zotui.see('With a key it works.')
  expect(JSON.parse(readFileSync(storeOf(zotui), 'utf8'))).toEqual({ anthropic: { api_key: 'sk-ant-good' } })
  expect(zotui.history().join('\n')).not.toContain('sk-ant')
  expect(logged(zotui.home)).not.toContain('sk-ant')
})

test('/logout removes the stored key that is chosen, and zot asks for one again', async () => {
  const home = lastingHome()
  const zotui = await openZot('keyless', { home, args: ['--base-url', await openProvider()] })
  await zotui.see(/which provider\?[^]*› Anthropic/)
  await zotui.press('enter')
  await zotui.see('key for Anthropic')
  await zotui.type('sk-ant-good')
  await zotui.press('enter')
  await zotui.see(/Switched to/)
  await send(zotui, '/logout')
  await zotui.see(/log out of which provider\?[^]*› Anthropic +removes its key from/)
  await zotui.press('esc')
  await zotui.until('the key is still there', { check: () => existsSync(storeOf(zotui)) })
  expect(JSON.parse(readFileSync(storeOf(zotui), 'utf8'))).toEqual({ anthropic: { api_key: 'sk-ant-good' } })
  await send(zotui, '/logout')
  await zotui.see('log out of which provider?')
  await zotui.press('enter')
  await zotui.see(/Logged out of Anthropic: its key is removed\.[^]*\/login logs in again/)
  await zotui.see('zot needs a key: for which provider?')
  expect(JSON.parse(readFileSync(storeOf(zotui), 'utf8'))).toEqual({})
  await zotui.press('esc')
  await send(zotui, '/logout')
  await zotui.see(/zot has no login in\s[^]*auth\.json/)
})

test('each step can be cancelled, and a draft stays', async () => {
  const zotui = await openZot('keyless', { args: ['--base-url', await openProvider()] })
  await zotui.see('for which provider?')
  await zotui.press('enter')
  await zotui.see('key for Anthropic')
  await zotui.press('esc')
  await zotui.see('No key was stored. You can set ANTHROPIC_API_KEY in the environment instead.')
  await send(zotui, '/restart')
  await zotui.see('for which provider?')
  await zotui.type('a draft')
  await zotui.see(/^▌ a draft/m)
  expect(existsSync(storeOf(zotui))).toBe(false)
})

test('without zot the demo asks nothing; Tab writes the command that installs it, and the new zot is found where Go puts it', async () => {
  const home = lastingHome()
  // A `go` that installs as the real one does: into a folder that is not in the PATH.
  const zot = installZot(home, 'echo')
  const script = readFileSync(zot, 'utf8')
  rmSync(zot)
  const install = `#!/bin/sh\nmkdir -p "$HOME/go/bin"\ncat >"$HOME/go/bin/zot" <<'END'\n${script}END\nchmod +x "$HOME/go/bin/zot"\necho installed: "$@"\n`
  const programs = join(home.path, 'programs')
  mkdirSync(programs)
  writeFileSync(join(programs, 'go'), install)
  chmodSync(join(programs, 'go'), 0o755)
  const env = { PATH: `${programs}:${process.env['PATH'] ?? ''}`, ZOTUI_PERMISSIONS: undefined }
  const zotui = await open({ home, env })
  await zotui.see(/zot was not found[^]*Welcome to zotui in ~\/project[^]*!go install/)
  await zotui.press('tab', 'tab', 'tab')
  await zotui.see('$ !go install github.com/patriceckhart/zot/cmd/zot@latest')
  expect(existsSync(join(home.path, 'go'))).toBe(false)
  await zotui.press('enter')
  await zotui.see('installed: install github.com/patriceckhart/zot/cmd/zot@latest')
  await send(zotui, '/exit')
  expect((await zotui.exit()).code).toBe(0)
  const again = await open({ home, env })
  await again.see(/anthropic\/sonnet/)
})
