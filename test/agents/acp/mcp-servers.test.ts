/** The MCP servers that an agent gets, and what it reports of them. */
import { describe, expect, test } from 'vitest'
import { serversFor } from '../../../src/agents/acp/session/mcp-servers.ts'
import { speakingAgent, type Frame, type SpeakingAgent } from './speaking-agent.ts'

const files = { command: 'files', args: ['--all'], env: { TOKEN: '$FILES_TOKEN' } }
const web = { type: 'http', url: 'https://mcp.example/', headers: { Authorization: 'Bearer ${WEB_TOKEN}' } } as const
const old = { type: 'sse', url: 'https://old.example/' } as const

const env = { FILES_TOKEN: 'one', WEB_TOKEN: 'two' }
const everything = { machine: null, agent: 'stranger', env, can: { http: true, sse: true } }

/** The servers in each request that opens a session. */
const serversIn = ({ frames }: { frames: readonly Frame[] }): unknown[] =>
  frames.flatMap(({ method, params }) =>
    /^session\/(?:new|load|resume|fork)$/.test(method ?? '') ? [[method, params?.['mcpServers']]] : [],
  )

/** Its modes are not what is tested. */
async function opened({ backend }: SpeakingAgent): Promise<void> {
  backend.startIn({ mode: 'allow', isChosen: true })
  await backend.open()
}

const warnings = ({ told }: SpeakingAgent): string[] => told('warning_raised').map(({ message }) => message)

test('servers have the form of the protocol, with the values of variables', () => {
  expect(serversFor({ files, web, old, plain: { command: 'plain' } }, everything).sent).toEqual([
    { name: 'files', command: 'files', args: ['--all'], env: [{ name: 'TOKEN', value: 'one' }] },
    {
      type: 'http',
      name: 'web',
      url: 'https://mcp.example/',
      headers: [{ name: 'Authorization', value: 'Bearer two' }],
    },
    { type: 'sse', name: 'old', url: 'https://old.example/', headers: [] },
    { name: 'plain', command: 'plain', args: [], env: [] },
  ])
})

test.each([
  ['$FILES_TOKEN', 'one'],
  ['${FILES_TOKEN}', 'one'],
  ['a$FILES_TOKEN-$WEB_TOKEN.', 'aone-two.'],
  ['$$FILES_TOKEN', '$FILES_TOKEN'],
  ['costs 5$', 'costs 5$'],
  ['${', '${'],
])('the value %o is %o', (written, value) => {
  const { sent } = serversFor({ a: { command: 'a', env: { A: written } } }, everything)
  expect(sent).toMatchObject([{ env: [{ name: 'A', value }] }])
})

test('a server whose variable is not set, or that the agent does not take, is left out with a reason', () => {
  const facts = { ...everything, env: { FILES_TOKEN: '' }, can: { http: true, sse: false } }
  const { sent, states } = serversFor({ files, web, old }, facts)
  expect(sent).toMatchObject([{ name: 'files', env: [{ name: 'TOKEN', value: '' }] }])
  expect(states).toEqual([
    { name: 'files', state: 'unknown' },
    { name: 'web', state: 'failed', reason: 'the variable WEB_TOKEN is not set' },
    { name: 'old', state: 'failed', reason: 'stranger takes no servers of the type sse' },
  ])
})

test('every request that opens a session has the servers, and one that is left out costs one line', async () => {
  const agent = speakingAgent({
    servers: { files, old },
    env,
    can: { capabilities: { mcpCapabilities: { http: true } } },
  })
  await opened(agent)
  await agent.backend.clear()
  await agent.backend.openSession('s1')
  await agent.backend.resumeSession({ id: 's2' })
  await agent.backend.resumeSession({ id: 's2', copy: true })
  const wire = [{ name: 'files', command: 'files', args: ['--all'], env: [{ name: 'TOKEN', value: 'one' }] }]
  const methods = ['session/new', 'session/new', 'session/load', 'session/resume', 'session/fork']
  expect(serversIn(agent)).toEqual(methods.map(method => [method, wire]))
  expect(warnings(agent)).toEqual(['The MCP server old is left out: stranger takes no servers of the type sse.'])
  expect(agent.told('servers_reported').at(-1)?.servers).toMatchObject([
    { name: 'files', state: 'unknown' },
    { name: 'old' },
  ])
})

test('an agent without servers is sent an empty list, and nothing is reported', async () => {
  const agent = speakingAgent({})
  await opened(agent)
  expect(serversIn(agent)).toEqual([['session/new', []]])
  expect(agent.told('servers_reported')).toEqual([])
})

const call = (text: string) => ({
  sessionUpdate: 'tool_call',
  toolCallId: 'mcp_startup.files.59a9072a-02af-44c9-b7be-9035ede4cf49',
  kind: 'other',
  title: 'mcp__files__startup',
  status: 'failed',
  content: [{ type: 'content', content: { type: 'text', text } }],
})

describe('a server that does not start', () => {
  const notice = {
    sessionUpdate: 'notice',
    severity: 'warning',
    title: 'MCP server "files" failed to start',
    description: 'Its tools are unavailable in this session. Run /mcp for the error.',
  }
  const codexSays =
    '[codex-acp forwarded startup error] MCP server `files` failed to start: MCP client for `files` failed to start: MCP startup failed: No such file or directory (os error 2)'

  test.each<[string, object, object, string]>([
    ['in a notice', notice, {}, '; its tools are missing'],
    [
      'as a call',
      call(codexSays),
      { reason: 'No such file or directory (os error 2)' },
      ': No such file or directory (os error 2)',
    ],
    ['as a call without words', call(''), {}, '; its tools are missing'],
    ['as a call with a page', call(`${'x'.repeat(400)}\nmore`), { reason: 'x'.repeat(300) }, `: ${'x'.repeat(300)}`],
  ])('is reported once, and not as a call of the turn: %s', async (_case, update, reason, words) => {
    const agent = speakingAgent({
      servers: { files },
      env,
      answers({ method }) {
        if (method === 'session/prompt') agent.say(update)
        return undefined
      },
    })
    await opened(agent)
    await agent.backend.prompt({ text: 'go', images: [] })
    await agent.backend.prompt({ text: 'go', images: [] })
    expect(agent.told('servers_reported').slice(1)).toMatchObject([
      { servers: [{ name: 'files', state: 'failed', ...reason }] },
    ])
    expect(warnings(agent)).toEqual([`The MCP server files did not start${words}. /mcp lists the servers.`])
    expect(agent.events.filter(({ type }) => type.startsWith('tool_'))).toEqual([])
  })

  test('is none if a call only has such a name', async () => {
    const agent = speakingAgent({
      answers({ method }) {
        if (method === 'session/prompt') agent.say({ ...call('x'), toolCallId: 'mcp_startup.files' })
        return undefined
      },
    })
    await opened(agent)
    await agent.backend.prompt({ text: 'go', images: [] })
    expect(agent.told('tool_finished')).toHaveLength(1)
  })
})

test.each<[string, object, string]>([
  [
    'by its name',
    { title: 'mcp__files__read', rawInput: { path: 'a' }, _meta: { claudeCode: { toolName: 'mcp__files__read' } } },
    'running',
  ],
  [
    'by its arguments',
    { title: 'mcp.files.read', rawInput: { server: 'files', tool: 'read', arguments: {} } },
    'running',
  ],
  ['of another server', { title: 'mcp.others.read', rawInput: { server: 'others', tool: 'read' } }, 'unknown'],
])('a server whose tool has answered runs: a call known %s', async (_case, call, state) => {
  const frame = { sessionUpdate: 'tool_call', kind: 'other', status: 'pending', toolCallId: 'c', ...call }
  const agent = speakingAgent({
    servers: { files },
    env,
    answers({ method }) {
      if (method !== 'session/prompt') return undefined
      agent.say(frame)
      agent.say({ ...frame, sessionUpdate: 'tool_call_update', status: 'completed' })
      return undefined
    },
  })
  await opened(agent)
  await agent.backend.prompt({ text: 'go', images: [] })
  await agent.backend.prompt({ text: 'go', images: [] })
  const reports = agent.told('servers_reported')
  expect(reports.at(-1)?.servers).toEqual([{ name: 'files', state }])
  expect(reports).toHaveLength(state === 'running' ? 2 : 1)
})
