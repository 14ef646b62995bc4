/** Plays a recording of an agent to the backend, and does with the backend what the recorded client did. */
import { setImmediate } from 'node:timers/promises'
import type { Backend } from '../../../src/agent/backend.ts'
import type { AgentEvent, EventOf } from '../../../src/agent/event.ts'
import { createAcpBackend } from '../../../src/agents/acp/backend.ts'
import { knownAgents } from '../../../src/agents/acp/known-agents.ts'
import { PING } from '../../../src/agents/acp/sessions.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import type { AcpRecording } from '../../helpers/acp-recordings.ts'

type Frame = {
  id?: string | number | null
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
}

export type Replayed = {
  events: AgentEvent[]
  /** The lines that the client wrote. */
  sent: Frame[]
  /** The requests of the agent, by id. */
  asked: Map<string, string>
  /** The lines that the client could not read. */
  unknown: string[]
  /** The agent's frames about the session that the client was in at that time, and about its subagents. */
  heard: Frame[]
}

const SETS = new Set(['session/set_mode', 'session/set_model', 'session/set_config_option'])
const OPENS = new Set(['session/load', 'session/resume'])

export async function replay({ agent, lines }: AcpRecording): Promise<Replayed> {
  const { near, far } = createMemoryPair()
  const sent: Frame[] = []
  const unknown: string[] = []
  const asked = new Map<string, string>()
  const heard: Frame[] = []
  const known = knownAgents.find(({ name }) => name === agent) ?? null
  const program = { name: agent, file: agent, args: [], known }
  let clock = 0
  const backend: Backend = createAcpBackend({
    agent: program,
    connect: () => near,
    folder: '/PROJECT',
    env: {},
    version: '0.0.0',
    now: () => clock,
    debug: message => unknown.push(message),
    limits: { textPause: 0, history: 60_000, closeAbort: 10, closeExit: 10 },
  })
  // The recorded client chose the modes.
  backend.startIn({ mode: 'allow', isChosen: true })
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  /** Requests of the client that are not answered yet, and the recorded id of each. */
  const waiting: Frame[] = []
  const ids = new Map<string, unknown>()
  /** Our ids of the agent's questions, by its own. */
  const questions = new Map<string, string>()
  /** The recorded client sent none: they are answered once the agent has told what it told before the client's next line. */
  const pings: Frame[] = []
  far.receive(line => {
    const frame = JSON.parse(line) as Frame
    sent.push(frame)
    if (frame.method === undefined || frame.id === undefined) return
    if (frame.method === PING) return void pings.push(frame)
    // Some recorded clients went on with an old session at once.
    const isRecorded = lines.some(each => each.dir === 'in' && each.frame?.['method'] === frame.method)
    if (frame.method === 'session/new' && !isRecorded)
      return far.write(JSON.stringify({ id: frame.id, result: { sessionId: 'fresh' } }))
    waiting.push(frame)
  })

  let turn = null as Promise<unknown> | null
  let session = ''
  /** The sessions of its subagents. */
  const subagents = new Set<string>()
  /** Sessions that are being opened, by the recorded ids of their requests. */
  const opening = new Map<string, string>()

  for (const { t, dir, frame, raw } of lines) {
    clock = t
    if (raw !== undefined) {
      if (dir === 'out') far.write(raw)
    } else if (dir === 'in') await act(frame as Frame)
    else await say(frame as Frame)
  }
  await settle()
  await answerPings()
  far.onKill(() => far.end({ code: 0 }))
  far.onInputClosed(() => far.end({ code: 0 }))
  await backend.close()
  await turn
  await settle()
  return { events, sent, asked, unknown, heard }

  async function say(frame: Frame): Promise<void> {
    if (frame.method !== undefined) {
      if (frame.id !== undefined) asked.set(String(frame.id), frame.method)
      const before = events.length
      const update = frame.params?.['update'] as Record<string, unknown> | undefined
      const isHeard = [session, ...subagents, ...opening.values()].includes(String(frame.params?.['sessionId']))
      if (isHeard) heard.push(frame)
      if (isHeard && update?.['sessionUpdate'] === 'subagent_update') subagents.add(String(update['sessionId']))
      far.write(JSON.stringify(frame))
      await settle()
      const question = events.slice(before).find(isQuestion)
      if (question && frame.id !== undefined) questions.set(String(frame.id), question.id)
      return
    }
    const id = frame.id === null ? null : ids.get(String(frame.id))
    if (id === undefined) return
    const opened = frame.result?.['sessionId'] ?? (frame.result && opening.get(String(frame.id)))
    opening.delete(String(frame.id))
    if (typeof opened === 'string') session = opened
    far.write(JSON.stringify({ ...frame, id }))
    await settle()
  }

  async function answerPings(): Promise<void> {
    for (let ping = pings.shift(); ping; ping = pings.shift()) {
      far.write(JSON.stringify({ id: ping.id, error: { code: -32601, message: 'Method not found' } }))
      await settle()
    }
  }

  async function act(frame: Frame): Promise<void> {
    await answerPings()
    if (frame.method === undefined) return answer(frame)
    // The recorded client did not set again what was set before in another session.
    const unheard = frame.method === 'session/prompt' ? waiting.filter(({ method = '' }) => SETS.has(method)) : []
    for (const { id } of unheard) far.write(JSON.stringify({ id, error: { code: -32602, message: 'not recorded' } }))
    waiting.splice(0, waiting.length, ...waiting.filter(each => !unheard.includes(each)))
    await settle()
    await perform(frame.method, frame.params ?? {}, String(frame.id))
    await settle()
    if (frame.id === undefined) return
    const index = waiting.findIndex(({ method = '' }) => isAlike(method, frame.method ?? ''))
    const [found] = index < 0 ? [] : waiting.splice(index, 1)
    if (found) ids.set(String(frame.id), found.id)
    else ids.delete(String(frame.id))
  }

  async function perform(method: string, params: Record<string, unknown>, id: string): Promise<void> {
    switch (method) {
      case 'initialize':
        return void backend.open()
      case 'session/new':
        if (session !== '') void backend.clear()
        return
      case 'session/prompt': {
        const isOurs = params['sessionId'] === session && Array.isArray(params['prompt'])
        if (turn || !isOurs) return
        const blocks = params['prompt'] as { type: string; text?: string; mimeType?: string; data?: string }[]
        const images = blocks.flatMap(({ mimeType, data }) => (mimeType && data ? [{ mimeType, data }] : []))
        turn = backend.prompt({ text: blocks.map(({ text }) => text ?? '').join(''), images }).then(() => (turn = null))
        return
      }
      case 'session/cancel':
        return params['sessionId'] === session ? backend.abort() : stopSubagent()
      case 'session/load':
      case 'session/resume':
        if (turn || typeof params['sessionId'] !== 'string') return
        opening.set(id, params['sessionId'])
        return void backend.openSession(params['sessionId'])
      case 'session/list':
        return void backend.listSessions()
      case 'session/fork':
        return void backend.resumeSession({ id: String(params['sessionId']), copy: true })
      case 'session/set_config_option':
        return void backend.setOption(String(params['configId']), params['value'] as string)
      case 'session/set_model':
        return void backend.setModel(String(params['modelId']))
      case 'session/set_mode': {
        const told = events.findLast(event => event.type === 'options_changed')
        const mode = told?.options.find(({ category }) => category === 'mode')
        return void (mode && backend.setOption(mode.id, String(params['modeId'])))
      }
      default:
    }
  }

  /** The recorded client stopped the one that worked. */
  function stopSubagent(): void {
    const working = events.findLast(event => event.type === 'task_reported' && event.canStop)
    if (working?.type === 'task_reported') void backend.stopTask(working.id)
  }

  async function answer({ id, result }: Frame): Promise<void> {
    const question = questions.get(String(id))
    if (question === undefined) return
    const outcome = result?.['outcome'] as { optionId?: string } | undefined
    const content = result?.['content'] as Record<string, string> | undefined
    if (outcome?.optionId !== undefined)
      backend.answerPermission(question, { answer: 'option', option: outcome.optionId })
    else if (content) backend.answerQuestion(question, content, 'given')
    await settle()
  }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await setImmediate()
}

function isQuestion(event: AgentEvent): event is EventOf<'permission_requested'> | EventOf<'question_asked'> {
  return event.type === 'permission_requested' || event.type === 'question_asked'
}

function isAlike(one: string, other: string): boolean {
  return one === other || (SETS.has(one) && SETS.has(other)) || (OPENS.has(one) && OPENS.has(other))
}
