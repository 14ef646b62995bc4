/** From a session's file back to its events. Whatever is wrong with a line costs that line only. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import type { AgentEvent } from '../agent/event.ts'
import { decodeLine, type SessionHeader, type SessionLine } from './format.ts'

export type SessionContent = {
  /** Null where the first line cannot be read. */
  header: SessionHeader | null
  /** Empty where nobody gave one. */
  title: string
  events: AgentEvent[]
  /** Lines that could not be understood: torn, damaged, or of a newer zotui. */
  skipped: number
}

const PIECE = 1024 * 1024

/** @throws what the system throws. */
export function readSession(path: string): SessionContent {
  const content: SessionContent = { header: null, title: '', events: [], skipped: 0 }
  readLines(path, 0, line => {
    const known = decodeLine(line)
    if (known === null) content.skipped += 1
    else add(content, known)
  })
  return content
}

function add(content: SessionContent, line: SessionLine): void {
  if (line.type === 'session') content.header ??= line
  else if (line.type === 'session_titled') content.title = line.title
  else content.events.push(line)
}

/**
 * Calls `visit` for each line from the offset on that is not blank; the last one may be unfinished. Returns the offset behind
 * the last finished line. Offsets are in bytes.
 */
export function readLines(path: string, from: number, visit: (line: string, isFinished: boolean) => void): number {
  const file = openSync(path, 'r')
  try {
    // Most are small, and of those there may be ten thousand.
    const bytes = Buffer.allocUnsafe(Math.max(1, Math.min(PIECE, fstatSync(file).size - from)))
    const decoder = new StringDecoder('utf8')
    let open = ''
    let at = from
    let finished = from
    for (;;) {
      const count = readSync(file, bytes, 0, bytes.length, at)
      if (count === 0) break
      const piece = bytes.subarray(0, count)
      const end = piece.lastIndexOf(0x0a)
      if (end >= 0) finished = at + end + 1
      at += count
      const lines = (open + decoder.write(piece)).split('\n')
      open = lines.pop() ?? ''
      for (const line of lines) if (line.trim() !== '') visit(line, true)
    }
    open += decoder.end()
    if (open.trim() !== '') visit(open, false)
    return finished
  } finally {
    closeSync(file)
  }
}
