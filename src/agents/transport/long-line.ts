/**
 * Shortens the texts of a very long line of JSON while it comes. What is left is decoded at once, so it has to be short, and what is
 * omitted is never kept in memory.
 */
import { cutMark, MOST_OF_LINE } from '../../text/lines/cut-text.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BLANK = 0x20

/** The bytes that each text keeps in any case, so that names and numbers in a long list stay complete. */
const LEAST = 256
/** Bytes in which a blank is looked for to cut at, so that no word is halved: half of a secret could not be masked. */
const REACH = 64 * 1024
/** No escape has more bytes. */
const ESCAPE = 6

export type LongLine = {
  /** Takes the next bytes of the line. It does not copy them. */
  add: (piece: Buffer) => void
  /** The pieces of the shortened line. */
  pieces: () => readonly Buffer[]
}

/** Makes a shortener for one line, whose `most` bytes of text are kept. The result does not depend on how the line is cut into pieces. */
export function createLongLine(most = MOST_OF_LINE): LongLine {
  const pieces: Buffer[] = []
  let left = most
  let isText = false
  /** Bytes of the text that is being read: all so far, the most that are kept, and those kept when it was cut (null if it was not). */
  let size = 0
  let allowed = 0
  let cut: number | null = null
  /** The number of backslashes before the next byte. */
  let slashes = 0
  /** The number of bytes since the last backslash, counted where a cut is looked for between any two characters. */
  let plain = 0

  function add(piece: Buffer): void {
    /** The first byte that is not in `pieces` yet. */
    let from = 0
    for (let at = 0; at < piece.length;) {
      const quote = piece.indexOf(QUOTE, at)
      const end = quote < 0 ? piece.length : quote
      if (isText) {
        from = readText(piece, at, end, from)
        if (quote >= 0 && !isEscaped(piece, at, quote)) endText()
        else if (quote >= 0) size += 1
        if (cut !== null && !isText) from = closeCut(end)
      } else if (quote >= 0) {
        isText = true
        size = 0
        allowed = Math.max(LEAST, left)
      }
      slashes = quote < 0 ? slashesAtEnd(piece, at) : 0
      at = end + 1
    }
    if (cut === null && from < piece.length) pieces.push(piece.subarray(from))
  }

  /** Returns the first byte that is to be kept next. */
  function readText(piece: Buffer, at: number, end: number, from: number): number {
    const before = size
    size += end - at
    if (cut !== null || size <= allowed) return from
    const place = cutPlace(piece, at, end, at - before)
    if (place < 0) return from
    pieces.push(piece.subarray(from, place))
    cut = before + place - at
    return piece.length
  }

  /** A place to cut at between two bytes; -1 for none. `start` is where the text begins, counted from this piece. */
  function cutPlace(piece: Buffer, at: number, end: number, start: number): number {
    const near = Math.max(at, start + allowed)
    const far = Math.max(at, start + allowed + REACH)
    const blank = piece.subarray(near, Math.max(near, Math.min(end, far))).indexOf(BLANK)
    if (blank >= 0) return near + blank
    if (far >= end) return -1
    if (far === start + allowed + REACH) plain = 0
    let before = slashesAtEnd(piece, at, far)
    for (let place = far; place < end; place += 1) {
      const byte = piece[place] ?? 0
      const isSlash = byte === BACKSLASH
      if (isSlash ? before % 2 === 0 : plain >= ESCAPE && (byte & 0xc0) !== 0x80) return place
      before = isSlash ? before + 1 : 0
      plain = isSlash ? 0 : plain + 1
    }
    return -1
  }

  function isEscaped(piece: Buffer, at: number, quote: number): boolean {
    return slashesAtEnd(piece, at, quote) % 2 === 1
  }

  /** The backslashes before `end`, those of earlier pieces too. */
  function slashesAtEnd(piece: Buffer, at: number, end = piece.length): number {
    let first = end
    while (first > at && piece[first - 1] === BACKSLASH) first -= 1
    return end - first + (first === at ? slashes : 0)
  }

  function endText(): void {
    isText = false
    left -= Math.min(cut ?? size, left)
  }

  /** Puts the mark where the text was cut; the quote is kept next. */
  function closeCut(quote: number): number {
    pieces.push(Buffer.from(JSON.stringify(cutMark(size - (cut ?? size))).slice(1, -1)))
    cut = null
    return quote
  }

  return { add, pieces: () => pieces }
}
