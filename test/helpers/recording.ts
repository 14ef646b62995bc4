/** The recordings of real zots (`test/fixtures/recordings`). */
import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseRecording, wireLine, type RecordedLine } from '../../src/agents/recording/recording.ts'

const folder = new URL('../fixtures/recordings/', import.meta.url)

export type Recording = { zot: string; name: string; lines: readonly RecordedLine[] }

/** The two builds of zot that were recorded. */
export const recordedZots = ['zot-0.1.62', 'zot-0.3.3x'] as const

/** The path of one recording, such as `recordingFile('zot-0.1.62', 'text')`. */
export function recordingFile(zot: string, name: string): string {
  return fileURLToPath(new URL(`${zot}/${name}.ndjson`, folder))
}

/** Reads one recording. */
export function readRecording(zot: (typeof recordedZots)[number], name: string): Recording {
  const { lines, unread } = parseRecording(readFileSync(recordingFile(zot, name), 'utf8'))
  if (unread.length > 0) throw new Error(`${zot}/${name}: lines ${unread.join(', ')} cannot be read`)
  return { zot, name, lines }
}

/** Reads all of them. */
export function readRecordings(): Recording[] {
  return recordedZots.flatMap(zot => {
    const files = readdirSync(new URL(`${zot}/`, folder)).toSorted()
    return files.map(file => readRecording(zot, file.replace('.ndjson', '')))
  })
}

/** The lines that were written to standard output. */
export function outputOf(recording: Recording): string[] {
  return recording.lines.filter(line => line.dir === 'out').map(wireLine)
}
