/** Plays a recording of Meerkat to the backend, and does with the backend what the recorded client did. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Backend } from '../../../src/agent/backend.ts'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createMeerkatBackend } from '../../../src/agents/meerkat/backend.ts'
import type { MeerkatBackendOptions } from '../../../src/agents/meerkat/options.ts'
import { createMemoryPair } from '../../../src/agents/transport/memory-pair.ts'
import type { PackedRecording } from '../../helpers/packed-recordings.ts'

export type MeerkatFrame = {
  id?: string | number | null
  method?: string
  params?: Record<string, unknown>
  result?: Record<string, unknown>
  error?: unknown
}

export type MeerkatReplay = {
  events: AgentEvent[]
  /** The lines that the client wrote. */
  sent: MeerkatFrame[]
  /** The lines that the client could not read. */
  unknown: string[]
  /** The payloads of the events of turns that were in flight. */
  heard: Record<string, unknown>[]
}

export type ReplayChanges = {
  /** Changes the lines of the agent: what it drops, doubles or reorders. */
  change?: (lines: PackedRecording['lines']) => PackedRecording['lines']
  options?: Partial<MeerkatBackendOptions>
}

/** Answers to requests that the recorded client did not make. */
const UNRECORDED: Readonly<Record<string, (count: number) => object>> = {
  'session/create': count => ({ session_id: `fresh-${count}` }),
  'session/read': () => ({ message_count: 3, model: 'fake', provider: 'self_hosted' }),
  'session/history': () => ({ messages: [], has_more: false }),
  'session/archive': () => ({ archived: true }),
  'turn/interrupt': () => ({ interrupted: true }),
  'turn/start': () => ({ text: '', request_usage: [] }),
}

export async function replayMeerkat(recording: PackedRecording, changes: ReplayChanges = {}): Promise<MeerkatReplay> {
  const lines = changes.change?.(recording.lines) ?? recording.lines
  const { near, far } = createMemoryPair()
  const sent: MeerkatFrame[] = []
  const unknown: string[] = []
  const heard: Record<string, unknown>[] = []
  let clock = 0
  /** The number of lines that have been played. */
  let at = 0
  let count = 0
  const backend: Backend = createMeerkatBackend({
    connect: () => near,
    model: 'fake',
    provider: 'self_hosted',
    now: () => clock,
    debug: message => unknown.push(message),
    // A machine under load stops for a moment: an answer that comes is not late.
    limits: { grace: 1, answer: 200, closeAbort: 10, closeExit: 10 },
    ...changes.options,
  })
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  /** Requests of the client that are not answered yet, and the client's ids by the recorded ones. */
  let waiting: MeerkatFrame[] = []
  const ids = new Map<string, unknown>()
  /** The session of the turn in flight. */
  let session = ''
  let turn = null as Promise<unknown> | null
  /** The request that began the turn, and whether it has been answered. */
  let started: unknown = null
  let isAnswered = false
  far.receive(line => {
    const frame = JSON.parse(line) as MeerkatFrame
    sent.push(frame)
    if (frame.method === 'turn/start') {
      session = String(frame.params?.['session_id'])
      started = frame.id
    }
    if (frame.method !== undefined && frame.id !== undefined) waiting.push(frame)
  })

  for (const { t, dir, frame, raw } of lines) {
    clock = t
    at += 1
    if (raw !== undefined) {
      if (dir === 'out') far.write(raw)
    } else if (dir === 'in') await act(frame as MeerkatFrame)
    else await say(frame as MeerkatFrame)
  }
  await settle()
  await answerOthers()
  // The end of a turn may wait for its grace, or for an answer that never comes.
  await Promise.race([turn, setTimeout(400)])
  far.onKill(() => far.end({ code: 0 }))
  far.onInputClosed(() => far.end({ code: 0 }))
  await backend.close()
  await turn
  await settle()
  return { events, sent, unknown, heard }

  async function say(frame: MeerkatFrame): Promise<void> {
    if (frame.method === undefined) {
      const id = ids.get(String(frame.id))
      if (id === undefined) return
      isAnswered ||= id === started
      far.write(JSON.stringify({ ...frame, id }))
      ids.delete(String(frame.id))
    } else {
      const event = frame.params?.['event'] as { payload: Record<string, unknown> } | undefined
      if (turn && frame.method === 'session/event' && frame.params?.['session_id'] === session && event)
        heard.push(event.payload)
      far.write(JSON.stringify(frame))
    }
    await settle()
    await answerOthers()
  }

  async function act({ id, method = '', params = {} }: MeerkatFrame): Promise<void> {
    await perform(method, params)
    await settle()
    if (id === undefined) return answerOthers()
    at -= 1
    // Before the request that was recorded the client may make others.
    for (let round = 0; round < 4; round += 1) {
      const found = waiting.find(each => each.method === method)
      if (found) {
        waiting = waiting.filter(each => each !== found)
        ids.set(String(id), found.id)
        break
      }
      await answerOthers()
    }
    at += 1
    await answerOthers()
  }

  /** The method of the next request of the recorded client. */
  function nextRequest(): unknown {
    return lines.slice(at).find(({ dir, frame }) => dir === 'in' && frame?.['id'] !== undefined)?.frame?.['method']
  }

  async function perform(method: string, params: Record<string, unknown>): Promise<void> {
    switch (method) {
      case 'initialize':
        return void backend.open()
      case 'session/create':
        if (!waiting.some(each => each.method === method)) void backend.clear()
        return
      case 'turn/start':
        return begin(params)
      case 'turn/interrupt':
      case 'turn/stop_run':
      case 'cancel':
        return backend.abort()
      case 'session/list':
        return void backend.listSessions()
      case 'session/fork_at':
        return void (turn ?? backend.resumeSession({ id: String(params['session_id']), copy: true }))
      default:
    }
  }

  async function begin(params: Record<string, unknown>): Promise<void> {
    // The end of a turn may wait for its grace; one without an answer does not end.
    await Promise.race([turn, setTimeout(isAnswered ? 400 : 5)])
    if (turn || params['prompt'] === undefined) return
    isAnswered = false
    const { prompt, model, injected_context: before } = params
    if (typeof model === 'string') await backend.setModel(model)
    const blocks = (Array.isArray(prompt) ? prompt : [{ text: prompt }]) as Record<string, string>[]
    const images = blocks.flatMap(({ media_type: mimeType, data }) => (mimeType && data ? [{ mimeType, data }] : []))
    const text = blocks.map(block => block['text'] ?? '').join('')
    turn = backend
      .prompt({ text, images, ...(Array.isArray(before) && { before: before as string[] }) })
      .then(() => (turn = null))
  }

  /** Answers what the recorded client did not ask. Twice, since an answer may lead to another request. */
  async function answerOthers(): Promise<void> {
    for (let round = 0; round < 3 && waiting.length > 0; round += 1) {
      const next = nextRequest()
      const others = waiting.filter(({ method }) => method !== next)
      waiting = waiting.filter(each => !others.includes(each))
      for (const { id, method = '' } of others) {
        const result = UNRECORDED[method]?.((count += 1))
        const refused = { error: { code: -32601, message: `Method not found: ${method}` } }
        far.write(JSON.stringify({ id, ...(result ? { result } : refused) }))
      }
      await settle()
    }
  }
}

async function settle(): Promise<void> {
  for (let round = 0; round < 3; round += 1) await setImmediate()
}
