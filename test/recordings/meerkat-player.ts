/**
 * Plays the wire of Meerkat. Requests that the backend makes by itself are paired with the recorded ones by their method; prompts,
 * stops and other sessions are repeated where the recorded client asked for them, and so are its answers to calls.
 */
import { z } from 'zod'
import type { SessionCut } from '../../src/agent/backend.ts'
import type { ToolHost, HostedResult } from '../../src/agents/tool-host/tool-host.ts'
import { createMeerkatBackend } from '../../src/agents/meerkat/backend.ts'
import { readHistory } from '../../src/agents/meerkat/frame.ts'
import { MEERKAT } from '../../src/agents/meerkat/program.ts'
import { promptIn } from '../../src/agents/meerkat/session/cut.ts'
import { list, text } from '../../src/agents/transport/lenient.ts'
import { createMemoryPair, type FarEnd } from '../../src/agents/transport/memory-pair.ts'
import { NEVER, repeatLine, type OwnRequest, type Player } from './player.ts'
import type { RecordedLine } from '../../src/agents/recording/recording.ts'

const id = z.union([z.string(), z.number()]).optional().catch(undefined)
const frameSchema = z.object({ id, method: text })
const blockSchema = z.object({ text, media_type: text, data: text })
const paramsSchema = z.object({
  session_id: text,
  model: text,
  provider: text,
  tool_use_id: text,
  message_index: z.number().catch(0),
  prompt: z.union([z.string().transform(each => [{ text: each, media_type: '', data: '' }]), list(blockSchema)]),
  injected_context: list(z.string()),
})
const contentSchema = z.union([z.string(), list(z.object({ type: z.literal('text').catch('text'), text }))]).catch('')
const resultSchema = z.object({ content: contentSchema, is_error: z.boolean().catch(false) })

/** Steps in which a request of the backend is on its way. */
const ROUNDS = 50

type Params = z.infer<typeof paramsSchema>

export function createMeerkatPlayer(lines: readonly RecordedLine[], now: () => number): Player {
  let far: FarEnd | undefined
  /** Requests of the backend that no recorded one stands for yet. */
  let unpaired: OwnRequest[] = []
  /** The backend's ids, by the recorded ones; and the methods of recorded requests that are not paired. */
  const ids = new Map<string, number>()
  const methods = new Map<string, string>()
  /** Calls that wait for their recorded answer, by their own ids, and these by the ids of the requests. */
  const calls = new Map<string, (result: HostedResult) => void>()
  const asked = new Map<string, string>()
  const sent = lines.flatMap(({ dir, frame }) => (dir === 'in' ? [frameSchema.parse(frame ?? {}).method] : []))
  const recorded = new Set(sent)
  const created = lines.find(({ frame }) => frame?.['method'] === 'session/create')
  const { model, provider } = paramsOf(created)
  /** The session of the last prompt. */
  let session = ''
  let isOpen = false
  let isInTurn = false
  const backend = createMeerkatBackend({
    connect,
    ...(model !== '' && { model, provider }),
    toolHost: recorded.has('tools/register') ? replayedToolHost(calls) : null,
    now,
    limits: { hello: NEVER, request: NEVER, answer: NEVER, abort: NEVER, closeAbort: 0, closeExit: 0 },
  })
  backend.subscribe(({ type }) => {
    isOpen ||= type === 'agent_started'
    if (type === 'prompt_sent') isInTurn = true
    if (type === 'turn_ended' || type === 'prompt_refused' || type === 'agent_ended') isInTurn = false
  })

  return {
    backend,
    begins: ({ dir, frame }) => dir === 'in' && frame?.['method'] === 'initialize',
    opensAtOnce: false,
    begin: () => undefined,
    hear,
    perform,
    quiet: async () => undefined,
    breakOff: () => far?.end(),
  }

  function connect() {
    const pair = createMemoryPair()
    far = pair.far
    unpaired = []
    for (const each of [ids, methods, calls, asked]) each.clear()
    isOpen = false
    pair.far.receive(line => {
      const { id: own, method } = frameSchema.parse(JSON.parse(line))
      if (typeof own !== 'number' || method === '') return
      // The recorded client was another one, or another version.
      if (recorded.has(method)) unpaired.push({ id: own, method })
      else reply(own, { error: { code: -32601, message: `not in this recording: ${method}` } })
    })
    return pair.near
  }

  function hear(line: RecordedLine): void {
    const { id: of, method } = frameSchema.parse(line.frame ?? {})
    if (method !== '' && of !== undefined) asked.set(String(of), paramsOf(line).tool_use_id)
    if (line.frame === undefined || method !== '' || of === undefined) return repeatLine(far, line)
    pair(String(of), methods.get(String(of)) ?? '')
    const own = ids.get(String(of))
    if (own !== undefined) reply(own, line.frame)
  }

  function reply(own: number, frame: Readonly<Record<string, unknown>>): void {
    far?.write(JSON.stringify({ jsonrpc: '2.0', ...frame, id: own }))
  }

  function perform(line: RecordedLine): (() => Promise<unknown>) | undefined {
    const { id: of, method } = frameSchema.parse(line.frame ?? {})
    if (method === '') return answer(String(of), line)
    if (of === undefined) return undefined
    methods.set(String(of), method)
    if (method === 'turn/start') session = paramsOf(line).session_id || session
    if (unpaired.some(each => each.method === method)) return pair(String(of), method)
    const operation = repeat(method, paramsOf(line), line)
    if (operation) return () => Promise.all([operation(), pairSoon(String(of), method)])
    void pairSoon(String(of), method)
    return undefined
  }

  /** Does what the recorded client was asked to do. */
  function repeat(method: string, params: Params, line: RecordedLine): (() => Promise<unknown>) | undefined {
    switch (method) {
      case 'turn/start':
        return isInTurn ? undefined : () => prompt(params)
      case 'turn/interrupt':
      case 'turn/stop_run':
        backend.abort()
        return undefined
      case 'session/create':
        return void (isOpen && !isInTurn && backend.clear())
      case 'session/list':
        return void backend.listSessions()
      case 'session/read':
        if (!isOpen || isInTurn) return undefined
        if (isCut(line)) return resumeCut(line, params.session_id)
        if (params.session_id === session) return isFollowedBy(line, 'session/fork_at') ? fork(line) : undefined
        return void backend.openSession(params.session_id)
      case 'session/fork_at':
        return fork(line)
      default:
        return undefined
    }
  }

  function requestsAfter(line: RecordedLine): RecordedLine[] {
    return lines
      .slice(lines.indexOf(line) + 1)
      .filter(({ dir, frame }) => dir === 'in' && frame?.['method'] !== undefined)
  }

  function isFollowedBy(line: RecordedLine, method: string): boolean {
    return requestsAfter(line)[0]?.frame?.['method'] === method
  }

  /** Whether a part of a session is copied: only then its history is read first. */
  function isCut(line: RecordedLine): boolean {
    const next = requestsAfter(line).map(({ frame }) => frame?.['method'])
    return next[0] === 'session/history' && next.find(method => method !== 'session/history') === 'session/fork_at'
  }

  function resumeCut(line: RecordedLine, from: string): undefined {
    const end = requestsAfter(line).find(({ frame }) => frame?.['method'] === 'session/fork_at')
    const between = lines.slice(lines.indexOf(line) + 1, end && lines.indexOf(end))
    const messages = between.flatMap(({ frame }) => readHistory(frame?.['result'])?.messages ?? [])
    const prompts = messages.flatMap((message, index) => {
      const told = promptIn(message)
      return told === null ? [] : [{ told, isKept: index < paramsOf(end).message_index }]
    })
    const kept = prompts.filter(({ isKept }) => isKept).length
    const cut: SessionCut = { prompts: prompts.map(({ told }) => told), kept }
    void backend.resumeSession({ id: from, copy: true, cut })
  }

  /** A fork before a prompt with another model is the way to switch to it. */
  function fork(line: RecordedLine): (() => Promise<unknown>) | undefined {
    const told = paramsOf(requestsAfter(line).find(({ frame }) => frame?.['method'] === 'turn/start'))
    if (told.model === '') return void backend.resumeSession({ id: paramsOf(line).session_id, copy: true })
    return () => prompt(told)
  }

  async function prompt({ prompt: blocks, injected_context: before, model: wanted }: Params): Promise<void> {
    if (wanted !== '') await backend.setModel(wanted)
    const images = blocks.flatMap(block =>
      block.data === '' ? [] : [{ mimeType: block.media_type, data: block.data }],
    )
    await backend.prompt({ text: blocks.map(block => block.text).join(''), images, before })
  }

  function answer(of: string, { frame }: RecordedLine): undefined {
    const call = asked.get(of) ?? ''
    const { content, is_error: isError } = resultSchema.parse(frame?.['result'] ?? {})
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    calls.get(call)?.({ content: parts, isError })
    calls.delete(call)
  }

  /** Pairs a recorded request with the one of the backend. */
  function pair(of: string, method: string): undefined {
    const found = unpaired.find(each => each.method === method)
    if (!found || ids.has(of)) return
    unpaired = unpaired.filter(each => each !== found)
    ids.set(of, found.id)
  }

  /** The same for a request that is being made. */
  async function pairSoon(of: string, method: string): Promise<void> {
    for (let round = 0; round < ROUNDS && !unpaired.some(each => each.method === method); round += 1)
      await Promise.resolve()
    pair(of, method)
  }
}

function paramsOf(line: RecordedLine | undefined): Params {
  return paramsSchema.parse({ prompt: [], ...(line?.frame?.['params'] as object | undefined) })
}

/** Runs nothing: each call gets its recorded answer. */
function replayedToolHost(calls: Map<string, (result: HostedResult) => void>): ToolHost {
  return {
    tools: [],
    attach: () => undefined,
    execute: ({ toolUseId, signal }) =>
      new Promise(resolve => {
        calls.set(toolUseId, resolve)
        signal.addEventListener('abort', () => resolve({ content: [], isError: true }))
      }),
    judgeWith: () => undefined,
    answerPermission: () => false,
    setPermissionMode: () => undefined,
    hasSandbox: false,
    modeNote: () => null,
    forgetMode: () => undefined,
    hasDeferred: false,
    outcomes: async () => '',
    sendOutcomes: () => undefined,
    beginTurn: () => undefined,
    steer: async () => ({ how: 'over' }) as const,
    withdrawSteer: () => undefined,
    stopTurn: () => undefined,
    endTurn: () => undefined,
    listRunning: async () => [],
    endRunning: async () => ({ ok: false, message: 'nothing runs in a replay' }),
    close: async () => undefined,
  }
}

/** Whether lines of this agent are Meerkat's. */
export const isMeerkatAgent = (agent: string): boolean => agent === MEERKAT.name
