/** The stream of events that an answer of a scripted model is. */
import type { ServerResponse } from 'node:http'
import type { Spoken } from './reply.ts'

/** Speaks one answer. Some wires choose their words by what was asked. */
export type Speak = (step: Spoken, outgoing: ServerResponse, asked: unknown) => Promise<void>

export function openStream(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  outgoing.flushHeaders()
}

/** Writes one piece and waits until the system has taken it: a gate then stands behind what was really sent. */
export async function send(outgoing: ServerResponse, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    outgoing.write(text, failure => (failure ? reject(failure) : resolve()))
  })
}

/** Why the model stopped, in the words of Anthropic. */
export const stopOf = ({ stop, pieces }: Spoken): string =>
  stop ?? (pieces.some(piece => piece.type === 'tool') ? 'tool_use' : 'end_turn')

let ids = 0
/** An id that no other answer of this process has. */
export const nextId = (kind: string): string => `${kind}_${++ids}`
