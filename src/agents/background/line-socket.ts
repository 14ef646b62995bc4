/** Lines of JSON over a socket, in both directions. Any other line ends the connection. */
import type { Socket } from 'node:net'
import { parseJson } from '../../text/json.ts'
import { createLineSplitter } from '../transport/lines.ts'

/** The longest line in bytes: a prompt with images, or a result of a tool. */
const LONGEST_LINE = 64 * 1024 * 1024
/** The limit of unsent bytes. The connection to a side that does not read is closed. */
const MOST_WAITING = 256 * 1024 * 1024

/** A schema that never throws. */
type Reads<Line> = { safeParse: (value: unknown) => { success: true; data: Line } | { success: false } }

export type LineSocket = {
  /** Sends one object. After the end it does nothing. */
  write: (line: object) => void
  /** Flushes, and ends the connection. */
  end: () => void
}

export type LineSocketOptions<Line> = {
  socket: Socket
  schema: Reads<Line>
  onLine: (line: Line) => void
  /** Called once, even if the other side broke the protocol. */
  onEnd: () => void
  /** In bytes; by default what a prompt with images needs. */
  longestLine?: number
  /** Unsent bytes; by default many results of tools. */
  mostWaiting?: number
}

/** Nothing here throws. */
export function createLineSocket<Line>(options: LineSocketOptions<Line>): LineSocket {
  const { socket, schema, onLine, onEnd, longestLine = LONGEST_LINE, mostWaiting = MOST_WAITING } = options
  const splitter = createLineSplitter({ onLine: take, onDropped: () => socket.destroy(), maxBytes: longestLine })
  socket.on('data', (chunk: Buffer) => splitter.push(chunk))
  // The end follows as `close`.
  socket.on('error', () => undefined)
  socket.on('close', onEnd)
  return {
    write(line) {
      if (!socket.writable) return
      socket.write(`${JSON.stringify(line)}\n`)
      if (socket.writableLength > mostWaiting) socket.destroy()
    },
    end: () => void socket.end(),
  }

  function take(text: string): void {
    if (socket.destroyed) return
    const parsed = schema.safeParse(parseJson(text))
    if (parsed.success) onLine(parsed.data)
    else socket.destroy()
  }
}
