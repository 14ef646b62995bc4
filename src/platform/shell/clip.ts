/** Keeps the beginning and the end of a text of any length. */
import { StringDecoder } from 'node:string_decoder'
import { formatBytes } from '../../text/format.ts'

export type Clip = {
  push(text: string): void
  /** The text kept so far, with a line that says how much is omitted, if anything is. */
  result(): string
  /** The bytes that `result` leaves out, with those of lines that it would have to cut. */
  omitted(): number
}

const LF = 0x0a

/**
 * Keeps half of `limit` bytes of UTF-8 from the beginning and half from the end, cut between lines where there are any;
 * holds no more than about one and a half times as much.
 */
export function createClip(limit: number): Clip {
  const half = Math.max(1, Math.floor(limit / 2))
  const head: Buffer[] = []
  let headSize = 0
  let tail: Buffer[] = []
  let tailSize = 0
  let total = 0

  const shrink = (): Buffer => {
    // One more byte than is shown, to see whether the rest begins a line. Copied, so that the omitted part can be freed.
    const kept = Buffer.from(Buffer.concat(tail).subarray(-half - 1))
    tail = [kept]
    tailSize = kept.length
    return kept
  }
  /** The kept ends of a text that is too long; null if all of it is kept. */
  const ends = (): { first: Buffer; last: Buffer; omitted: number } | null => {
    if (total <= 2 * half) return null
    const first = wholeFromStart(Buffer.concat(head))
    const last = wholeToEnd(shrink())
    return { first, last, omitted: total - first.length - last.length }
  }
  return {
    push(text) {
      const bytes = Buffer.from(text)
      total += bytes.length
      const room = half - headSize
      const [first, rest] = [bytes.subarray(0, room), bytes.subarray(room)]
      if (first.length > 0) head.push(first)
      headSize += first.length
      if (rest.length > 0) tail.push(rest)
      tailSize += rest.length
      // Shrinking at twice the bound keeps the cost of a flood linear.
      if (tailSize > 2 * half) shrink()
    },
    result() {
      const kept = ends()
      if (!kept) return Buffer.concat([...head, ...tail]).toString()
      const { first, last } = kept
      const omitted = formatBytes(kept.omitted)
      const gap = first.at(-1) === LF || first.length === 0 ? '' : '\n'
      return `${first.toString()}${gap}[... ${omitted} omitted ...]\n${last.toString()}`
    },
    omitted: () => ends()?.omitted ?? 0,
  }
}

/** Removes a cut last line, or else a cut last character. */
function wholeFromStart(bytes: Buffer): Buffer {
  const lineEnd = bytes.lastIndexOf(LF)
  if (lineEnd !== -1) return bytes.subarray(0, lineEnd + 1)
  return Buffer.from(new StringDecoder('utf8').write(bytes))
}

/** Removes the first byte, and a cut first line, or else a cut first character. */
function wholeToEnd(bytes: Buffer): Buffer {
  const lineStart = bytes.indexOf(LF) + 1
  if (lineStart > 0 && lineStart < bytes.length) return bytes.subarray(lineStart)
  let start = 1
  // The bytes of a character after its first.
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1
  return bytes.subarray(start)
}
