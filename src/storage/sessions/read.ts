/** From a session's file back to its events. Whatever is wrong with a line costs that line only. */
import { closeSync, fstatSync, readSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { setImmediate } from 'node:timers/promises'
import type { AgentEvent } from '../../agent/event.ts'
import { openRegularFileSync } from '../../platform/regular-file.ts'
import { decodeLine, type SessionHeader, type SessionLine } from './format.ts'

export type SessionFacts = {
  /** Null where the first line cannot be read. */
  header: SessionHeader | null
  /** Empty where nobody gave one. */
  title: string
  /** Lines that could not be understood: torn, damaged, or of a newer zotui. */
  skipped: number
}

export type SessionContent = SessionFacts & { events: AgentEvent[] }

/**
 * Takes what was read, a piece after the other; `share` is how much of all has been read then, from 0 to 1. Returns whether
 * the rest is wanted.
 */
export type TakePiece<Item> = (items: readonly Item[], share: number) => boolean

/** Bytes that are read at once. */
const PIECE = 1024 * 1024
/** The same where others have their turn in between: a few milliseconds of work. */
const SMALL_PIECE = 32 * 1024

/** @throws what the system throws. */
export function readSession(path: string): SessionContent {
  const facts = noFacts()
  const events: AgentEvent[] = []
  for (const { lines } of piecesOf(path, 0, PIECE)) events.push(...eventsOf(understood(lines, facts)))
  return { ...facts, events }
}

/** The same for as long as it takes, which holds nobody up. Null where the rest was not wanted. */
export async function readSessionInPieces(path: string, take: TakePiece<SessionLine>): Promise<SessionFacts | null> {
  const facts = noFacts()
  for (const { lines, share } of piecesOf(path, 0, SMALL_PIECE)) {
    if (!take(understood(lines, facts), share)) return null
    if (share < 1) await setImmediate()
  }
  return facts
}

/**
 * The events of the lines that have `mark` in them as it stands there, a piece of the file after the other: who reads on
 * decides when.
 *
 * @throws what the system throws.
 */
export function* eventsWith(path: string, mark: string): Generator<AgentEvent[], void> {
  for (const { lines } of piecesOf(path, 0, PIECE)) {
    yield eventsOf(lines.flatMap(line => (line.includes(mark) ? (decodeLine(line) ?? []) : [])))
  }
}

function noFacts(): SessionFacts {
  return { header: null, title: '', skipped: 0 }
}

/** The lines that can be read; what they say of the session is noted. */
function understood(lines: readonly string[], facts: SessionFacts): SessionLine[] {
  return lines.flatMap(line => {
    const known = decodeLine(line)
    if (known === null) facts.skipped += 1
    else if (known.type === 'session') facts.header ??= known
    else if (known.type === 'session_titled') facts.title = known.title
    return known ?? []
  })
}

/** What happened, of all that the lines say. */
export function eventsOf(lines: readonly SessionLine[]): AgentEvent[] {
  return lines.filter(line => line.type !== 'session' && line.type !== 'session_titled')
}

/**
 * Calls `visit` for each line from the offset on that is not blank; the last one may be unfinished. Returns the offset behind
 * the last finished line. Offsets are in bytes.
 */
export function readLines(path: string, from: number, visit: (line: string, isFinished: boolean) => void): number {
  let end = from
  for (const { lines, areFinished, finished } of piecesOf(path, from, PIECE)) {
    for (const line of lines) visit(line, areFinished)
    end = finished
  }
  return end
}

type Piece = {
  /** Those that are not blank. */
  lines: string[]
  /** False for the last line of a file that ends without a newline. */
  areFinished: boolean
  /** The offset behind the last finished line. */
  finished: number
  /** How much of the file has been read, from 0 to 1. */
  share: number
}

/** The lines of a file from an offset on, as they were read: so many bytes at once. The last piece has all that was left. */
function* piecesOf(path: string, from: number, most: number): Generator<Piece> {
  const file = openRegularFileSync(path)
  try {
    const { size } = fstatSync(file)
    // Most are small, and of those there may be ten thousand.
    const bytes = Buffer.allocUnsafe(Math.max(1, Math.min(most, size - from)))
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
      const lines = decoder.write(piece).split('\n')
      // A line of many pieces is put together once.
      lines[0] = open + (lines[0] ?? '')
      open = lines.pop() ?? ''
      yield { lines: lines.filter(isSaying), areFinished: true, finished, share: at < size ? at / size : 1 }
    }
    open += decoder.end()
    yield { lines: [open].filter(isSaying), areFinished: false, finished, share: 1 }
  } finally {
    closeSync(file)
  }
}

function isSaying(line: string): boolean {
  return line.trim() !== ''
}
