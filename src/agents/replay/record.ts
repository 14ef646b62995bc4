/** Records the lines of a transport in both directions, without known secrets. */
import { z } from 'zod'
import type { AgentEvent } from '../../agent/event.ts'
import type { Transport } from '../transport/transport.ts'
import { recordedLine, type RecordedLine } from './recording.ts'

export type RecorderOptions = {
  /** Takes one line of the recording, without its newline. */
  write: (line: string) => void
  /** Milliseconds, from any start. */
  now: () => number
  /**
   * Removes secrets. A secret can be split over two pieces of a text, so `push` may hold a piece back until the text
   * continues or another event comes.
   */
  redactor: {
    push: (piece: AgentEvent) => AgentEvent[]
    flush: (call?: string) => AgentEvent[]
    redact: (text: string) => string
  }
}

/**
 * Makes a wrapper that records one transport after the other, with times that count from the first. A transport that never
 * answers leaves no lines, because the one before it may stay in use.
 */
export function createRecorder({ write, now, redactor }: RecorderOptions): (transport: Transport) => Transport {
  let start: number | null = null
  const elapsed = (): number => {
    const at = now()
    start ??= at
    return Math.round(at - start)
  }
  /** The last frame with a piece, by the type of its event: what was held back has the shape of that. */
  const last = new Map<AgentEvent['type'], Frame>()
  const put = (recorded: RecordedLine): void => write(encoded(recorded))

  function note(dir: RecordedLine['dir'], line: string): void {
    const recorded = recordedLine(elapsed(), dir, line)
    const piece = dir === 'out' && recorded.frame ? toPiece(recorded.frame, recorded.t) : null
    if (piece && recorded.frame) last.set(piece.type, recorded.frame)
    // A line to zot does not end a text that is coming in.
    const redacted = piece ? redactor.push(piece) : dir === 'out' ? redactor.flush(callOf(recorded.frame)) : []
    for (const each of redacted) {
      const frame = toFrame(each, last.get(each.type))
      if (frame) put({ t: each.at, dir: 'out', frame })
    }
    if (!piece) put(mapStrings(recorded, redactor.redact) as RecordedLine)
  }

  return transport => {
    let unheard: string[] | null = []
    return {
      ...transport,
      write(line) {
        if (unheard) unheard.push(line)
        else note('in', line)
        transport.write(line)
      },
      receive: onLine =>
        transport.receive(line => {
          for (const written of unheard ?? []) note('in', written)
          unheard = null
          note('out', line)
          onLine(line)
        }),
    }
  }
}

/** Encodes a line; one that cannot be encoded is replaced by a line that says so. */
function encoded(recorded: RecordedLine): string {
  try {
    return JSON.stringify(recorded)
  } catch (error) {
    return JSON.stringify({
      t: recorded.t,
      dir: recorded.dir,
      raw: `(a line that cannot be recorded: ${String(error)})`,
    })
  }
}

type Frame = NonNullable<RecordedLine['frame']>

/** Returns the id of the call that a tool frame is about. */
function callOf(frame: Frame | undefined): string | undefined {
  const { type, id } = frame ?? {}
  return typeof id === 'string' && String(type).startsWith('tool_') ? id : undefined
}

/** Translates a frame that carries a piece of a growing text; null for any other frame. */
function toPiece(frame: Frame, at: number): AgentEvent | null {
  const chunk = chunkSchema.safeParse(frame)
  if (chunk.success) {
    const { sessionUpdate, content } = chunk.data.params.update
    return { type: CHUNKS[sessionUpdate], at, text: content.text }
  }
  const { type, id, delta, text } = frame
  if (type === 'text_delta' && typeof delta === 'string') return { type: 'text_received', at, text: delta }
  if (typeof id !== 'string') return null
  if (type === 'tool_use_args' && typeof delta === 'string') {
    return { type: 'tool_arguments_received', at, id, text: delta }
  }
  if (type === 'tool_progress' && typeof text === 'string') return { type: 'tool_progressed', at, id, text }
  return null
}

/** A piece of text in the Agent Client Protocol. */
const chunkSchema = z.looseObject({
  method: z.literal('session/update'),
  params: z.looseObject({
    update: z.looseObject({
      sessionUpdate: z.enum(['agent_message_chunk', 'agent_thought_chunk']),
      content: z.looseObject({ type: z.literal('text'), text: z.string() }),
    }),
  }),
})

const CHUNKS = { agent_message_chunk: 'text_received', agent_thought_chunk: 'thought_received' } as const

/** The frame for a piece, in the protocol of the frame that the last piece came in. */
function toFrame(event: AgentEvent, like: Frame | undefined): Frame | null {
  const chunk = chunkSchema.safeParse(like)
  if (chunk.success && (event.type === 'text_received' || event.type === 'thought_received')) {
    const { params } = chunk.data
    const content = { ...params.update.content, text: event.text }
    return { ...chunk.data, params: { ...params, update: { ...params.update, content } } }
  }
  if (event.type === 'text_received') return { type: 'text_delta', delta: event.text }
  if (event.type === 'tool_arguments_received') return { type: 'tool_use_args', id: event.id, delta: event.text }
  return event.type === 'tool_progressed' ? { type: 'tool_progress', id: event.id, text: event.text } : null
}

/** Maps every string in a value, field names included. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(each => mapStrings(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [map(name), mapStrings(each, map)]))
}
