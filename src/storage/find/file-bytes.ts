/** Reads an open file as bytes, since the places of lines in it are kept. */
import { readSync } from 'node:fs'

/** The view of the bytes is valid until the next line. Null for a line that is too long to be read. */
export type LineBytes = { bytes: Buffer | null; from: number; to: number }

const CHUNK = 512 * 1024
/** Bytes of the longest line that is read: of an event no agent should send. */
const LONGEST_LINE = 32 * 1024 * 1024
const LF = 10

/** The finished lines from a place on; `to` is the place behind the line break. @throws what the system throws. */
export function* lineBytes(file: number, begin: number, longest = LONGEST_LINE): Generator<LineBytes> {
  let room = Buffer.allocUnsafe(Math.min(CHUNK, longest))
  /** The place in the file of the first byte in `room`, how many there are, and where the line begins. */
  let [place, filled, start] = [begin, 0, begin]
  let isTooLong = false
  for (;;) {
    const count = readSync(file, room, filled, room.length - filled, place + filled)
    if (count === 0) return
    let from = 0
    const searched = filled
    filled += count
    for (let end = room.indexOf(LF, searched); end >= 0 && end < filled; end = room.indexOf(LF, from)) {
      const to = place + end + 1
      yield { bytes: isTooLong ? null : room.subarray(from, end), from: start, to }
      isTooLong = false
      from = end + 1
      start = to
    }
    room.copyWithin(0, from, filled)
    place += from
    filled -= from
    if (filled < room.length) continue
    if (room.length < longest) {
      const larger = Buffer.allocUnsafe(Math.min(longest, room.length * 2))
      room.copy(larger)
      room = larger
    } else {
      isTooLong = true
      place += filled
      filled = 0
    }
  }
}

/** Bytes of an open file; fewer where it ends. */
export function bytesOf(open: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(Math.max(0, to - from))
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(open, bytes, filled, bytes.length - filled, from + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
