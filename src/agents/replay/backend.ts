/**
 * A recording behind the `Backend` contract: the real backend, told to do what was done then, hears what was heard then.
 * What the recorded client sent while zot was busy, which this backend never does, is left out with its reply; prompts that
 * it sent at once come one after the other, in the order in which zot ran them.
 */
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Backend } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { createMemoryPair, type FarEnd } from '../transport/memory.ts'
import { createZotBackend } from '../zot/backend.ts'
import { list, text } from '../zot/lenient.ts'
import { within } from '../zot/limits.ts'
import { wireLine, type RecordedLine } from './recording.ts'

/** When what happens. */
export type ReplayPace = {
  /** Resolves when it is time for what was recorded at `t` milliseconds. */
  due: (t: number) => Promise<void>
  /** The time that it was then, in milliseconds since the Unix epoch. */
  now: () => number
}

const wishSchema = z.object({
  type: text,
  message: text,
  images: list(z.object({ mime_type: text, data: text })),
  model: text,
  reasoning: text,
})

const NAME = 'zot'
/** No timer of the backend may run out while a person looks at a paused replay. */
const NEVER = 2 ** 31 - 1
/** How long, in milliseconds, an operation may take to end once all of it was told. */
const LAST_WORDS = 1000

const refused = async () => ({ ok: false, message: 'this is a replay' }) as const

export type ReplayBackend = Backend & {
  /** Resolves when all of the recording has been told. */
  readonly finished: Promise<void>
}

/** Makes the backend; `open` begins the replay. It takes no wishes: what was wished for is in the recording. */
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
  /** The backend's own ids, by command, of requests that still wait for the recorded reply. */
  readonly #waiting = new Map<string, string>()
  #far: FarEnd | undefined
  /** Where in the recording the present run of zot begins: its replies to the handshake stand behind it. */
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
      // What this caused, promises among it, happens before the next.
      await setImmediate()
    }
    // A turn in which the recording breaks off goes on for ever otherwise.
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
    const wish = wishSchema.parse(frame ?? {})
    switch (wish.type) {
      case 'hello':
        if (this.#lines.slice(0, index).some(line => line.dir === 'in')) await this.#restart(index)
        return
      case 'prompt': {
        const images = wish.images.map(({ mime_type: mimeType, data }) => ({ mimeType, data }))
        return this.#operate(() => backend.prompt({ text: wish.message, images }))
      }
      case 'compact':
        return this.#operate(async () => backend.compact?.())
      case 'abort':
        return backend.abort()
      case 'clear':
        return void backend.clear?.()
      case 'set_model':
        return void backend.setModel?.(wish.model)
      case 'set_reasoning':
        return void backend.setReasoning?.(wish.reasoning)
      default:
    }
  }

  async #operate(start: () => Promise<unknown>): Promise<void> {
    if ((await within(LAST_WORDS, this.#operation)) === 'timed out') return
    this.#operation = start()
  }

  /** The recorded zot had ended, however, and was started again. */
  async #restart(index: number): Promise<void> {
    await this.#inner.kill()
    await this.#start(index)
  }

  /** The recorded reply to a command of the handshake, or one as that zot gives it. */
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

/** Each run of zot counts its requests anew: the key of a line is its run and the request that it belongs to. */
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
