/** The recordings of a real `rkat-rpc` (`test/fixtures/meerkat`). */
import { readPackedRecordings, type PackedRecording } from './packed-recordings.ts'

export function readMeerkatRecordings(): PackedRecording[] {
  return readPackedRecordings(new URL('../fixtures/meerkat/rkat-rpc-0.9.8.ndjson.gz', import.meta.url))
}

export function readMeerkatRecording(name: string): PackedRecording {
  const found = readMeerkatRecordings().find(recording => recording.name === name)
  if (!found) throw new Error(`there is no recording ${name}`)
  return found
}
