/**
 * Plays a recording as a `Backend`: the real zot backend repeats the recorded requests and receives the recorded answers.
 * This backend sends nothing while zot is busy, so changes that the recorded client made then are omitted with their replies.
 * Prompts that it sent at once run one after the other, in the order in which zot ran them.
 */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Backend } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createMemoryPair, type FarEnd } from '../transport/memory-pair.ts'
import { createZotBackend } from '../zot/backend.ts'
import { list, text } from '../transport/lenient.ts'
import { within } from '../transport/within.ts'
import { wireLine, type RecordedLine } from './recording.ts'

/** The timing of a replay. */
export type ReplayPace = {
  /** Resolves when the line that was recorded at `t` milliseconds is due. */
  due: (t: number) => Promise<void>
  /** The time of the recording, in milliseconds since the Unix epoch. */
  now: () => number
}

const requestSchema = z.object({
  type: text,
  message: text,
  images: list(z.object({ mime_type: text, data: text })),
  model: text,
  reasoning: text,
})

const NAME = 'zot'
/** A limit that never expires: a user may pause a replay for long. */
const NEVER = 2 ** 31 - 1
/** How long an operation may take to end after its last recorded line, in milliseconds. */
const LAST_WORDS = 1000

const refused = async () => ({ ok: false, message: 'not available in a replay' }) as const

export type ReplayBackend = Backend & {
  /** Resolves when the whole recording has been played. */
  readonly finished: Promise<void>
}

/** Makes the backend; `open` begins the replay. It refuses requests: they come from the recording. */
export function createReplayBackend(lines: readonly RecordedLine[], pace: ReplayPace): ReplayBackend {
  const replay = new Replay(lines, pace)
  return {
    name: NAME,
    finished: replay.finished,
    subscribe: listener => replay.subscribe(listener),
    open: () => replay.open(),
    prompt: async () => undefined,
    abort() {},
    compact: async () => undefined,
    clear: refused,
    setModel: refused,
    setReasoning: refused,
    close: () => replay.close(),
    kill: () => replay.close(),
  }
}

class Replay {
  readonly finished: Promise<void>
  readonly #lines: readonly RecordedLine[]
  readonly #pace: ReplayPace
  readonly #inner: Backend
  readonly #listeners = new Set<(event: AgentEvent) => void>()
  /** The backend's ids, by command, of requests that wait for the recorded reply. */
  readonly #waiting = new Map<string, string>()
  #far: FarEnd | undefined
  /** The index at which the current run of zot begins; its handshake replies follow. */
  #from = 0
  #greeted = false
  #operation: Promise<unknown> = Promise.resolve()
  #closed = false
  #hasEnded = false
  #finish: () => void = () => undefined

  constructor(lines: readonly RecordedLine[], pace: ReplayPace) {
    this.#lines = inOrderOfExecution(lines)
    this.#pace = pace
    this.finished = new Promise(resolve => {
      this.#finish = resolve
    })
    this.#inner = createZotBackend({
      name: NAME,
      connect: () => this.#connect(),
      now: pace.now,
      limits: { abort: NEVER, compactionGrace: 0, promptBytes: Infinity },
    })
    this.#inner.subscribe(event => this.#tell(event))
  }

  subscribe(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async open(): Promise<void> {
    await this.#start(0)
    void this.#play()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#inner.kill()
  }

  async #start(from: number): Promise<void> {
    this.#from = from
    this.#greeted = false
    await this.#inner.open()
    this.#greeted = true
  }

  async #play(): Promise<void> {
    for (const [index, line] of this.#lines.entries()) {
      await this.#pace.due(line.t)
      if (this.#closed) return
      if (line.dir === 'in') await this.#perform(line, index)
      else this.#hear(line)
      // Promises that this resolved run before the next line.
      await setImmediate()
    }
    // A turn that the recording breaks off would otherwise never end.
    if ((await within(LAST_WORDS, this.#operation)) === 'timed out') {
      this.#hasEnded = true
      this.#far?.end()
      await this.#operation
    }
    this.#finish()
  }

  #connect() {
    const { near, far } = createMemoryPair()
    this.#far = far
    this.#waiting.clear()
    far.receive(line => {
      const { id = '', type } = JSON.parse(line) as { id?: string; type: string }
      if (this.#greeted) this.#waiting.set(type, id)
      else far.write(JSON.stringify({ type: 'response', command: type, success: true, id, data: this.#greeting(type) }))
    })
    return near
  }

  #hear(line: RecordedLine): void {
    const { frame } = line
    if (frame?.['type'] !== 'response') return this.#far?.write(wireLine(line))
    const command = String(frame['command'])
    const id = this.#waiting.get(command)
    this.#waiting.delete(command)
    if (id !== undefined) this.#far?.write(JSON.stringify({ ...frame, id }))
  }

  async #perform({ frame }: RecordedLine, index: number): Promise<void> {
    const backend = this.#inner
    const request = requestSchema.parse(frame ?? {})
    switch (request.type) {
      case 'hello':
        if (this.#lines.slice(0, index).some(line => line.dir === 'in')) await this.#restart(index)
        return
      case 'prompt': {
        const images = request.images.map(({ mime_type: mimeType, data }) => ({ mimeType, data }))
        return this.#operate(() => backend.prompt({ text: request.message, images }))
      }
      case 'compact':
        return this.#operate(async () => backend.compact?.())
      case 'abort':
        return backend.abort()
      case 'clear':
        return void backend.clear?.()
      case 'set_model':
        return void backend.setModel?.(request.model)
      case 'set_reasoning':
        return void backend.setReasoning?.(request.reasoning)
      default:
    }
  }

  async #operate(start: () => Promise<unknown>): Promise<void> {
    if ((await within(LAST_WORDS, this.#operation)) === 'timed out') return
    this.#operation = start()
  }

  /** Starts zot again, because the recorded one had ended here. */
  async #restart(index: number): Promise<void> {
    await this.#inner.kill()
    await this.#start(index)
  }

  /** Returns the recorded reply to a command of the handshake, or a typical one. */
  #greeting(command: string): unknown {
    const recorded = this.#replyData(command)
    if (recorded !== undefined) return recorded
    const [provider, model] = ['anthropic', 'claude-sonnet-4-5']
    if (command === 'hello') return { protocol_version: 1, version: 'unknown', provider, model }
    return command === 'get_state' ? { provider, model } : { models: [] }
  }

  #replyData(command: string): unknown {
    const replies = this.#lines.slice(this.#from).filter(isReply)
    return replies.find(({ frame }) => frame?.['command'] === command && frame['data'] !== undefined)?.frame?.['data']
  }

  #tell(event: AgentEvent): void {
    const told: AgentEvent =
      event.type === 'agent_ended' && this.#hasEnded ? { ...event, reason: 'the recording ends here', hint: '' } : event
    for (const listener of this.#listeners) listener(told)
  }
}

/** Moves each operation's request to just before its reply. */
function inOrderOfExecution(lines: readonly RecordedLine[]): RecordedLine[] {
  const replies = new Set(withRuns(lines).flatMap(({ line, key }) => (isReply(line) ? [key] : [])))
  const waiting = new Map<string, RecordedLine>()
  return withRuns(lines).flatMap(({ line, key }) => {
    if (isOperation(line) && replies.has(key)) {
      waiting.set(key, line)
      return []
    }
    const request = isReply(line) ? waiting.get(key) : undefined
    waiting.delete(key)
    return request ? [{ ...request, t: line.t }, line] : [line]
  })
}

/** Adds a key to each line: its run of zot and its request. Every run numbers its requests from 1. */
function withRuns(lines: readonly RecordedLine[]): { line: RecordedLine; key: string }[] {
  let run = 0
  return lines.map(line => {
    if (line.dir === 'in' && line.frame?.['type'] === 'hello') run += 1
    return { line, key: `${run} ${String(line.frame?.['id'])}` }
  })
}

function isOperation({ dir, frame }: RecordedLine): boolean {
  return dir === 'in' && (frame?.['type'] === 'prompt' || frame?.['type'] === 'compact')
}

function isReply({ dir, frame }: RecordedLine): boolean {
  return dir === 'out' && frame?.['type'] === 'response'
}
