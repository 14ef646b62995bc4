/** The login of a real Codex, which opens no session without one. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import type { Home } from '../helpers/home.ts'
import { reply, startModel, type Model } from '../helpers/model.ts'
import { open, type Screen } from '../helpers/screen.ts'
import { aside, installed, isInstalled, realAgents } from './agents.ts'
import { say } from './speak.ts'

const codex = realAgents.find(({ name }) => name === 'codex')

/** A Codex that talks to the scripted model as its own provider. */
function settle(home: Home, { url }: Model): Record<string, string> {
  const folder = path.join(home.path, '.codex')
  mkdirSync(folder, { recursive: true })
  const settings = ['model = "gpt-5"', `openai_base_url = "${url}/v1"`, 'cli_auth_credentials_store = "file"', '']
  writeFileSync(path.join(folder, 'config.toml'), settings.join('\n'))
  return { CODEX_HOME: folder, NO_BROWSER: '1' }
}

async function start(model: Model, variables: Record<string, string>): Promise<Screen> {
  return open({
    columns: 100,
    rows: 30,
    args: ['--agent', 'codex'],
    env: home => ({
      ...settle(home, model),
      ...variables,
      PATH: `${installed}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
      XDG_CACHE_HOME: path.join(home.path, '.cache'),
    }),
  })
}

describe.skipIf(!codex || !isInstalled(codex))('codex', () => {
  test('with OPENAI_API_KEY answers at once', async () => {
    const model = await startModel([reply().text('It is you.')], { aside })
    const zotui = await start(model, { OPENAI_API_KEY: 'sk-scripted-scripted' })
    await zotui.see(/codex 2\./)
    await say(zotui, 'hello')
    await zotui.see('It is you.')
    await zotui.close()
  })

  test('without a key says so, and /login takes one unseen and answers', async () => {
    const model = await startModel([reply().text('It is you.')], { aside })
    const zotui = await start(model, {})
    await zotui.see(/codex needs a login before it answers/i)
    await zotui.see(/› API Key/)
    await zotui.press('esc')
    await say(zotui, '/login')
    await zotui.see(/log in with codex[^]*› API Key/)
    await zotui.press('enter')
    await zotui.see('API Key for codex')
    await zotui.type('sk-scripted-scripted')
    await zotui.see(/\*{12}/)
    await zotui.press('enter')
    await zotui.see('Restarted codex.')
    await say(zotui, 'hello')
    await zotui.see('It is you.')
    expect(zotui.history().join('\n')).not.toContain('sk-scripted')
    await say(zotui, '/logout')
    await zotui.see(/Logged out of codex\.[^]*\/login logs in again/)
    expect(existsSync(path.join(zotui.home.path, '.codex', 'auth.json'))).toBe(false)
    await zotui.see(/Logged out[^]*codex needs a login before it answers[^]*› API Key/i)
    await zotui.close()
  })
})
