/** From a session's file back to its events. Whatever is wrong with a line costs that line only. */
import { setImmediate } from 'node:timers/promises'
import type { AgentEvent } from '../../agent/event.ts'
import { readLines } from '../jsonl-read.ts'
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

/** How many bytes are read between two turns of the event loop: a few milliseconds of work. */
const STEP = 32 * 1024

/** @throws what the system throws. */
export function readSession(path: string): SessionContent {
  const facts = noFacts()
  const events: AgentEvent[] = []
  for (const { lines } of readLines(path)) events.push(...eventsOf(understood(lines, facts)))
  return { ...facts, events }
}

/** The same for as long as it takes, which holds nobody up. Null where the rest was not wanted. */
export async function readSessionInPieces(path: string, take: TakePiece<SessionLine>): Promise<SessionFacts | null> {
  const facts = noFacts()
  for (const { lines, share } of readLines(path, { step: STEP })) {
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
  for (const { lines } of readLines(path)) {
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
