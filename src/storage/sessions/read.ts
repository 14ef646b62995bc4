/** Reads a session's file back into events. A damaged line costs only that line. */
import { setImmediate } from 'node:timers/promises'
import type { AgentEvent } from '../../agent/event.ts'
import { readLines } from '../jsonl-read.ts'
import { decodeLine, type SessionHeader, type SessionLine } from './format.ts'

export type SessionFacts = {
  /** Null where the first line cannot be read. */
  header: SessionHeader | null
  /** Empty where the session has none. */
  title: string
  /** How many lines could not be read: torn, damaged, or of a newer zotui. */
  skipped: number
}

export type SessionContent = SessionFacts & { events: AgentEvent[] }

/**
 * Takes one piece after another; `share` is how much of the file has been read, from 0 to 1. Returns whether the rest is wanted.
 */
export type TakePiece<Item> = (items: readonly Item[], share: number) => boolean

/** How many bytes are read between two turns of the event loop: a few milliseconds of work. */
const STEP = 32 * 1024

/** @throws what the system throws. */
export function readSession(path: string): SessionContent {
  const facts = noFacts()
  const events: AgentEvent[] = []
  for (const { lines } of readLines(path)) events.push(...eventsOf(understood(lines, facts)))
  return { ...facts, events }
}

/** Reads a session and yields to the event loop between pieces. Null where `take` did not want the rest. */
export async function readSessionInPieces(path: string, take: TakePiece<SessionLine>): Promise<SessionFacts | null> {
  const facts = noFacts()
  for (const { lines, share } of readLines(path, { step: STEP })) {
    if (!take(understood(lines, facts), share)) return null
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
function understood(lines: readonly string[], facts: SessionFacts): SessionLine[] {
  return lines.flatMap(line => {
    const known = decodeLine(line)
    if (known === null) facts.skipped += 1
    else if (known.type === 'session') facts.header ??= known
    else if (known.type === 'session_titled') facts.title = known.title
    return known ?? []
  })
}

/** The events among the lines. */
export function eventsOf(lines: readonly SessionLine[]): AgentEvent[] {
  return lines.filter(line => line.type !== 'session' && line.type !== 'session_titled')
}
