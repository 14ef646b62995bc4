/**
 * Plays zot's wire. The backend sends nothing while zot is busy, so changes that the recorded client made then are omitted with their
 * replies. Prompts that it sent at once run one after the other, in the order in which zot ran them.
 */
import { z } from 'zod'
import { createMemoryPair, type FarEnd } from '../../src/agents/transport/memory-pair.ts'
import { createZotBackend } from '../../src/agents/zot/backend.ts'
import { list, text } from '../../src/agents/transport/lenient.ts'
import { NEVER, repeatLine, type Player } from './player.ts'
import type { RecordedLine } from '../../src/agents/recording/recording.ts'

const requestSchema = z.object({
  type: text,
  message: text,
  images: list(z.object({ mime_type: text, data: text })),
  model: text,
  reasoning: text,
})

export function createZotPlayer(name: string, lines: readonly RecordedLine[], now: () => number): Player {
  /** The backend's ids, by command, of requests that wait for the recorded reply. */
  const waiting = new Map<string, string>()
  let far: FarEnd | undefined
  /** The index at which the current run of zot begins; its handshake replies follow. */
  let from = 0
  let isGreeted = false
  const backend = createZotBackend({
    name,
    connect,
    now,
    limits: { abort: NEVER, compactionGrace: 0, promptBytes: Infinity },
  })
  const open = backend.open.bind(backend)
  backend.open = async () => {
    isGreeted = false
    await open()
    isGreeted = true
  }

  return {
    backend,
    begins: ({ dir, frame }) => dir === 'in' && frame?.['type'] === 'hello',
    opensAtOnce: true,
    begin(line) {
      from = lines.indexOf(line)
    },
    hear(line) {
      const { frame } = line
      if (frame?.['type'] !== 'response') return repeatLine(far, line)
      const command = String(frame['command'])
      const id = waiting.get(command)
      waiting.delete(command)
      if (id !== undefined) far?.write(JSON.stringify({ ...frame, id }))
    },
    perform,
    quiet: async () => undefined,
    breakOff: () => far?.end(),
  }

  function connect() {
    const pair = createMemoryPair()
    far = pair.far
    waiting.clear()
    pair.far.receive(line => {
      const { id = '', type } = JSON.parse(line) as { id?: string; type: string }
      if (isGreeted) waiting.set(type, id)
      else pair.far.write(JSON.stringify({ type: 'response', command: type, success: true, id, data: greeting(type) }))
    })
    return pair.near
  }

  function perform({ frame }: RecordedLine): (() => Promise<unknown>) | undefined {
    const request = requestSchema.parse(frame ?? {})
    switch (request.type) {
      case 'prompt': {
        const images = request.images.map(({ mime_type: mimeType, data }) => ({ mimeType, data }))
        return () => backend.prompt({ text: request.message, images })
      }
      case 'compact':
        return async () => backend.compact()
      case 'abort':
        backend.abort()
        return undefined
      case 'clear':
        return void backend.clear()
      case 'set_model':
        return void backend.setModel(request.model)
      case 'set_reasoning':
        return void backend.setReasoning(request.reasoning)
      default:
        return undefined
    }
  }

  /** Returns the recorded reply to a command of the handshake, or a typical one. */
  function greeting(command: string): unknown {
    const recorded = replyData(command)
    if (recorded !== undefined) return recorded
    const [provider, model] = ['anthropic', 'claude-sonnet-4-5']
    if (command === 'hello') return { protocol_version: 1, version: 'unknown', provider, model }
    return command === 'get_state' ? { provider, model } : { models: [] }
  }

  function replyData(command: string): unknown {
    const replies = lines.slice(from).filter(isReply)
    return replies.find(({ frame }) => frame?.['command'] === command && frame['data'] !== undefined)?.frame?.['data']
  }
}

/** Moves each operation's request to just before its reply. */
export function inOrderOfExecution(lines: readonly RecordedLine[]): RecordedLine[] {
  const replies = new Set(withRuns(lines).flatMap(({ line, key }) => (isReply(line) ? [key] : [])))
  const waiting = new Map<string, RecordedLine>()
  return withRuns(lines).flatMap(({ line, key }) => {
    if (isOperation(line) && replies.has(key)) {
      waiting.set(key, line)
      return []
    }
    const request = isReply(line) ? waiting.get(key) : undefined
    waiting.delete(key)
    return request ? [{ ...request, t: line.t }, line] : [line]
  })
}

/** Adds a key to each line: its run of zot and its request. Every run numbers its requests from 1. */
function withRuns(lines: readonly RecordedLine[]): { line: RecordedLine; key: string }[] {
  let run = 0
  return lines.map(line => {
    if (line.dir === 'in' && line.frame?.['type'] === 'hello') run += 1
    return { line, key: `${run} ${String(line.frame?.['id'])}` }
  })
}

function isOperation({ dir, agent, frame }: RecordedLine): boolean {
  return dir === 'in' && agent === undefined && (frame?.['type'] === 'prompt' || frame?.['type'] === 'compact')
}

function isReply({ dir, agent, frame }: RecordedLine): boolean {
  return dir === 'out' && agent === undefined && frame?.['type'] === 'response'
}
