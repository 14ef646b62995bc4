/** MCP servers, mentioned files, further folders and titles with real agents. */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import process from 'node:process'
import { expect, test } from 'vitest'
import { reply } from '../helpers/model.ts'
import { converse, onRealAgents, sent } from './converse.ts'

const server = fileURLToPath(new URL('../fixtures/agents/mcp-server.ts', import.meta.url))
const small = { command: process.execPath, args: [server], env: { TOKEN: '$SMALL_TOKEN' } }

onRealAgents('today', agent => {
  test('calls a tool of a server from the settings, which gets the value of a variable', async () => {
    const script = [reply().tool('mcp__small__secret', {}), reply().text('It was 42.')]
    const talk = await converse(agent, script, { servers: { small }, env: { SMALL_TOKEN: 'forty-two' } })
    const done = talk.turn('what is the secret')
    const { id } = await talk.until('permission_requested')
    talk.backend.answerPermission(id, { answer: 'allow' })
    expect((await done).text).toBe('It was 42.')
    expect(sent(await talk.model.request(2))).toContain('the secret is forty-two')
    expect(talk.told('servers_reported').flatMap(({ servers }) => servers)).toEqual([
      { name: 'small', state: 'unknown' },
      { name: 'small', state: 'running' },
    ])
  })

  test('says once that a server starts nothing, and the session works', async () => {
    const servers = { gone: { command: '/no/such/program' }, small }
    const script = [reply().text('Hello.'), reply().text('Again.')]
    const talk = await converse(agent, script, { servers, env: { SMALL_TOKEN: 'x' } })
    expect((await talk.turn('hello')).text).toBe('Hello.')
    await talk.until('servers_reported', event => event.servers.some(({ state }) => state === 'failed'))
    expect((await talk.turn('again')).text).toBe('Again.')
    expect(talk.told('warning_raised').filter(({ message }) => message.includes('gone'))).toHaveLength(1)
    expect(talk.told('tool_called')).toEqual([])
  })

  test('shows its model a mentioned file exactly once', async () => {
    const talk = await converse(agent, [reply().text('Read.')])
    const instead = 'The content of a.txt, which I mention:\n\n```\nEMBEDDED-TEXT\n```\n'
    const resources = [{ path: `${talk.home.project}/a.txt`, text: 'EMBEDDED-TEXT\n', instead }]
    await talk.backend.prompt({ text: 'read @a.txt', images: [], before: [instead], resources })
    const asked = sent(await talk.model.request(1))
    expect(asked.split('EMBEDDED-TEXT')).toHaveLength(2)
  })

  test.skipIf(agent.name === 'claude')('gives its own session the title, and lists it', async () => {
    const talk = await converse(agent, [reply().text('Hello.')])
    await talk.turn('hello')
    expect(await talk.backend.renameSession('A fine title')).toMatchObject({ ok: true })
    const listed = await talk.backend.listSessions()
    expect(listed.ok && listed.value.map(({ title }) => title)).toContain('A fine title')
  })

  test('works in a folder that is opened in the session, which it remembers', async () => {
    const talk = await converse(agent, [reply().text('Hello.'), reply().text('I see it.')])
    const other = path.join(talk.home.path, 'beside')
    mkdirSync(other)
    // Codex tells its model of such folders only in a mode that writes.
    if (agent.name === 'codex') await talk.backend.setOption('mode', 'workspace-write')
    await talk.turn('my colour is blue')
    expect(await talk.backend.setFolders([other])).toMatchObject({ ok: true })
    expect(talk.told('warning_raised').filter(({ message }) => message.includes('folders'))).toEqual([])
    expect((await talk.turn('what is there')).text).toBe('I see it.')
    const asked = sent(await talk.model.request(2))
    expect(asked).toContain('my colour is blue')
    expect(asked).toContain(other)
  })
})
