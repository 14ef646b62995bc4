/** An attempt at a step: its output is withdrawn if the agent tries again. */
import type { List } from './list.ts'
import type { Turn } from './state.ts'
import type { Part, TextPart, ThoughtPart, ToolCall } from './part.ts'
import { hasRun } from './calls/tool-calls.ts'

/** Begins another attempt, which ends the thoughts before it. */
export function beginAttempt(turn: Turn, at: number): Turn {
  const { length } = turn.parts
  const parts = turn.parts.changed(turn.settled, length, part =>
    part.kind === 'thought' && part.endedAt === null ? { ...part, endedAt: at } : part,
  )
  return { ...turn, parts, attemptStart: length, settled: length }
}

/** Applies `change` to the parts of the present attempt. */
export function sinceAttempt({ parts, attemptStart }: Turn, change: (part: Part) => Part): List<Part> {
  return parts.changed(attemptStart, parts.length, change)
}

export function isSaid(part: Part): part is TextPart | ThoughtPart | ToolCall {
  return (part.kind === 'text' || part.kind === 'thought' || part.kind === 'tool') && !part.withdrawn
}

/** Withdraws the parts of these kinds from the present attempt. Calls that ran and notices stay. */
export function withdraw(turn: Turn, kinds: readonly Part['kind'][]): Turn {
  const parts = sinceAttempt(turn, part =>
    kinds.includes(part.kind) && canBeWithdrawn(part) ? { ...part, withdrawn: true } : part,
  )
  return parts === turn.parts ? turn : { ...turn, attempt: turn.attempt + 1, parts }
}

function canBeWithdrawn(part: Part): boolean {
  return isSaid(part) && !(part.kind === 'tool' && hasRun(part))
}
