/** The moments of a session, and when each is played: as they happened, with long waits shortened. Pure. */
import type { AgentEvent } from '../agent/event.ts'

/** Milliseconds. A wait of more is shortened to this, at the speed of the session. */
export const LONGEST_WAIT = 3000

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
  /** When the prompts are due. */
  prompts: readonly number[]
  /** When the last moment before the first prompt is due. */
  ready: number
}

/** Events of the same time are one moment. A prompt begins one, at least a millisecond later, so that a replay can stop before it. */
export function scheduleOf(events: readonly AgentEvent[]): Schedule {
  const moments: (ReplayMoment & { events: AgentEvent[] })[] = []
  const prompts: number[] = []
  for (const event of events) {
    const last = moments.at(-1)
    const isPrompt = event.type === 'prompt_sent'
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
