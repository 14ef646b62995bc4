/**
 * Recordings of the wire: one JSON object a line, `{"t": milliseconds since the start, "dir": "in" | "out", "frame": object}`
 * or `"raw": string` if the line was no JSON object, or `"dropped": bytes` if it was too long to keep. `in` went to the agent, `out` came from it. The lines after a header
 * `{"agent": name}` are of that agent; without one they are of zot.
 */
import { z } from 'zod'
import { parseJson } from '../../text/json.ts'

const frame = z.record(z.string(), z.unknown())

const recordedLineSchema = z.object({
  /** Milliseconds since the start. */
  t: z.number(),
  dir: z.enum(['in', 'out']),
  frame: frame.optional(),
  raw: z.string().optional(),
  dropped: z.number().optional(),
})
/** `agent` is absent for zot. */
export type RecordedLine = z.infer<typeof recordedLineSchema> & { agent?: string }

const headerSchema = z.object({ agent: z.string() })

export const ZOT = 'zot'
/** The agent of lines of another protocol whose header is missing. */
const UNNAMED = 'agent'

export type Recording = {
  lines: readonly RecordedLine[]
  /** The numbers of the lines that could not be read, from 1. The last line may be incomplete if its writer was killed. */
  unread: readonly number[]
}

/** Reads the text of a recording. Never throws. */
export function parseRecording(text: string): Recording {
  const lines: RecordedLine[] = []
  const unread: number[] = []
  let agent = ZOT
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const value = parseJson(line)
    const recorded = recordedLineSchema.safeParse(value)
    if (recorded.success) {
      if (agent === ZOT && isRpc(recorded.data)) agent = UNNAMED
      lines.push({ ...recorded.data, ...(agent !== ZOT && { agent }) })
      continue
    }
    const header = headerSchema.safeParse(value)
    if (header.success) agent = header.data.agent
    else unread.push(index + 1)
  }
  return { lines, unread }
}

export function recordedHeader(agent: string): string {
  return JSON.stringify({ agent })
}

function isRpc({ frame: message }: RecordedLine): boolean {
  return message?.['jsonrpc'] !== undefined || typeof message?.['method'] === 'string'
}

export function recordedLine(t: number, dir: RecordedLine['dir'], line: string): RecordedLine {
  const object = frame.safeParse(parseJson(line))
  return object.success ? { t, dir, frame: object.data } : { t, dir, raw: line }
}

/** Returns the original line of the wire, which is not known of one that was dropped. */
export function wireLine({ raw, frame }: RecordedLine): string {
  return raw ?? JSON.stringify(frame)
}
