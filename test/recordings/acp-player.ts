/**
 * Plays the wire of an agent of the Agent Client Protocol. Requests that the backend makes by itself are paired with the recorded
 * ones by method. The others, and the answers to the agent's questions, are repeated at their recorded place.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { OwnSession } from '../../src/agent/backend.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createAcpBackend } from '../../src/agents/acp/backend.ts'
import { knownAgents } from '../../src/agents/acp/known-agents.ts'
import { createMemoryPair, type FarEnd } from '../../src/agents/transport/memory-pair.ts'
import { list, text } from '../../src/agents/transport/lenient.ts'
import { NEVER, repeatLine, type OwnRequest, type Player } from './player.ts'
import type { RecordedLine } from '../../src/agents/recording/recording.ts'

const id = z.union([z.string(), z.number()]).optional().catch(undefined)
const frameSchema = z.object({ id, method: text })
const promptSchema = z.object({ sessionId: text, prompt: list(z.object({ text, mimeType: text, data: text })) })
const setSchema = z.object({
  sessionId: text,
  configId: text,
  value: z.union([z.string(), z.boolean()]).catch(''),
  modeId: text,
  modelId: text,
})
const answerSchema = z.object({
  outcome: z.object({ optionId: text }).optional().catch(undefined),
  action: text,
  content: z.record(z.string(), z.any()).nullish().catch(null),
})
const resultSchema = z.object({ sessionId: text })

const OPENS: ReadonlySet<string> = new Set(['session/load', 'session/resume'])
/** The time in which a text between two turns, or a history, may still grow, in milliseconds. */
const ASIDE = 100

type RecordedFrame = NonNullable<RecordedLine['frame']>

export function createAcpPlayer(name: string, lines: readonly RecordedLine[], now: () => number): Player {
  let far: FarEnd | undefined
  /** Requests of the backend that are not answered, and those of them that no recorded one stands for yet. */
  let unanswered: OwnRequest[] = []
  let unpaired: OwnRequest[] = []
  /** The backend's ids, by the recorded ones; null for a request that was not repeated. */
  const ids = new Map<string, number | null>()
  /** The ids of the agent's questions, by those that it gave them. */
  const questions = new Map<string, string>()
  let lastAsked = ''
  /** The recorded ids of replies. */
  const replied = new Set(
    lines.flatMap(({ dir, frame }) => (dir === 'out' && !frame?.['method'] ? [frame?.['id']] : [])),
  )
  /** The session of a recorded request that needs one, while it is made. */
  let needed: string | null = null
  let prompted: string | number | undefined
  let session = ''
  /** The session that is being opened. */
  let opening = ''
  let isInTurn = false
  let saidAside = false
  const options = new Map<string, string>()
  const known = knownAgents.find(each => each.name === name) ?? null
  const backend = createAcpBackend({
    agent: { name, file: name, args: [], known },
    connect,
    folder: '/',
    env: {},
    version: '',
    now,
    limits: {
      hello: NEVER,
      request: NEVER,
      abort: NEVER,
      closeAbort: 0,
      closeExit: 0,
      textPause: ASIDE,
      history: ASIDE,
    },
  })
  // Its modes are those of the recording.
  backend.startIn({ mode: 'allow', isChosen: true })
  const open = backend.open.bind(backend)
  const begunIn = firstSessions(lines)
  backend.open = () => open(begunIn.shift())
  backend.subscribe(note)

  return {
    backend,
    begins: ({ dir, frame }) => dir === 'in' && frame?.['method'] === 'initialize',
    opensAtOnce: false,
    begin: () => undefined,
    hear,
    perform,
    async quiet() {
      if (saidAside) await sleep(2 * ASIDE)
    },
    breakOff: () => far?.end(),
  }

  function connect() {
    const pair = createMemoryPair()
    far = pair.far
    unanswered = []
    unpaired = []
    ids.clear()
    questions.clear()
    session = ''
    pair.far.receive(line => {
      const frame = JSON.parse(line) as { id?: number; method?: string }
      if (frame.id === undefined || frame.method === undefined) return
      const request = { id: frame.id, method: frame.method }
      unanswered.push(request)
      if (needed !== null && frame.method !== 'session/prompt' && isOverdue(frame.method)) return settle(request)
      unpaired.push(request)
    })
    return pair.near
  }

  function note(event: AgentEvent): void {
    if (event.type === 'permission_requested' || event.type === 'question_asked') questions.set(lastAsked, event.id)
    if (event.type === 'options_changed') for (const each of event.options) options.set(each.category, each.id)
    if (event.type === 'prompt_sent') isInTurn = true
    if (event.type === 'turn_ended' || event.type === 'prompt_refused') isInTurn = saidAside = false
  }

  function hear(line: RecordedLine): void {
    needed = null
    const { id: recorded, method } = frameSchema.parse(line.frame ?? {})
    if (line.frame === undefined || method !== '' || recorded === undefined) {
      if (method !== '' && recorded !== undefined) lastAsked = String(recorded)
      saidAside ||= !isInTurn && method === 'session/update'
      return repeatLine(far, line)
    }
    // The line with its request may be damaged.
    if (!ids.has(String(recorded))) pair(String(recorded), unpaired[0]?.method ?? '')
    const own = ids.get(String(recorded)) ?? null
    if (own !== null) reply(own, line.frame)
  }

  function reply(own: number, frame: RecordedFrame): void {
    const { method = '' } = unanswered.find(request => request.id === own) ?? {}
    const told = resultSchema.safeParse(frame['result']).data
    if (told) session = OPENS.has(method) ? opening : told.sessionId || session
    unanswered = unanswered.filter(request => request.id !== own)
    unpaired = unpaired.filter(request => request.id !== own)
    far?.write(JSON.stringify({ ...frame, id: own }))
  }

  function perform({ frame = {} }: RecordedLine): (() => Promise<unknown>) | undefined {
    const { id: recorded, method } = frameSchema.parse(frame)
    needed = null
    if (method === '') return answer(String(recorded), answerSchema.safeParse(frame['result']).data)
    const params = setSchema.parse(frame['params'] ?? {})
    if (OPENS.has(method)) opening = params.sessionId
    if (recorded !== undefined && unpaired.some(each => isAlike(each.method, method)))
      return pair(String(recorded), method)
    catchUp(method, params.sessionId)
    if (method === 'session/prompt') {
      // The recorded client had several sessions, or did not wait for the end of the turn.
      const isOurs = params.sessionId === session || session === ''
      if (!isOurs || (isInTurn && replied.has(prompted))) return void ids.set(String(recorded), null)
      prompted = recorded
      return () => {
        const done = backend.prompt(promptOf(frame['params']))
        return Promise.all([done, pairSoon(String(recorded), method)])
      }
    }
    repeat(method, params)
    if (recorded !== undefined) void pairSoon(String(recorded), method)
    return undefined
  }

  function repeat(method: string, params: z.infer<typeof setSchema>): void {
    switch (method) {
      case 'session/cancel':
        return backend.abort()
      case 'session/new':
        return void (session !== '' && backend.clear())
      case 'session/load':
        return void backend.openSession(params.sessionId)
      case 'session/resume':
      case 'session/fork':
        return void backend.resumeSession({ id: params.sessionId, copy: method === 'session/fork' })
      case 'session/list':
        return void backend.listSessions()
      case 'session/set_config_option':
        return void backend.setOption(params.configId, params.value)
      case 'session/set_mode':
        return void backend.setOption(options.get('mode') ?? '', params.modeId)
      case 'session/set_model':
        return void backend.setOption(options.get('model') ?? '', params.modelId)
      default:
    }
  }

  function answer(asked: string, given: z.infer<typeof answerSchema> | undefined): undefined {
    const question = questions.get(asked)
    if (question === undefined || !given) return
    const option = given.outcome?.optionId ?? ''
    if (given.action !== '') {
      const how = given.action === 'accept' ? 'given' : given.action === 'decline' ? 'declined' : 'cancelled'
      backend.answerQuestion(question, how === 'given' ? (given.content ?? {}) : null, how)
    } else if (option === '') backend.answerPermission(question, { answer: 'refuse', words: '' })
    else backend.answerPermission(question, { answer: 'option', option })
  }

  /** Pairs a recorded request with the one of the backend. */
  function pair(recorded: string, method: string): undefined {
    const found = unpaired.find(each => isAlike(each.method, method))
    unpaired = unpaired.filter(each => each !== found)
    ids.set(recorded, found?.id ?? null)
  }

  /** The same for a request that is being made. */
  async function pairSoon(recorded: string, method: string): Promise<void> {
    // It waits for changes that were made before.
    for (let round = 0; round < ROUNDS && !unpaired.some(each => isAlike(each.method, method)); round += 1)
      await Promise.resolve()
    pair(recorded, method)
  }

  /** Answers what the recorded client did not wait for, or whose answer is damaged. */
  function catchUp(method: string, sessionId: string): void {
    const needsSession = method === 'session/prompt' || OPENS.has(method)
    if (needsSession) needed = sessionId
    for (const request of unanswered) {
      if (request.method === 'initialize') reply(request.id, { result: { protocolVersion: 1 } })
      else if (needsSession && isOverdue(request.method)) settle(request)
    }
  }

  function isOverdue(method: string): boolean {
    return method === 'session/prompt' ? isInTurn && !replied.has(prompted) : !OPENS.has(method)
  }

  function settle({ id: own, method }: OwnRequest): void {
    if (method === 'session/new') reply(own, { result: { sessionId: needed } })
    else if (method === 'session/prompt') reply(own, { result: { stopReason: '' } })
    else reply(own, { error: { code: -32602, message: 'not recorded' } })
  }
}

/** Steps in which a request of the backend is on its way. */
const ROUNDS = 50

/** A prompt is the first block or the last one: what zotui tells with it stands on its other side. */
function promptOf(params: unknown) {
  const { prompt } = promptSchema.parse(params ?? {})
  const texts = prompt.flatMap(block => (block.text === '' ? [] : [block.text]))
  const images = prompt.flatMap(({ mimeType, data }) => (data === '' ? [] : [{ mimeType, data }]))
  const own = (texts[0]?.startsWith('/') ? texts.shift() : texts.pop()) ?? ''
  return { text: own, images, before: texts }
}

/** The earlier session that each process of the agent began in; undefined for a new one. */
function firstSessions(lines: readonly RecordedLine[]): (OwnSession | undefined)[] {
  const found: (OwnSession | undefined)[] = []
  let isBegun = true
  for (const { dir, frame } of lines) {
    if (dir !== 'in') continue
    const { method } = frameSchema.parse(frame ?? {})
    if (method === 'initialize') isBegun = !!found.push(undefined) && false
    if (isBegun || !/^session\/(?:new|load|resume|fork)$/.test(method)) continue
    isBegun = true
    const { sessionId: id } = setSchema.parse(frame?.['params'] ?? {})
    if (method !== 'session/new') found[found.length - 1] = { id, copy: method === 'session/fork' }
  }
  return found
}

function isAlike(one: string, other: string): boolean {
  return one === other || (OPENS.has(one) && OPENS.has(other))
}
