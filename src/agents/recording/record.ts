/** Records the lines of a transport in both directions, without known secrets. */
import { isObject } from '../../text/json.ts'
import { z } from 'zod'
import type { AgentEvent } from '../../agent/event.ts'
import type { Transport } from '../transport/transport.ts'
import { recordedHeader, recordedLine, ZOT, type RecordedLine } from './recording.ts'
import { lookup } from '../../text/lookup.ts'

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
 * answers leaves no lines, because the one before it may stay in use. A header names the agent where it is another than before.
 */
export function createRecorder({
  write,
  now,
  redactor,
}: RecorderOptions): (transport: Transport, agent?: string) => Transport {
  let start: number | null = null
  /** The agent of the last line. */
  let last = ZOT
  const elapsed = (): number => {
    const at = now()
    start ??= at
    return Math.round(at - start)
  }
  /** The last update with a piece of each kind of text. */
  const grown = new Map<string, Frame>()
  const put = (recorded: RecordedLine): void => write(encoded(recorded))

  function note(agent: string, dir: RecordedLine['dir'], line: string | { dropped: number }): void {
    if (agent !== last) {
      grown.clear()
      write(recordedHeader(redactor.redact(agent)))
    }
    last = agent
    const recorded: RecordedLine =
      typeof line === 'string' ? withoutKey(recordedLine(elapsed(), dir, line)) : { t: elapsed(), dir, ...line }
    const piece = dir === 'out' && recorded.frame ? toPiece(recorded.frame, recorded.t) : null
    if (piece && isRpcPiece(recorded.frame)) grown.set(piece.type, recorded.frame)
    // A line to zot does not end a text that is coming in.
    const redacted = piece ? redactor.push(piece) : dir === 'out' ? redactor.flush(callOf(recorded.frame)) : []
    for (const each of redacted) {
      const frame = toFrame(each, grown)
      if (frame) put({ t: each.at, dir: 'out', frame })
    }
    if (!piece) put(mapStrings(recorded, redactor.redact) as RecordedLine)
  }

  return (transport, agent = ZOT) => {
    let unanswered: string[] | null = []
    const noteOutput = (line: string | { dropped: number }): void => {
      for (const written of unanswered ?? []) note(agent, 'in', written)
      unanswered = null
      note(agent, 'out', line)
    }
    return {
      ...transport,
      write(line) {
        if (unanswered) unanswered.push(line)
        else note(agent, 'in', line)
        transport.write(line)
      },
      receive(onLine, onDropped) {
        const take = (line: string): void => {
          noteOutput(line)
          onLine(line)
        }
        transport.receive(take, dropped => {
          noteOutput({ dropped })
          onDropped?.(dropped)
        })
      },
    }
  }
}

/** A login may carry a key, which no one else knows to be one. */
function withoutKey(line: RecordedLine): RecordedLine {
  const params = line.frame && lookup(line.frame, 'params')
  if (line.frame?.['method'] !== 'authenticate' || !isObject(params)) return line
  return { ...line, frame: { ...line.frame, params: { methodId: lookup(params, 'methodId') } } }
}

/** Encodes a line; one that cannot be encoded is replaced by a line that reports the failure. */
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

/** The notification of the Agent Client Protocol that carries pieces of texts. */
const UPDATE = 'session/update'
const updateSchema = z.object({
  update: z.looseObject({
    sessionUpdate: z.enum(['agent_message_chunk', 'agent_thought_chunk']),
    content: z.looseObject({ type: z.literal('text'), text: z.string() }),
  }),
})

/** The notification of Meerkat that carries pieces of texts. */
const EVENT = 'session/event'
const eventSchema = z.object({
  event: z.looseObject({
    payload: z.looseObject({ type: z.enum(['text_delta', 'reasoning_delta']), delta: z.string() }),
  }),
})

function isRpcPiece(frame: Frame | undefined): frame is Frame {
  return frame?.['method'] === UPDATE || frame?.['method'] === EVENT
}

/** Translates a frame that carries a piece of a growing text; null for any other frame. */
function toPiece({ type, id, delta, text, method, params }: Frame, at: number): AgentEvent | null {
  if (method === UPDATE) {
    const { update } = updateSchema.safeParse(params).data ?? {}
    if (!update) return null
    const kind = update.sessionUpdate === 'agent_message_chunk' ? 'text_received' : 'thought_received'
    return { type: kind, at, text: update.content.text }
  }
  if (method === EVENT) {
    const payload = eventSchema.safeParse(params).data?.event.payload
    if (!payload) return null
    return { type: payload.type === 'text_delta' ? 'text_received' : 'thought_received', at, text: payload.delta }
  }
  if (type === 'text_delta' && typeof delta === 'string') return { type: 'text_received', at, text: delta }
  if (typeof id !== 'string') return null
  if (type === 'tool_use_args' && typeof delta === 'string') {
    return { type: 'tool_arguments_received', at, id, text: delta }
  }
  if (type === 'tool_progress' && typeof text === 'string') return { type: 'tool_progressed', at, id, text }
  return null
}

/** The frame for a piece. One of an update is like the last of its kind, with another text. */
function toFrame(event: AgentEvent, grown: ReadonlyMap<string, Frame>): Frame | null {
  const update = grown.get(event.type)
  if (update && (event.type === 'text_received' || event.type === 'thought_received'))
    return mergedInto(update, { params: grownParams(update, event.text) })
  if (event.type === 'text_received') return { type: 'text_delta', delta: event.text }
  if (event.type === 'tool_arguments_received') return { type: 'tool_use_args', id: event.id, delta: event.text }
  return event.type === 'tool_progressed' ? { type: 'tool_progress', id: event.id, text: event.text } : null
}

function grownParams({ method }: Frame, text: string): Frame {
  return method === EVENT ? { event: { payload: { delta: text } } } : { update: { content: { text } } }
}

function mergedInto(frame: Frame, changes: Frame): Frame {
  const merged = Object.entries(changes).map(([name, value]) => {
    const old = lookup(frame, name)
    return [name, isObject(old) && isObject(value) ? mergedInto(old, value) : value]
  })
  return { ...frame, ...(Object.fromEntries(merged) as Frame) }
}

/** Maps every string in a value, field names included. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(each => mapStrings(each, map))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [map(name), mapStrings(each, map)]))
}
