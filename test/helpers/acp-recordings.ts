/** The recordings of real ACP agents (`test/fixtures/acp`). */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { parseRecording, type RecordedLine } from '../../src/agents/replay/recording.ts'

export const recordedAgents = ['claude', 'codex', 'gemini', 'opencode', 'qwen'] as const
export type RecordedAgent = (typeof recordedAgents)[number]

export type AcpRecording = { agent: RecordedAgent; name: string; lines: readonly RecordedLine[] }

const header = z.object({ scenario: z.string() })

/** Reads the recordings of an agent. A second process in a scenario is a recording of its own: its name has a `+` at its end. */
export function readAcpRecordings(agent: RecordedAgent): AcpRecording[] {
  const text = gunzipSync(readFileSync(new URL(`../fixtures/acp/${agent}.ndjson.gz`, import.meta.url))).toString()
  const scenarios: { name: string; lines: string[] }[] = []
  for (const line of text.split('\n').filter(each => each !== '')) {
    const begins = header.safeParse(JSON.parse(line))
    const last = scenarios.at(-1)
    if (begins.success) scenarios.push({ name: begins.data.scenario, lines: [] })
    else if (line.includes('a new process on the same home')) scenarios.push({ name: `${last?.name}+`, lines: [] })
    else last?.lines.push(line)
  }
  return scenarios.map(({ name, lines }) => {
    const { lines: recorded, unread } = parseRecording(lines.join('\n'))
    if (unread.length > 0) throw new Error(`${agent}/${name}: lines ${unread.join(', ')} cannot be read`)
    return { agent, name, lines: recorded }
  })
}

/** Reads one recording. */
export function readAcpRecording(agent: RecordedAgent, name: string): AcpRecording {
  const found = readAcpRecordings(agent).find(recording => recording.name === name)
  if (!found) throw new Error(`there is no recording ${agent}/${name}`)
  return found
}
