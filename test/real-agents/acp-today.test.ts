/** MCP servers, mentioned files, further folders and titles with real agents. */
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
})
