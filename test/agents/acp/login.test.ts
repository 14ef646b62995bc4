/** The login of an agent through the protocol: which method, with which key, and what is said where it fails. */
import { expect, test } from 'vitest'
import type { LoginMethod } from '../../../src/agent/session-events.ts'
import { speakingAgent, type Speaking } from './speaking-agent.ts'

const refused = { error: { code: -32000, message: 'Authentication required' } }
const METHODS = [
  { id: 'api-key', name: 'API Key', _meta: { 'api-key': { provider: 'openai' } } },
  { id: 'chat-gpt', name: 'ChatGPT' },
  { id: 'gateway', name: 'A gateway' },
]

const program = (command: string) => [{ id: 'a', name: 'A', _meta: { 'terminal-auth': { command, args: ['login'] } } }]

type LoggingIn = Partial<Speaking> & { methods?: readonly object[]; accepts?: (params: object) => boolean }

/** An agent that opens no session before a login that it `accepts`. */
function loggingIn({ known = 'codex', methods = METHODS, accepts = () => true, ...others }: LoggingIn = {}) {
  let isIn = false
  const agent = speakingAgent({
    known,
    modes: ['read-only'],
    ...others,
    answers({ method, params }) {
      if (method === 'initialize')
        return {
          result: {
            protocolVersion: 1,
            authMethods: methods,
            agentCapabilities: { sessionCapabilities: { resume: {} } },
          },
        }
      if (method === 'authenticate') {
        isIn = accepts(params ?? {})
        return isIn ? { result: {} } : { error: { code: -32603, message: 'Internal error: no such key' } }
      }
      return method?.startsWith('session/') && !isIn ? refused : undefined
    },
  })
  const sent = () => agent.frames.filter(({ method }) => method === 'authenticate').map(({ params }) => params)
  return { ...agent, sent }
}

test.each([
  ['codex', 'CODEX_API_KEY', 'api-key'],
  ['codex', 'OPENAI_API_KEY', 'api-key'],
  ['gemini', 'GEMINI_API_KEY', 'gemini-api-key'],
])('%s with %s in the environment logs in by itself, and opens its session', async (known, variable, method) => {
  const methods = [{ id: method, name: 'Key' }]
  const agent = loggingIn({ known, methods, env: { [variable]: 'k' } })
  await agent.backend.open()
  expect(agent.heard.slice(0, 4)).toEqual(['initialize', 'session/new', 'authenticate', 'session/new'])
  expect(agent.sent()).toEqual([{ methodId: method }])
  expect(agent.told('login_needed')).toEqual([])
  expect(agent.told('agent_started')).toHaveLength(1)
})

test('without a key in the environment it says how to log in, without what zotui cannot do', async () => {
  const agent = loggingIn()
  await agent.backend.open()
  const methods: LoginMethod[] = [
    { id: 'api-key', name: 'API Key', takesKey: true },
    { id: 'chat-gpt', name: 'ChatGPT' },
  ]
  expect(agent.told('login_needed')).toMatchObject([{ methods }])
  expect(agent.backend.loginMethods()).toEqual(methods)
  expect(agent.told('agent_ended')).toMatchObject([
    {
      reason: 'codex did not start: Authentication required',
      hint: 'log in: /login in zotui, or set CODEX_API_KEY or OPENAI_API_KEY',
    },
  ])
  expect(agent.sent()).toEqual([])
})

test.each([
  ['codex', METHODS, 'api-key', 'sk-typed', { methodId: 'api-key', _meta: { 'api-key': { apiKey: 'sk-typed' } } }],
  ['codex', METHODS, 'chat-gpt', null, { methodId: 'chat-gpt' }],
  [
    'gemini',
    [{ id: 'gemini-api-key', name: 'Key' }],
    'gemini-api-key',
    'k',
    { methodId: 'gemini-api-key', _meta: { 'api-key': 'k' } },
  ],
  [undefined, [{ id: 'cline', name: 'Cline' }], 'cline', null, { methodId: 'cline' }],
])('%s logs in with what the user chose at its next start, once', async (known, methods, method, key, params) => {
  const agent = loggingIn({ ...(known !== undefined && { known }), methods })
  await agent.backend.open()
  agent.backend.logInWith(method, key)
  await agent.backend.open()
  expect(agent.sent()).toEqual([params])
  expect(agent.told('agent_started')).toHaveLength(1)
  await agent.backend.replace({})
  expect(agent.sent()).toEqual([params])
})

test('a login that fails says why, and offers the ways again', async () => {
  const agent = loggingIn({ accepts: () => false })
  await agent.backend.open()
  agent.backend.logInWith('api-key', 'sk-bad')
  await agent.backend.open()
  expect(agent.told('agent_ended').at(-1)?.reason).toBe(
    'codex did not start: the login failed: Internal error: no such key',
  )
  expect(agent.told('login_needed')).toHaveLength(2)
  expect(JSON.stringify(agent.events)).not.toContain('sk-bad')
})

test('a terminal program that is not there is offered to nobody, and one that is there with its arguments', async () => {
  const missing = loggingIn({ known: 'codex', methods: program('no-such-program'), env: { PATH: '/usr/bin:/bin' } })
  await missing.backend.open()
  expect(missing.backend.login()).toBeNull()
  expect(missing.backend.abilities.has('login')).toBe(false)
  expect(missing.told('login_needed')).toMatchObject([{ methods: [] }])
  const there = loggingIn({ known: 'codex', methods: program('sh'), env: { PATH: '/usr/bin:/bin' } })
  await there.backend.open()
  expect(there.backend.login()).toMatchObject({ file: expect.stringMatching(/^\/.*\/sh$/), args: ['login'] })
})

test.each([
  ['', {}],
  ['CODEX_API_KEY', { CODEX_API_KEY: 'k' }],
])('it logs out through the protocol if the agent can, and names what logs in again: %j', async (again, env) => {
  const agent = speakingAgent({
    known: 'codex',
    env,
    answers({ method }) {
      if (method === 'initialize')
        return { result: { protocolVersion: 1, agentCapabilities: { auth: { logout: {} } } } }
      return method === 'logout' ? { result: {} } : undefined
    },
  })
  await agent.backend.open()
  expect(await agent.backend.logOut()).toEqual({ ok: true, value: again })
  expect(agent.heard.at(-1)).toBe('logout')
})

test('it does not log out an agent that cannot', async () => {
  const agent = speakingAgent({ known: 'gemini' })
  await agent.backend.open()
  expect(Object.keys(agent.backend)).not.toContain('logOut')
})
