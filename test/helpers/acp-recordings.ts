/** The recordings of real ACP agents (`test/fixtures/acp`). */
import { readPackedRecordings, type PackedRecording } from './packed-recordings.ts'

export const recordedAgents = ['claude', 'codex', 'gemini', 'opencode', 'qwen', 'copilot'] as const
export type RecordedAgent = (typeof recordedAgents)[number]

export type AcpRecording = PackedRecording & { agent: RecordedAgent }

/** Reads the recordings of an agent. */
export function readAcpRecordings(agent: RecordedAgent): AcpRecording[] {
  const recordings = readPackedRecordings(new URL(`../fixtures/acp/${agent}.ndjson.gz`, import.meta.url))
  return recordings.map(({ name, lines }) => ({ name, lines, agent }))
}

/** Reads one recording. */
export function readAcpRecording(agent: RecordedAgent, name: string): AcpRecording {
  const found = readAcpRecordings(agent).find(recording => recording.name === name)
  if (!found) throw new Error(`there is no recording ${agent}/${name}`)
  return found
}
