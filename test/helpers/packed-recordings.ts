/** Recordings of real agents in one compressed file. */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { parseRecording, type RecordedLine } from '../../src/agents/recording/recording.ts'

export type PackedRecording = { name: string; lines: readonly RecordedLine[] }

const header = z.object({ scenario: z.string() })

/** Reads the recordings of a file. A second process in a scenario is a recording of its own: its name has a `+` at its end. */
export function readPackedRecordings(file: URL): PackedRecording[] {
  const text = gunzipSync(readFileSync(file)).toString()
  const scenarios: { name: string; lines: string[] }[] = []
  for (const line of text.split('\n').filter(each => each !== '')) {
    const begins = header.safeParse(JSON.parse(line))
    const last = scenarios.at(-1)
    if (begins.success) scenarios.push({ name: begins.data.scenario, lines: [] })
    else if (line.includes('a new process on the same')) scenarios.push({ name: `${last?.name}+`, lines: [] })
    else last?.lines.push(line)
  }
  return scenarios.map(({ name, lines }) => {
    const { lines: recorded, unread } = parseRecording(lines.join('\n'))
    if (unread.length > 0) throw new Error(`${name}: lines ${unread.join(', ')} cannot be read`)
    return { name, lines: recorded }
  })
}
