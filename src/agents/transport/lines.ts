/** Splits bytes into lines of any content. Only the texts in very long lines are shortened. */
import { MOST_OF_LINE } from '../../text/lines/cut-text.ts'
import { createLongLine, type LongLine } from './long-line.ts'

/** The longest line that is read, in bytes. zot's longest are calls and results of tens of megabytes. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

const LF = 0x0a
const CR = 0x0d

export type LineSplitter = {
  /** Takes the next bytes, cut anywhere. It does not copy them, so they must not be changed afterwards. */
  push(chunk: Buffer): void
  /** Ends the input: a last line without a newline is delivered. */
  end(): void
}

export type LineSplitterOptions = {
  /** Receives each line without its newline. */
  onLine: (line: string) => void
  /** Called at the end of a line that was longer than `maxBytes` and therefore not kept. */
  onDropped?: (bytes: number) => void
  maxBytes?: number
  /** Whether a long line with this beginning may lose the ends of its texts: see `createLongLine`. No line by default. */
  shortens?: ((beginning: string) => boolean) | undefined
}

/** Characters of a line by which `shortens` decides. */
const BEGINNING = 64

/**
 * Makes a splitter. It splits on LF only (U+2028 and a lone CR are text) and removes one CR before it. UTF-8 is decoded one
 * line at a time, because a chunk may end inside a character. The work is linear in the bytes, for any size of chunk and line.
 */
export function createLineSplitter(options: LineSplitterOptions): LineSplitter {
  const { onLine, onDropped, maxBytes = DEFAULT_MAX_BYTES, shortens = () => false } = options
  /** A line of so many bytes is delivered as it is. */
  const short = Math.min(maxBytes, MOST_OF_LINE)
  let pieces: Buffer[] = []
  let long: LongLine | null = null
  let size = 0

  const add = (piece: Buffer): void => {
    size += piece.length
    // Such a line is not delivered, and it may never end.
    if (size > maxBytes) return drop()
    if (long) return long.add(piece)
    pieces.push(piece)
    const isLong = size > MOST_OF_LINE && size - piece.length <= MOST_OF_LINE
    if (!isLong || !shortens(Buffer.concat(pieces, BEGINNING).toString('latin1'))) return
    long = createLongLine()
    for (const each of pieces.splice(0)) long.add(each)
  }
  const drop = (): void => {
    pieces = []
    long = null
  }
  const finish = (): void => {
    const [bytes, line] = [size, long?.pieces() ?? pieces]
    drop()
    size = 0
    if (bytes > maxBytes) onDropped?.(bytes)
    else onLine(decode(line))
  }
  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
        if (size === 0 && end - start <= short) onLine(textBetween(chunk, start, end))
        else {
          add(chunk.subarray(start, end))
          finish()
        }
        start = end + 1
      }
      if (start < chunk.length) add(chunk.subarray(start))
    },
    end() {
      if (size > 0) finish()
    },
  }
}

function decode(pieces: readonly Buffer[]): string {
  const [first] = pieces
  const bytes = pieces.length === 1 && first ? first : Buffer.concat(pieces)
  return textBetween(bytes, 0, bytes.length)
}

/** The line in these bytes, without the CR at its end. */
function textBetween(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('utf8', start, end > start && bytes[end - 1] === CR ? end - 1 : end)
}
