/** A real agent behind our backend, on a scripted model: what it tells is kept and waited for. */
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe } from 'vitest'
import type { Backend, OwnSession } from '../../src/agent/backend.ts'
import type { AgentEvent, EventOf } from '../../src/agent/event.ts'
import { createAgentSandbox } from '../../src/agents/acp/box/agent-sandbox.ts'
import { createAcpBackend, type AcpBackendOptions } from '../../src/agents/acp/backend.ts'
import { findAgent } from '../../src/agents/acp/find-agent.ts'
import { launchAcp } from '../../src/agents/acp/launch.ts'
import type { SandboxOptions, SandboxRules } from '../../src/sandbox/command-boxes.ts'
import type { McpServers } from '../../src/agents/acp/session/mcp-servers.ts'
import { environment, makeHome, type Home } from '../helpers/home.ts'
import { startModel, type Model, type ModelRequest, type Step } from '../helpers/model.ts'
import { alive, descendants } from '../helpers/processes.ts'
import { aside, installed, isInstalled, realAgents, type RealAgent } from './agents.ts'

/** The tests of `body` for each agent; one that is not installed is skipped. */
export function onRealAgents(title: string, body: (agent: RealAgent) => void): void {
  for (const agent of realAgents) {
    describe.skipIf(!isInstalled(agent))(`${agent.name}: ${title}`, () => {
      body(agent)
    })
  }
}

export type Conversation = {
  backend: Backend
  model: Model
  home: Home
  /** All that was told so far. */
  events: readonly AgentEvent[]
  /** Those of one type. */
  told<Type extends AgentEvent['type']>(type: Type): EventOf<Type>[]
  /** Waits for one that `holds`, from now on or told since event number `from`. */
  until<Type extends AgentEvent['type']>(
    type: Type,
    holds?: (event: EventOf<Type>) => boolean,
    from?: number,
  ): Promise<EventOf<Type>>
  /** Sends a prompt, waits for the end of its turn, and gives what was told meanwhile. */
  turn(text: string): Promise<Turn>
  close(): Promise<void>
}

export type Turn = { events: readonly AgentEvent[]; text: string; ended: EventOf<'turn_ended'> | undefined }

type Options = {
  home?: Home
  key?: boolean
  model?: Model
  session?: OwnSession
  /** Holds the agent in the sandbox, with these rules. */
  rules?: Partial<SandboxRules>
  /** The MCP servers of the settings. */
  servers?: McpServers
  /** More variables of its environment. */
  env?: Record<string, string>
}

const open = new Set<Conversation>()
const homes = new Set<Home>()

afterEach(async () => {
  for (const conversation of open) await conversation.close()
  homes.forEach(home => home.remove())
  homes.clear()
})

/** Starts the agent and waits until it is ready, in the mode in which it asks. */
export async function converse(
  agent: RealAgent,
  script: readonly Step[],
  options: Options = {},
): Promise<Conversation> {
  const home = options.home ?? makeHome()
  const model = options.model ?? (await startModel(script, { aside }))
  const settings = agent.settle(home, { url: model.url, key: options.key ?? true })
  const env = environment(home.path, {
    ...settings,
    PATH: `${installed}/node_modules/.bin:${process.env['PATH'] ?? ''}`,
    XDG_CACHE_HOME: `${home.path}/.cache`,
    ...options.env,
  })
  const found = findAgent(agent.name, env, home.project)
  if (!found.ok) throw new Error(found.reason)
  const folder = home.project
  const connect: AcpBackendOptions['connect'] = (variables, box) =>
    launchAcp({ agent: found.agent, env: { ...env, ...variables }, folder, box })
  const sandbox =
    options.rules &&
    createAgentSandbox({ program: found.agent, folder, sandbox: sandboxWith(options.rules, `${home.path}/caches`) })
  const backend = createAcpBackend({
    agent: found.agent,
    connect,
    folder,
    env,
    version: '0.0.0',
    ...(options.servers && { servers: () => options.servers ?? {} }),
    ...(sandbox && { sandbox }),
  })
  const conversation = await converseBy(backend, { home, model, processes: /claude|codex/, session: options.session })
  if (agent.asksIn !== null && conversation.told('agent_started').length > 0)
    await backend.setOption('mode', agent.asksIn)
  return conversation
}

function sandboxWith(rules: Partial<SandboxRules>, caches: string): SandboxOptions {
  const whole = { level: 'on' as const, write: [], hosts: [], hide: [], ...rules }
  return { level: () => whole.level, rules: () => whole, cachesOf: () => caches }
}

/** Starts the agent of a backend. When it is closed, none of its `processes` may be left. */
export async function converseBy(
  backend: Backend,
  {
    home,
    model,
    processes,
    session,
  }: { home: Home; model: Model; processes: RegExp; session?: OwnSession | undefined },
): Promise<Conversation> {
  homes.add(home)
  const events: AgentEvent[] = []
  const lookers = new Set<() => void>()
  backend.subscribe(event => {
    events.push(event)
    for (const look of lookers) look()
  })

  const told: Conversation['told'] = type => ofType(events, type)
  const until: Conversation['until'] = (type, holds = () => true, from = 0) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const event = ofType(events.slice(from), type).find(holds)
        if (!event) return
        clearTimeout(deadline)
        lookers.delete(look)
        resolve(event)
      }
      const failure = new Error()
      const deadline = setTimeout(() => {
        failure.message = `waited for ${type}; told was ${describeEvents(events)}`
        lookers.delete(look)
        reject(failure)
      }, 20_000)
      lookers.add(look)
      look()
    })

  const conversation: Conversation = {
    backend,
    model,
    home,
    events,
    told,
    until,
    turn: async text => {
      const from = events.length
      await backend.prompt({ text, images: [] })
      const of = events.slice(from)
      return { events: of, text: textOf(of), ended: ofType(of, 'turn_ended').at(-1) }
    },
    close: async () => {
      open.delete(conversation)
      const children = descendants(process.pid).filter(({ command }) => processes.test(command))
      await backend.close()
      const deadline = performance.now() + 3000
      while (children.some(alive) && performance.now() < deadline) await pause(20)
      const left = children.filter(alive)
      if (left.length > 0) throw new Error(`left running: ${left.map(({ command }) => command).join(', ')}`)
    },
  }
  open.add(conversation)
  await backend.open(session)
  return conversation
}

export function ofType<Type extends AgentEvent['type']>(events: readonly AgentEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type)
}

export const textOf = (events: readonly AgentEvent[]): string =>
  ofType(events, 'text_received')
    .map(({ text }) => text)
    .join('')

/** The request to the model, as text. */
export const sent = ({ body }: ModelRequest): string => JSON.stringify(body)

function describeEvents(events: readonly AgentEvent[]): string {
  return events.map(event => `\n  ${JSON.stringify(event).slice(0, 300)}`).join('')
}

/** Whether a command line with these words runs anywhere below us. */
export const runs = (words: string): boolean => descendants(process.pid).some(({ command }) => command.includes(words))
