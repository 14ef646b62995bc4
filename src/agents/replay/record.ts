/** Writes down what passes on the wire, both ways, without the secrets that are known. */
import type { AgentEvent } from '../../agent/event.ts'
import type { Transport } from '../transport/transport.ts'
import { recordedLine, type RecordedLine } from './recording.ts'

export type RecorderOptions = {
  /** Takes one line of the recording, without its newline. */
  write: (line: string) => void
  /** Milliseconds, from any start. */
  now: () => number
  /**
   * Takes secrets out. A secret can be cut by the pieces in which a text comes: `push` may hold a piece back, until its text
   * goes on or something else is told.
   */
  redactor: {
    push: (piece: AgentEvent) => AgentEvent[]
    flush: (call?: string) => AgentEvent[]
    redact: (text: string) => string
  }
}

/**
 * Records one transport after the other; their times count from the first. One of which nothing is heard leaves nothing: the
 * one before it may go on.
 */
export function createRecorder({ write, now, redactor }: RecorderOptions): (transport: Transport) => Transport {
  let start: number | null = null
  const elapsed = (): number => {
    const at = now()
    start ??= at
    return Math.round(at - start)
  }
  const put = (recorded: RecordedLine): void => write(encoded(recorded))

  function note(dir: RecordedLine['dir'], line: string): void {
    const recorded = recordedLine(elapsed(), dir, line)
    const piece = dir === 'out' && recorded.frame ? toPiece(recorded.frame, recorded.t) : null
    // What goes to zot while a text comes does not end it.
    const told = piece ? redactor.push(piece) : dir === 'out' ? redactor.flush(callOf(recorded.frame)) : []
    for (const each of told) {
      const frame = toFrame(each)
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
          for (const said of unheard ?? []) note('in', said)
          unheard = null
          note('out', line)
          onLine(line)
        }),
    }
  }
}

/** What has no form that can be written becomes a line that says so. */
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

/** The call that a frame is about, and nothing else. */
function callOf(frame: Frame | undefined): string | undefined {
  const { type, id } = frame ?? {}
  return typeof id === 'string' && String(type).startsWith('tool_') ? id : undefined
}

/** A frame that carries a piece of a growing text, in our words; null for any other. */
function toPiece({ type, id, delta, text }: Frame, at: number): AgentEvent | null {
  if (type === 'text_delta' && typeof delta === 'string') return { type: 'text_received', at, text: delta }
  if (typeof id !== 'string') return null
  if (type === 'tool_use_args' && typeof delta === 'string') {
    return { type: 'tool_arguments_received', at, id, text: delta }
  }
  if (type === 'tool_progress' && typeof text === 'string') return { type: 'tool_progressed', at, id, text }
  return null
}

function toFrame(event: AgentEvent): Frame | null {
  if (event.type === 'text_received') return { type: 'text_delta', delta: event.text }
  if (event.type === 'tool_arguments_received') return { type: 'tool_use_args', id: event.id, delta: event.text }
  return event.type === 'tool_progressed' ? { type: 'tool_progress', id: event.id, text: event.text } : null
}

/** The same value with every text in it, and every name of a field, mapped. */
function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(each => mapStrings(each, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [map(name), mapStrings(each, map)]))
}
