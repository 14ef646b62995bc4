/** An agent with modes for one test: it answers by itself, and the test reads what it was asked and speaks for it. */
import { onTestFinished } from 'vitest'
import type { Backend } from '../../../src/agent/backend.ts'
import type { AgentEvent, EventOf } from '../../../src/agent/event.ts'
import { createAcpBackend } from '../../../src/agents/acp/backend.ts'
import type { AcpLimits } from '../../../src/agents/acp/limits.ts'
import { knownAgents } from '../../../src/agents/acp/known-agents.ts'
import type { McpServers } from '../../../src/agents/acp/session/mcp-servers.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'

export type Frame = {
  id?: unknown
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
}
type Answer = { result: object } | { error: object } | null

export type SpeakingAgent = {
  backend: Backend
  events: AgentEvent[]
  told: <Type extends AgentEvent['type']>(type: Type) => EventOf<Type>[]
  /** The methods that it was sent, oldest first, with the ids of modes. */
  heard: string[]
  /** The frames that it was sent. */
  frames: Frame[]
  /** Sends an update of its session. */
  say: (update: object) => void
  /** Answers a request that its test left open. */
  reply: (frame: Frame | undefined, answer: { result: object } | { error: object }) => void
  /** Sends an update of another session. */
  sayIn: (sessionId: string, update: object) => void
  /** Sends a request. */
  ask: (id: number, method: string, params: object) => void
  /** Withdraws one. */
  withdraw: (id: number) => void
  /** Answers a request that `answers` left open. */
  answer: (id: unknown, result: object) => void
  /** Its process ends. */
  end: () => void
  /** The mode that its session is in. */
  mode: () => string
  /** Its session enters this mode, without a word. */
  enter: (mode: string) => void
}

export type Speaking = {
  /** The row of the table; undefined for an agent that zotui does not know. */
  known?: string
  modes?: readonly string[]
  /** The mode of each session that is opened. */
  startsIn?: string
  /** The arguments of its program. */
  args?: readonly string[]
  /** Its environment. */
  env?: NodeJS.ProcessEnv
  limits?: Partial<AcpLimits>
  /** More of what it can do. */
  can?: { capabilities?: object; sessions?: object }
  /** The MCP servers of the settings. */
  servers?: McpServers
  /** Answers a request in its place; undefined to let it answer by itself. */
  answers?: (frame: Frame) => Answer | undefined
}

const CAN = { list: {}, resume: {}, load: {}, fork: {}, close: {} }

/** The name of a mode: its id with a capital. */
const nameOf = (mode: string): string => mode.charAt(0).toUpperCase() + mode.slice(1)

export function speakingAgent({
  known: name,
  modes = [],
  startsIn = modes[0] ?? '',
  answers,
  args = [],
  env = {},
  limits = {},
  can = {},
  servers = {},
}: Speaking): SpeakingAgent {
  const known = knownAgents.find(each => each.name === name) ?? null
  const events: AgentEvent[] = []
  const heard: string[] = []
  const frames: Frame[] = []
  let mode = startsIn
  let write: ((line: string) => void) | undefined
  let end: (() => void) | undefined
  let count = 0
  const send = (frame: object): void => write?.(JSON.stringify({ jsonrpc: '2.0', ...frame }))
  const sayIn = (sessionId: string, update: object): void =>
    send({ method: 'session/update', params: { sessionId, update } })
  const say = (update: object): void => sayIn(`s${count}`, update)
  const backend = createAcpBackend({
    agent: { name: name ?? 'stranger', file: 'agent', args, known },
    connect() {
      const { near, far } = createMemoryPair()
      write = line => far.write(line)
      end = () => far.end()
      far.onInputClosed(() => far.end())
      far.receive(line => hear(JSON.parse(line) as Frame))
      return near
    },
    folder: '/project',
    env,
    servers: () => servers,
    version: '0',
    limits: { closeExit: 200, history: 50, steer: 300, ...limits },
  })
  backend.subscribe(event => events.push(event))
  onTestFinished(() => backend.kill())
  return {
    backend,
    events,
    told: type => events.filter((event): event is EventOf<typeof type> => event.type === type),
    heard,
    frames,
    say,
    reply: (frame, answer) => send({ id: frame?.id, ...answer }),
    sayIn,
    ask: (id, method, params) => send({ id, method, params }),
    withdraw: requestId => send({ method: '$/cancel_request', params: { requestId } }),
    answer: (id, result) => send({ id, result }),
    end: () => end?.(),
    mode: () => mode,
    enter: wanted => void (mode = wanted),
  }

  function hear(frame: Frame): void {
    const { id, method, params } = frame
    frames.push(frame)
    if (method === undefined) return
    heard.push(method === 'session/set_mode' ? `${method} ${String(params?.['modeId'])}` : method)
    const given = answers?.(frame)
    if (given === null) return
    const answer = given ?? answerOf(method, params)
    if (id !== undefined && answer) send({ id, ...answer })
  }

  function answerOf(method: string, params: Record<string, unknown> | undefined): Answer {
    switch (method) {
      case 'initialize':
        return {
          result: {
            protocolVersion: 1,
            agentCapabilities: {
              loadSession: true,
              sessionCapabilities: { ...CAN, ...can.sessions },
              ...can.capabilities,
            },
          },
        }
      case 'session/new':
      case 'session/fork':
      case 'session/load':
      case 'session/resume':
        count += 1
        mode = startsIn
        if (method === 'session/load' || method === 'session/resume')
          count = Number(String(params?.['sessionId']).slice(1))
        return { result: { sessionId: `s${count}`, ...(modes.length > 0 && { modes: modeState() }) } }
      case 'session/set_mode':
        mode = String(params?.['modeId'])
        return { result: {} }
      case 'session/set_config_option':
        mode = String(params?.['value'])
        return { result: {} }
      case 'session/prompt':
        return { result: { stopReason: 'end_turn' } }
      default:
        return { error: { code: -32601, message: 'Method not found' } }
    }
  }

  function modeState(): object {
    return { currentModeId: mode, availableModes: modes.map(id => ({ id, name: nameOf(id) })) }
  }
}
