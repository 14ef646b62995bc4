/** Faults of an agent of the Agent Client Protocol beside its prompts: one clear line, nothing lost, nothing left open. */
import { describe, expect, test } from 'vitest'
import type { Backend, Reply } from '../../src/agent/backend.ts'
import { makeEventSchema, type AgentEvent } from '../../src/agent/event.ts'
import { reduce } from '../../src/conversation/reduce.ts'
import { initialChat, type ChatState } from '../../src/conversation/state.ts'
import { ownTurnFaults, requestFaults, stopFaults } from './acp-request-faults.ts'
import { acpChaos } from './acp-start.ts'

const schema = makeEventSchema()
const files = { command: 'files' }
const start = acpChaos({ request: 2000, ownTurn: 400, ownTurnStop: 200, textPause: 20 }, { files })

type Chaos = ReturnType<typeof start>

const CLAUDE = '@agentclientprotocol/claude-agent-acp'

/** An agent that commits this fault at the next request with this method. */
async function armed(method: string, fault: string, as = ''): Promise<Chaos> {
  const chaos = start(as)
  chaos.backend.startIn({ mode: 'allow', isChosen: true })
  await chaos.backend.open()
  await chaos.backend.prompt({ text: `at ${method}: ${fault}`, images: [] })
  return chaos
}

const chatOf = (events: readonly AgentEvent[]): ChatState => events.reduce(reduce, initialChat)

/** What was said of it, beside the answer. */
const linesIn = (events: readonly AgentEvent[]): string[] =>
  events.flatMap(event => {
    if (event.type === 'warning_raised') return [event.message]
    return event.type === 'agent_session_opened' && event.problem !== undefined ? [event.problem] : []
  })

/** The next prompt works, after a start if the agent is dead. Nothing is left open. */
async function expectUsable({ backend, said, events }: Chaos): Promise<void> {
  // It does nothing where the agent runs.
  await backend.open()
  await backend.prompt({ text: 'hello', images: [] })
  expect(said()).toMatch(/You said: hello\.$/)
  expect(chatOf(events)).toMatchObject({ open: null, questions: [] })
  expect(events.filter(event => !schema.safeParse(event).success)).toEqual([])
}

type Request = {
  method: string
  ask: (backend: Backend) => Promise<Reply | Reply<string | null>>
  /** The line where the answer cannot be read; '' where nothing in it is needed. */
  unreadable: string
}

const requests: Record<string, Request> = {
  'a rename': { method: 'session/set_title', ask: backend => backend.renameSession('A title'), unreadable: '' },
  'further folders': {
    method: 'session/resume',
    ask: backend => backend.setFolders(['/other']),
    unreadable: 'fake returned a session that cannot be read',
  },
  'a copy of the session': {
    method: 'session/fork',
    ask: backend => backend.resumeSession({ id: 'a-session', copy: true }),
    unreadable: 'fake returned a session that cannot be read',
  },
  'a new session with MCP servers': {
    method: 'session/new',
    ask: backend => backend.clear(),
    unreadable: 'fake returned a session that cannot be read',
  },
}

/** Why a request has failed with this fault; '' if it has not. */
const reasons: Record<string, string | ((request: Request) => string)> = {
  'never answered': 'fake did not answer in time',
  'answered too late': 'fake did not answer in time',
  refused: 'no disk',
  'refused with an odd error': 'error -32603',
  'answered with a number': ({ unreadable }) => unreadable,
  'answered with a list': ({ unreadable }) => unreadable,
  'answered twice': '',
  'answered and then refused': '',
  'refused and then answered': 'no disk',
  'answered after a flood': '',
}

const KILLED = 'killed before the answer'

describe.each(Object.keys(requests))('%s', name => {
  const request = requests[name] ?? { method: '', ask: () => Promise.reject(new Error(name)), unreadable: '' }
  const { method, ask } = request

  test.each(Object.keys(reasons))('that is %s costs one line at most, and the next prompt works', async fault => {
    const { backend, events, ...chaos } = await armed(method, fault)
    events.length = 0
    const reply = await ask(backend)
    const given = reasons[fault] ?? 'no row'
    const reason = typeof given === 'string' ? given : given(request)
    const lines = [...linesIn(events), ...(reply.ok ? [reply.value ?? []].flat() : [reply.message])]
    expect(lines).toEqual(reason === '' ? [] : [reason])
    await expectUsable({ backend, events, ...chaos })
  })

  test(`of an agent that is ${KILLED} ends with it, and a fresh one works`, async () => {
    const chaos = await armed(method, KILLED)
    await ask(chaos.backend)
    await expect.poll(() => chaos.events.at(-1)).toMatchObject({ type: 'agent_ended', signal: 'SIGKILL' })
    await expectUsable(chaos)
  })

  test('that is refused loses no prompt that was sent meanwhile', async () => {
    const chaos = await armed(method, 'refused')
    const asked = ask(chaos.backend)
    const turn = chaos.backend.prompt({ text: 'meanwhile', images: [] })
    await Promise.all([asked, turn])
    expect(chaos.said()).toMatch(/You said: meanwhile\.$/)
    await expectUsable(chaos)
  })
})

test('these requests have a row for each fault', () => {
  expect([...Object.keys(reasons), KILLED].toSorted()).toEqual(Object.keys(requestFaults).toSorted())
})

test('an agent that refuses the MCP servers at its start says so in one line', async () => {
  const { backend, events } = start('takes no servers')
  await backend.open()
  expect(events.at(-1)).toMatchObject({
    type: 'agent_ended',
    reason: 'fake did not start: mcpServers: no servers here',
    hint: expect.stringContaining('files'),
  })
})

describe('the stop of a subagent', () => {
  const states: Record<string, string> = {
    'is not heard': 'running',
    'ends it twice': 'stopped',
    'ends it, and it works again': 'running',
    'is answered like a request': 'stopped',
    'is refused like a request': 'running',
    'is followed by odd states': 'unknown',
    'kills the agent': 'stopped',
  }

  test.each(Object.keys(stopFaults))('that %s leaves nothing open, and the next prompt works', async fault => {
    const chaos = await armed('session/cancel', fault)
    const [task] = chatOf(chaos.events).tasks
    expect(task).toMatchObject({ state: 'running', canStop: true })
    expect(await chaos.backend.stopTask(task?.id ?? '')).toMatchObject({ ok: true })
    // The agent has read and done what came before.
    await chaos.backend.ping(2000)
    const [after] = chatOf(chaos.events).tasks
    expect(after?.state).toBe(states[fault])
    await expectUsable(chaos)
  })
})

async function ownTurn(fault: string): Promise<Chaos> {
  const chaos = await armed('session/set_title', fault, CLAUDE)
  await chaos.backend.renameSession('A title')
  await expect.poll(chaos.types).toContain('turn_begun')
  return chaos
}

async function expectOver({ events }: Chaos): Promise<void> {
  await expect.poll(() => chatOf(events).open, { timeout: 3000 }).toBeNull()
}

describe('a turn that the agent begins itself', () => {
  test.each(Object.keys(ownTurnFaults))('and that %s is over soon after a stop', async fault => {
    const chaos = await ownTurn(fault)
    chaos.backend.abort()
    await expectOver(chaos)
    expect(chaos.said()).toContain('Mine.')
    await expectUsable(chaos)
  })

  test.each(['never ends', 'ends twice', 'ends before it begins', 'is cut by a death'])(
    'and that %s is over without one',
    async fault => {
      const chaos = await ownTurn(fault)
      await expectOver(chaos)
      await expectUsable(chaos)
    },
  )

  test.each(Object.keys(ownTurnFaults))('and that %s is over when a prompt is sent', async fault => {
    const chaos = await ownTurn(fault)
    await chaos.backend.prompt({ text: 'meanwhile', images: [] })
    expect(chaos.types().includes('agent_ended') || chaos.said().includes('You said: meanwhile.')).toBe(true)
    await expectUsable(chaos)
  })

  test.each(Object.keys(ownTurnFaults))(
    'and that %s loses nothing where it begins while a prompt is on its way',
    async fault => {
      const chaos = await armed('session/set_title', fault, CLAUDE)
      const { promise, resolve } = Promise.withResolvers<void>()
      const turn = chaos.backend.prompt({ text: 'meanwhile', images: [], ready: promise })
      await chaos.backend.renameSession('A title')
      await chaos.backend.ping(2000)
      resolve()
      await turn
      expect(JSON.stringify(chaos.events)).toContain('Mine.')
      await expectUsable(chaos)
    },
  )
})
