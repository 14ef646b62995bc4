import type { Readable } from 'node:stream'

/** The bytes of a stream; null where there are more than were asked for. */
export type CollectedBytes = () => Buffer | null

/**
 * Collects a stream up to a bound, and calls `onTooMuch` once beyond it. Not left to execa: where a program fails, execa makes all
 * of its output part of a message, and the keyboard waits many seconds for that.
 */
export function collect(stream: Readable, most: number, onTooMuch: () => void): CollectedBytes {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    const wasTooMuch = size > most
    size += chunk.length
    if (size <= most) chunks.push(chunk)
    else if (!wasTooMuch) onTooMuch()
  })
  return () => (size > most ? null : Buffer.concat(chunks))
}

/** The first bytes of a stream, up to a bound; the rest is read and dropped. */
export function collectFirst(stream: Readable, most: number): () => Buffer {
  const chunks: Buffer[] = []
  let size = 0
  stream.on('data', (chunk: Buffer) => {
    if (size < most) chunks.push(chunk.subarray(0, most - size))
    size += chunk.length
  })
  return () => Buffer.concat(chunks)
}
