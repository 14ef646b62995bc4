/**
 * Recordings of the wire: one JSON object a line, `{"t": milliseconds since the start, "dir": "in" | "out", "frame": object}`
 * or `"raw": string` if the line was no JSON object. `in` went to zot, `out` came from it.
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
})
export type RecordedLine = z.infer<typeof recordedLineSchema>

export type Recording = {
  lines: readonly RecordedLine[]
  /** The numbers of the lines that could not be read, from 1. The last line may be incomplete if its writer was killed. */
  unread: readonly number[]
}

/** Reads the text of a recording. Never throws. */
export function parseRecording(text: string): Recording {
  const lines: RecordedLine[] = []
  const unread: number[] = []
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (line.trim() === '') continue
    const recorded = recordedLineSchema.safeParse(parseJson(line))
    if (recorded.success) lines.push(recorded.data)
    else unread.push(index + 1)
  }
  return { lines, unread }
}

/** Makes a line of a recording from a line of the wire. */
export function recordedLine(t: number, dir: RecordedLine['dir'], line: string): RecordedLine {
  const object = frame.safeParse(parseJson(line))
  return object.success ? { t, dir, frame: object.data } : { t, dir, raw: line }
}

/** Returns the original line of the wire. */
export function wireLine({ raw, frame }: RecordedLine): string {
  return raw ?? JSON.stringify(frame)
}
