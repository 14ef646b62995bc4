/** The moments of a session, and when each is played: as they happened, with long waits shortened. Pure. */
import type { AgentEvent } from '../agent/event.ts'
import { graphemes } from '../text/lines/width.ts'

/** Milliseconds. A wait of more is shortened to this, at the speed of the session. */
export const LONGEST_WAIT = 3000

/** A session keeps the pieces of a text joined that came within these milliseconds; in a replay it grows in such steps again. */
const JOINED = 400
const STEP = 50
/** Characters of a text that grows again; a longer one did not come within `JOINED`. */
const LONGEST_PIECE = 10_000

export type ReplayMoment = {
  /** Milliseconds since the start of the replay, at the speed of the session. */
  due: number
  /** When it happened, in milliseconds since the Unix epoch; never before the moment before it. */
  at: number
  /** The milliseconds of the wait before it that are left out. */
  leftOut: number
  events: readonly AgentEvent[]
}

export type Schedule = {
  moments: readonly ReplayMoment[]
  /** Milliseconds from the first moment to the last. */
  length: number
  /** The milliseconds of all waits that are left out. */
  leftOut: number
  /** When the prompts are due, and the turns that the agent began itself. */
  prompts: readonly number[]
  /** When the last moment before the first prompt is due. */
  ready: number
}

/** Events of the same time are one moment. A prompt begins one, at least a millisecond later, so that a replay can stop before it. */
export function scheduleOf(events: readonly AgentEvent[]): Schedule {
  const moments: (ReplayMoment & { events: AgentEvent[] })[] = []
  const prompts: number[] = []
  for (const event of grown(events)) {
    const last = moments.at(-1)
    const isPrompt = event.type === 'prompt_sent' || event.type === 'turn_begun'
    if (last && !isPrompt && event.at <= last.at) {
      last.events.push(event)
      continue
    }
    const at = Math.max(event.at, last?.at ?? event.at)
    const wait = last ? Math.max(at - last.at, isPrompt ? 1 : 0) : 0
    const due = (last?.due ?? 0) + Math.min(wait, LONGEST_WAIT)
    if (isPrompt) prompts.push(due)
    moments.push({ due, at, leftOut: Math.max(0, wait - LONGEST_WAIT), events: [event] })
  }
  const [first = Infinity] = prompts
  return {
    moments,
    length: moments.at(-1)?.due ?? 0,
    leftOut: moments.reduce((sum, moment) => sum + moment.leftOut, 0),
    prompts,
    ready: moments.findLast(({ due }) => due < first)?.due ?? 0,
  }
}

/** The events, with the joined pieces of a text apart until the event after them. */
function* grown(events: readonly AgentEvent[]): Generator<AgentEvent, void> {
  for (const [index, event] of events.entries()) {
    const isText = event.type === 'text_received' || event.type === 'thought_received'
    const until = Math.min(JOINED, (events[index + 1]?.at ?? event.at) - event.at)
    const steps = Math.floor(until / STEP)
    if (!isText || steps < 2 || event.text.length > LONGEST_PIECE) {
      yield event
      continue
    }
    const characters = [...graphemes(event.text)]
    const size = Math.max(1, Math.ceil(characters.length / steps))
    for (let from = 0; from < characters.length; from += size)
      yield { ...event, at: event.at + (from / size) * STEP, text: characters.slice(from, from + size).join('') }
  }
}
