/** Reads a session's file back into events. A damaged line costs only that line. */
import { setImmediate } from 'node:timers/promises'
import type { AgentEvent } from '../../agent/event.ts'
import { isMissing } from '../../platform/errors.ts'
import { readLines } from '../jsonl-read.ts'
import { decodeLine, isEvent, type OwnLine, type SessionHeader, type SessionLine } from './session-format.ts'

export type SessionFacts = {
  /** Null where the first line cannot be read. */
  header: SessionHeader | null
  /** Empty where the session has none. */
  title: string
  /** The number of lines that could not be read: torn, damaged, or of a newer zotui. */
  skipped: number
}

export type SessionContent = SessionFacts & { events: AgentEvent[] }

/**
 * Takes one piece after another; `share` is how much of the file has been read, from 0 to 1. Returns whether the rest is needed.
 */
export type TakePiece<Item> = (items: readonly Item[], share: number) => boolean

/** The number of bytes that are read between two turns of the event loop: a few milliseconds of work. */
const STEP = 32 * 1024

/** The content of a session; null where there is no file. @throws what else the system throws. */
export function readAt(path: string | null): SessionContent | null {
  try {
    return path === null ? null : readSession(path)
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** @throws what the system throws. */
export function readSession(path: string): SessionContent {
  const facts = noFacts()
  const events: AgentEvent[] = []
  const understood = createLineReader(facts)
  for (const { lines } of readLines(path)) events.push(...eventsOf(understood(lines)))
  return { ...facts, events }
}

/**
 * Reads a session, or the first `bytes` of it, and yields to the event loop between pieces. Null where `take` did not want the rest.
 */
export async function readSessionInPieces(
  path: string,
  take: TakePiece<SessionLine>,
  bytes = Infinity,
): Promise<SessionFacts | null> {
  const facts = noFacts()
  const understood = createLineReader(facts)
  for (const { lines, share } of readLines(path, { step: STEP, to: bytes })) {
    if (!take(understood(lines), share)) return null
    if (share < 1) await setImmediate()
  }
  return facts
}

/**
 * The events whose line contains `mark`, one piece of the file after another.
 *
 * @throws what the system throws.
 */
export function* eventsWith(path: string, mark: string): Generator<AgentEvent[], void> {
  for (const { lines } of readLines(path)) {
    yield eventsOf(lines.flatMap(line => (line.includes(mark) ? (decodeLine(line) ?? []) : [])))
  }
}

function noFacts(): SessionFacts {
  return { header: null, title: '', skipped: 0 }
}

/** Decodes lines, and notes their facts about the session. */
function createLineReader(facts: SessionFacts): (lines: readonly string[]) => SessionLine[] {
  return lines =>
    lines.flatMap(line => {
      const known = decodeLine(line)
      if (known === null) {
        facts.skipped += 1
        return []
      }
      if (!isEvent(known)) note(facts, known)
      return known
    })
}

function note(facts: SessionFacts, line: OwnLine): void {
  switch (line.type) {
    case 'session':
      facts.header ??= line
      return
    case 'session_titled':
      facts.title = line.title
      return
    case 'session_shown':
    case 'side_ended':
    case 'session_spawned':
  }
}

export function eventsOf(lines: readonly SessionLine[]): AgentEvent[] {
  return lines.filter(isEvent)
}

/** Passes events to `take` in pieces, as from a file; false where not all were needed. */
export async function handOver(events: readonly AgentEvent[], take: TakePiece<AgentEvent>): Promise<boolean> {
  let taken = 0
  for (const piece of pieces(events)) {
    taken += piece.length
    if (!take(piece, taken / events.length)) return false
    if (taken < events.length) await setImmediate()
  }
  return taken > 0 || take([], 1)
}

export function* pieces(events: readonly AgentEvent[]): Generator<AgentEvent[], void> {
  for (let from = 0; from < events.length; from += PIECE) yield events.slice(from, from + PIECE)
}

/** The number of events that are passed at once. */
const PIECE = 500
