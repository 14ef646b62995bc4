/** The recordings of real zots (`test/fixtures/recordings`), and what the backend makes of them. */
import { readFileSync, readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import type { Backend } from '../../src/agent/backend.ts'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createMemoryPair } from '../../src/wire/memory.ts'
import { createZotBackend } from '../../src/zot/backend.ts'
import { within } from '../../src/zot/limits.ts'

const folder = new URL('../fixtures/recordings/', import.meta.url)

const frameSchema = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  command: z.string().optional(),
  message: z.string().optional(),
  model: z.string().optional(),
  reasoning: z.unknown().optional(),
  images: z.array(z.object({ mime_type: z.string().default(''), data: z.string() })).optional(),
})
type RecordedFrame = z.infer<typeof frameSchema>

const lineSchema = z.object({
  /** Milliseconds since the start. */
  t: z.number(),
  dir: z.enum(['in', 'out']),
  frame: frameSchema.optional(),
  /** A line that was no JSON. */
  raw: z.string().optional(),
})
export type RecordedLine = z.infer<typeof lineSchema>

export type Recording = { zot: string; name: string; lines: readonly RecordedLine[] }

/** The two builds of zot that were recorded. */
export const recordedZots = ['zot-0.1.62', 'zot-0.3.3x'] as const

/** Reads one recording, such as `readRecording('zot-0.1.62', 'text')`. */
export function readRecording(zot: (typeof recordedZots)[number], name: string): Recording {
  const text = readFileSync(new URL(`${zot}/${name}.ndjson`, folder), 'utf8')
  const lines = text.split('\n').filter(line => line !== '')
  return { zot, name, lines: lines.map(line => lineSchema.parse(JSON.parse(line))) }
}

/** Reads all of them. */
export function readRecordings(): Recording[] {
  return recordedZots.flatMap(zot => {
    const files = readdirSync(new URL(`${zot}/`, folder)).toSorted()
    return files.map(file => readRecording(zot, file.replace('.ndjson', '')))
  })
}

/** What was written to standard output, line by line. */
export function outputOf(recording: Recording): string[] {
  return recording.lines.filter(line => line.dir === 'out').map(line => line.raw ?? JSON.stringify(line.frame))
}

/**
 * What the real backend tells when a zot answers as recorded: from `agent_starting` to the end of the last operation. `at`
 * is the recorded time. What the recorded client sent while zot was busy, and the backend therefore never sends, is left
 * out with its replies; prompts that it sent at once come one after the other, in the order in which zot ran them.
 */
export async function eventsOf(recording: Recording): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  const { near, far } = createMemoryPair()
  let clock = 0
  const backend = createZotBackend({ connect: () => near, now: () => clock, limits: { compactionGrace: 1 } })
  backend.subscribe(event => events.push(event))

  // The backend's own ids, by command, of requests that still wait for the recorded reply.
  const waiting = new Map<string, string>()
  let greeted = false
  far.receive(line => {
    const { id = '', type } = frameSchema.parse(JSON.parse(line))
    if (greeted) waiting.set(type, id)
    else
      far.write(
        JSON.stringify({ type: 'response', command: type, success: true, id, data: greetingOf(recording, type) }),
      )
  })
  await backend.open()
  greeted = true

  const operations: Promise<unknown>[] = []
  for (const { t, dir, frame, raw } of inOrderOfExecution(recording.lines)) {
    clock = t
    if (dir === 'in' && frame) operations.push(perform(backend, frame))
    else if (frame?.type !== 'response') far.write(raw ?? JSON.stringify(frame))
    else {
      const id = waiting.get(frame.command ?? '')
      waiting.delete(frame.command ?? '')
      if (id !== undefined) far.write(JSON.stringify({ ...frame, id }))
    }
    await setImmediate()
  }
  const over = await within(5000, Promise.all(operations))
  if (over === 'timed out') throw new Error(`${recording.zot}/${recording.name}: an operation never ended`)
  return events
}

/** Moves each operation's request to just before its reply. */
function inOrderOfExecution(lines: readonly RecordedLine[]): RecordedLine[] {
  const isOperation = ({ dir, frame }: RecordedLine): boolean =>
    dir === 'in' && (frame?.type === 'prompt' || frame?.type === 'compact')
  const requests = new Map(lines.filter(isOperation).map(line => [line.frame?.id, line]))
  return lines
    .filter(line => !isOperation(line))
    .flatMap(line => {
      const request = line.frame?.type === 'response' ? requests.get(line.frame.id) : undefined
      return request ? [{ ...request, t: line.t }, line] : [line]
    })
}

async function perform(backend: Backend, frame: RecordedFrame): Promise<void> {
  const { type, message = '', model = '', reasoning, images = [] } = frame
  if (type === 'prompt') {
    await backend.prompt({
      text: message,
      images: images.map(image => ({ mimeType: image.mime_type, data: image.data })),
    })
  } else if (type === 'compact') await backend.compact?.()
  else if (type === 'abort') backend.abort()
  else if (type === 'clear') await backend.clear?.()
  else if (type === 'set_model') await backend.setModel?.(model)
  else if (type === 'set_reasoning') await backend.setReasoning?.(String(reasoning))
}

/** The recorded reply to a command of the handshake, or one as that zot gives it. */
function greetingOf(recording: Recording, command: string): unknown {
  const isReply = ({ frame }: RecordedLine): boolean => frame?.type === 'response' && frame.command === command
  const recorded = recording.lines.find(isReply)?.frame?.['data']
  const [provider, model] = ['anthropic', 'claude-sonnet-4-5']
  if (command === 'hello') return recorded ?? { protocol_version: 1, version: recording.zot, provider, model }
  if (command === 'get_models') {
    return (
      recorded ?? { models: [{ id: model, provider, context_window: 200_000, max_output: 64_000, reasoning: true }] }
    )
  }
  const state = { provider, model, busy: false }
  return recording.zot === 'zot-0.1.62' ? state : { ...state, reasoning: '' }
}
